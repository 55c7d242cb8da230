//===- RoundTrip.h - Checks of printing and parsing -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that text represents a module completely: the printed text reads back
// as the same module, which prints as the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SESSION_ROUNDTRIP_H
#define RELAY_SESSION_ROUNDTRIP_H

#include "relay/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// Reads text into another Context; null after errors.
using ModuleReader =
    function_ref<std::unique_ptr<Module>(std::unique_ptr<llvm::MemoryBuffer>)>;

/// Prints the normalized \p M, reads the text back with \p Read, and reports
/// differences. Types are compared if \p Typed is set.
LogicalResult verifyRoundTrip(Module &M, bool Typed, ModuleReader Read);

} // namespace relay

#endif // RELAY_SESSION_ROUNDTRIP_H

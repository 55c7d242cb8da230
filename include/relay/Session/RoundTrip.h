//===- RoundTrip.h - -verify-roundtrip --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that text says everything about a module: what it prints reads back as
// the same module, which prints as the same bytes.
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

/// Prints \p M, which is normalized, has \p Read read that, and reports what is
/// not the same. Types are compared where \p Typed.
LogicalResult verifyRoundTrip(Module &M, bool Typed, ModuleReader Read);

} // namespace relay

#endif // RELAY_SESSION_ROUNDTRIP_H

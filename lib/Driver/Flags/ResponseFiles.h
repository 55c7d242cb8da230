//===- ResponseFiles.h - Arguments that are read from files -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `@FILE` stands for the arguments that the file holds, which are separated as
// in a shell and may name further files. How much all files together may hold
// is bounded.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H
#define RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

namespace relay {

/// Returns \p Arguments with the contents of response files, which \p Texts
/// holds, in their place. An argument whose file does not exist stays as it is.
llvm::Expected<SmallVector<const char *>>
expandResponseFiles(ArrayRef<const char *> Arguments,
                    llvm::BumpPtrAllocator &Texts);

/// An error if one of \p Operands looks like a response file, which was left
/// because it does not exist, and names no file itself.
llvm::Error checkResponseFiles(ArrayRef<StringRef> Operands);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H

//===- ResponseFiles.h - Arguments read from files --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `@FILE` is replaced by the arguments in the file, which are separated as in a
// shell and may name further files. The total size of all files is limited.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H
#define RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

namespace relay {

/// Returns \p Arguments with response files replaced by their contents, which
/// are stored in \p Texts. An argument whose file does not exist is left
/// unchanged.
llvm::Expected<SmallVector<const char *>>
expandResponseFiles(ArrayRef<const char *> Arguments,
                    llvm::BumpPtrAllocator &Texts);

/// Returns an error if one of \p Operands has the form of a response file that
/// does not exist and is not the name of a file itself.
llvm::Error checkResponseFiles(ArrayRef<StringRef> Operands);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_RESPONSEFILES_H

//===- InputFile.h - Files that are read as a whole -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files, pipes and devices. One that does not end within a bound
// (`/dev/zero`) is an error.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_INPUTFILE_H
#define RELAY_SUPPORT_INPUTFILE_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// The contents of the file \p Path, which errors name, with the reason.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(StringRef Path);

/// Likewise of \p File, which is open. The result is called \p Name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readOpenFile(llvm::sys::fs::file_t File, StringRef Path, StringRef Name);

} // namespace relay

#endif // RELAY_SUPPORT_INPUTFILE_H

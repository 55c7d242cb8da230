//===- InputFile.h - Files that are read as a whole -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files, pipes and devices. A file that does not end within a bound
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

/// Returns the contents of the file \p Path; errors name it, with the reason.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(StringRef Path);

/// As above, for \p File, which is open. The name of the result is \p Name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readOpenFile(llvm::sys::fs::file_t File, StringRef Path, StringRef Name);

} // namespace relay

#endif // RELAY_SUPPORT_INPUTFILE_H

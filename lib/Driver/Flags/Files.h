//===- Files.h - Input and output of the tools ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a file or standard input, and writes a file or standard output. Errors
// name the path and the reason.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_FILES_H
#define RELAY_LIB_DRIVER_FLAGS_FILES_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// Returns the contents of \p Path; `-` is standard input, with a note if it is
/// a terminal. Reading more than a limit from a pipe or a device is an error.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openInput(StringRef Path);

/// Calls \p Write to write \p Path as writeFile() does; `-` is standard output.
llvm::Error writeOutput(StringRef Path,
                        function_ref<void(raw_ostream &)> Write);

/// As writeOutput(), for a \p Write that may fail; a file is then unchanged.
llvm::Error tryWriteOutput(StringRef Path,
                           function_ref<llvm::Error(raw_ostream &)> Write);

/// Returns \p E as an error about the file \p Path.
llvm::Error inFile(StringRef Path, llvm::Error E);

/// A file that a run writes, and the flag that names it, such as `-o`.
struct OutputFile {
  StringRef Flag;
  std::string Path;
};

/// Returns an error if two of \p Files are the same, or if one other than that
/// of -o is \p Input. Several flags may write to one device or pipe.
llvm::Error checkDistinct(ArrayRef<OutputFile> Files, StringRef Input);

/// Splits \p Text at lines that begin with \p Marker. Returns each part with
/// the number of its first line.
SmallVector<std::pair<StringRef, unsigned>> splitInput(StringRef Text,
                                                       StringRef Marker);
/// Warns about lines of \p Text, from the file \p Name, that resemble the
/// marker: with one letter more or less, or indented.
void warnOfNearMarkers(StringRef Text, StringRef Marker, StringRef Name);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_FILES_H

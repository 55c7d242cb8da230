//===- Files.h - Input and output of the tools ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading a file or standard input, writing a file or standard output. Errors
// name the path and the reason.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_FILES_H
#define RELAY_LIB_DRIVER_FLAGS_FILES_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// The contents of \p Path; `-` is standard input, of which a note says so if
/// it is a terminal. A pipe or a device that does not end within a bound is an
/// error.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openInput(StringRef Path);

/// Lets \p Write write to \p Path as writeFile does; `-` is standard output.
llvm::Error writeOutput(StringRef Path,
                        function_ref<void(raw_ostream &)> Write);

/// Likewise if \p Write may fail; a file then stays as it is.
llvm::Error tryWriteOutput(StringRef Path,
                           function_ref<llvm::Error(raw_ostream &)> Write);

/// \p E as an error about the file \p Path.
llvm::Error inFile(StringRef Path, llvm::Error E);

/// A file that a run writes, and the flag that names it: `-o`.
struct OutputFile {
  StringRef Flag;
  std::string Path;
};

/// An error if two of \p Files are one, or if one but that of -o is \p Input.
/// Devices and pipes may be written to by several.
llvm::Error checkDistinct(ArrayRef<OutputFile> Files, StringRef Input);

/// The parts of \p Text between lines that begin with \p Marker, each with the
/// number of its first line.
SmallVector<std::pair<StringRef, unsigned>> splitInput(StringRef Text,
                                                       StringRef Marker);
/// Warns of lines of \p Text, the file \p Name, that are nearly the marker:
/// with a letter more or less, or indented.
void warnOfNearMarkers(StringRef Text, StringRef Marker, StringRef Name);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_FILES_H

//===- OutputFile.h - Files that are written as a whole ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tools write files by these functions. A reader finds the old contents or
// the new ones, never a part of them, and a run that fails, crashes or is
// killed leaves no temporary file. Callers handle standard output themselves.
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_OUTPUTFILE_H
#define RELAY_SUPPORT_OUTPUTFILE_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace llvm {
class raw_fd_ostream;
} // namespace llvm

namespace relay {

/// Returns `cannot <Action> '<Path>': <reason of Code>`.
llvm::Error makeFileError(const Twine &Action, StringRef Path,
                          std::error_code Code);

/// Calls \p Write with \p OS, and flushes it. \returns an error about \p Path
/// if not all of it could be written.
llvm::Error writeStream(llvm::raw_fd_ostream &OS, StringRef Path,
                        function_ref<void(raw_ostream &)> Write);
/// As above, for a \p Write that may fail: then \returns its error.
llvm::Error tryWriteStream(llvm::raw_fd_ostream &OS, StringRef Path,
                           function_ref<llvm::Error(raw_ostream &)> Write);

/// Calls \p Write to write the contents of the file \p Path.
///
/// A regular file is replaced once everything has been written; its mode is
/// unchanged, and a symbolic link to it remains a link. A file that cannot be
/// replaced without a loss is written in place: a device, a pipe, a descriptor
/// under /proc (`/dev/stdout`), a file with several names or another owner, or
/// a file in a directory in which no file can be created. In place, a regular
/// file is left empty if writing fails.
/// \returns an error that names \p Path and the reason.
llvm::Error writeFile(StringRef Path, function_ref<void(raw_ostream &)> Write);
/// As above, for a \p Write that may fail: then the file is unchanged.
llvm::Error tryWriteFile(StringRef Path,
                         function_ref<llvm::Error(raw_ostream &)> Write);

/// A group of files that are written together or not at all. Unlike
/// writeFile(), it replaces a file with several names only under \c Path, so
/// that mapped contents are unchanged.
class OutputFileGroup {
public:
  OutputFileGroup();
  ~OutputFileGroup();

  /// Calls \p Write now to write the contents of the file \p Path to a
  /// temporary file next to the old one.
  /// \returns an error that names \p Path and the reason.
  llvm::Error add(StringRef Path, function_ref<void(raw_ostream &)> Write);
  /// Moves all contents to their paths. Files that are written in place, such
  /// as devices, come first, since writing them may still fail.
  llvm::Error commit();

private:
  struct Member;
  std::vector<std::unique_ptr<Member>> Members;
};

/// Calls \p Write to append to the file \p Path, which is created if it does
/// not exist. Nothing is appended if writing fails.
/// \returns an error that names \p Path and the reason.
llvm::Error appendToFile(StringRef Path,
                         function_ref<void(raw_ostream &)> Write);

/// Returns an error if \p Path is known not to be writable: its directory does
/// not exist or is not a directory, or permission is missing.
llvm::Error checkWritable(StringRef Path);

/// Creates the directory \p Path, with its parents, if it does not exist.
/// Returns an error if it cannot be created or is not writable.
llvm::Error makeWritableDirectory(StringRef Path);

} // namespace relay

#endif // RELAY_SUPPORT_OUTPUTFILE_H

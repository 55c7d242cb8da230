//===- OutputFile.h - Files that are written as a whole ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way in which a tool writes a file. A reader finds the old contents or
// the new ones, never a part of them, and nothing is left behind by a run that
// fails, crashes or is killed. Standard output is left to the caller.
//
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

/// `cannot <Action> '<Path>': <reason of Code>`.
llvm::Error makeFileError(const Twine &Action, StringRef Path,
                          std::error_code Code);

/// Lets \p Write write to \p OS, and flushes it. \returns an error about
/// \p Path if not all of it could be written.
llvm::Error writeStream(llvm::raw_fd_ostream &OS, StringRef Path,
                        function_ref<void(raw_ostream &)> Write);
/// Likewise if \p Write may fail: then \returns its error.
llvm::Error tryWriteStream(llvm::raw_fd_ostream &OS, StringRef Path,
                           function_ref<llvm::Error(raw_ostream &)> Write);

/// Lets \p Write write the contents of the file \p Path.
///
/// A regular file is replaced once everything has been written; its mode stays,
/// and a symbolic link to it remains a link. A file that cannot be replaced
/// without a loss is written in place: a device, a pipe, a descriptor under
/// /proc (`/dev/stdout`), a file that has several names or another owner, or
/// one in a directory in which no file can be created. In place, a regular file
/// is left empty if writing fails.
/// \returns an error that names \p Path and the reason.
llvm::Error writeFile(StringRef Path, function_ref<void(raw_ostream &)> Write);
/// Likewise if \p Write may fail: then the file stays as it is.
llvm::Error tryWriteFile(StringRef Path,
                         function_ref<llvm::Error(raw_ostream &)> Write);

/// A group of files that are written all or none. Unlike writeFile(), it
/// replaces a file with several names only under the given name, so that mapped
/// contents stay unchanged.
class OutputFileGroup {
public:
  OutputFileGroup();
  ~OutputFileGroup();

  /// Calls \p Write now to write the contents of the file \p Path to a
  /// temporary file next to the old one.
  /// \returns an error that names \p Path and the reason.
  llvm::Error add(StringRef Path, function_ref<void(raw_ostream &)> Write);
  /// Lets all contents take their places. Files that are written in place, such
  /// as devices, come first, since that may still fail.
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

/// Makes the directory \p Path, with those around it, unless it is there. An
/// error if it cannot be made or written into.
llvm::Error makeWritableDirectory(StringRef Path);

} // namespace relay

#endif // RELAY_SUPPORT_OUTPUTFILE_H

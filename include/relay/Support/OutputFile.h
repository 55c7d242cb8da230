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

/// Files of which none is written unless all can be. Unlike with writeFile(), a
/// file that has several names is replaced under the one that is given: what
/// has been mapped from it stays as it is.
class OutputFileGroup {
public:
  OutputFileGroup();
  ~OutputFileGroup();

  /// Lets \p Write write what the file \p Path is to hold; now, beside the old
  /// file. \returns an error that names \p Path and the reason.
  llvm::Error add(StringRef Path, function_ref<void(raw_ostream &)> Write);
  /// Lets all contents take their places. Files that are written in place, such
  /// as devices, come first, since that may still fail.
  llvm::Error commit();

private:
  struct Member;
  std::vector<std::unique_ptr<Member>> Members;
};

/// Lets \p Write write to the end of the file \p Path, which is made if there
/// is none. Nothing is added if writing fails.
/// \returns an error that names \p Path and the reason.
llvm::Error appendToFile(StringRef Path,
                         function_ref<void(raw_ostream &)> Write);

/// The error of writing \p Path that can be seen without writing: a directory
/// that is not there or is no directory, a file that may not be written.
llvm::Error checkWritable(StringRef Path);

/// Makes the directory \p Path, with those around it, unless it is there. An
/// error if it cannot be made or written into.
llvm::Error makeWritableDirectory(StringRef Path);

} // namespace relay

#endif // RELAY_SUPPORT_OUTPUTFILE_H

//===- ResponseFiles.cpp - Arguments read from files ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ResponseFiles.h. LLVM's expansion reads devices without a limit, waits
// for a writer of a named pipe, and expands files that name one another without
// a bound on their number.
//
//===----------------------------------------------------------------------===//

#include "ResponseFiles.h"
#include "relay/Support/InputFile.h"
#include "relay/Support/OutputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;
namespace fs = llvm::sys::fs;

namespace {

class ResponseFileExpander {
public:
  ResponseFileExpander(ArrayRef<const char *> Arguments,
                       llvm::BumpPtrAllocator &Texts)
      : Saver(Texts) {
    Open.push_back({{}, SmallVector<const char *, 0>(Arguments)});
  }

  Error run();
  SmallVector<const char *> takeResult() { return std::move(Result); }

private:
  /// The command line, or a file whose arguments are being read.
  struct Source {
    fs::UniqueID Id;
    SmallVector<const char *, 0> Arguments;
    size_t Next = 0;
  };
  Error open(StringRef Path, fs::UniqueID Id);

  static constexpr size_t MaxFiles = 1000;
  static constexpr size_t MaxBytes = 16 << 20;

  llvm::StringSaver Saver;
  SmallVector<Source, 4> Open;
  size_t NumFiles = 0, NumBytes = 0;
  SmallVector<const char *> Result;
};

} // namespace

Error ResponseFileExpander::open(StringRef Path, fs::UniqueID Id) {
  if (llvm::any_of(llvm::drop_begin(Open),
                   [&](const Source &S) { return S.Id == Id; }))
    return llvm::createStringError("recursive expansion of: '" + Path + "'");
  if (++NumFiles > MaxFiles)
    return llvm::createStringError("response file '" + Path + "': more than " +
                                   Twine(MaxFiles) +
                                   " response files are named");
  fs::file_status Status;
  if (!fs::status(Path, Status) && !fs::is_regular_file(Status) &&
      !fs::is_directory(Status)) // an error of readFile()
    return llvm::createStringError("response file '" + Path +
                                   "' is not a regular file");
  auto Buffer = readFile(Path);
  if (!Buffer)
    return Buffer.takeError();
  NumBytes += (*Buffer)->getBufferSize();
  if (NumBytes > MaxBytes)
    return llvm::createStringError("response file '" + Path +
                                   "': response files hold more than " +
                                   Twine(MaxBytes >> 20) + " MiB");
  Source New{Id, {}};
  llvm::cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver,
                                   New.Arguments);
  Open.push_back(std::move(New));
  return Error::success();
}

Error ResponseFileExpander::run() {
  while (!Open.empty()) {
    Source &Last = Open.back();
    if (Last.Next == Last.Arguments.size()) {
      Open.pop_back();
      continue;
    }
    const char *Argument = Last.Arguments[Last.Next++];
    StringRef Path = Argument;
    fs::UniqueID Id;
    if (!Path.consume_front("@") || fs::getUniqueID(Path, Id)) {
      Result.push_back(Argument);
      continue;
    }
    if (Error E = open(Path, Id))
      return E;
  }
  return Error::success();
}

Expected<SmallVector<const char *>>
relay::expandResponseFiles(ArrayRef<const char *> Arguments,
                           llvm::BumpPtrAllocator &Texts) {
  ResponseFileExpander Expander(Arguments, Texts);
  if (Error E = Expander.run())
    return Expected<SmallVector<const char *>>(std::move(E));
  return Expander.takeResult();
}

Error relay::checkResponseFiles(ArrayRef<StringRef> Operands) {
  for (StringRef Operand : Operands) {
    StringRef Path = Operand;
    if (!Path.consume_front("@") || fs::exists(Operand))
      continue;
    fs::file_status Status;
    if (std::error_code Code = fs::status(Path, Status))
      return makeFileError("read", Path, Code);
  }
  return Error::success();
}

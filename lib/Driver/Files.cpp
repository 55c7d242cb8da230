//===- Files.cpp - Input and output of the tools --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Files.h.
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;

/// \p Code as an error about \p Path.
static Error fileError(const Twine &Action, StringRef Path,
                       std::error_code Code) {
  return llvm::createStringError(Code, "cannot " + Action + " '" + Path +
                                           "': " + Code.message());
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
relay::openInput(StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFileOrSTDIN(Path);
  if (!Buffer)
    return fileError("read", Path, Buffer.getError());
  return std::move(*Buffer);
}

/// Writes to \p OS, which has a descriptor, and checks that all went well.
static Error writeStream(llvm::raw_fd_ostream &OS, StringRef Path,
                         function_ref<void(raw_ostream &)> Write) {
  Write(OS);
  OS.flush();
  if (!OS.has_error())
    return Error::success();
  std::error_code Code = OS.error();
  OS.clear_error();
  return fileError("write", Path, Code);
}

/// Whether \p Path is there and no ordinary file: a device or a pipe, which has
/// to be written to and not replaced.
static bool isSpecial(StringRef Path) {
  llvm::sys::fs::file_status Status;
  return !llvm::sys::fs::status(Path, Status) &&
         llvm::sys::fs::exists(Status) &&
         !llvm::sys::fs::is_regular_file(Status);
}

Error relay::writeOutput(StringRef Path,
                         function_ref<void(raw_ostream &)> Write) {
  if (Path == "-")
    return writeStream(llvm::outs(), Path, Write);
  if (isSpecial(Path)) {
    std::error_code Code;
    llvm::raw_fd_ostream OS(Path, Code);
    return Code ? fileError("write", Path, Code) : writeStream(OS, Path, Write);
  }
  auto Temp = llvm::sys::fs::TempFile::create(Path + ".tmp%%%%%%");
  if (!Temp)
    return fileError("write", Path, llvm::errorToErrorCode(Temp.takeError()));
  Error Failed = [&] {
    llvm::raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    return writeStream(OS, Path, Write);
  }();
  if (Failed)
    return llvm::joinErrors(std::move(Failed), Temp->discard());
  if (Error E = Temp->keep(Path))
    return fileError("write", Path, llvm::errorToErrorCode(std::move(E)));
  return Error::success();
}

/// The same for two paths of one file, which need not be there: without links,
/// dots and repeated slashes.
static std::string getIdentity(StringRef Path) {
  llvm::SmallString<128> Real;
  if (Path == "-" || !llvm::sys::fs::real_path(Path, Real))
    return Path == "-" ? "-" : Real.str().str();
  StringRef Directory = llvm::sys::path::parent_path(Path);
  if (llvm::sys::fs::real_path(Directory.empty() ? "." : Directory, Real))
    return Path.str();
  llvm::sys::path::append(Real, llvm::sys::path::filename(Path));
  return Real.str().str();
}

Error relay::checkDistinct(ArrayRef<OutputFile> Files, StringRef Input) {
  llvm::StringMap<StringRef> Flags;
  std::string Read = getIdentity(Input);
  for (const OutputFile &F : Files) {
    if (isSpecial(F.Path))
      continue;
    std::string Written = getIdentity(F.Path);
    auto [Other, IsNew] = Flags.try_emplace(Written, F.Flag);
    if (!IsNew)
      return llvm::createStringError("options " + Other->second + " and " +
                                     F.Flag + " both write '" + F.Path + "'");
    if (Written == Read && F.Flag != "-o")
      return llvm::createStringError("option " + F.Flag + ": '" + F.Path +
                                     "' is the input");
  }
  return Error::success();
}

SmallVector<std::pair<StringRef, unsigned>> relay::splitInput(StringRef Text) {
  SmallVector<std::pair<StringRef, unsigned>> Parts;
  const char *Start = Text.begin();
  unsigned StartLine = 1, Line = 1;
  for (StringRef Rest = Text; !Rest.empty(); ++Line) {
    auto [Current, Next] = Rest.split('\n');
    Rest = Next;
    if (!Current.starts_with("// -----"))
      continue;
    Parts.push_back({StringRef(Start, Current.begin() - Start), StartLine});
    Start = Rest.empty() ? Text.end() : Rest.begin();
    StartLine = Line + 1;
  }
  Parts.push_back({StringRef(Start, Text.end() - Start), StartLine});
  return Parts;
}

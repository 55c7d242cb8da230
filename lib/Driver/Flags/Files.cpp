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
#include "relay/Support/InputFile.h"
#include "relay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
relay::openInput(StringRef Path) {
  if (Path != "-")
    return readFile(Path);
  if (llvm::sys::Process::StandardInIsUserInput())
    llvm::WithColor::note()
        << "reading standard input from the terminal; ctrl-d ends it\n";
  return readOpenFile(fs::getStdinHandle(), Path, "<stdin>");
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// Returns true if \p Path names a device or a pipe.
static bool isSpecial(StringRef Path) {
  fs::file_status Status;
  return !fs::status(Path, Status) && fs::exists(Status) &&
         !fs::is_regular_file(Status);
}

Error relay::inFile(StringRef Path, Error E) {
  return llvm::createStringError("'" + Path +
                                 "': " + llvm::toString(std::move(E)));
}

Error relay::writeOutput(StringRef Path,
                         function_ref<void(raw_ostream &)> Write) {
  return Path == "-" ? writeStream(llvm::outs(), Path, Write)
                     : writeFile(Path, Write);
}

Error relay::tryWriteOutput(StringRef Path,
                            function_ref<Error(raw_ostream &)> Write) {
  return Path == "-" ? tryWriteStream(llvm::outs(), Path, Write)
                     : tryWriteFile(Path, Write);
}

/// Returns the same string for two paths of one file, which need not exist:
/// without links, dots and repeated slashes.
static std::string getIdentity(StringRef Path) {
  llvm::SmallString<128> Real;
  if (Path == "-" || !fs::real_path(Path, Real))
    return Path == "-" ? "-" : Real.str().str();
  StringRef Directory = llvm::sys::path::parent_path(Path);
  if (fs::real_path(Directory.empty() ? "." : Directory, Real))
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

SmallVector<std::pair<StringRef, unsigned>>
relay::splitInput(StringRef Text, StringRef Marker) {
  SmallVector<std::pair<StringRef, unsigned>> Parts;
  const char *Start = Text.begin();
  unsigned StartLine = 1, Line = 1;
  for (StringRef Rest = Text; !Rest.empty(); ++Line) {
    auto [Current, Next] = Rest.split('\n');
    Rest = Next;
    if (!Current.starts_with(Marker))
      continue;
    Parts.push_back({StringRef(Start, Current.begin() - Start), StartLine});
    Start = Rest.empty() ? Text.end() : Rest.begin();
    StartLine = Line + 1;
  }
  Parts.push_back({StringRef(Start, Text.end() - Start), StartLine});
  return Parts;
}

void relay::warnOfNearMarkers(StringRef Text, StringRef Marker,
                              StringRef Name) {
  unsigned MaxDistance = Marker.size() / 4, Line = 0;
  for (StringRef Current : llvm::split(Text, '\n')) {
    ++Line;
    StringRef Trimmed = Current.trim();
    if (Current.starts_with(Marker) ||
        Trimmed.size() + MaxDistance < Marker.size() ||
        Trimmed.size() > Marker.size() + MaxDistance ||
        Trimmed.edit_distance(Marker, true, MaxDistance) > MaxDistance)
      continue;
    llvm::errs() << Name << ':' << Line << ":1: ";
    llvm::WithColor::warning()
        << "this line resembles the marker '" << Marker
        << "' of -split-input-file, but does not split the input\n";
  }
}

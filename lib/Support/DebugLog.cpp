//===- DebugLog.cpp - Debug log in release builds -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DebugLog.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/DebugLog.h"
#include "llvm/Support/Path.h"

using namespace relay;

StringRef DebugLog::getFileName(StringRef Path) {
  return llvm::sys::path::stem(Path);
}

void DebugLog::setLevel(StringRef File, unsigned Level) {
  Levels[File] = Level;
  On |= Level != 0;
}

void DebugLog::setDefaultLevel(unsigned Level) {
  DefaultLevel = Level;
  On |= Level != 0;
}

unsigned DebugLog::getLevel(StringRef File) const {
  auto Found = Levels.find(File);
  return Found == Levels.end() ? DefaultLevel : Found->second;
}

void DebugLog::print(StringRef File, StringRef Message) {
  *OS << (File + ": " + Message + "\n").str();
}

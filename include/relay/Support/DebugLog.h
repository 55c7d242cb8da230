//===- DebugLog.h - Debug log in release builds -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A log that is enabled for single source files, in release builds too:
//
//   RELAY_DEBUG(F.getContext(), 2) << "not fused: " << Op->getName();
//
// writes `FuseOps: not fused: nn.dense` if the level of FuseOps.cpp is 2 or
// more. Level 1 is for changes, level 2 for reasons against a change, level 3
// for everything else. If the log is disabled, a message costs one check of a
// flag.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_DEBUGLOG_H
#define RELAY_SUPPORT_DEBUGLOG_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace relay {

class DebugLog {
public:
  /// Greater than the level of any message.
  static constexpr unsigned All = 100;

  /// Writes messages to \p OS, each as one unsplit line.
  explicit DebugLog(raw_ostream &OS) : OS(&OS) {}

  void setStream(raw_ostream &New) { OS = &New; }
  /// Sets the level of \p File, the name of a source file without its
  /// extension.
  void setLevel(StringRef File, unsigned Level);
  /// Sets the level of files without their own level.
  void setDefaultLevel(unsigned Level);

  bool isOn() const { return On; }
  unsigned getLevel(StringRef File) const;
  /// \p Path is the path of a source file, as in __FILE__.
  bool isEnabled(StringRef Path, unsigned Level) const {
    return On && getLevel(getFileName(Path)) >= Level;
  }
  void print(StringRef File, StringRef Message);

  /// A message under construction, printed by its destructor.
  class Line {
  public:
    Line(DebugLog &Log, StringRef Path) : Log(Log), Path(Path) {}
    Line(const Line &) = delete;
    ~Line() { Log.print(getFileName(Path), Text); }

    template <typename T> Line &operator<<(const T &Value) {
      llvm::raw_string_ostream(Text) << Value;
      return *this;
    }

  private:
    DebugLog &Log;
    StringRef Path;
    std::string Text;
  };

private:
  /// Returns `FuseOps` for `lib/Transforms/Fusion/FuseOps.cpp`.
  static StringRef getFileName(StringRef Path);

  raw_ostream *OS;
  bool On = false;
  unsigned DefaultLevel = 0;
  llvm::StringMap<unsigned> Levels;
};

} // namespace relay

/// A message of this file at \p LEVEL in the log of the Context \p CTX, built
/// with <<. Its parts are not evaluated if the level is disabled.
#define RELAY_DEBUG(CTX, LEVEL)                                                \
  for (bool RelayDebugOn = (CTX).getDebugLog().isEnabled(__FILE__, LEVEL);     \
       RelayDebugOn; RelayDebugOn = false)                                     \
  ::relay::DebugLog::Line((CTX).getDebugLog(), __FILE__)

#endif // RELAY_SUPPORT_DEBUGLOG_H

//===- DebugLogging.cpp - Enable the debug log ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses -debug-only, -debug-log and RELAY_LOG_DEBUG, and logs rewrites. See
// DebugLogging.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/DebugLogging.h"
#include "relay/Instrumentation/Reports/RewriteText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns `FuseOps` for `fuse_ops` and for itself.
static std::string toCamelCase(StringRef Name) {
  std::string Result;
  bool StartsWord = true;
  for (char C : Name) {
    if (C == '_') {
      StartsWord = true;
      continue;
    }
    Result += StartsWord ? llvm::toUpper(C) : C;
    StartsWord = false;
  }
  return Result;
}

namespace {
/// The contents of `relay/transforms/fuse_ops.cc=2`.
struct FileLevel {
  StringRef Path;
  unsigned Level = 0;

  /// `FuseOps`.
  std::string getName() const {
    return toCamelCase(llvm::sys::path::stem(Path));
  }
};
} // namespace

static std::optional<FileLevel> parseFileLevel(StringRef Text) {
  FileLevel Result;
  auto [Path, Number] = Text.trim().rsplit('=');
  Result.Path = Path;
  int Level;
  if (Path.empty() || Number.getAsInteger(10, Level))
    return std::nullopt;
  Result.Level = std::max(Level, 0); // TVM's -1 is none
  return Result;
}

static void setLevel(DebugLog &Log, const FileLevel &L) {
  if (L.Path == "DEFAULT")
    Log.setDefaultLevel(L.Level);
  else
    Log.setLevel(L.getName(), L.Level);
}

/// Sets the levels that the program requests. As in TVM, "0" and "1" enable no
/// level, and unknown files are not an error: the setting may be meant for
/// another program.
static Error setLevelsOfProgram(DebugLog &Log, StringRef Text) {
  if (Text.trim() == "0" || Text.trim() == "1")
    return Error::success();
  SmallVector<StringRef> Settings;
  llvm::SplitString(Text, Settings, ",;"); // TVM documents only `,`
  for (StringRef Setting : Settings) {
    std::optional<FileLevel> L = parseFileLevel(Setting);
    if (!L)
      return llvm::createStringError("RELAY_LOG_DEBUG: '" + Setting +
                                     "' is not of the form file=level");
    setLevel(Log, *L);
  }
  return Error::success();
}

/// Sets the level of \p Text, a value of -debug-log, which names a pass in any
/// spelling, or a source file.
static Error setLevelOfFlag(DebugLog &Log, StringRef Text,
                            const PassRegistry &Registry) {
  std::optional<FileLevel> L = parseFileLevel(Text);
  if (!L)
    return llvm::make_error<FlagValueError>("option -debug-log: '" + Text +
                                            "' is not of the form file=level");
  if (const PassInfo *Info = Registry.findPass(L->Path)) {
    Log.setLevel(Info->Name, L->Level);
    return Error::success();
  }
  std::string Name = L->getName();
  if (L->Path != "DEFAULT" && !Registry.lookupName(Name) &&
      !Registry.isReferenceName(Name))
    return unknownNameError("option -debug-log", "file", L->Path,
                            Registry.getNames());
  setLevel(Log, *L);
  return Error::success();
}

Error DebugLogging::setLevels(DebugLog &Log,
                              const PassRegistry &Registry) const {
  if (Error E = setLevelsOfProgram(Log, LogLevels))
    return E;
  for (StringRef Text : Opts.Files)
    if (Error E = setLevelOfFlag(Log, Text, Registry))
      return E;
  for (StringRef Type : Opts.Only) {
    const PassInfo *Info = Registry.findPass(Type);
    if (!Info)
      return unknownNameError("option -debug-only", "pass", Type,
                              Registry.getArguments());
    Log.setLevel(Info->Name, DebugLog::All);
  }
  return Error::success();
}

Error DebugLogging::prepare(const PassRegistry &Registry) const {
  DebugLog Log(llvm::nulls());
  return setLevels(Log, Registry);
}

void DebugLogging::configure(Context &Ctx, const PassRegistry &Registry) {
  Ctx.getDebugLog().setStream(OS);
  llvm::cantFail(setLevels(Ctx.getDebugLog(), Registry)); // checked
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// The maximal number of logged rewrites of a rule, which may apply without
/// end.
static constexpr uint64_t MaxLogged = 100;

void DebugLogging::notifyRewrite(const Rewrite &R) {
  StringRef Pass = PassRun::getCurrent()->getName();
  if (Log->getLevel(Pass) >= 1 &&
      ++NumRewrites[{Pass, R.Rule.str()}] <= MaxLogged)
    Log->print(Pass, getRewriteText(R));
}

Error DebugLogging::finish(Module &, bool) {
  for (const auto &[Key, Number] : NumRewrites)
    if (Number > MaxLogged)
      Log->print(Key.first, llvm::utostr(Number - MaxLogged) + " more '" +
                                Key.second + "' not logged");
  NumRewrites.clear();
  return Error::success();
}

void DebugLogging::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerRewriteListener(this);
  Log = &PC.getContext().getDebugLog();
}

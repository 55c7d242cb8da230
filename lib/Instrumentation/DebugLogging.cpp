//===- DebugLogging.cpp - Switch the debug log on -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DebugLogging.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/DebugLogging.h"
#include "relay/Instrumentation/RewriteText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `FuseOps` of `fuse_ops` and of itself.
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

/// Sets what \p Text, `FuseOps=2`, says.
static Error setLevel(DebugLog &Log, StringRef Option, StringRef Text,
                      const PassRegistry &Registry) {
  auto [Path, Number] = Text.trim().rsplit('=');
  unsigned Level = 0;
  if (Path.empty() || Number.getAsInteger(10, Level))
    return llvm::createStringError(Option + ": '" + Text +
                                   "' is not of the form file=level");
  if (Path == "DEFAULT") {
    Log.setDefaultLevel(Level);
    return Error::success();
  }
  std::string Name = toCamelCase(llvm::sys::path::stem(Path));
  if (!Registry.lookupName(Name))
    return unknownNameError(Option, "file", Path, Registry.getNames());
  Log.setLevel(Name, Level);
  return Error::success();
}

Error DebugLogging::setLevels(DebugLog &Log,
                              const PassRegistry &Registry) const {
  SmallVector<StringRef> OfEnvironment;
  StringRef(Opts.Environment).split(OfEnvironment, ',', -1, false);
  for (StringRef Text : OfEnvironment)
    if (Error E = setLevel(Log, "RELAY_LOG_DEBUG", Text, Registry))
      return E;
  for (StringRef Text : Opts.Files)
    if (Error E = setLevel(Log, "option -debug-log", Text, Registry))
      return E;
  for (StringRef Type : Opts.Only) {
    const PassInfo *Info = Registry.lookupArgument(Type);
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

void DebugLogging::notifyRewrite(const Rewrite &R) {
  StringRef Pass = PassRun::getCurrent()->getName();
  if (Log->getLevel(Pass) >= 1)
    Log->print(Pass, getRewriteText(R));
}

void DebugLogging::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerRewriteListener(this);
  Log = &PC.getContext().getDebugLog();
}

//===- DebugCounter.cpp - Skip rewrites of passes -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses -debug-counter, and counts and skips rewrites. See DebugCounter.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Control/DebugCounter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace relay;

llvm::Error relay::parseFlagValue(StringRef Text,
                                  DebugCounterSetting &Setting) {
  auto [Name, Numbers] = Text.split('=');
  auto [Before, After] = Numbers.split(',');
  StringRef Pass = Name.trim(), Skip = Before.trim(), Count = After.trim();
  // -print-debug-counter prints -1 if there is no limit.
  bool HasCount = Numbers.contains(',') && Count != "-1";
  uint64_t Parsed = 0;
  if (Pass.empty() || Skip.getAsInteger(10, Setting.Skip) ||
      (HasCount && Count.getAsInteger(10, Parsed)))
    return llvm::createStringError(
        "'" + Text + "' is not of the form pass=skip,count" +
        (Count.contains('=') ? "; use one flag per pass" : ""));
  Setting.Pass = Pass;
  if (HasCount)
    Setting.Count = Parsed;
  return llvm::Error::success();
}

llvm::Error DebugCounter::prepare(const PassRegistry &Registry) const {
  llvm::SmallPtrSet<const PassInfo *, 4> Passes;
  for (const DebugCounterSetting &S : Opts.Settings) {
    const PassInfo *Info = Registry.findPass(S.Pass);
    if (!Info)
      return unknownNameError("option -debug-counter", "pass", S.Pass,
                              Registry.getArguments());
    if (!Passes.insert(Info).second)
      return llvm::make_error<FlagValueError>(
          "option -debug-counter: '" + S.Pass + "' may be given only once");
  }
  return llvm::Error::success();
}

bool DebugCounter::shouldRewrite(const Rewrite &) {
  StringRef Pass = PassRun::getCurrent()->getInfo().Argument;
  uint64_t N = NumRewrites[Pass]++;
  const DebugCounterSetting *Setting = Settings.lookup(Pass);
  if (!Setting)
    return true;
  return N >= Setting->Skip &&
         (!Setting->Count || N - Setting->Skip < *Setting->Count);
}

void DebugCounter::registerCallbacks(PassContext &PC) {
  for (const DebugCounterSetting &S : Opts.Settings)
    Settings[PC.getRegistry().findPass(S.Pass)->Argument] = &S;
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerRewriteListener(this);
  // Passes without announced rewrites are counted, too.
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (!Run.getInfo().IsGroup)
      NumRewrites.insert({Run.getInfo().Argument, 0});
  });
}

llvm::Error DebugCounter::report(raw_ostream &OS, const ModulePassManager &,
                                 bool) {
  if (!Opts.Print)
    return llvm::Error::success();
  for (StringRef Pass : Settings.keys())
    NumRewrites.insert({Pass, 0});
  SmallVector<std::pair<StringRef, uint64_t>> Rows(NumRewrites.begin(),
                                                   NumRewrites.end());
  llvm::sort(Rows);
  OS << "Counters and values:\n";
  for (auto [Pass, N] : Rows) {
    const DebugCounterSetting *S = Settings.lookup(Pass);
    OS << llvm::left_justify(Pass, 32) << ": {" << N << ',' << (S ? S->Skip : 0)
       << ',';
    if (S && S->Count)
      OS << *S->Count;
    else
      OS << -1;
    OS << "}\n";
  }
  return llvm::Error::success();
}

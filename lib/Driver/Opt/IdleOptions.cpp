//===- IdleOptions.cpp - Options without effect ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IdleOptions.h.
//
//===----------------------------------------------------------------------===//

#include "IdleOptions.h"
#include "CommandLine.h"
#include "Flags/Tool.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "llvm/ADT/MapVector.h"

using namespace relay;

static constexpr StringLiteral ToolName = "relay-opt";

//===----------------------------------------------------------------------===//
// Names of TVM
//===----------------------------------------------------------------------===//

static void remarkOnName(const FlagBase &Flag, StringRef Name) {
  reportToolRemark(ToolName, "option " + Flag.getSpelling() + ": '" + Name +
                                 "' is not implemented and has no effect");
}

void relay::remarkOnUnimplemented(const RelayOptOptions &O,
                                  const PassRegistry &Registry) {
  for (const ListFlag<std::string> *Flag :
       {&O.RequiredPasses, &O.DisabledPasses})
    for (StringRef Name : *Flag)
      if (!Registry.findPass(Name))
        remarkOnName(*Flag, Name);
  for (StringRef Setting : O.PassConfig)
    if (StringRef Key = Setting.split('=').first.trim();
        !Registry.lookupConfigOption(Key))
      remarkOnName(O.PassConfig, Key);
}

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

static void warnOfTarget(const RelayOptOptions &O, const Twine &Problem) {
  reportToolWarning(ToolName,
                    "option " + O.Target.getSpelling() + ": " + Problem);
}

/// A key that resembles none may be one that only records of a plugin have.
void relay::warnOfMisspeltTarget(const RelayOptOptions &O,
                                 const PassRegistry &Registry) {
  if (!O.Target.isGiven())
    return;
  Target T = llvm::cantFail(Target::parse(*O.Target, Registry));
  if (std::string Problem = T.describeIgnoredOption(); !Problem.empty())
    warnOfTarget(O, Problem);
  SmallVector<StringRef> Known = Registry.getTargetKeys();
  for (StringRef Key : T.getKeys()) {
    if (llvm::is_contained(Known, Key))
      continue;
    if (std::string Near = getSuggestion(Key, Known); !Near.empty())
      warnOfTarget(O, "no target has the key '" + Key + "'" + Near);
  }
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void relay::warnOfUnboundParameters(const RelayOptOptions &O,
                                    const ModulePassManager &Pipeline) {
  if (!O.Parameters.Params.isGiven() || O.Parameters.Save.isGiven())
    return;
  bool Binds = false;
  Pipeline.forEachPass(
      [&](const Pass &P) { Binds |= P.getInfo().Argument == "bind-params"; });
  if (!Binds)
    reportToolWarning(ToolName,
                      "option " + O.Parameters.Params.getSpelling() +
                          ": the values have no effect without 'bind-params' "
                          "in the pipeline or -save-params");
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Emits a warning \p Message about the rules \p Names, and lists some of them.
static void warnOfRules(StringRef Message, ArrayRef<StringRef> Names) {
  constexpr size_t MaxListed = 10;
  if (Names.empty())
    return;
  std::string List;
  llvm::raw_string_ostream OS(List);
  llvm::interleaveComma(Names.take_front(MaxListed), OS,
                        [&](StringRef Name) { OS << '\'' << Name << '\''; });
  if (Names.size() > MaxListed)
    OS << " and " << Names.size() - MaxListed << " more";
  reportToolWarning(ToolName, Message + ": " + List);
}

void relay::warnOfIdleRules(const ModulePassManager &Pipeline) {
  // Several passes may apply the rules of one file.
  llvm::MapVector<StringRef, RuleUse> Uses;
  Pipeline.forEachPass([&](const Pass &P) {
    for (const RuleUse &Use : getRuleUses(P)) {
      RuleUse &Sum = Uses[Use.Name];
      Sum.NumApplied += Use.NumApplied;
      Sum.NumRefused += Use.NumRefused;
    }
  });
  SmallVector<StringRef> Idle, Refused;
  for (const auto &[Name, Use] : Uses)
    if (Use.NumApplied == 0)
      (Use.NumRefused ? Refused : Idle).push_back(Name);
  warnOfRules("rules that never applied", Idle);
  warnOfRules("rules that never applied because they would change a type "
              "(-debug-only=rewrite shows where)",
              Refused);
}

//===- ChangeTracking.cpp - Detection of changes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares fingerprints of functions after each pass, and creates texts. See
// ChangeTracking.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/ChangeTracking.h"
#include "relay/IR/Fingerprint.h"
#include "relay/Pass/Pass.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Text/Print/StableNumbers.h"
#include "llvm/ADT/DenseMap.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// States of functions
//===----------------------------------------------------------------------===//

ChangeTracker::State &ChangeTracker::getState(StringRef Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return States[Name];
}

FunctionText relay::getFunctionText(Function &F, StableNumbers *Numbers) {
  auto Text = std::make_shared<std::string>();
  llvm::raw_string_ostream OS(*Text);
  PrintOptions O = PrintOptions::forDumps();
  O.Numbers = Numbers;
  printFunction(F, OS, O);
  return Text;
}

FunctionText relay::getDefinitionsText(Module &M) {
  auto Text = std::make_shared<std::string>();
  llvm::raw_string_ostream OS(*Text);
  printDefinitions(M, OS);
  return Text;
}

FunctionChange relay::makeDefinitionsChange(FunctionText Before,
                                            FunctionText After) {
  return {FunctionChange::Kind::Definitions, IRUnit::ModuleName, nullptr,
          std::move(Before), std::move(After)};
}

FunctionText ChangeTracker::makeText(Function &F, State &S) const {
  if (IsStable && !S.Numbers)
    S.Numbers = std::make_shared<StableNumbers>();
  if (!Print)
    return getFunctionText(F, S.Numbers.get());
  auto Text = std::make_shared<std::string>();
  llvm::raw_string_ostream OS(*Text);
  Print(F, OS);
  return Text;
}

/// Returns the present state of \p F. Its text is created only if it has
/// changed.
const ChangeTracker::State &ChangeTracker::update(Function &F) {
  State &S = getState(F.getName());
  if (!S.IsCurrent) {
    uint64_t Fingerprint = getFingerprint(F);
    if (KeepsTexts && (!S.Text || S.Fingerprint != Fingerprint))
      S.Text = makeText(F, S);
    S.Fingerprint = Fingerprint;
    S.IsCurrent = true;
  }
  return S;
}

void ChangeTracker::invalidate(IRUnit Unit) {
  if (Function *F = Unit.getAsFunction()) {
    getState(F->getName()).IsCurrent = false;
    return;
  }
  for (auto &Entry : States)
    Entry.second.IsCurrent = false;
  Definitions = nullptr;
}

/// Invalidates the state of the functions that \p Run, a run of a pass other
/// than a group, has changed.
void ChangeTracker::invalidateChanged(const PassRun &Run) {
  for (Function *F : Run.getChangedFunctions())
    getState(F->getName()).IsCurrent = false;
  if (Run.getUnit().getAsModule())
    Definitions = nullptr;
}

ChangeTracker::Snapshot ChangeTracker::takeSnapshot(Module &M) {
  Snapshot Result;
  for (Function &F : M.functions())
    Result.Functions.push_back({F.getName(), update(F)});
  if (!Definitions)
    Definitions = getDefinitionsText(M);
  Result.Definitions = Definitions;
  return Result;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

std::vector<FunctionChange> ChangeTracker::compare(const Snapshot &Old,
                                                   const Snapshot &New,
                                                   const Module &M) {
  using Kind = FunctionChange::Kind;
  llvm::DenseMap<StringRef, const State *> OldStates;
  for (const auto &[Name, S] : Old.Functions)
    OldStates[Name] = &S;
  std::vector<FunctionChange> Changes;
  if (*Old.Definitions != *New.Definitions)
    Changes.push_back(makeDefinitionsChange(Old.Definitions, New.Definitions));
  for (const auto &[Name, S] : New.Functions) {
    const State *Before = OldStates.lookup(Name);
    Function *F = M.lookupFunction(Name);
    if (!Before)
      Changes.push_back({Kind::Added, Name, F, nullptr, S.Text});
    else if (Before->Fingerprint != S.Fingerprint)
      Changes.push_back({Kind::Changed, Name, F, Before->Text, S.Text});
  }
  for (const auto &[Name, S] : Old.Functions)
    if (!M.lookupFunction(Name))
      Changes.push_back({Kind::Removed, Name, nullptr, S.Text, nullptr});
  return Changes;
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

bool ChangeTracker::isTracked(const Pass &P) const {
  return IsWanted ? IsWanted(P) : !P.getInfo().IsGroup;
}

void ChangeTracker::before(const PassRun &Run) {
  if (!isTracked(Run.getPass()))
    return;
  if (Function *F = Run.getUnit().getAsFunction())
    update(*F);
  else
    Snapshots[&Run] = takeSnapshot(*Run.getUnit().getAsModule());
}

std::vector<FunctionChange> ChangeTracker::findChanges(Function &F) {
  State Before = getState(F.getName());
  invalidate(F);
  const State &Now = update(F);
  if (Before.Fingerprint == Now.Fingerprint)
    return {};
  return {
      {FunctionChange::Kind::Changed, F.getName(), &F, Before.Text, Now.Text}};
}

std::vector<FunctionChange> ChangeTracker::findChanges(const PassRun &Run,
                                                       Module &M) {
  if (!Run.getInfo().IsGroup) // done by the members
    invalidateChanged(Run);
  return compare(Snapshots[&Run], takeSnapshot(M), M);
}

void ChangeTracker::after(const PassRun &Run) {
  bool Changed = Run.getOutcome() == PassRun::Outcome::Changed;
  if (!isTracked(Run.getPass())) {
    if (Changed && !Run.getInfo().IsGroup)
      invalidateChanged(Run);
    return;
  }
  std::vector<FunctionChange> Changes;
  if (Changed) {
    Function *F = Run.getUnit().getAsFunction();
    Changes =
        F ? findChanges(*F) : findChanges(Run, *Run.getUnit().getAsModule());
  }
  for (const ChangeFn &Listener : Listeners)
    Listener(Run, Changes);
}

void ChangeTracker::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { before(Run); });
  PIC.registerAfterPassCallback([this](const PassRun &Run) {
    after(Run);
    return success();
  });
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    Snapshots.take(&Run);
    if (Run.getOutcome() == PassRun::Outcome::Failed)
      invalidate(Run.getUnit());
  });
}

//===- AnnouncementCheck.cpp - Check that changes are announced -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that passes report their changes and announce them to listeners. See
// AnnouncementCheck.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/AnnouncementCheck.h"
#include "relay/IR/Context.h"
#include "relay/IR/Fingerprint.h"
#include "relay/IR/Threading.h"
#include "relay/Pass/Pass.h"

using namespace relay;

/// Returns the functions of \p M with their names, in order.
static std::vector<std::pair<Function *, StringRef>> listFunctions(Module &M) {
  std::vector<std::pair<Function *, StringRef>> Result;
  for (Function &F : M.functions())
    Result.push_back({&F, F.getName()});
  return Result;
}

void AnnouncementCheck::beginFunction(Function &F) {
  F.getRewriteLog().startPass();
  if (!Fingerprints)
    return;
  Audit.begin(F);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Known = Functions.find(F.getSerial());
    if (Known != Functions.end() &&
        Known->second.NumChanges == F.getNumChanges())
      return;
  }
  FunctionState State = {F.getNumChanges(), getFingerprint(F)};
  std::lock_guard<std::mutex> Guard(Lock);
  Functions[F.getSerial()] = State;
}

/// Returns true if a pass, and not only groups, encloses \p Run.
static bool isInsidePass(const PassRun &Run) {
  for (const PassRun *R = Run.getOuter(); R; R = R->getOuter())
    if (!R->getInfo().IsGroup)
      return true;
  return false;
}

static SmallVector<Function *, 0> getFunctionsOf(IRUnit Unit) {
  if (Function *F = Unit.getAsFunction())
    return {F};
  return getFunctions(Unit.getModule());
}

void AnnouncementCheck::suspend(const PassRun &Inner) {
  Suspended S;
  for (Function *F : getFunctionsOf(Inner.getUnit()))
    S.OfFunctions.push_back({F->getSerial(), F->getRewriteLog().suspendPass()});
  std::lock_guard<std::mutex> Guard(Lock);
  if (Module *M = Inner.getUnit().getAsModule()) {
    S.OfModuleLog = M->getRewriteLog().suspendPass();
    S.ModuleBefore = ModuleBefore;
    S.Functions = Functions;
  }
  Outer[&Inner] = std::move(S);
}

/// Continues with the pass that ran \p Inner, if any.
void AnnouncementCheck::resume(const PassRun &Inner) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Outer.find(&Inner);
  if (Found == Outer.end())
    return;
  Suspended S = std::move(Found->second);
  Outer.erase(Found);
  llvm::DenseMap<uint64_t, Function *> Present;
  for (Function *F : getFunctionsOf(Inner.getUnit()))
    Present[F->getSerial()] = F;
  for (auto &[Serial, State] : S.OfFunctions)
    if (Function *F = Present.lookup(Serial))
      F->getRewriteLog().resumePass(std::move(State));
  Module *M = Inner.getUnit().getAsModule();
  if (!M)
    return;
  M->getRewriteLog().resumePass(std::move(S.OfModuleLog));
  ModuleBefore = std::move(S.ModuleBefore);
  Functions = std::move(S.Functions);
}

void AnnouncementCheck::begin(IRUnit Unit) {
  if (Function *F = Unit.getAsFunction())
    return beginFunction(*F);
  Module &M = *Unit.getAsModule();
  M.getRewriteLog().startPass();
  for (Function &F : M.functions())
    beginFunction(F);
  if (Fingerprints)
    ModuleBefore = {M.getRewriteLog().getNumChanges(), M.getAttributes(),
                    M.getNumTypeDefs(), listFunctions(M)};
}

static LogicalResult report(const PassRun &Run, const Twine &What) {
  return Run.getUnit().getModule().getContext().emitError(Location())
         << "'" << Run.getInfo().Argument << "' " << What;
}

/// Reports that the pass returned PreservedAnalyses::all() although it changed
/// \p Unit.
static LogicalResult reportFalse(const PassRun &Run, IRUnit Unit) {
  return report(Run, "reported no changes, but changed " + Unit.getName());
}

static bool saysUnchanged(const PassRun &Run) {
  return Run.getOutcome() == PassRun::Outcome::Unchanged;
}

LogicalResult AnnouncementCheck::checkFunction(const PassRun &Run,
                                               Function &F) {
  if (F.getRewriteLog().hasMisuse())
    return report(Run, F.getRewriteLog().takeMisuse());
  if (!Fingerprints)
    return success();
  FunctionState Before;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Known = Functions.find(F.getSerial());
    if (Known == Functions.end()) // created by the pass
      return success();
    Before = Known->second;
  }
  if (F.getNumChanges() == Before.NumChanges) {
    if (getFingerprint(F) == Before.Fingerprint)
      return success();
    return report(Run, "changed @" + F.getName() + " without a Rewriter");
  }
  if (std::string Unheard = Audit.check(F); !Unheard.empty())
    return report(Run, Unheard);
  // Rewrites may have been undone, or may have changed only locations.
  if (saysUnchanged(Run) &&
      (F.normalize() || getFingerprint(F) != Before.Fingerprint))
    return reportFalse(Run, F);
  return success();
}

LogicalResult AnnouncementCheck::checkModule(const PassRun &Run, Module &M) {
  RewriteLog &Log = M.getRewriteLog();
  if (Log.hasMisuse())
    return report(Run, Log.takeMisuse());
  if (!Fingerprints)
    return success();
  if (Log.getNumChanges() != ModuleBefore.NumChanges) {
    bool IsSame = listFunctions(M) == ModuleBefore.Functions &&
                  M.getAttributes() == ModuleBefore.Attributes &&
                  M.getNumTypeDefs() == ModuleBefore.NumTypeDefs;
    return IsSame || !saysUnchanged(Run) ? success() : reportFalse(Run, M);
  }
  auto Report = [&](StringRef What) {
    return report(Run, "changed the " + What + " without a Rewriter");
  };
  if (listFunctions(M) != ModuleBefore.Functions)
    return Report("list of functions");
  if (M.getAttributes() != ModuleBefore.Attributes)
    return Report("attributes of the module");
  if (M.getNumTypeDefs() != ModuleBefore.NumTypeDefs)
    return Report("type definitions");
  return success();
}

LogicalResult AnnouncementCheck::check(const PassRun &Run) {
  IRUnit Unit = Run.getUnit();
  if (Function *F = Unit.getAsFunction())
    return checkFunction(Run, *F);
  Module &M = *Unit.getAsModule();
  if (failed(checkModule(Run, M)))
    return failure();
  // A rewrite of the whole module does not cover the next pass.
  M.getRewriteLog().startPass();
  for (Function &F : M.functions())
    if (failed(checkFunction(Run, F)))
      return failure();
  return success();
}

void AnnouncementCheck::registerCallbacks(PassInstrumentationCallbacks &PIC,
                                          bool WithFingerprints) {
  Fingerprints = WithFingerprints;
  if (Fingerprints)
    PIC.registerRewriteListener(&Audit);
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (Run.getInfo().IsGroup)
      return;
    if (isInsidePass(Run))
      suspend(Run);
    begin(Run.getUnit());
  });
  PIC.registerEndPassCallback([this](const PassRun &Run) { resume(Run); });
  PIC.registerAfterPassCallback([this](const PassRun &Run) {
    return Run.getInfo().IsGroup ? success() : check(Run);
  });
}

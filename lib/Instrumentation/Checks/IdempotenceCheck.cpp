//===- IdempotenceCheck.cpp - A second run of each pass -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs each pass a second time on a copy, and reports its changes. See
// IdempotenceCheck.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/IdempotenceCheck.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Fingerprint.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/Dumps/PrintChanged.h"
#include "relay/Pass/PassManager.h"
#include "relay/Text/Print/StableNumbers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// The second run
//===----------------------------------------------------------------------===//

/// Copies the IR that a pass on \p Unit may read: the module, or the function
/// and its callees.
static std::unique_ptr<Module> copy(IRUnit Unit) {
  Function *F = Unit.getAsFunction();
  if (!F)
    return Unit.getModule().clone();
  llvm::SmallPtrSet<const Function *, 8> Wanted = {F};
  walk(*F, [&](Operation *Op) {
    if (const Function *Named = getNamedFunction(*Op))
      Wanted.insert(Named);
  });
  return Unit.getModule().clone(
      [&](const Function &Each) { return Wanted.contains(&Each); });
}

static LogicalResult runOnFunction(FunctionPass &P, Function &F,
                                   AnalysisManagers &AMs, PassContext &Ctx) {
  Module &M = *F.getModule();
  AMs.Modules.getResult<FunctionAnalysisManagerModuleProxy>(M);
  for (ModuleAnalysisFn Compute : P.getInfo().ModuleAnalyses)
    if (failed(Compute(M, AMs.Modules)))
      return failure();
  if (failed(P.run(F, AMs.Functions, Ctx)))
    return failure();
  F.normalize();
  return success();
}

static LogicalResult runOnModule(ModulePass &P, Module &M,
                                 AnalysisManagers &AMs, PassContext &Ctx) {
  if (failed(P.run(M, AMs.Modules, Ctx)))
    return failure();
  M.normalize();
  return success();
}

/// Runs \p P on the copy of its input, without output. Returns true if the run
/// succeeded.
bool IdempotenceCheck::runAgain(const Pass &P, IRUnit Unit, Module &Copy) {
  std::unique_ptr<Pass> Again = P.clone();
  AnalysisManagers AMs(*Ctx, nullptr);
  DiagnosticEngine &Diagnostics = Ctx->getDiagnostics();
  Diagnostics.pushHandler([](const Diagnostic &) { return true; });
  LogicalResult Result = success();
  if (Function *F = Unit.getAsFunction())
    Result = runOnFunction(cast<FunctionPass>(*Again),
                           *Copy.lookupFunction(F->getName()), AMs, *Ctx);
  else
    Result = runOnModule(cast<ModulePass>(*Again), Copy, AMs, *Ctx);
  Diagnostics.popHandler();
  return succeeded(Result);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static FunctionText getText(Function *F, StableNumbers &Numbers) {
  return F ? getFunctionText(*F, &Numbers) : nullptr;
}

/// Adds to \p Changes the difference between \p Before and \p After, one of
/// which may be null.
static void compare(Function *Before, Function *After,
                    std::vector<FunctionChange> &Changes) {
  using Kind = FunctionChange::Kind;
  if (Before && After && getFingerprint(*Before) == getFingerprint(*After))
    return;
  // A copied operation gets the number of its original in the input.
  StableNumbers Numbers;
  FunctionText BeforeText = getText(Before, Numbers);
  FunctionText AfterText = getText(After, Numbers);
  FunctionChange C{Kind::Changed, (Before ? Before : After)->getName(), After,
                   BeforeText, AfterText};
  // New type parameters have the same names.
  if (C.Before && C.After && *C.Before == *C.After)
    return;
  if (!Before || !After)
    C.K = Before ? Kind::Removed : Kind::Added;
  Changes.push_back(std::move(C));
}

/// Returns the differences between \p Copy, after the second run, and the
/// original.
static std::vector<FunctionChange> findChanges(IRUnit Unit, Module &Copy) {
  std::vector<FunctionChange> Changes;
  if (Function *F = Unit.getAsFunction()) {
    compare(F, Copy.lookupFunction(F->getName()), Changes);
    return Changes;
  }
  Module &M = Unit.getModule();
  FunctionText Before = getDefinitionsText(M), After = getDefinitionsText(Copy);
  if (*Before != *After)
    Changes.push_back(makeDefinitionsChange(Before, After));
  for (Function &F : M.functions())
    compare(&F, Copy.lookupFunction(F.getName()), Changes);
  for (Function &F : Copy.functions())
    if (!M.lookupFunction(F.getName()))
      compare(nullptr, &F, Changes);
  return Changes;
}

void IdempotenceCheck::check(const Pass &P, IRUnit Unit) {
  std::unique_ptr<Module> Copy = copy(Unit);
  bool Ran = runAgain(P, Unit, *Copy);
  std::vector<FunctionChange> Changes;
  if (Ran)
    Changes = findChanges(Unit, *Copy);
  if (Ran && Changes.empty())
    return;
  Failed = true;
  Ctx->getDiagnostics().emitError(Location())
      << "'" << P.getInfo().Argument << "' is not idempotent: a second run on "
      << Unit.getName() << (Ran ? " changes it again" : " fails");
  printDiffs(Changes, OS, /*Color=*/false);
}

void IdempotenceCheck::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread(); // diagnostics of second runs are dropped
  Ctx = &PC;
  PIC.registerRewriteListener(this);
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &) { WasCut = false; });
  PIC.registerAfterPassCallback([this](const PassRun &Run) {
    if (!WasCut && Run.getOutcome() == PassRun::Outcome::Changed &&
        !Run.getInfo().IsGroup)
      check(Run.getPass(), Run.getUnit());
    return success();
  });
}

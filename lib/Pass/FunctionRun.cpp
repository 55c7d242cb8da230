//===- FunctionRun.cpp - Function passes over a module --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With several threads, each takes the next function in module order and runs
// clones of the passes on it (OrderedTasks.h). A single thread runs the passes
// themselves.
//
//===----------------------------------------------------------------------===//

#include "FunctionRun.h"
#include "relay/IR/Threading.h"
#include "relay/Pass/PassContext.h"
#include "relay/Support/ErrorCount.h"
#include "llvm/ADT/ScopeExit.h"

using namespace relay;

FailureOr<bool> relay::askAndBegin(PassRun &Run, const PassInstrumentation &PI,
                                   BeginFn Begin) {
  if (!PI.askBeforePass(Run))
    return false;
  if (Begin && failed(Begin()))
    return failure();
  PI.announcePass(Run);
  return true;
}

FailureOr<PreservedAnalyses>
relay::callPass(const PassRun &Run,
                function_ref<FailureOr<PreservedAnalyses>()> RunPass) {
  uint64_t NumErrors = ErrorCount::get();
  FailureOr<PreservedAnalyses> PA = RunPass();
  bool IsSilent = failed(PA) && ErrorCount::get() == NumErrors &&
                  !Run.getInfo().IsGroup && !Run.hasExceededLimit();
  if (IsSilent)
    Run.getUnit().getModule().getContext().emitError(Location())
        << "pass '" << Run.getInfo().Argument << "' failed on "
        << Run.getUnit().getName() << " without a message";
  return PA;
}

FailureOr<PreservedAnalyses> relay::runOnFunction(PassRun &Run, FunctionPass &P,
                                                  FunctionAnalysisManager &AM,
                                                  BeginFn Begin) {
  Function &F = Run.getUnit().getAs<Function>();
  PassContext &Ctx = Run.getContext();
  PassInstrumentation PI = Ctx.getInstrumentation();
  FailureOr<bool> Runs =
      Begin ? askAndBegin(Run, PI, Begin) : PI.runBeforePass(Run);
  if (failed(Runs))
    return failure();
  if (!*Runs)
    return PreservedAnalyses::all();
  uint64_t Before = F.getVersion();
  FailureOr<PreservedAnalyses> PA =
      callPass(Run, [&] { return P.run(F, AM, Ctx); });
  if (failed(PA)) {
    PI.runAfterPassFailed(Run);
    return failure();
  }
  if (!PA->areAllPreserved()) {
    if (F.getVersion() == Before)
      F.getRewriteLog().addSilentChange();
    F.normalize();
    AM.invalidate(F, *PA);
  }
  if (F.getVersion() != Before)
    Run.setChangedFunctions({&F});
  if (failed(PI.runAfterPass(Run, *PA)))
    return failure();
  return PA;
}

/// Returns the analyses of the module that remain valid given \p PA, for
/// functions whose results have been invalidated one by one.
static PreservedAnalyses liftToModule(PreservedAnalyses PA) {
  PA.preserveSet<AllAnalysesOn<Function>>();
  PA.preserve<FunctionAnalysisManagerModuleProxy>();
  return PA;
}

namespace {

/// One run of steps over functions.
class FunctionRun {
public:
  FunctionRun(ArrayRef<FunctionStep> Steps, Module &M,
              FunctionAnalysisManager &AM, PassContext &Ctx)
      : Steps(Steps), AM(AM), Ctx(Ctx), Outer(PassRun::getCurrent()),
        FirstSweep(Ctx.takeSweeps(Steps.size())) {
    for (Function &F : M.functions())
      if (!F.isSkippedByOptimization())
        Functions.push_back(&F);
  }

  FailureOr<PreservedAnalyses> run();

private:
  /// The passes of the steps that a thread runs: the originals or clones.
  using Passes = SmallVector<FunctionPass *, 4>;

  uint64_t getWork() const {
    return getNumOperations(Functions) * Steps.size();
  }
  /// While types are frozen, passes see the initial types of other functions,
  /// in any order of the functions.
  void freezeTypes();
  void thawTypes();
  FailureOr<PreservedAnalyses> runInSequence();
  FailureOr<PreservedAnalyses> runInParallel();
  FailureOr<PreservedAnalyses> runSteps(ArrayRef<FunctionPass *> Ps,
                                        Function &F);
  /// Creates the function that one of several threads runs for each function.
  TaskFn makeWorker(std::vector<PreservedAnalyses> &Results);

  ArrayRef<FunctionStep> Steps;
  FunctionAnalysisManager &AM;
  PassContext &Ctx;
  PassRun *Outer;
  unsigned FirstSweep; ///< of the first step
  SmallVector<Function *, 0> Functions;
};

} // namespace

FailureOr<PreservedAnalyses> FunctionRun::runSteps(ArrayRef<FunctionPass *> Ps,
                                                   Function &F) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  AnalysisCache *Changed = nullptr; // the analyses of F once F has changed
  auto Restore = llvm::make_scope_exit([&] {
    if (Changed)
      Changed->setPreservedOutside(nullptr);
  });
  for (auto [I, Step] : llvm::enumerate(Steps)) {
    PassRun Run(*Step.P, F, Ctx, Outer, FirstSweep + I);
    if (!Step.SkippedBy.empty()) {
      Ctx.getInstrumentation().runBeforeSkippedPass(Run, Step.SkippedBy);
      continue;
    }
    FailureOr<PreservedAnalyses> PassPA =
        runOnFunction(Run, *Ps[I], AM, Step.Begin);
    if (failed(PassPA))
      return failure();
    if (PassPA->areAllPreserved())
      continue;
    PA.intersect(*PassPA);
    Changed = &AM.getCache(F);
    Changed->setPreservedOutside(&PA);
  }
  return PA;
}

void FunctionRun::freezeTypes() {
  for (Function *F : Functions)
    F->freezeType();
}

void FunctionRun::thawTypes() {
  for (Function *F : Functions)
    F->thawType();
}

FailureOr<PreservedAnalyses> FunctionRun::runInSequence() {
  Passes Originals;
  for (const FunctionStep &Step : Steps)
    Originals.push_back(Step.P);
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (Function *F : Functions) {
    FailureOr<PreservedAnalyses> OfFunction = runSteps(Originals, *F);
    if (failed(OfFunction))
      return failure();
    PA.intersect(*OfFunction);
  }
  return PA;
}

TaskFn FunctionRun::makeWorker(std::vector<PreservedAnalyses> &Results) {
  std::vector<std::unique_ptr<Pass>> Owned;
  Passes Clones;
  for (const FunctionStep &Step : Steps) {
    Owned.push_back(Step.P->clone());
    Clones.push_back(cast<FunctionPass>(Owned.back().get()));
  }
  return [this, &Results, Owned = std::move(Owned),
          Clones = std::move(Clones)](size_t I) -> LogicalResult {
    FailureOr<PreservedAnalyses> PA = runSteps(Clones, *Functions[I]);
    for (auto [Step, Clone] : llvm::zip_equal(Steps, Clones))
      Step.P->takeStatistics(*Clone);
    if (failed(PA))
      return failure();
    Results[I] = std::move(*PA);
    return success();
  };
}

/// Before the threads start, creates the data that they read from other
/// functions, and entries of shared tables.
FailureOr<PreservedAnalyses> FunctionRun::runInParallel() {
  for (Function *F : Functions)
    AM.getCache(*F);
  std::vector<PreservedAnalyses> Results(Functions.size());
  PreservedAnalyses PA = PreservedAnalyses::all();
  LogicalResult Result = runTasks(
      Ctx.getContext(), Functions.size(), getWork(),
      [&] { return makeWorker(Results); },
      [&](size_t I) { PA.intersect(Results[I]); });
  if (failed(Result))
    return failure();
  return PA;
}

FailureOr<PreservedAnalyses> FunctionRun::run() {
  bool UsesThreads =
      !Ctx.requiresSingleThread() &&
      llvm::none_of(Steps, [](const FunctionStep &S) { return S.Begin; }) &&
      isWorthThreads(Ctx.getContext(), Functions.size(), getWork());
  freezeTypes();
  auto Thaw = llvm::make_scope_exit([&] { thawTypes(); });
  return UsesThreads ? runInParallel() : runInSequence();
}

/// Computes the analyses of \p M that the passes of \p Steps require.
static LogicalResult computeModuleAnalyses(ArrayRef<FunctionStep> Steps,
                                           Module &M,
                                           ModuleAnalysisManager &AM) {
  assert(llvm::none_of(Steps.drop_front(),
                       [](const FunctionStep &S) {
                         return !S.P->getInfo().ModuleAnalyses.empty();
                       }) &&
         "only the first pass of a sequence may read module analyses");
  if (!Steps.front().SkippedBy.empty())
    return success();
  for (ModuleAnalysisFn Compute : Steps.front().P->getInfo().ModuleAnalyses)
    if (failed(Compute(M, AM)))
      return failure();
  return success();
}

FailureOr<PreservedAnalyses> relay::runOnFunctions(ArrayRef<FunctionStep> Steps,
                                                   Module &M,
                                                   ModuleAnalysisManager &AM,
                                                   PassContext &Ctx) {
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (failed(computeModuleAnalyses(Steps, M, AM)))
    return failure();
  FailureOr<PreservedAnalyses> PA = FunctionRun(Steps, M, FAM, Ctx).run();
  if (failed(PA))
    return failure();
  PreservedAnalyses ModulePA = liftToModule(std::move(*PA));
  AM.invalidate(M, ModulePA);
  return ModulePA;
}

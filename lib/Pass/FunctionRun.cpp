//===- FunctionRun.cpp - Function passes over a module --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On several threads each takes the next function in module order and runs
// clones of the passes on it; what they write waits for its turn
// (DeferredOutput in OrderedOutput.h). A function that fails ends the taking of
// further ones; those before it have been taken and are run to their end, so
// that the first failure in module order is the one that counts, as on one
// thread; the same goes for crashes.
//
//===----------------------------------------------------------------------===//

#include "FunctionRun.h"
#include "relay/Pass/PassContext.h"
#include "relay/Support/CrashHandler.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <ctime>
#include <unistd.h>

using namespace relay;

FailureOr<PreservedAnalyses> relay::runOnFunction(PassRun &Run, FunctionPass &P,
                                                  FunctionAnalysisManager &AM) {
  Function &F = Run.getUnit().getAs<Function>();
  PassContext &Ctx = Run.getContext();
  PassInstrumentation PI = Ctx.getInstrumentation();
  if (!PI.runBeforePass(Run))
    return PreservedAnalyses::all();
  FailureOr<PreservedAnalyses> PA = P.run(F, AM, Ctx);
  if (failed(PA)) {
    PI.runAfterPassFailed(Run);
    return failure();
  }
  if (!PA->areAllPreserved()) {
    F.normalize();
    AM.invalidate(F, *PA);
  }
  if (failed(PI.runAfterPass(Run, *PA)))
    return failure();
  return PA;
}

/// What \p PA, of functions whose results have been invalidated one by one,
/// means for their module.
static PreservedAnalyses liftToModule(PreservedAnalyses PA) {
  PA.preserveSet<AllAnalysesOn<Function>>();
  PA.preserve<FunctionAnalysisManagerModuleProxy>();
  return PA;
}

namespace {

/// One run of steps over functions.
class FunctionRun final : public PendingOutput {
public:
  FunctionRun(ArrayRef<FunctionStep> Steps, Module &M,
              FunctionAnalysisManager &AM, PassContext &Ctx)
      : Steps(Steps), AM(AM), Ctx(Ctx), Outer(PassRun::getCurrent()),
        FirstSweep(Ctx.takeSweeps(Steps.size())) {
    for (Function &F : M.functions())
      if (!F.isSkippedByOptimization())
        Functions.push_back(&F);
  }

  FailureOr<PreservedAnalyses> run() {
    return isWorthThreads() ? runInParallel() : runInSequence();
  }

  bool finishBeforeCrash() override;

private:
  /// The passes of the steps that a thread runs: the originals or clones.
  using Passes = SmallVector<FunctionPass *, 4>;

  /// What a function's steps gave, until its turn comes.
  struct Result {
    DeferredOutput Output;
    std::optional<FailureOr<PreservedAnalyses>> PA; ///< none before the end
  };

  bool isWorthThreads() const;
  FailureOr<PreservedAnalyses> runInSequence();
  FailureOr<PreservedAnalyses> runInParallel();
  FailureOr<PreservedAnalyses> runSteps(ArrayRef<FunctionPass *> Ps,
                                        Function &F);
  /// What each of several threads does.
  void work();
  FailureOr<PreservedAnalyses> runDeferred(ArrayRef<FunctionPass *> Clones,
                                           size_t I);
  /// Notes the result of function \p I, and flushes those whose turn it is.
  void finish(size_t I, FailureOr<PreservedAnalyses> PA);
  /// The function that this thread works on, none if there is none.
  std::optional<size_t> getPresent() const;
  /// Waits some time for others to finish all functions before \p I.
  void waitForTurn(size_t I) const;
  /// Writes what there is of the functions up to \p I, if nobody else is at it
  /// and none before has failed.
  void writeUpTo(size_t I);

  ArrayRef<FunctionStep> Steps;
  FunctionAnalysisManager &AM;
  PassContext &Ctx;
  PassRun *Outer;
  unsigned FirstSweep; ///< of the first step
  std::vector<Function *> Functions;

  // Of several threads.
  std::vector<Result> Results; ///< by function
  /// The next function to take, and where taking ends.
  std::atomic<size_t> Next{0}, End{0};
  /// The first function, in module order, in which a thread crashed.
  std::atomic<size_t> Crashed{SIZE_MAX};
  /// Changes under the lock only.
  std::atomic<size_t> NumFlushed{0};
  /// Guards what follows, and makes flushing one at a time.
  std::mutex Lock;
  FailureOr<PreservedAnalyses> AllPA = PreservedAnalyses::all();
};

} // namespace

FailureOr<PreservedAnalyses> FunctionRun::runSteps(ArrayRef<FunctionPass *> Ps,
                                                   Function &F) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (auto [I, Step] : llvm::enumerate(Steps)) {
    PassRun Run(*Step.P, F, Ctx, Outer, FirstSweep + I);
    if (!Step.SkippedBy.empty()) {
      Ctx.getInstrumentation().runBeforeSkippedPass(Run, Step.SkippedBy);
      continue;
    }
    FailureOr<PreservedAnalyses> OfPass = runOnFunction(Run, *Ps[I], AM);
    if (failed(OfPass))
      return failure();
    PA.intersect(*OfPass);
  }
  return PA;
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Several threads
//===----------------------------------------------------------------------===//

bool FunctionRun::isWorthThreads() const {
  if (Ctx.getNumThreads() == 1 || Functions.size() < 2 ||
      Ctx.requiresSingleThread())
    return false;
  uint64_t Operations = 0;
  for (Function *F : Functions)
    Operations += F->getNumOperations();
  return Operations * Steps.size() >= Ctx.getMinParallelWork();
}

FailureOr<PreservedAnalyses>
FunctionRun::runDeferred(ArrayRef<FunctionPass *> Clones, size_t I) {
  DeferredOutput::Scope Deferred(Results[I].Output);
  FailureOr<PreservedAnalyses> PA = runSteps(Clones, *Functions[I]);
  for (auto [Step, Clone] : llvm::zip_equal(Steps, Clones))
    Step.P->takeStatistics(*Clone);
  return PA;
}

static void lowerTo(std::atomic<size_t> &Limit, size_t I) {
  size_t Present = Limit;
  while (I < Present && !Limit.compare_exchange_weak(Present, I))
    ;
}

void FunctionRun::finish(size_t I, FailureOr<PreservedAnalyses> PA) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (failed(PA))
    lowerTo(End, I);
  Results[I].PA = std::move(PA);
  for (; NumFlushed != Results.size() && Results[NumFlushed].PA; ++NumFlushed) {
    if (failed(AllPA))
      return;
    Result &R = Results[NumFlushed];
    R.Output.flush();
    if (failed(*R.PA))
      AllPA = failure();
    else
      AllPA->intersect(**R.PA);
  }
}

void FunctionRun::work() {
  std::vector<std::unique_ptr<Pass>> Owned;
  Passes Clones;
  for (const FunctionStep &Step : Steps) {
    Owned.push_back(Step.P->clone());
    Clones.push_back(cast<FunctionPass>(Owned.back().get()));
  }
  for (size_t I; (I = Next++) < End;)
    finish(I, runDeferred(Clones, I));
}

/// What threads may read of each other's functions, and write in shared tables,
/// is there before they start.
FailureOr<PreservedAnalyses> FunctionRun::runInParallel() {
  Results = std::vector<Result>(Functions.size());
  End = Functions.size();
  for (Function *F : Functions) {
    AM.getCache(*F);
    F->freezeType();
  }
  Ctx.getContext().setMultithreaded(true);
  CrashHandler::setPending(this);
  unsigned Threads = std::min<size_t>(Ctx.getNumThreads(), Functions.size());
  llvm::ThreadPoolTaskGroup Others(Ctx.getThreadPool());
  for (unsigned T = 1; T != Threads; ++T)
    Others.async([this] { work(); });
  work();
  Others.wait();
  CrashHandler::setPending(nullptr);
  Ctx.getContext().setMultithreaded(false);
  for (Function *F : Functions)
    F->thawType();
  return std::move(AllPA);
}

//===----------------------------------------------------------------------===//
// A crash of one of several threads
//===----------------------------------------------------------------------===//

std::optional<size_t> FunctionRun::getPresent() const {
  for (size_t I = 0; I != Results.size(); ++I)
    if (&Results[I].Output == DeferredOutput::getCurrent())
      return I;
  return std::nullopt;
}

void FunctionRun::waitForTurn(size_t I) const {
  constexpr timespec Step = {0, 1000 * 1000};
  constexpr unsigned MaxSteps = 5000; // five seconds without progress
  size_t Before = NumFlushed;
  for (unsigned Steps = 0; Steps != MaxSteps; ++Steps) {
    size_t Present = NumFlushed;
    if (Present >= I || Present > End || Crashed < I)
      return;
    if (std::exchange(Before, Present) != Present)
      Steps = 0;
    nanosleep(&Step, nullptr);
  }
}

void FunctionRun::writeUpTo(size_t I) {
  if (!Lock.try_lock() || failed(AllPA)) // for good
    return;
  for (size_t J = NumFlushed; J <= I; ++J)
    if (Results[J].PA || J == I)
      Results[J].Output.writeAfterCrash(STDERR_FILENO);
}

/// Other threads work on, as far as the crash lets them: functions before this
/// one are finished and written by them. If they cannot, because of a lock that
/// this thread holds, what they have is written here.
bool FunctionRun::finishBeforeCrash() {
  std::optional<size_t> I = getPresent();
  if (!I)
    return true;
  lowerTo(Crashed, *I);
  lowerTo(End, *I);
  waitForTurn(*I);
  if (Crashed < *I)
    return false;
  writeUpTo(*I);
  return true;
}

FailureOr<PreservedAnalyses> relay::runOnFunctions(ArrayRef<FunctionStep> Steps,
                                                   Module &M,
                                                   ModuleAnalysisManager &AM,
                                                   PassContext &Ctx) {
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FailureOr<PreservedAnalyses> PA = FunctionRun(Steps, M, FAM, Ctx).run();
  if (failed(PA))
    return failure();
  PreservedAnalyses OfModule = liftToModule(std::move(*PA));
  AM.invalidate(M, OfModule);
  return OfModule;
}

//===- PassInstrumentation.cpp - Callbacks around passes ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassInstrumentation.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"

using namespace relay;

template <typename CallbackT, typename... Args>
static void callAll(const std::vector<CallbackT> &Callbacks, Args &&...As) {
  for (const CallbackT &C : Callbacks)
    C(As...);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

using Outcome = PassRun::Outcome;

/// On one of several threads, the time of other threads is excluded.
static ProcessorTime getProcessorNow() {
  return DeferredOutput::getCurrent() ? ProcessorTime::ofThread()
                                      : ProcessorTime::ofProcess();
}

bool PassInstrumentation::mayRefuse(const PassInfo &Info) const {
  return isObserved() && !Info.IsRequired &&
         !Callbacks->ShouldRunOptionalPass.empty();
}

bool PassInstrumentation::runBefore(PassRun &Run) const {
  if (!ask(Run))
    return false;
  begin(Run);
  return true;
}

bool PassInstrumentation::ask(PassRun &Run) const {
  if (Callbacks->Times)
    Run.Entered = PassRun::Clock::now();
  if (Callbacks->ProcessorTimes && Run.Outer)
    Run.ProcessorEntered = getProcessorNow();
  StringRef SkippedBy;
  bool ShouldRun = true;
  if (!Run.getInfo().IsRequired)
    for (const auto &[By, C] : Callbacks->ShouldRunOptionalPass)
      if (!C(Run) && std::exchange(ShouldRun, false))
        SkippedBy = By;
  if (!ShouldRun)
    runBeforeSkippedPass(Run, SkippedBy);
  return ShouldRun;
}

void PassInstrumentation::begin(PassRun &Run) const {
  if (Callbacks->SingleThread)
    Run.Number = Run.Ctx.takeRunNumber();
  Run.IsOpen = true;
  callAll(Callbacks->BeforeNonSkippedPass, Run);
  if (Callbacks->ProcessorTimes)
    Run.Processor -= getProcessorNow();
  if (Callbacks->Times)
    Run.Begin = PassRun::Clock::now();
}

void PassInstrumentation::runBeforeSkippedPass(PassRun &Run,
                                               StringRef By) const {
  Run.Result = Outcome::Skipped;
  Run.SkippedBy = By;
  if (Callbacks)
    callAll(Callbacks->BeforeSkippedPass, Run);
}

void PassInstrumentation::stopTime(PassRun &Run) const {
  if (Callbacks->Times)
    Run.End = PassRun::Clock::now();
  if (Callbacks->ProcessorTimes)
    Run.Processor += getProcessorNow();
}

/// The outer run waits for functions on several threads: their callbacks' time
/// is not subtracted from its own.
void PassInstrumentation::end(PassRun &Run) const {
  Run.IsOpen = false;
  for (const auto &C : llvm::reverse(Callbacks->EndPass))
    C(Run);
  if (!Callbacks->Times || !Run.Outer || DeferredOutput::getCurrent())
    return;
  Run.Outer->Overhead += (PassRun::Clock::now() - Run.Entered) -
                         (Run.End - Run.Begin) + Run.Overhead;
  if (!Callbacks->ProcessorTimes)
    return;
  // Time outside of the pass itself is subtracted from the outer run.
  ProcessorTime Besides = getProcessorNow();
  Besides -= Run.ProcessorEntered;
  Besides -= Run.Processor;
  Run.Outer->Processor -= Besides;
}

LogicalResult PassInstrumentation::runAfter(PassRun &Run,
                                            const PreservedAnalyses &PA) const {
  stopTime(Run);
  Run.PA = &PA;
  Run.Result = PA.areAllPreserved() ? Outcome::Unchanged : Outcome::Changed;
  bool Stops = llvm::any_of(Callbacks->AfterPass,
                            [&](const auto &C) { return failed(C(Run)); });
  Stops |= Run.hasExceededLimit();
  if (Stops)
    Run.Result = Outcome::Stopped;
  end(Run);
  return success(!Stops);
}

void PassInstrumentation::runAfterPassFailed(PassRun &Run) const {
  if (!isObserved())
    return;
  stopTime(Run);
  Run.Result = Outcome::Failed;
  for (const auto &C : llvm::reverse(Callbacks->AfterPassFailed))
    C(Run);
  end(Run);
}

void PassInstrumentation::runPassCrashed(PassRun &Run) const {
  if (!Callbacks || !std::exchange(Run.IsOpen, false))
    return;
  Run.Result = Outcome::Crashed;
  for (const auto &C : llvm::reverse(Callbacks->CrashedPass))
    C(Run);
}

//===----------------------------------------------------------------------===//
// Analyses and contexts
//===----------------------------------------------------------------------===//

void PassInstrumentation::runBeforeAnalysis(StringRef Analysis,
                                            IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->BeforeAnalysis, Analysis, Unit);
}

void PassInstrumentation::runAfterAnalysis(StringRef Analysis,
                                           IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->AfterAnalysis, Analysis, Unit);
}

void PassInstrumentation::runAnalysisFailed(StringRef Analysis,
                                            IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->AnalysisFailed, Analysis, Unit);
}

void PassInstrumentation::runAnalysisInvalidated(StringRef Analysis,
                                                 IRUnit Unit,
                                                 StringRef Because) const {
  if (Callbacks)
    callAll(Callbacks->AnalysisInvalidated, Analysis, Unit, Because);
}

void PassInstrumentation::runAnalysesCleared(StringRef UnitName) const {
  if (Callbacks)
    callAll(Callbacks->AnalysesCleared, UnitName);
}

void PassInstrumentation::runEnterPassContext(PassContext &Ctx) const {
  if (Callbacks)
    callAll(Callbacks->EnterPassContext, Ctx);
}

void PassInstrumentation::runExitPassContext(PassContext &Ctx) const {
  if (Callbacks)
    callAll(Callbacks->ExitPassContext, Ctx);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

bool relay::takesMissedRemarks() {
  using Callback = PassInstrumentationCallbacks::MissedRemarkCallback;
  PassRun *Run = PassRun::getCurrent();
  return Run &&
         llvm::any_of(
             Run->getContext().getCallbacks().getMissedRemarkCallbacks(),
             [&](const Callback &C) {
               return llvm::any_of(Run->getInfo().Remarks, [&](StringRef Kind) {
                 return C.takes(Kind);
               });
             });
}

void relay::emitMissedRemark(const Operation *Op, StringRef Name,
                             const Twine &Message) {
  PassRun *Run = PassRun::getCurrent();
  if (!Run)
    return;
  assert(llvm::is_contained(Run->getInfo().Remarks, Name) &&
         "the pass does not declare this kind of remark");
  MissedRemark Remark{Name, Op, Message.str()};
  for (const auto &C :
       Run->getContext().getCallbacks().getMissedRemarkCallbacks())
    if (C.takes(Name))
      C.Call(*Run, Remark);
}

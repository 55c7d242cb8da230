//===- PassReport.cpp - A page on what each pass did ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects what the report shows; see PassReport.h. PassReportWriter.cpp writes
// it.
//
// What a function pass did is found by the thread that ran it, and added to the
// records in module order. The table of functions changes only while passes on
// modules finish.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/PassReport.h"
#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"
#include "relay/Support/OrderedOutput.h"
#include <sys/resource.h>

using namespace relay;
using llvm::Error;

PassReportFlags::PassReportFlags(PassReportOptions &Options)
    : File("pass-report", llvm::cl::location(Options.File),
           llvm::cl::value_desc("file"),
           llvm::cl::desc("Report what each pass did: a page if the "
                          "name ends in .html, data if in .json")) {}

Error PassReportOptions::check() const {
  StringRef Name = File;
  if (Name.empty() || Name.ends_with(".html") || Name.ends_with(".json"))
    return Error::success();
  return llvm::createStringError("option -pass-report: the name '" + Name +
                                 "' ends neither in .html nor in .json");
}

uint64_t relay::getPeakMemory() {
  rusage Usage;
  return getrusage(RUSAGE_SELF, &Usage) ? 0 : uint64_t(Usage.ru_maxrss) * 1024;
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

static void addCounts(RewriteCounts &To, const RewriteCounts &From) {
  for (const auto &[Rule, Count] : From)
    To[Rule] += Count;
}

void RewriteCounter::notifyRewrite(const Rewrite &R) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Counts[R.F][R.Rule.str()];
}

RewriteCounts RewriteCounter::take(const Function *F) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (F)
    return std::exchange(Counts[F], {});
  RewriteCounts Sum;
  for (const auto &Entry : std::exchange(Counts, {}))
    addCounts(Sum, Entry.second);
  return Sum;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Where passes belong that run now: the innermost group, or the pipeline.
std::vector<PassRecord *> &PassReport::getCurrent() {
  return Running.empty() ? Modules.back().Passes : Running.back()->Inside;
}

PassRecord &PassReport::addRecord(const Pass &P) {
  PassRecord &R = Records.emplace_back();
  R.P = &P;
  R.Info = &P.getInfo();
  llvm::raw_string_ostream OS(R.Text);
  P.printPipeline(OS);
  getCurrent().push_back(&R);
  return R;
}

/// The record of \p P, which has not run so far where it stands.
PassRecord &PassReport::getSkipped(const Pass &P) {
  for (PassRecord *R : llvm::reverse(getCurrent()))
    if (R->P == &P)
      return *R;
  return addRecord(P);
}

/// The record of \p P, which has run on a function.
PassRecord &PassReport::getFinished(const Pass &P) {
  PassRecord *&R = ByTime[&Timing.getLastFinished()];
  if (R)
    return *R;
  R = &getSkipped(P);
  if (R->Time)
    R = &addRecord(P);
  return *R;
}

/// What there is and how much memory it takes, in all.
PassRecord::Size PassReport::getTotals() const {
  PassRecord::Size Sum;
  for (const auto &Entry : Functions)
    Sum += Entry.second.getSize();
  return Sum;
}

static void addCounts(OpCountChanges &To, const OpCountChanges &From) {
  for (const auto &[Name, Count] : From)
    if (!(To[Name] += Count))
      To.erase(Name);
}

static void add(PassRecord &R, FunctionDelta Delta) {
  addCounts(R.Operations, Delta.Operations);
  R.S = PassRecord::State::Changed;
  R.NumChanges += Delta.K != FunctionDelta::Kind::Definitions;
  if (R.NumChanges <= PassRecord::MaxChanges)
    R.Changes.push_back(std::move(Delta));
}

/// What is the same for all passes at the end of a run on \p Unit.
void PassReport::finishRun(PassRecord &R, IRUnit Unit, bool Failed) {
  R.Time = &Timing.getLastFinished();
  R.PeakMemory = getPeakMemory();
  ++R.NumRuns;
  if (R.S == PassRecord::State::Skipped)
    R.S = PassRecord::State::Unchanged;
  if (Failed)
    R.FailedOn = Unit.getName();
  if (R.Info->IsGroup)
    return;
  Last = &R;
  LastUnit = Unit.getName();
}

//===----------------------------------------------------------------------===//
// Function passes
//===----------------------------------------------------------------------===//

void PassReport::finishFunctionPass(const Pass &P, Function &F,
                                    ArrayRef<FunctionChange> Changes,
                                    bool Failed) {
  FunctionRun Run;
  // There is no state if the pass that made the function did not say so.
  auto Found = Functions.find(F.getName());
  if (Found != Functions.end()) {
    FunctionState &State = Found->second;
    Run.Before = State.getSize();
    if (!Changes.empty())
      Run.Delta = State.History.update(F);
    State.ArenaBytes = F.getArena().getTotalMemory();
    Run.After = State.getSize();
  }
  Run.Rewrites = Rewrites.take(&F);
  runInOrder([this, &P, &F, Failed, Run = std::move(Run)]() mutable {
    PassRecord &R = getFinished(P);
    R.Before += Run.Before;
    R.After += Run.After;
    if (Run.Delta)
      add(R, std::move(*Run.Delta));
    addCounts(R.Rewrites, Run.Rewrites);
    finishRun(R, F, Failed);
  });
}

//===----------------------------------------------------------------------===//
// Passes on modules
//===----------------------------------------------------------------------===//

void PassReport::startModulePass(const Pass &P) {
  PassRecord &R = addRecord(P);
  R.Before = getTotals();
  Running.push_back(&R);
}

/// The state of a function, made when there is none.
PassReport::FunctionState &PassReport::getState(StringRef Name) {
  return Functions
      .try_emplace(Name, FunctionState{FunctionHistory(Name, Lines)})
      .first->second;
}

FunctionDelta PassReport::remove(StringRef Name) {
  FunctionDelta Delta = getState(Name).History.remove();
  Functions.erase(Name);
  return Delta;
}

FunctionDelta PassReport::takeIn(const FunctionChange &C) {
  if (C.K == FunctionChange::Kind::Definitions)
    return Definitions->update(*C.After);
  return C.F ? getState(C.Name).History.update(*C.F) : remove(C.Name);
}

/// The members of a group have taken in what they did.
static void addMembers(PassRecord &Group) {
  for (const PassRecord *Member : Group.Inside) {
    addCounts(Group.Operations, Member->Operations);
    addCounts(Group.Rewrites, Member->Rewrites);
    if (Member->S == PassRecord::State::Changed)
      Group.S = PassRecord::State::Changed;
  }
}

void PassReport::finishModulePass(Module &M, ArrayRef<FunctionChange> Changes,
                                  bool Failed) {
  PassRecord &R = *Running.pop_back_val();
  for (const FunctionChange &C : Changes)
    add(R, takeIn(C));
  if (R.Info->IsGroup)
    addMembers(R);
  for (Function &F : M.functions())
    if (auto State = Functions.find(F.getName()); State != Functions.end())
      State->second.ArenaBytes = F.getArena().getTotalMemory();
  R.After = getTotals();
  addCounts(R.Rewrites, Rewrites.take(nullptr));
  finishRun(R, M, Failed);
}

void PassReport::finishPass(const Pass &P, IRUnit Unit,
                            ArrayRef<FunctionChange> Changes, bool Failed) {
  if (Function *F = Unit.getAsFunction())
    finishFunctionPass(P, *F, Changes, Failed);
  else
    finishModulePass(Unit.getModule(), Changes, Failed);
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

PassReport::PassReport(const PassReportOptions &Options)
    : Options(Options), Timing(TimingOptions) {
  Tracker.addListener(
      [this](const Pass &P, IRUnit Unit, ArrayRef<FunctionChange> Changes) {
        finishPass(P, Unit, Changes, /*Failed=*/false);
      });
}

void PassReport::start(Module &M) {
  DiagnosticEngine &Engine = M.getContext().getDiagnostics();
  Engine.pushHandler(
      [this, &Engine](const Diagnostic &D) { return keepError(Engine, D); });
  Modules.emplace_back();
  Functions.clear();
  Definitions.emplace(IRUnit::ModuleName, Lines);
  Definitions->update(*getDefinitionsText(M));
  Last = nullptr;
  for (Function &F : M.functions()) {
    FunctionState &State = getState(F.getName());
    State.History.update(F);
    State.ArenaBytes = F.getArena().getTotalMemory();
  }
  Modules.back().Before = getTotals();
}

void PassReport::finish(Module &M, bool Failed) {
  M.getContext().getDiagnostics().popHandler();
  ModuleRecord &Current = Modules.back();
  Current.After = getTotals();
  Current.Failed = Failed;
  // The pass that ran last is the one that failed, or that left what is wrong
  // (-verify-each).
  if (Failed && Last)
    Last->FailedOn = LastUnit;
}

bool PassReport::keepError(const DiagnosticEngine &Engine,
                           const Diagnostic &D) {
  constexpr size_t MaxErrors = 20;
  std::vector<std::string> &Errors = Modules.back().Errors;
  if (D.Kind != Severity::Error || Errors.size() == MaxErrors)
    return false;
  llvm::raw_string_ostream OS(Errors.emplace_back());
  Engine.print(D, OS);
  return false;
}

void PassReport::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeSkippedPassCallback([this](const Pass &P, IRUnit) {
    runInOrder([this, &P] { getSkipped(P); });
  });
  PIC.registerBeforeNonSkippedPassCallback([this](const Pass &P, IRUnit Unit) {
    if (Unit.getAsModule())
      startModulePass(P);
  });
  PIC.registerRewriteListener(&Rewrites);
  // Hears of all passes but groups that did not fail.
  Tracker.registerCallbacks(PIC);
  PIC.registerAfterPassCallback(
      [this](const Pass &P, IRUnit Unit, const PreservedAnalyses &) {
        if (P.getInfo().IsGroup)
          finishPass(P, Unit, {}, /*Failed=*/false);
        return success();
      });
  PIC.registerAfterPassFailedCallback([this](const Pass &P, IRUnit Unit) {
    finishPass(P, Unit, {}, /*Failed=*/true);
  });
}

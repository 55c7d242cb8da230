//===- PassReport.cpp - The report of a run -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the data of the report; see PassReport.h. PassReportWriter.cpp
// writes it.
//
// The effect of a function pass is computed by the thread that ran it, and
// added to the records in module order. The table of functions changes only
// when module passes finish.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassReport.h"
#include "relay/Instrumentation/Checks/ResultNames.h"
#include "relay/Instrumentation/Reports/RewriteText.h"
#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"
#include "relay/Support/OrderedOutput.h"
#include "relay/Support/OutputFile.h"
#include <sys/resource.h>

using namespace relay;
using llvm::Error;

Error PassReport::checkFlags() const {
  StringRef Name = *Opts.File;
  if (Name.empty() || Name.ends_with_insensitive(".html") ||
      Name.ends_with_insensitive(".json"))
    return Error::success();
  return llvm::createStringError(
      "option -pass-report: expects a name that ends in .html or .json, got '" +
      Name + "'");
}

uint64_t relay::getPeakMemory() {
  rusage Usage;
  return getrusage(RUSAGE_SELF, &Usage) ? 0 : uint64_t(Usage.ru_maxrss) * 1024;
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

static void addCounts(RewriteCounts &To, const RewriteCounts &From) {
  for (const auto &[Rule, Count] : From.Rules)
    To.Rules[Rule] += Count;
  for (const auto &[Layer, Count] : From.Layers)
    To.Layers[Layer] += Count;
}

void RewriteCounter::notifyRewrite(const Rewrite &R) {
  std::lock_guard<std::mutex> Guard(Lock);
  RewriteCounts &UnitCounts = Counts[R.F];
  ++UnitCounts.Rules[R.Rule.str()];
  for (StringRef Layer : getLayers(R))
    ++UnitCounts.Layers[Layer.str()];
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

PassReport::RunFacts::RunFacts(const PassRun &Run)
    : P(Run.getPass()), Sweep(Run.getSweep()), OuterSweep(Run.getOuterSweep()),
      FailedOn(Run.hasFailed() ? Run.getUnit().getName() : "") {}

/// Returns the record of a sweep, which is created at first use.
PassRecord &PassReport::getRecord(const RunFacts &Facts) {
  ModuleRecord &Current = All->Modules.back();
  if (PassRecord *Known = Current.BySweep.lookup(Facts.Sweep))
    return *Known;
  PassRecord &R = All->Records.emplace_back();
  R.Info = &Facts.P.getInfo();
  llvm::raw_string_ostream OS(R.Text);
  Facts.P.printPipeline(OS);
  PassRecord *Outer = Current.BySweep.lookup(Facts.OuterSweep);
  (Outer ? Outer->Inside : Current.Passes).push_back(&R);
  Current.BySweep[Facts.Sweep] = &R;
  return R;
}

/// Returns the total number of operations and the total size of memory.
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

static void addConversions(ByConversion<ConversionChanges> &To,
                           const ByConversion<ConversionChanges> &From) {
  for (auto [Sum, Change] : llvm::zip_equal(To, From))
    Sum += Change;
}

static void add(PassRecord &R, FunctionDelta Delta) {
  addCounts(R.Operations, Delta.Operations);
  R.S = PassRecord::State::Changed;
  R.NumChanges += Delta.K != FunctionDelta::Kind::Definitions;
  if (R.NumChanges <= PassRecord::MaxChanges)
    R.Changes.push_back(std::move(Delta));
}

/// Records the facts common to all passes at the end of a run.
void PassReport::finishRun(PassRecord &R, const RunFacts &Facts) {
  R.Time = &Timing.getNode(Facts.Sweep);
  R.PeakMemory = getPeakMemory();
  ++R.NumRuns;
  if (R.S == PassRecord::State::Skipped)
    R.S = PassRecord::State::Unchanged;
  if (!Facts.FailedOn.empty())
    R.FailedOn = Facts.FailedOn;
}

/// Records changes of passes that did not fail, except groups.
void PassReport::noteChanges(const PassRun &Run,
                             ArrayRef<FunctionChange> Changes) {
  if (Run.getUnit().getAsFunction()) {
    if (!Changes.empty())
      HasChanged[&Run] = true;
    return;
  }
  PassRecord &R = getRecord(RunFacts(Run));
  for (const FunctionChange &C : Changes) {
    takeInFormats(R, C, Run.getSweep());
    add(R, takeIn(C));
  }
}

//===----------------------------------------------------------------------===//
// Function passes
//===----------------------------------------------------------------------===//

void PassReport::finishFunctionPass(const PassRun &Run, Function &F) {
  FunctionEffect Effect;
  bool Changed = HasChanged.take(&Run) != nullptr;
  // There is no state if the pass did not announce the new function.
  auto Found = Functions.find(F.getName());
  if (Found != Functions.end()) {
    FunctionState &State = Found->second;
    Effect.Before = State.getSize();
    if (Changed) {
      Effect.Delta = State.History.update(F);
      Effect.Formats = Formats.update(State.Formats, F, Run.getSweep());
    }
    State.ArenaBytes = F.getArena().getTotalMemory();
    Effect.After = State.getSize();
  }
  Effect.Rewrites = Rewrites.take(&F);
  runInOrder(
      [this, Facts = RunFacts(Run), Effect = std::move(Effect)]() mutable {
        PassRecord &R = getRecord(Facts);
        R.Before += Effect.Before;
        R.After += Effect.After;
        if (Effect.Delta)
          add(R, std::move(*Effect.Delta));
        addCounts(R.Rewrites, Effect.Rewrites);
        addFormats(R, Facts.Sweep, Effect.Formats);
        finishRun(R, Facts);
      });
}

//===----------------------------------------------------------------------===//
// Passes on modules
//===----------------------------------------------------------------------===//

/// Returns the state of a function, which is created at first use.
PassReport::FunctionState &PassReport::getState(StringRef Name) {
  return Functions
      .try_emplace(Name, FunctionState{FunctionHistory(Name, All->Lines),
                                       NumFunctions++})
      .first->second;
}

FunctionDelta PassReport::takeIn(const FunctionChange &C) {
  if (C.K == FunctionChange::Kind::Definitions)
    return Definitions->update(*C.After);
  FunctionHistory &History = getState(C.Name).History;
  if (C.F)
    return History.update(*C.F);
  FunctionDelta Delta = History.remove();
  Functions.erase(C.Name);
  return Delta;
}

/// Adds the changes of a pass to the record \p R and to the totals.
void PassReport::addFormats(PassRecord &R, unsigned Sweep,
                            const FormatTracker::Changes &Changes) {
  addConversions(R.Conversions, Changes.Conversions);
  addConversions(All->Modules.back().Conversions, Changes.Conversions);
  Formats.noteChanged(Sweep, Changes.Positions);
}

void PassReport::takeInFormats(PassRecord &R, const FunctionChange &C,
                               unsigned Sweep) {
  if (C.K == FunctionChange::Kind::Definitions)
    return;
  FormatTracker::FunctionState &State = getState(C.Name).Formats;
  addFormats(R, Sweep,
             C.F ? Formats.update(State, *C.F, Sweep)
                 : FormatTracker::remove(State));
}

/// Adds the effects of the members to their group.
static void addMembers(PassRecord &Group) {
  for (const PassRecord *Member : Group.Inside) {
    addCounts(Group.Operations, Member->Operations);
    addCounts(Group.Rewrites, Member->Rewrites);
    addConversions(Group.Conversions, Member->Conversions);
    if (Member->S == PassRecord::State::Changed)
      Group.S = PassRecord::State::Changed;
  }
}

void PassReport::finishModulePass(const PassRun &Run, Module &M) {
  RunFacts Facts(Run);
  PassRecord &R = getRecord(Facts);
  if (R.Info->IsGroup)
    addMembers(R);
  for (Function &F : M.functions())
    if (auto State = Functions.find(F.getName()); State != Functions.end())
      State->second.ArenaBytes = F.getArena().getTotalMemory();
  R.After = getTotals();
  addCounts(R.Rewrites, Rewrites.take(nullptr));
  finishRun(R, Facts);
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

PassReport::PassReport(const Options &Opts, const InstrumentationSetup &Setup)
    : Opts(Opts), Input(Setup.Input), Pipeline(Setup.Pipeline),
      Timing(TimingOptions, Setup) {
  Tracker.addListener(
      [this](const PassRun &Run, ArrayRef<FunctionChange> Changes) {
        noteChanges(Run, Changes);
      });
}

PassReport::~PassReport() { CrashHandler::setTask(nullptr); }

void PassReport::takeOver(Instrumentation &Previous) {
  auto &Old = static_cast<PassReport &>(Previous);
  All = std::move(Old.All);
  Timing.takeOver(Old.Timing);
}

void PassReport::start(Module &M) {
  DiagnosticEngine &Engine = M.getContext().getDiagnostics();
  Engine.pushHandler(
      [this, &Engine](const Diagnostic &D) { return keepError(Engine, D); });
  All->Modules.emplace_back();
  Formats.start(M);
  Definitions.emplace(IRUnit::ModuleName, All->Lines);
  Definitions->update(*getDefinitionsText(M));
  for (Function &F : M.functions()) {
    FunctionState &State = getState(F.getName());
    State.History.update(F);
    State.ArenaBytes = F.getArena().getTotalMemory();
    Formats.begin(State.Formats, F);
  }
  All->Modules.back().Before = getTotals();
  if (*Opts.File != "-")
    CrashHandler::setTask(this);
}

/// The pass that crashed is the innermost run of this thread. With several
/// threads, there may be no record of the run yet.
bool PassReport::runAfterCrash(StringRef Ending) {
  ModuleRecord &Current = All->Modules.back();
  Current.Failed = true;
  Current.After = getTotals();
  Current.Formats = summarizeFormats(/*Names=*/nullptr);
  for (const PassRun *Run = PassRun::getCurrent(); Run; Run = Run->getOuter()) {
    PassRecord &R = getRecord(RunFacts(*Run));
    R.FailedOn = Run->getUnit().getName();
    if (Current.Errors.empty())
      Current.Errors.push_back(
          (Ending + " in " + Run->getName() + " on " + R.FailedOn).str());
  }
  Error ReportError = Error::success();
  Error FileError = writeFile(*Opts.File, [&](raw_ostream &OS) {
    ReportError =
        llvm::joinErrors(std::move(ReportError),
                         report(OS, ModulePassManager(), /*Failed=*/true));
  });
  Error E = llvm::joinErrors(std::move(FileError), std::move(ReportError));
  if (!E) {
    CrashHandler::printMessage("note", "'" + *Opts.File + "' has been written");
    return true;
  }
  CrashHandler::printMessage("error", llvm::toString(std::move(E)));
  return false;
}

Error PassReport::finish(Module &M, bool Failed) {
  CrashHandler::setTask(nullptr);
  M.getContext().getDiagnostics().popHandler();
  ModuleRecord &Current = All->Modules.back();
  Current.After = getTotals();
  Current.Failed = Failed;
  std::optional<ResultNames> Names;
  if (!Failed)
    Names.emplace(M);
  Current.Formats = summarizeFormats(Names ? &*Names : nullptr);
  return Error::success();
}

/// Returns the formats after the last pass that did not fail.
FormatSummary PassReport::summarizeFormats(const ResultNames *Names) const {
  SmallVector<std::pair<unsigned, FormatTracker::NamedFunction>, 0> Present;
  for (const auto &Entry : Functions)
    Present.push_back(
        {Entry.second.Number, {Entry.first(), &Entry.second.Formats}});
  llvm::sort(Present, llvm::less_first());
  return Formats.summarize(llvm::to_vector(llvm::make_second_range(Present)),
                           All->Modules.back().Conversions, Names);
}

bool PassReport::keepError(const DiagnosticEngine &Engine,
                           const Diagnostic &D) {
  constexpr size_t MaxErrors = 20;
  std::vector<std::string> &Errors = All->Modules.back().Errors;
  if (D.Kind != Severity::Error || Errors.size() == MaxErrors)
    return false;
  llvm::raw_string_ostream OS(Errors.emplace_back());
  Engine.print(D, OS);
  return false;
}

void PassReport::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.registerBeforeSkippedPassCallback([this](const PassRun &Run) {
    runInOrder([this, Facts = RunFacts(Run)] { getRecord(Facts); });
  });
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (Run.getUnit().getAsModule())
      getRecord(RunFacts(Run)).Before = getTotals();
  });
  PIC.registerRewriteListener(&Rewrites);
  PIC.registerRewriteListener(&Formats);
  PIC.registerMissedRemarkCallback(
      [this](const PassRun &Run, const MissedRemark &Remark) {
        Formats.noteRemark(Run, Remark);
      },
      FormatTracker::Remarks);
  Tracker.registerCallbacks(PIC);
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    Formats.noteEnd(Run);
    if (Function *F = Run.getUnit().getAsFunction())
      finishFunctionPass(Run, *F);
    else
      finishModulePass(Run, Run.getUnit().getModule());
  });
  Timing.registerCallbacks(PC); // must end runs before this instrumentation
}

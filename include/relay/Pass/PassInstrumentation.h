//===- PassInstrumentation.h - Callbacks around passes ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks for dumps, timing and verification. Names and meaning are LLVM's,
// except for after-failed, end, and the context's enter and exit, which LLVM
// lacks. A callback is called for each unit: every function of a function pass.
// It gets the PassRun, which holds the pass, the unit and further data.
//
// Order: callbacks of one kind run in the order of registration; callbacks
// after a failed pass and at the end of a run, in reverse. The time of
// callbacks is not counted for the pass (PassRun::getElapsed()), in any order.
//
// A run is announced either as skipped, or as begun and, once, as ended:
//
//   before-skipped
//   before-non-skipped  after...        end      changed, unchanged
//   before-non-skipped  after...        end      stopped: a callback failed
//   before-non-skipped  after-failed... end      failed
//   before-non-skipped                  crashed  the process ends
//
// Function passes may run on several functions in parallel. Callbacks and
// rewrite listeners are then called by several threads, each for its function:
// write to an OrderedStream, and count or keep state with runInOrder() or
// StateMap (all in OrderedOutput.h). A callback that needs one thread requires
// it. PassRun::getCurrent() gives rewrite listeners the run that makes the
// change.
//
// Passes emit remarks on operations that they leave unchanged, with the reason,
// by emitMissedRemark().
//
// PassInstrument is TVM's kind of instrument, with one event a pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSINSTRUMENTATION_H
#define RELAY_PASS_PASSINSTRUMENTATION_H

#include "relay/IR/RewriteListener.h"
#include "relay/Pass/PassRun.h"
#include <functional>

namespace relay {

/// Why a pass left an operation unchanged, like a missed remark of LLVM.
struct MissedRemark {
  /// The kind of reason, in kebab case, as the pass declares it
  /// (PassInfo::Remarks): `unsupported`.
  StringRef Name;
  /// Valid in the callback.
  const Operation *Op;
  /// `the check of target 'npu' rejected nn.conv2d`
  std::string Message;
};

/// The registered callbacks of a PassContext.
class PassInstrumentationCallbacks {
public:
  using ShouldRunOptionalPassFn = std::function<bool(const PassRun &)>;
  using PassRunFn = std::function<void(const PassRun &)>;
  /// Failure, which has been reported, stops the pipeline.
  using AfterPassFn = std::function<LogicalResult(const PassRun &)>;
  using AnalysisFn = std::function<void(StringRef Analysis, IRUnit)>;
  /// \p Because names the invalidated dependency of the analysis; empty if the
  /// analysis itself was invalidated.
  using AnalysisInvalidatedFn =
      std::function<void(StringRef Analysis, IRUnit, StringRef Because)>;
  using AnalysesClearedFn = std::function<void(StringRef UnitName)>;
  using ContextFn = std::function<void(PassContext &)>;
  using MissedRemarkFn =
      std::function<void(const PassRun &, const MissedRemark &)>;
  struct MissedRemarkCallback {
    MissedRemarkFn Call;
    ArrayRef<StringLiteral> Kinds; ///< empty: all

    bool takes(StringRef Kind) const {
      return Kinds.empty() || llvm::is_contained(Kinds, Kind);
    }
  };

  PassInstrumentationCallbacks() = default;
  PassInstrumentationCallbacks(const PassInstrumentationCallbacks &) = delete;

  /// Makes passes run on one function after the other, in module order: for
  /// callbacks that number passes, look at other functions, or depend on
  /// earlier runs. Runs then have numbers.
  void requireSingleThread() { SingleThread = ObservesRuns = true; }
  bool requiresSingleThread() const { return SingleThread; }
  /// Makes runs measure how long they take.
  void requireTimes() { Times = true; }
  /// Makes runs also measure processor time, which takes system calls.
  void requireProcessorTimes() { Times = ProcessorTimes = true; }

  /// \p C is called for passes that are not required. All such callbacks are
  /// called, and one refusal is enough. \p By, which must outlive this, is
  /// reported as the reason for skipping the pass.
  void registerShouldRunOptionalPassCallback(StringRef By,
                                             ShouldRunOptionalPassFn C) {
    add(ShouldRunOptionalPass, {By, std::move(C)});
  }
  void registerBeforeSkippedPassCallback(PassRunFn C) {
    add(BeforeSkippedPass, std::move(C));
  }
  void registerBeforeNonSkippedPassCallback(PassRunFn C) {
    add(BeforeNonSkippedPass, std::move(C));
  }
  /// Called after the pass, normalization and invalidation. If a callback
  /// fails, later ones are not called.
  void registerAfterPassCallback(AfterPassFn C) {
    add(AfterPass, std::move(C));
  }
  /// Called instead of "after" for a pass that failed, in reverse order.
  void registerAfterPassFailedCallback(PassRunFn C) {
    add(AfterPassFailed, std::move(C));
  }
  /// Called once for each "before non-skipped", when the run is over and its
  /// outcome known, in reverse order.
  void registerEndPassCallback(PassRunFn C) { add(EndPass, std::move(C)); }
  /// Called instead of "end" when the process crashes, for each active run,
  /// innermost first, after the crash has been reported. Called in the signal
  /// handler: without memory allocation, locks and streams
  /// (CrashHandler::write()).
  void registerCrashedPassCallback(PassRunFn C) {
    add(CrashedPass, std::move(C));
  }
  void registerBeforeAnalysisCallback(AnalysisFn C) {
    BeforeAnalysis.push_back(std::move(C));
  }
  void registerAfterAnalysisCallback(AnalysisFn C) {
    AfterAnalysis.push_back(std::move(C));
  }
  /// Called instead of "after" for an analysis that failed.
  void registerAnalysisFailedCallback(AnalysisFn C) {
    AnalysisFailed.push_back(std::move(C));
  }
  void registerAnalysisInvalidatedCallback(AnalysisInvalidatedFn C) {
    AnalysisInvalidated.push_back(std::move(C));
  }
  void registerAnalysesClearedCallback(AnalysesClearedFn C) {
    AnalysesCleared.push_back(std::move(C));
  }
  /// Notifies \p L, which must outlive the passes, of every change that they
  /// make (PassRun::getCurrent()).
  void registerRewriteListener(RewriteListener *L) {
    RewriteListeners.push_back(L);
  }
  /// \p C is called during the run, for each remark (emitMissedRemark()); of
  /// the kinds \p Kinds, which outlive the callbacks, or of all if there are
  /// none.
  void registerMissedRemarkCallback(MissedRemarkFn C,
                                    ArrayRef<StringLiteral> Kinds = {}) {
    add(MissedRemarks, MissedRemarkCallback{std::move(C), Kinds});
  }
  void registerEnterPassContextCallback(ContextFn C) {
    EnterPassContext.push_back(std::move(C));
  }
  void registerExitPassContextCallback(ContextFn C) {
    ExitPassContext.push_back(std::move(C));
  }

  ArrayRef<RewriteListener *> getRewriteListeners() const {
    return RewriteListeners;
  }
  ArrayRef<MissedRemarkCallback> getMissedRemarkCallbacks() const {
    return MissedRemarks;
  }

private:
  friend class PassInstrumentation;

  /// A callback with its name.
  using NamedShouldRunFn = std::pair<StringRef, ShouldRunOptionalPassFn>;

  template <typename T> void add(std::vector<T> &List, T C) {
    ObservesRuns = true;
    List.push_back(std::move(C));
  }

  bool SingleThread = false, Times = false, ProcessorTimes = false;
  /// True if a callback or a listener observes runs.
  bool ObservesRuns = false;
  std::vector<NamedShouldRunFn> ShouldRunOptionalPass;
  std::vector<PassRunFn> BeforeSkippedPass, BeforeNonSkippedPass;
  std::vector<AfterPassFn> AfterPass;
  std::vector<PassRunFn> AfterPassFailed, EndPass, CrashedPass;
  std::vector<AnalysisFn> BeforeAnalysis, AfterAnalysis, AnalysisFailed;
  std::vector<AnalysisInvalidatedFn> AnalysisInvalidated;
  std::vector<AnalysesClearedFn> AnalysesCleared;
  std::vector<ContextFn> EnterPassContext, ExitPassContext;
  std::vector<MissedRemarkCallback> MissedRemarks;
  std::vector<RewriteListener *> RewriteListeners;
};

/// Returns true if a callback takes remarks of the innermost run of this
/// thread. Passes compute reasons only then.
bool takesMissedRemarks();
/// Passes a remark of the innermost run of this thread to the callbacks.
void emitMissedRemark(const Operation *Op, StringRef Name,
                      const Twine &Message);

/// Begins and ends runs and calls the callbacks, if there are any.
class PassInstrumentation {
public:
  PassInstrumentation(const PassInstrumentationCallbacks *Callbacks = nullptr)
      : Callbacks(Callbacks) {}

  /// Asks whether to make \p Run and announces the run as begun or as skipped.
  bool runBeforePass(PassRun &Run) const {
    return !isObserved() || runBefore(Run);
  }
  /// The two steps of runBeforePass(), for callers that work in between: the
  /// first asks, and announces a refusal; the second announces that \p Run
  /// begins.
  bool askBeforePass(PassRun &Run) const { return !isObserved() || ask(Run); }
  void announcePass(PassRun &Run) const {
    if (isObserved())
      begin(Run);
  }
  /// Returns true if a callback may refuse \p Info.
  bool mayRefuse(const PassInfo &Info) const;
  /// Announces that \p Run is skipped, because of the pass manager itself or of
  /// an instrument.
  void runBeforeSkippedPass(PassRun &Run, StringRef By) const;
  /// Ends \p Run, whose pass returned \p PA. Fails if a callback failed or if a
  /// text printed in the run exceeded a limit.
  LogicalResult runAfterPass(PassRun &Run, const PreservedAnalyses &PA) const {
    return isObserved() ? runAfter(Run, PA) : success(!Run.hasExceededLimit());
  }
  /// Ends \p Run, whose pass failed.
  void runAfterPassFailed(PassRun &Run) const;
  /// Ends \p Run, if it has begun, in the crash handler.
  void runPassCrashed(PassRun &Run) const;
  void runBeforeAnalysis(StringRef Analysis, IRUnit Unit) const;
  void runAfterAnalysis(StringRef Analysis, IRUnit Unit) const;
  void runAnalysisFailed(StringRef Analysis, IRUnit Unit) const;
  void runAnalysisInvalidated(StringRef Analysis, IRUnit Unit,
                              StringRef Because) const;
  void runAnalysesCleared(StringRef UnitName) const;
  void runEnterPassContext(PassContext &Ctx) const;
  void runExitPassContext(PassContext &Ctx) const;

private:
  /// Returns true if any callback observes runs. Otherwise runs cost next to
  /// nothing.
  bool isObserved() const { return Callbacks && Callbacks->ObservesRuns; }
  bool runBefore(PassRun &Run) const;
  bool ask(PassRun &Run) const;
  void begin(PassRun &Run) const;
  LogicalResult runAfter(PassRun &Run, const PreservedAnalyses &PA) const;
  void stopTime(PassRun &Run) const;
  void end(PassRun &Run) const;

  const PassInstrumentationCallbacks *Callbacks;
};

} // namespace relay

#endif // RELAY_PASS_PASSINSTRUMENTATION_H

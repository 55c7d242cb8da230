//===- PassInstrumentation.h - Callbacks around passes ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What dumps, timing and verification hang on. Names and meaning are LLVM's,
// but for after-failed, and for the context's enter and exit, which LLVM lacks.
// A callback sees each unit: every function of a function pass. Callbacks of
// one kind run in the order in which they were registered, those registered
// ToFront before them.
//
// Function passes may run on several functions at once. Then callbacks and
// rewrite listeners are called by several threads, each for its function: what
// they write goes to an OrderedStream, what they count or keep uses
// runInOrder() or UnitStates (all in OrderedOutput.h), and who cannot do with
// that asks for one thread.
//
// TVM's kind of instrument, which sees one event a pass, is PassInstrument.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSINSTRUMENTATION_H
#define RELAY_PASS_PASSINSTRUMENTATION_H

#include "relay/IR/Builder.h"
#include "relay/Pass/IRUnit.h"
#include "relay/Pass/PreservedAnalyses.h"
#include <functional>

namespace relay {

class Pass;
class PassContext;

/// The registered callbacks of a PassContext.
class PassInstrumentationCallbacks {
public:
  using ShouldRunOptionalPassFn = std::function<bool(const Pass &, IRUnit)>;
  using BeforePassFn = std::function<void(const Pass &, IRUnit)>;
  /// Failure, which has been reported, stops the pipeline.
  using AfterPassFn = std::function<LogicalResult(const Pass &, IRUnit,
                                                  const PreservedAnalyses &)>;
  using AfterPassInvalidatedFn =
      std::function<void(const Pass &, const PreservedAnalyses &)>;
  using AfterPassFailedFn = std::function<void(const Pass &, IRUnit)>;
  using AnalysisFn = std::function<void(StringRef Analysis, IRUnit)>;
  using AnalysesClearedFn = std::function<void(StringRef UnitName)>;
  using ContextFn = std::function<void(PassContext &)>;

  PassInstrumentationCallbacks() = default;
  PassInstrumentationCallbacks(const PassInstrumentationCallbacks &) = delete;

  /// Makes passes run on one function after the other, in module order: for
  /// callbacks that number passes, look at other functions, or decide by what
  /// they saw before.
  void requireSingleThread() { SingleThread = true; }
  bool requiresSingleThread() const { return SingleThread; }

  /// Asked for passes that are not required; all of them are asked, and one
  /// refusal is enough.
  void registerShouldRunOptionalPassCallback(ShouldRunOptionalPassFn C) {
    ShouldRunOptionalPass.push_back(std::move(C));
  }
  void registerBeforeSkippedPassCallback(BeforePassFn C) {
    BeforeSkippedPass.push_back(std::move(C));
  }
  void registerBeforeNonSkippedPassCallback(BeforePassFn C) {
    BeforeNonSkippedPass.push_back(std::move(C));
  }
  /// After the pass, normalization and invalidation.
  void registerAfterPassCallback(AfterPassFn C, bool ToFront = false) {
    add(AfterPass, std::move(C), ToFront);
  }
  /// In place of "after" for a pass whose unit is gone.
  void registerAfterPassInvalidatedCallback(AfterPassInvalidatedFn C,
                                            bool ToFront = false) {
    add(AfterPassInvalidated, std::move(C), ToFront);
  }
  /// In place of "after" for a pass that failed. Run in reverse order.
  void registerAfterPassFailedCallback(AfterPassFailedFn C) {
    AfterPassFailed.push_back(std::move(C));
  }
  void registerBeforeAnalysisCallback(AnalysisFn C) {
    BeforeAnalysis.push_back(std::move(C));
  }
  void registerAfterAnalysisCallback(AnalysisFn C, bool ToFront = false) {
    add(AfterAnalysis, std::move(C), ToFront);
  }
  void registerAnalysisInvalidatedCallback(AnalysisFn C) {
    AnalysisInvalidated.push_back(std::move(C));
  }
  void registerAnalysesClearedCallback(AnalysesClearedFn C) {
    AnalysesCleared.push_back(std::move(C));
  }
  /// Lets \p L, which outlives the passes, hear of every change that they
  /// make; which pass it is tell the callbacks before passes.
  void registerRewriteListener(RewriteListener *L) {
    RewriteListeners.push_back(L);
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

private:
  friend class PassInstrumentation;

  template <typename T>
  static void add(std::vector<T> &List, T C, bool ToFront) {
    List.insert(ToFront ? List.begin() : List.end(), std::move(C));
  }

  bool SingleThread = false;
  std::vector<ShouldRunOptionalPassFn> ShouldRunOptionalPass;
  std::vector<BeforePassFn> BeforeSkippedPass, BeforeNonSkippedPass;
  std::vector<AfterPassFn> AfterPass;
  std::vector<AfterPassInvalidatedFn> AfterPassInvalidated;
  std::vector<AfterPassFailedFn> AfterPassFailed;
  std::vector<AnalysisFn> BeforeAnalysis, AfterAnalysis, AnalysisInvalidated;
  std::vector<AnalysesClearedFn> AnalysesCleared;
  std::vector<ContextFn> EnterPassContext, ExitPassContext;
  std::vector<RewriteListener *> RewriteListeners;
};

/// Calls the callbacks; without callbacks it does nothing.
class PassInstrumentation {
public:
  PassInstrumentation(const PassInstrumentationCallbacks *Callbacks = nullptr)
      : Callbacks(Callbacks) {}

  /// Asks whether \p P is to run on \p Unit and announces either.
  bool runBeforePass(const Pass &P, IRUnit Unit) const {
    return !Callbacks || runBefore(P, Unit);
  }
  /// Announces that \p P does not run for a reason of the pass manager's own.
  void runBeforeSkippedPass(const Pass &P, IRUnit Unit) const;
  LogicalResult runAfterPass(const Pass &P, IRUnit Unit,
                             const PreservedAnalyses &PA) const {
    return Callbacks ? runAfter(P, Unit, PA) : success();
  }
  void runAfterPassInvalidated(const Pass &P,
                               const PreservedAnalyses &PA) const;
  void runAfterPassFailed(const Pass &P, IRUnit Unit) const;
  void runBeforeAnalysis(StringRef Analysis, IRUnit Unit) const;
  void runAfterAnalysis(StringRef Analysis, IRUnit Unit) const;
  void runAnalysisInvalidated(StringRef Analysis, IRUnit Unit) const;
  void runAnalysesCleared(StringRef UnitName) const;
  void runEnterPassContext(PassContext &Ctx) const;
  void runExitPassContext(PassContext &Ctx) const;

private:
  bool runBefore(const Pass &P, IRUnit Unit) const;
  LogicalResult runAfter(const Pass &P, IRUnit Unit,
                         const PreservedAnalyses &PA) const;

  const PassInstrumentationCallbacks *Callbacks;
};

} // namespace relay

#endif // RELAY_PASS_PASSINSTRUMENTATION_H

//===- PassRun.h - One run of a pass on a unit ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass manager creates a PassRun on its stack for every run of a pass on a
// module or a function, and passes it to the callbacks: pass, unit, enclosing
// run, elapsed time and outcome. The crash handler names it too. Callbacks read
// it and need no stacks of their own.
//
// A run that begins ends exactly once in any case (getOutcome()).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSRUN_H
#define RELAY_PASS_PASSRUN_H

#include "relay/Pass/IRUnit.h"
#include "relay/Pass/PreservedAnalyses.h"
#include "relay/Support/CrashHandler.h"
#include <chrono>

namespace relay {

class Pass;
class PassContext;
struct PassInfo;

/// Processor time that threads of the program have used.
struct ProcessorTime {
  std::chrono::nanoseconds User{}, System{};

  /// Returns the time of this thread, or of all threads.
  static ProcessorTime ofThread();
  static ProcessorTime ofProcess();

  ProcessorTime &operator+=(ProcessorTime O) {
    User += O.User;
    System += O.System;
    return *this;
  }
  ProcessorTime &operator-=(ProcessorTime O) {
    User -= O.User;
    System -= O.System;
    return *this;
  }
};

class PassRun final : private CrashActivity {
public:
  enum class Outcome : uint8_t {
    Running,   ///< it has not ended yet
    Changed,   ///< the pass changed the unit
    Unchanged, ///< the pass reported no change
    Skipped,   ///< the pass did not run: getSkippedBy()
    Failed,    ///< the pass, or a member of the group, failed
    Stopped,   ///< a check after the pass failed (-verify-each)
    Crashed    ///< the process ends in this run
  };
  using Clock = std::chrono::steady_clock;

  /// Creates a run of \p P on \p Unit inside \p Outer, which may be null. \p
  /// Sweep is a number from PassContext::takeSweeps().
  PassRun(const Pass &P, IRUnit Unit, PassContext &Ctx, PassRun *Outer,
          unsigned Sweep);
  /// Creates a run with its own sweep, inside the innermost run of this thread.
  PassRun(const Pass &P, IRUnit Unit, PassContext &Ctx);

  /// Returns the pass of the pipeline, even if a thread runs a clone of it.
  const Pass &getPass() const { return P; }
  const PassInfo &getInfo() const;
  StringRef getName() const;
  IRUnit getUnit() const { return Unit; }
  PassContext &getContext() const { return Ctx; }

  /// Returns the enclosing run, of a group of passes; or null.
  const PassRun *getOuter() const { return Outer; }
  /// Returns the number of enclosing runs.
  unsigned getDepth() const { return Depth; }
  /// The runs of a function pass over the functions of a module are one sweep;
  /// a run on a module is a sweep by itself. The sweeps of a context are
  /// numbered from 1 in the order of the pipeline, for any number of threads.
  unsigned getSweep() const { return Sweep; }
  /// The sweep of getOuter(), or 0.
  unsigned getOuterSweep() const { return Outer ? Outer->Sweep : 0; }
  /// The number of this run, from 1 in the order in which runs begin. Skipped
  /// runs have the number 0, and so have all runs unless the callbacks require
  /// a single thread: runs on several threads have no such order.
  unsigned getNumber() const { return Number; }

  Outcome getOutcome() const { return Result; }
  /// Returns true if the pass or a check after it failed.
  bool hasFailed() const {
    return Result == Outcome::Failed || Result == Outcome::Stopped;
  }
  /// Returns true if a text printed in the run exceeded a limit. The error has
  /// been reported.
  using CrashActivity::hasExceededLimit;
  /// Returns the reason for skipping the run: `opt-level`, `disable-pass`, or
  /// the name of an instrument or of a callback.
  StringRef getSkippedBy() const { return SkippedBy; }
  /// Returns the analyses that the pass preserved; valid in callbacks after a
  /// pass that did not fail.
  const PreservedAnalyses &getPreservedAnalyses() const {
    assert(PA && "the pass has not returned");
    return *PA;
  }

  /// Returns the functions that Rewriters have changed or added in this run, in
  /// order: functions of its module, or its function. Returns all of them if
  /// the pass reports a change but no Rewriter made one. They have been
  /// normalized and their analyses invalidated. Valid in callbacks after a pass
  /// that did not fail.
  ArrayRef<Function *> getChangedFunctions() const { return ChangedFunctions; }
  /// For the pass managers.
  void setChangedFunctions(SmallVector<Function *, 1> Functions) {
    ChangedFunctions = std::move(Functions);
  }

  /// Returns when the pass began and ended, excluding callbacks before and
  /// after it. Requires PassInstrumentationCallbacks::requireTimes().
  Clock::time_point getBeginTime() const { return Begin; }
  Clock::time_point getEndTime() const { return End; }
  /// Returns the time between begin and end, without the time of callbacks of
  /// inner runs on this thread.
  Clock::duration getElapsed() const { return End - Begin - Overhead; }

  /// Returns the processor time: of all threads or, if several functions are
  /// processed in parallel, of the thread of this run. Requires
  /// PassInstrumentationCallbacks::requireProcessorTimes().
  ProcessorTime getProcessorTime() const { return Processor; }

  /// Returns the innermost run of this thread, or null. For rewrite listeners
  /// and callbacks around analyses, this is the run that makes the change or
  /// requests the analysis.
  static PassRun *getCurrent();

private:
  friend class PassInstrumentation;

  static void onCrash(CrashActivity &Activity);

  const Pass &P;
  IRUnit Unit;
  PassContext &Ctx;
  PassRun *Outer;
  const PreservedAnalyses *PA = nullptr;
  StringRef SkippedBy;
  SmallVector<Function *, 1> ChangedFunctions;
  unsigned Sweep, Depth, Number = 0;
  Outcome Result = Outcome::Running;
  /// True between the announcements of begin and end.
  bool IsOpen = false;
  // Set if times are required:
  Clock::time_point Entered, Begin, End;
  Clock::duration Overhead{}; ///< of callbacks of inner runs
  /// The time from begin to end. Until the end: minus the time at the begin and
  /// the time of callbacks of inner runs.
  ProcessorTime Processor;
  ProcessorTime ProcessorEntered; ///< before the callbacks
};

} // namespace relay

#endif // RELAY_PASS_PASSRUN_H

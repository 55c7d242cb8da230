//===- StandardInstrumentations.h - All of them, in order -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owns the standard instrumentations that flags switch on, and registers their
// callbacks in the order in which they have to run.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H
#define RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H

#include "relay/Instrumentation/AnalysisInvalidation.h"
#include "relay/Instrumentation/CrashDump.h"
#include "relay/Instrumentation/DebugCounter.h"
#include "relay/Instrumentation/DebugLogging.h"
#include "relay/Instrumentation/DebugPassManager.h"
#include "relay/Instrumentation/IRPrinting.h"
#include "relay/Instrumentation/IdempotenceCheck.h"
#include "relay/Instrumentation/OpDiff.h"
#include "relay/Instrumentation/OptBisect.h"
#include "relay/Instrumentation/PassReport.h"
#include "relay/Instrumentation/PassStatistics.h"
#include "relay/Instrumentation/PassTiming.h"
#include "relay/Instrumentation/PrintChanged.h"
#include "relay/Instrumentation/Progress.h"
#include "relay/Instrumentation/Provenance.h"
#include "relay/Instrumentation/TimeTrace.h"
#include "relay/Instrumentation/Verification.h"

namespace relay {

struct StandardInstrumentationOptions {
  explicit StandardInstrumentationOptions(FlagSet &Flags)
      : Bisect(Flags), Counter(Flags), PassManager(Flags), Logging(Flags),
        Crash(Flags), Dumping(Flags), Printing(Flags), Changes(Flags),
        OpDifferences(Flags), Origins(Flags), Idempotence(Flags),
        Verification(Flags), Invalidation(Flags), Report(Flags),
        Statistics(Flags), Trace(Flags), Timing(Flags) {}

  OptBisectOptions Bisect;
  DebugCounterOptions Counter;
  DebugPassManagerOptions PassManager;
  DebugLoggingOptions Logging;
  CrashDumpOptions Crash;
  IRDumpOptions Dumping;
  IRPrintingOptions Printing;
  PrintChangedOptions Changes;
  OpDiffOptions OpDifferences;
  ProvenanceOptions Origins;
  IdempotenceOptions Idempotence;
  VerificationOptions Verification;
  AnalysisInvalidationOptions Invalidation;
  PassReportOptions Report;
  PassStatisticsOptions Statistics;
  TimeTraceOptions Trace;
  PassTimingOptions Timing;
  ProgressOptions Progress;

  /// Takes over what options imply.
  void finish();
  bool dumps() const {
    return Printing.any() || Changes.any() || Dumping.hasNumbers();
  }
};

class StandardInstrumentations {
public:
  /// Dumps and reports go to \p OS.
  explicit StandardInstrumentations(
      const StandardInstrumentationOptions &Options,
      raw_ostream &OS = llvm::errs())
      : Options(Options), Progress(Options.Progress, OS),
        OS(Progress.getStream()), Bisect(Options.Bisect, this->OS),
        Counter(Options.Counter), PassManager(Options.PassManager, this->OS),
        Logging(Options.Logging), Crash(Options.Crash),
        Dumper(Options.Dumping, this->OS), Printing(Options.Printing, Dumper),
        Changes(Options.Changes, Dumper), OpDifferences(Dumper),
        Origins(Options.Origins), Idempotence(this->OS), Report(Options.Report),
        Trace(Options.Trace), Timing(Options.Timing) {}

  /// Before anything is read: an error if a flag names a pass that \p Registry
  /// does not know, or a directory that cannot be written to.
  llvm::Error prepare(const PassRegistry &Registry) const;
  /// Before a pipeline runs on \p M.
  void start(Module &M);
  /// Sets up what \p Ctx logs.
  void configure(Context &Ctx, const PassRegistry &Registry);
  /// After a pipeline: an error if a flag names a function that \p M never had.
  llvm::Error checkFunctions(const Module &M) {
    return Dumper.checkFunctions(M);
  }
  /// After a pipeline: failure if a check found what does not stop passes.
  LogicalResult getResult() const { return Idempotence.getResult(); }
  /// After a pipeline with the result \p M: tells of the bindings that flags
  /// name. An error if M has no such binding.
  llvm::Error printOrigins(Module &M);
  /// After all pipelines: an error if a flag has the number of a pass that
  /// never came.
  llvm::Error checkNumbers() const { return Dumper.checkNumbers(); }
  /// After start(), when no pass runs on \p M any more.
  void finish(Module &M, bool Failed);
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Those that are instruments, to be installed in the context.
  SmallVector<PassInstrument *> getInstruments();
  const PassReport &getReport() const { return Report; }
  /// Where passes print.
  raw_ostream &getStream() { return Progress.getStream(); }
  /// For phases of the driver, and to be written.
  TimeTrace &getTrace() { return Trace; }
  /// Writes the reports of all that \p Pipeline has run on so far.
  void printReports(const ModulePassManager &Pipeline);

private:
  const StandardInstrumentationOptions &Options;
  ProgressLine Progress;
  OrderedStream OS;
  OptBisect Bisect;
  DebugCounter Counter;
  DebugPassManager PassManager;
  DebugLogging Logging;
  CrashDump Crash;
  AnalysisInvalidation Invalidation;
  IRDumper Dumper;
  IRPrinting Printing;
  PrintChanged Changes;
  OpDiff OpDifferences;
  Provenance Origins;
  IdempotenceCheck Idempotence;
  PassReport Report;
  TimeTrace Trace;
  PassTiming Timing;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H

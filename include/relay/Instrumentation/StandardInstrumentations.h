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

#include "relay/Instrumentation/IRPrinting.h"
#include "relay/Instrumentation/PassTiming.h"
#include "relay/Instrumentation/TimeTrace.h"
#include "relay/Instrumentation/Verification.h"

namespace relay {

struct StandardInstrumentationOptions {
  IRPrintingOptions Printing;
  VerificationOptions Verification;
  TimeTraceOptions Trace;
  PassTimingOptions Timing;
};

/// The flags of StandardInstrumentationOptions.
struct StandardInstrumentationFlags {
  explicit StandardInstrumentationFlags(StandardInstrumentationOptions &O)
      : Printing(O.Printing), Verification(O.Verification), Trace(O.Trace),
        Timing(O.Timing) {}
  IRPrintingFlags Printing;
  VerificationFlags Verification;
  TimeTraceFlags Trace;
  PassTimingFlags Timing;
};

class StandardInstrumentations {
public:
  /// Dumps and reports go to \p OS.
  explicit StandardInstrumentations(
      const StandardInstrumentationOptions &Options,
      raw_ostream &OS = llvm::errs())
      : Options(Options), OS(OS), Printing(Options.Printing, this->OS),
        Trace(Options.Trace), Timing(Options.Timing) {}

  /// An error if a flag names a pass that \p Registry does not know.
  llvm::Error checkPasses(const PassRegistry &Registry) const {
    return Printing.checkPasses(Registry);
  }
  /// After a pipeline: an error if a flag names a function that \p M never had.
  llvm::Error checkFunctions(Module &M) { return Printing.checkFunctions(M); }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// For phases of the driver, and to be written.
  TimeTrace &getTrace() { return Trace; }
  /// Writes the reports of all pipelines run so far.
  void printReports();

private:
  const StandardInstrumentationOptions &Options;
  OrderedStream OS;
  IRPrinting Printing;
  TimeTrace Trace;
  PassTiming Timing;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H

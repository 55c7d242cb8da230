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
#include "relay/Instrumentation/Verification.h"

namespace relay {

struct StandardInstrumentationOptions {
  IRPrintingOptions Printing;
  VerificationOptions Verification;
  PassTimingOptions Timing;
};

/// The flags of StandardInstrumentationOptions.
struct StandardInstrumentationFlags {
  explicit StandardInstrumentationFlags(StandardInstrumentationOptions &O)
      : Printing(O.Printing), Verification(O.Verification), Timing(O.Timing) {}
  IRPrintingFlags Printing;
  VerificationFlags Verification;
  PassTimingFlags Timing;
};

class StandardInstrumentations {
public:
  /// Dumps and reports go to \p OS.
  explicit StandardInstrumentations(
      const StandardInstrumentationOptions &Options,
      raw_ostream &OS = llvm::errs())
      : Options(Options), OS(OS), Printing(Options.Printing, OS) {}

  /// An error if a flag names a pass that \p Registry does not know.
  llvm::Error checkPasses(const PassRegistry &Registry) const {
    return Printing.checkPasses(Registry);
  }
  /// After a pipeline: an error if a flag names a function that \p M never had.
  llvm::Error checkFunctions(Module &M) { return Printing.checkFunctions(M); }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Writes the reports of all pipelines run so far.
  void printReports() const;

private:
  const StandardInstrumentationOptions &Options;
  raw_ostream &OS;
  IRPrinting Printing;
  PassTiming Timing;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H

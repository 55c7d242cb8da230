//===- StandardInstrumentations.cpp - All of them, in order ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which instrumentations run, and why. What they do is in their
// own files.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/StandardInstrumentations.h"

using namespace relay;

void StandardInstrumentations::registerCallbacks(
    PassInstrumentationCallbacks &PIC) {
  // Dumps come before verification, so that the IR that does not verify is
  // shown.
  if (Options.Printing.any())
    Printing.registerCallbacks(PIC);
  if (Options.Verification.Enabled)
    registerVerification(PIC, Options.Verification);
  // Traces and timing are the last to hear that a pass begins and the first to
  // hear that it ended, so that the time of the others is not counted.
  if (Options.Trace.Enabled)
    Trace.registerCallbacks(PIC);
  if (Options.Timing.Enabled)
    Timing.registerCallbacks(PIC);
}

void StandardInstrumentations::printReports() {
  if (Options.Timing.Enabled)
    Timing.print(OS);
}

//===- OptBisect.cpp - Stop after a number of passes ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts passes, and skips those after the limit of -opt-bisect-limit. See
// OptBisect.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Control/OptBisect.h"
#include "relay/Pass/Pass.h"

using namespace relay;

bool OptBisect::shouldRun(const PassRun &Run) {
  if (Run.getInfo().IsGroup)
    return true;
  ++NumPasses;
  bool Runs = Opts.Limit < 0 || NumPasses <= Opts.Limit;
  OS << "BISECT: " << (Runs ? "" : "NOT ") << "running pass (" << NumPasses
     << ") " << Run.getName() << " on " << Run.getUnit().getName() << '\n';
  return Runs;
}

void OptBisect::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerShouldRunOptionalPassCallback(
      "opt-bisect-limit",
      [this](const PassRun &Run) { return shouldRun(Run); });
}

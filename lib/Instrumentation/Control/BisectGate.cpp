//===- BisectGate.cpp - Run a pipeline up to one rewrite ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts passes and rewrites, and stops them at the limits of -bisect. See
// BisectGate.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Control/BisectGate.h"
#include "relay/Instrumentation/Reports/RewriteText.h"
#include "relay/Pass/Pass.h"

using namespace relay;

template <size_t N> static void copy(StringRef Text, char (&To)[N]) {
  Text = Text.take_front(N - 1);
  llvm::copy(Text, To);
  To[Text.size()] = 0;
}

bool BisectGate::shouldRun(const PassRun &Run) {
  return Run.getInfo().IsGroup || Progress.NumPasses != Limit.Passes;
}

/// Passes that another callback skips are not counted.
void BisectGate::count(const PassRun &Run) {
  if (Run.getInfo().IsGroup || Run.getInfo().IsRequired)
    return;
  ++Progress.NumPasses;
  Progress.NumRewrites = 0;
  copy((Run.getName() + " on " + Run.getUnit().getName()).str(), Progress.Pass);
  copy("", Progress.Rewrite);
}

bool BisectGate::shouldRewrite(const Rewrite &R) {
  if (PassRun::getCurrent()->getInfo().IsRequired)
    return true; // such passes are not counted
  bool IsLast = Progress.NumPasses == Limit.Passes;
  if (IsLast && Progress.NumRewrites >= Limit.Rewrites)
    return false;
  ++Progress.NumRewrites;
  copy(getRewriteText(R), Progress.Rewrite);
  return true;
}

void BisectGate::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.requireSingleThread();
  PIC.registerRewriteListener(this);
  PIC.registerShouldRunOptionalPassCallback(
      "bisect", [this](const PassRun &Run) { return shouldRun(Run); });
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { count(Run); });
}

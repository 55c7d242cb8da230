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

void StandardInstrumentationOptions::finish() {
  // A directory without a word on what to dump is for dumps after each pass.
  bool SaysWhat = Printing.any() || Changes.any() ||
                  !Dumping.BeforeNumbers.empty() ||
                  !Dumping.AfterNumbers.empty();
  if (!Dumping.Directory->empty() && !SaysWhat)
    Printing.AfterAll = true;
}

llvm::Error
StandardInstrumentations::prepare(const PassRegistry &Registry) const {
  if (llvm::Error E = Dumper.prepare(Registry))
    return E;
  if (llvm::Error E = Counter.checkPasses(Registry))
    return E;
  DebugLog Log(llvm::nulls());
  if (llvm::Error E = Logging.configure(Log, Registry))
    return E;
  return Printing.checkPasses(Registry);
}

void StandardInstrumentations::start(Module &M) {
  Changes.start(M);
  if (Options.Report.isEnabled())
    Report.start(M);
}

void StandardInstrumentations::finish(Module &M, bool Failed) {
  if (Options.Report.isEnabled())
    Report.finish(M, Failed);
}

llvm::Error StandardInstrumentations::printOrigins(Module &M) {
  return Options.Origins.Names.empty() ? llvm::Error::success()
                                       : Origins.print(M, OS);
}

void StandardInstrumentations::configure(Context &Ctx,
                                         const PassRegistry &Registry) {
  if (!Options.Logging.any())
    return;
  Ctx.getDebugLog().setStream(OS);
  llvm::cantFail(Logging.configure(Ctx.getDebugLog(), Registry)); // checked
}

void StandardInstrumentations::registerCallbacks(
    PassInstrumentationCallbacks &PIC) {
  // What decides whether a pass and a rewrite happen says so first; then the
  // pass manager and the log say what does.
  if (Options.Bisect.any())
    Bisect.registerCallbacks(PIC);
  if (Options.Counter.any())
    Counter.registerCallbacks(PIC);
  if (Options.PassManager.any())
    PassManager.registerCallbacks(PIC);
  if (Options.Logging.any())
    Logging.registerCallbacks(PIC);
  if (Options.Crash.any())
    Crash.registerCallbacks(PIC);
  // Dumps come before verification, so that the IR that does not verify is
  // shown.
  if (Options.dumps()) {
    Dumper.registerCallbacks(PIC);
    Printing.registerCallbacks(PIC);
  }
  if (Options.Changes.any())
    Changes.registerCallbacks(PIC);
  // The report comes before verification for the same reason.
  if (Options.Report.isEnabled())
    Report.registerCallbacks(PIC);
  if (!Options.Origins.Names.empty())
    Origins.registerCallbacks(PIC);
  if (Options.Idempotence.Enabled)
    Idempotence.registerCallbacks(PIC);
  if (Options.Verification.Enabled)
    registerVerification(PIC, Options.Verification);
  if (Options.Progress.Enabled)
    Progress.registerCallbacks(PIC);
  if (Options.Invalidation.Enabled)
    Invalidation.registerCallbacks(PIC);
  // These may stand anywhere: runs measure their time without callbacks.
  if (Options.Trace.any())
    Trace.registerCallbacks(PIC);
  if (Options.Timing.any())
    Timing.registerCallbacks(PIC);
}

SmallVector<PassInstrument *> StandardInstrumentations::getInstruments() {
  SmallVector<PassInstrument *> Instruments;
  if (Options.OpDifferences.Enabled)
    Instruments.push_back(&OpDifferences);
  return Instruments;
}

void StandardInstrumentations::printReports(const ModulePassManager &Pipeline) {
  if (Options.Statistics.JSON)
    printStatisticsJSON(Pipeline, OS);
  else if (Options.Statistics.Enabled)
    printStatistics(Pipeline, OS);
  if (Options.Counter.Print)
    Counter.print(OS);
  if (Options.Timing.any())
    Timing.print(OS);
}

//===- StandardInstrumentations.cpp - All of them, in order ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which instrumentations stand, and why. What they do is in their
// own files. The place of one decides when its callbacks are called, before and
// after passes alike, and where its report comes; time needs no place, since
// runs measure theirs without callbacks.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Instrumentation/Checks/AnalysisInvalidation.h"
#include "relay/Instrumentation/Checks/IdempotenceCheck.h"
#include "relay/Instrumentation/Checks/SemanticsCheck.h"
#include "relay/Instrumentation/Checks/Verification.h"
#include "relay/Instrumentation/Control/DebugCounter.h"
#include "relay/Instrumentation/Control/OptBisect.h"
#include "relay/Instrumentation/Dumps/CrashDump.h"
#include "relay/Instrumentation/Dumps/Dumps.h"
#include "relay/Instrumentation/Reports/DebugLogging.h"
#include "relay/Instrumentation/Reports/DebugPassManager.h"
#include "relay/Instrumentation/Reports/PassReport.h"
#include "relay/Instrumentation/Reports/PassStatistics.h"
#include "relay/Instrumentation/Reports/PassTiming.h"
#include "relay/Instrumentation/Reports/Provenance.h"
#include "relay/Instrumentation/Reports/TimeTrace.h"

using namespace relay;

void relay::addStandardInstrumentations(InstrumentationList &List) {
  // It has no callbacks, and reports first.
  List.add<PassStatistics>();
  // What decides whether a pass and a rewrite happen says so first; then the
  // pass manager and the log say what does.
  List.add<OptBisect>();
  List.add<DebugCounter>();
  List.add<DebugPassManager>();
  List.add<DebugLogging>();
  // The module as it was before the pass, before anything looks at it.
  List.add<CrashDump>();
  // Dumps and the report come before verification, so that IR that does not
  // verify is shown.
  List.add<Dumps>();
  List.add<PassReport>();
  List.add<Provenance>();
  // Checks may stop passes: what stands behind them is not called after these
  // then, but at the end of the run all the same.
  List.add<IdempotenceCheck>();
  List.add<Verification>();
  // It evaluates what has been verified.
  List.add<SemanticsCheck>();
  List.add<AnalysisInvalidation>();
  // They have callbacks at the ends of runs alone; the table is the last
  // report.
  List.add<TimeTrace>();
  List.add<PassTiming>();
}

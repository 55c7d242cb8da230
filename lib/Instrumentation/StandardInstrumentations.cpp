//===- StandardInstrumentations.cpp - Standard instrumentations in order --===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the instrumentations and its reasons. Each instrumentation is
// implemented in its own file. Its position determines the order of its
// callbacks, before and after passes alike, and the position of its report.
// Timing is independent of the order, since runs are measured without
// callbacks.
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
#include "relay/Instrumentation/Reports/PartitionReport.h"
#include "relay/Instrumentation/Reports/PassRemarks.h"
#include "relay/Instrumentation/Reports/PassReport.h"
#include "relay/Instrumentation/Reports/PassStatistics.h"
#include "relay/Instrumentation/Reports/PassTiming.h"
#include "relay/Instrumentation/Reports/Provenance.h"
#include "relay/Instrumentation/Reports/TimeTrace.h"

using namespace relay;

void relay::addStandardInstrumentations(InstrumentationList &List) {
  // Has no callbacks, and reports first.
  List.add<PassStatistics>();
  // Instrumentations that decide whether passes and rewrites run come first,
  // then the pass manager and the log, which report the decisions.
  List.add<OptBisect>();
  List.add<DebugCounter>();
  List.add<DebugPassManager>();
  List.add<DebugLogging>();
  List.add<PassRemarks>();
  // Copies the module before the pass, before other instrumentations access it.
  List.add<CrashDump>();
  // Dumps and the report precede verification, so that invalid IR is shown.
  List.add<Dumps>();
  List.add<PassReport>();
  List.add<PartitionReport>();
  List.add<Provenance>();
  // Checks may stop passes: callbacks of later instrumentations are then not
  // called after the pass, but still at the end of the run.
  List.add<IdempotenceCheck>();
  List.add<Verification>();
  // Evaluates verified IR.
  List.add<SemanticsCheck>();
  List.add<AnalysisInvalidation>();
  // These only have callbacks at the end of runs; the table is the last report.
  List.add<TimeTrace>();
  List.add<PassTiming>();
}

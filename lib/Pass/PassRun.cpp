//===- PassRun.cpp - One run of a pass on a unit --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassRun.h. PassInstrumentation lets runs begin and end.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassRun.h"
#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"
#include <ctime>
#include <sys/resource.h>

using namespace relay;

static std::chrono::nanoseconds toNanoseconds(long Seconds, long Rest) {
  return std::chrono::seconds(Seconds) + std::chrono::nanoseconds(Rest);
}

/// The sum of both is exact; what of it the system spent, the system counts.
static ProcessorTime getProcessorTime(clockid_t Sum, int Who) {
  timespec All = {};
  rusage Usage = {};
  clock_gettime(Sum, &All);
  getrusage(Who, &Usage);
  auto Total = toNanoseconds(All.tv_sec, All.tv_nsec);
  auto System =
      toNanoseconds(Usage.ru_stime.tv_sec, Usage.ru_stime.tv_usec * 1000);
  return {Total - std::min(Total, System), System};
}

ProcessorTime ProcessorTime::ofThread() {
  return getProcessorTime(CLOCK_THREAD_CPUTIME_ID, RUSAGE_THREAD);
}

ProcessorTime ProcessorTime::ofProcess() {
  return getProcessorTime(CLOCK_PROCESS_CPUTIME_ID, RUSAGE_SELF);
}

static StringRef getUnitName(IRUnit Unit) {
  if (const Function *F = Unit.getAsFunction())
    return F->getName();
  return IRUnit::ModuleName;
}

PassRun::PassRun(const Pass &P, IRUnit Unit, PassContext &Ctx, PassRun *Outer,
                 unsigned Sweep)
    : CrashActivity(P.getName(), getUnitName(Unit), onCrash), P(P), Unit(Unit),
      Ctx(Ctx), Outer(Outer), Sweep(Sweep),
      Depth(Outer ? Outer->Depth + 1 : 0) {}

PassRun::PassRun(const Pass &P, IRUnit Unit, PassContext &Ctx)
    : PassRun(P, Unit, Ctx, getCurrent(), Ctx.takeSweeps()) {}

const PassInfo &PassRun::getInfo() const { return P.getInfo(); }
StringRef PassRun::getName() const { return P.getName(); }

PassRun *PassRun::getCurrent() {
  return static_cast<PassRun *>(findInnermost(onCrash));
}

void PassRun::onCrash(CrashActivity &Activity) {
  for (auto *Run = static_cast<PassRun *>(&Activity); Run; Run = Run->Outer)
    Run->Ctx.getInstrumentation().runPassCrashed(*Run);
}

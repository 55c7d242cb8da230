//===- PassRun.cpp - One run of a pass on a unit --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassRun.h. PassInstrumentation begins and ends runs.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassRun.h"
#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"
#include <ctime>
#include <sys/resource.h>

using namespace relay;

static std::chrono::nanoseconds toDuration(const timeval &T) {
  return std::chrono::seconds(T.tv_sec) + std::chrono::microseconds(T.tv_usec);
}

static ProcessorTime getProcessorTime(int Who) {
  rusage Usage = {};
  getrusage(Who, &Usage);
  return {toDuration(Usage.ru_utime), toDuration(Usage.ru_stime)};
}

/// The thread times of the system lag by some milliseconds; the clock is exact,
/// but does not distinguish user and system time.
ProcessorTime ProcessorTime::ofThread() {
  timespec Sum = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Sum);
  std::chrono::nanoseconds All =
      std::chrono::seconds(Sum.tv_sec) + std::chrono::nanoseconds(Sum.tv_nsec);
  auto System = getProcessorTime(RUSAGE_THREAD).System;
  return {All - std::min(All, System), System};
}

ProcessorTime ProcessorTime::ofProcess() {
  return getProcessorTime(RUSAGE_SELF);
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

//===- TimeTrace.cpp - A trace of passes over time ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimeTrace.h. llvm::TimeProfiler is not used: it exists once per process,
// must be set up on each thread, and drops short events.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/TimeTrace.h"
#include "relay/Pass/Pass.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Threading.h"

using namespace relay;

TimeTrace::TimeTrace(const Options &Opts, const InstrumentationSetup &Setup)
    : Flag(Opts.File->empty() ? "-time-trace" : "-time-trace-file"),
      File(*Opts.File), Origin(Clock::now()) {
  if (File.empty())
    File = (Setup.Output == "-" ? "out" : Setup.Output) + ".time-trace";
  getThreadNumber(llvm::get_threadid());
}

void TimeTrace::addFiles(SmallVectorImpl<InstrumentationFile> &Files) const {
  Files.push_back({Flag, File});
}

void TimeTrace::takeOver(Instrumentation &Previous) {
  auto &Old = static_cast<TimeTrace &>(Previous);
  Origin = Old.Origin;
  Events = std::move(Old.Events);
  ThreadIds = std::move(Old.ThreadIds);
}

unsigned TimeTrace::getThreadNumber(uint64_t Id) {
  auto Found = llvm::find(ThreadIds, Id);
  if (Found == ThreadIds.end())
    Found = ThreadIds.insert(Found, Id);
  return Found - ThreadIds.begin();
}

void TimeTrace::add(StringRef Name, std::string Unit, Clock::time_point Begin,
                    Clock::time_point End) {
  runInOrder([this, Id = llvm::get_threadid(),
              E = Event{Name.str(), std::move(Unit), Begin, End - Begin,
                        0}]() mutable {
    E.Thread = getThreadNumber(Id);
    Events.push_back(std::move(E));
  });
}

void TimeTrace::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireTimes();
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    add(Run.getName(), Run.getUnit().getName(), Run.getBeginTime(),
        Run.getEndTime());
  });
  PIC.registerBeforeAnalysisCallback([this](StringRef, IRUnit Unit) {
    AnalysisBegins[Unit.getOpaque()].push_back(Clock::now());
  });
  auto End = [this](StringRef Name, IRUnit Unit) {
    add(Name, Unit.getName(), AnalysisBegins[Unit.getOpaque()].pop_back_val(),
        Clock::now());
  };
  PIC.registerAfterAnalysisCallback(End);
  PIC.registerAnalysisFailedCallback(End);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Writes microseconds with nanosecond precision.
static void writeTraceTime(llvm::json::OStream &J, StringRef Key,
                           TimeTrace::Clock::duration D) {
  J.attributeBegin(Key);
  J.rawValue([&](raw_ostream &OS) {
    OS << llvm::format("%.3f",
                       std::chrono::duration<double, std::micro>(D).count());
  });
  J.attributeEnd();
}

/// Writes the name of the process, or of a thread.
static void writeName(llvm::json::OStream &J, StringRef What, StringRef Name,
                      unsigned Thread) {
  J.object([&] {
    J.attribute("ph", "M");
    J.attribute("pid", 1);
    J.attribute("tid", Thread);
    J.attribute("name", What);
    J.attributeObject("args", [&] { J.attribute("name", Name); });
  });
}

llvm::Error TimeTrace::report(raw_ostream &OS, const ModulePassManager &,
                              bool) {
  llvm::json::OStream J(OS);
  J.objectBegin();
  J.attributeBegin("traceEvents");
  J.arrayBegin();
  writeName(J, "process_name", "relay-opt", 0);
  for (unsigned T = 0; T != ThreadIds.size(); ++T)
    writeName(J, "thread_name", T ? "thread " + std::to_string(T) : "main", T);
  for (const Event &E : Events)
    J.object([&] {
      J.attribute("ph", "X");
      J.attribute("pid", 1);
      J.attribute("tid", E.Thread);
      writeTraceTime(J, "ts", E.Begin - Origin);
      writeTraceTime(J, "dur", E.Length);
      J.attribute("name", E.Name);
      if (!E.Unit.empty())
        J.attributeObject("args", [&] { J.attribute("unit", E.Unit); });
    });
  J.arrayEnd();
  J.attributeEnd();
  J.objectEnd();
  OS << '\n';
  return llvm::Error::success();
}

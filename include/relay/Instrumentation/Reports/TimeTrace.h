//===- TimeTrace.h - A trace of passes over time ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -time-trace: records each run of a pass on a module or a function, each
// analysis, and the phases of the driver as an event with begin, length and
// thread, in Chrome's trace format (Perfetto, chrome://tracing, Speedscope).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_TIMETRACE_H
#define RELAY_INSTRUMENTATION_REPORTS_TIMETRACE_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/OrderedOutput.h"

namespace relay {

struct TimeTraceOptions : InstrumentationOptions {
  explicit TimeTraceOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Time and reports") {}

  Flag<bool> Enabled{*this, "-time-trace",
                     "Write a time trace for Perfetto or chrome://tracing",
                     flag::NeedsTrust()};
  /// If empty, the name is the name of the output with `.time-trace`.
  Flag<std::string> File{*this, "-time-trace-file",
                         "Write the trace here (default: the output's name "
                         "with .time-trace)",
                         flag::ValueName{"file"}, flag::NeedsTrust()};

  bool isEnabled() const override { return Enabled || File.isGiven(); }
};

class TimeTrace final : public Instrumentation {
public:
  using Options = TimeTraceOptions;
  static constexpr StringLiteral Name = "time-trace";

  using Clock = PassRun::Clock;

  TimeTrace(const Options &Opts, const InstrumentationSetup &Setup);
  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override;
  /// Keeps one trace for all modules.
  void takeOver(Instrumentation &Previous) override;
  void registerCallbacks(PassContext &PC) override;
  void notePhase(StringRef Phase, Clock::time_point Begin,
                 Clock::time_point End) override {
    add(Phase, "", Begin, End);
  }
  StringRef getReportFile() const override { return File; }
  /// Writes all events as JSON.
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  struct Event {
    std::string Name, Unit;
    Clock::time_point Begin;
    Clock::duration Length;
    unsigned Thread;
  };

  /// Adds an event from \p Begin to \p End.
  void add(StringRef Name, std::string Unit, Clock::time_point Begin,
           Clock::time_point End);
  /// Returns a small number for a thread: 0 for the first thread.
  unsigned getThreadNumber(uint64_t Id);

  StringRef Flag; ///< the flag that requests the file
  std::string File;
  Clock::time_point Origin;
  std::vector<Event> Events;
  std::vector<uint64_t> ThreadIds; ///< by number
  /// When the analyses that run on a unit began, innermost last.
  StateMap<SmallVector<Clock::time_point, 4>> AnalysisBegins;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_TIMETRACE_H

//===- TimeTrace.h - A trace of passes over time ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -time-trace. Each run of a pass on a module or a function, each analysis, and
// the phases of the driver are an event with begin, length and thread, written
// in Chrome's trace format (Perfetto, chrome://tracing, Speedscope).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_TIMETRACE_H
#define RELAY_INSTRUMENTATION_TIMETRACE_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/Flags.h"
#include "relay/Support/OrderedOutput.h"
#include <chrono>

namespace relay {

struct TimeTraceOptions : FlagGroup {
  explicit TimeTraceOptions(FlagSet &Flags)
      : FlagGroup(Flags, "Time and reports") {}

  Flag<bool> Enabled{*this, "-time-trace",
                     "Write a trace of what takes how long, for Perfetto or "
                     "chrome://tracing"};
  /// Empty for the name of the output with `.time-trace`.
  Flag<std::string> File{*this, "-time-trace-file",
                         "Write the trace here (default: the output's name "
                         "with .time-trace)",
                         flag::ValueName{"file"}};

  bool any() const { return Enabled || File.isGiven(); }
  /// The file of a run whose output is \p Output.
  std::string getFile(StringRef Output) const;
};

class TimeTrace {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeTrace(const TimeTraceOptions &Options);
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Writes all events as JSON.
  void write(raw_ostream &OS) const;

  /// A phase of the driver, from its construction to the end of its scope.
  class Phase {
  public:
    Phase(TimeTrace &Trace, StringRef Name)
        : Trace(Trace), Name(Name), Begin(Clock::now()) {}
    ~Phase() { Trace.add(Name, "", Begin, Clock::now()); }
    Phase(const Phase &) = delete;
    Phase &operator=(const Phase &) = delete;

  private:
    TimeTrace &Trace;
    StringRef Name;
    Clock::time_point Begin;
  };

private:
  struct Event {
    std::string Name, Unit;
    Clock::time_point Begin;
    Clock::duration Length;
    unsigned Thread;
  };

  /// Notes what went on from \p Begin to \p End.
  void add(StringRef Name, std::string Unit, Clock::time_point Begin,
           Clock::time_point End);
  /// A small number for a thread: 0 for the first that is asked for.
  unsigned getThreadNumber(uint64_t Id);

  bool Enabled;
  Clock::time_point Origin;
  std::vector<Event> Events;
  std::vector<uint64_t> ThreadIds; ///< by number
  /// When the analyses that run on a unit began, innermost last.
  StateMap<SmallVector<Clock::time_point, 4>> AnalysisBegins;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_TIMETRACE_H

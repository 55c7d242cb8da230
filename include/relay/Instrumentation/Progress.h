//===- Progress.h - What a long run is doing --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a terminal, a run of more than a second shows one line that is rewritten:
// `FuseOps, 345 of 1000 functions, 2.3 s`. The line is gone before anything
// else is written, and at the end. The driver enables it; it has no flag.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_PROGRESS_H
#define RELAY_INSTRUMENTATION_PROGRESS_H

#include "relay/Pass/PassInstrumentation.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace relay {

struct ProgressOptions {
  /// How long a run may take without a line, and how often this is rewritten.
  std::chrono::milliseconds Delay{1000}, Interval{100};
};

class ProgressLine {
public:
  ProgressLine(const ProgressOptions &Options, raw_ostream &OS);
  ~ProgressLine() { stop(); }

  /// The stream in front of the terminal's for whatever else is written.
  raw_ostream &getStream() { return Stream; }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  using Clock = std::chrono::steady_clock;

  /// Takes the line away, then writes to the terminal.
  class ClearingStream final : public raw_ostream {
  public:
    explicit ClearingStream(ProgressLine &P)
        : raw_ostream(/*unbuffered=*/true), P(P) {}

  private:
    void write_impl(const char *Text, size_t Size) override;
    uint64_t current_pos() const override { return P.OS.tell(); }
    ProgressLine &P;
  };

  void start();
  void stop();
  void note(const PassRun &Run);
  /// What the thread does that draws.
  void drawTillStopped();
  // With Lock held:
  void draw();
  void clear();

  const ProgressOptions &Options;
  raw_ostream &OS;
  ClearingStream Stream{*this};
  Clock::time_point Begin = Clock::now();
  std::thread Drawer;

  /// Guards what follows, and the terminal.
  std::mutex Lock;
  std::condition_variable Stopped;
  bool IsStopped = false;
  bool IsShown = false;
  /// Something else was written since the last interval: the line waits.
  bool IsBusy = false;
  bool IsLineStart = true;
  /// The pass that began last, and of how many functions.
  StringRef PassName;
  size_t NumSeen = 0, NumFunctions = 0;
  /// With how many functions each sweep of a function pass has begun.
  llvm::DenseMap<unsigned, size_t> Seen;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_PROGRESS_H

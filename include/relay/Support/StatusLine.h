//===- StatusLine.h - A status line on a terminal ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a terminal, work of more than a second shows one line that is updated. The
// line is removed before other output, and at the end. A thread draws it, since
// a single step may take long; it starts when the line is first used. The owner
// provides the contents of the line.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_STATUSLINE_H
#define RELAY_SUPPORT_STATUSLINE_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace relay {

using llvm::raw_ostream;

struct StatusLineOptions {
  /// The time before the line appears, and the interval of its updates.
  std::chrono::milliseconds Delay{1000}, Interval{100};
};

class StatusLine {
public:
  /// \p Print prints the current activity; it returns false if there is nothing
  /// to show. The drawing thread calls it with the lock held.
  using PrintFn = std::function<bool(raw_ostream &)>;
  StatusLine(const StatusLineOptions &Options, raw_ostream &OS, PrintFn Print)
      : Options(Options), OS(OS), Print(std::move(Print)) {}
  ~StatusLine() { stop(); }

  /// The stream for all other output to the terminal.
  raw_ostream &getStream() { return Stream; }
  /// Guards the printed state, and the terminal.
  std::mutex &getLock() { return Lock; }
  void start();
  void stop();
  /// Removes the line, before other output to the terminal.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  /// Removes the line, then writes to the terminal.
  class ClearingStream final : public raw_ostream {
  public:
    explicit ClearingStream(StatusLine &Line)
        : raw_ostream(/*unbuffered=*/true), Line(Line) {}

  private:
    void write_impl(const char *Text, size_t Size) override;
    uint64_t current_pos() const override { return Line.OS.tell(); }
    StatusLine &Line;
  };

  /// The main function of the drawing thread.
  void drawTillStopped();
  // With Lock held:
  void draw();
  void clearLocked();

  const StatusLineOptions &Options;
  raw_ostream &OS;
  PrintFn Print;
  ClearingStream Stream{*this};
  Clock::time_point Begin = Clock::now();
  std::thread Drawer;

  /// Guards the members below, and the terminal.
  std::mutex Lock;
  std::condition_variable Stopped;
  bool IsStopped = false;
  bool IsShown = false;
  /// True if other output was written since the last interval: the line waits.
  bool IsBusy = false;
  bool IsLineStart = true;
};

} // namespace relay

#endif // RELAY_SUPPORT_STATUSLINE_H

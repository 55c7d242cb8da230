//===- StatusLine.cpp - A status line on a terminal -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StatusLine.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/StatusLine.h"
#include "llvm/Support/Format.h"

using namespace relay;

void StatusLine::ClearingStream::write_impl(const char *Text, size_t Size) {
  std::lock_guard<std::mutex> Guard(Line.Lock);
  Line.clearLocked();
  Line.OS.write(Text, Size);
  Line.IsLineStart = Text[Size - 1] == '\n';
}

void StatusLine::clear() {
  std::lock_guard<std::mutex> Guard(Lock);
  clearLocked();
}

void StatusLine::clearLocked() {
  if (IsShown)
    OS << "\r\x1b[K";
  IsShown = false;
  IsBusy = true;
}

void StatusLine::draw() {
  std::string Text;
  llvm::raw_string_ostream Buffer(Text);
  if (!Print(Buffer))
    return;
  double Seconds = std::chrono::duration<double>(Clock::now() - Begin).count();
  OS << '\r' << Text << llvm::format(", %.1f s\x1b[K", Seconds);
  IsShown = true;
}

void StatusLine::drawTillStopped() {
  std::unique_lock<std::mutex> Guard(Lock);
  auto Next = Begin + Options.Delay;
  while (!Stopped.wait_until(Guard, Next, [&] { return IsStopped; })) {
    if (IsLineStart && !std::exchange(IsBusy, false))
      draw();
    Next = Clock::now() + Options.Interval;
  }
  clearLocked();
}

void StatusLine::start() {
  IsStopped = false;
  Drawer = std::thread([this] { drawTillStopped(); });
}

void StatusLine::stop() {
  if (!Drawer.joinable())
    return;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    IsStopped = true;
  }
  Stopped.notify_one();
  Drawer.join();
}

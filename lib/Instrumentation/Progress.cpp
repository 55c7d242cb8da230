//===- Progress.cpp - What a long run is doing ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Progress.h. A thread draws, since a single pass may take long; it is
// started only when progress is enabled.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Progress.h"
#include "relay/Pass/PassContext.h"
#include "llvm/Support/Format.h"

using namespace relay;

ProgressLine::ProgressLine(const ProgressOptions &Options, raw_ostream &OS)
    : Options(Options), OS(OS) {}

void ProgressLine::ClearingStream::write_impl(const char *Text, size_t Size) {
  std::lock_guard<std::mutex> Guard(P.Lock);
  P.clear();
  P.OS.write(Text, Size);
  P.IsLineStart = Text[Size - 1] == '\n';
}

void ProgressLine::clear() {
  if (IsShown)
    OS << "\r\x1b[K";
  IsShown = false;
  IsBusy = true;
}

void ProgressLine::draw() {
  double Seconds = std::chrono::duration<double>(Clock::now() - Begin).count();
  OS << '\r' << PassName << ", ";
  if (NumSeen)
    OS << NumSeen << " of ";
  OS << NumFunctions << (NumFunctions == 1 ? " function, " : " functions, ")
     << llvm::format("%.1f s\x1b[K", Seconds);
  IsShown = true;
}

void ProgressLine::drawTillStopped() {
  std::unique_lock<std::mutex> Guard(Lock);
  auto Next = Begin + Options.Delay;
  while (!Stopped.wait_until(Guard, Next, [&] { return IsStopped; })) {
    if (!PassName.empty() && IsLineStart && !std::exchange(IsBusy, false))
      draw();
    Next = Clock::now() + Options.Interval;
  }
  clear();
}

void ProgressLine::start() {
  IsStopped = false;
  PassName = "";
  Seen.clear();
  Drawer = std::thread([this] { drawTillStopped(); });
}

void ProgressLine::stop() {
  if (!Drawer.joinable())
    return;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    IsStopped = true;
  }
  Stopped.notify_one();
  Drawer.join();
}

void ProgressLine::note(const PassRun &Run) {
  std::lock_guard<std::mutex> Guard(Lock);
  PassName = Run.getName();
  NumFunctions = Run.getUnit().getModule().getNumFunctions();
  NumSeen = Run.getUnit().getAsFunction() ? ++Seen[Run.getSweep()] : 0;
}

void ProgressLine::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { note(Run); });
  PIC.registerEnterPassContextCallback([this](PassContext &Ctx) {
    // Diagnostics do not come through the stream.
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &) {
      std::lock_guard<std::mutex> Guard(Lock);
      clear();
      return false;
    });
    start();
  });
  PIC.registerExitPassContextCallback([this](PassContext &Ctx) {
    stop();
    Ctx.getDiagnostics().popHandler();
  });
}

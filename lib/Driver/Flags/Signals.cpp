//===- Signals.cpp - Signals that the tools handle ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Signals.h.
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <sysexits.h>
#include <unistd.h>

using namespace relay;

/// Removes incomplete files.
static void exitOnClosedPipe(int) {
  llvm::sys::RunInterruptHandlers();
  _exit(EX_IOERR);
}

void relay::installSignalHandlers() {
  std::signal(SIGPIPE, exitOnClosedPipe);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// The last postponed signal; 0 if there was none.
static std::atomic<int> Postponed{0};

static void postpone(int Signal) { Postponed = Signal; }

SignalPostponement::SignalPostponement() {
  Postponed = 0;
  struct sigaction Action = {};
  Action.sa_handler = postpone;
  Action.sa_flags = SA_RESTART;
  for (auto [Signal, Old] : llvm::zip_equal(Interrupts, Before)) {
    sigaction(Signal, nullptr, &Old);
    if (Old.sa_handler != SIG_IGN)
      sigaction(Signal, &Action, nullptr);
  }
}

SignalPostponement::~SignalPostponement() {
  for (auto [Signal, Old] : llvm::zip_equal(Interrupts, Before))
    sigaction(Signal, &Old, nullptr);
  if (int Signal = Postponed)
    std::raise(Signal);
}

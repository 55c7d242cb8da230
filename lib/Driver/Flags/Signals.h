//===- Signals.h - Signals that the tools handle ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals that are no crashes: a reader of the output that goes away, a file
// that grows too large, an interrupt while files take their places.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_SIGNALS_H
#define RELAY_LIB_DRIVER_FLAGS_SIGNALS_H

#include "relay/Support/LLVM.h"
#include <array>
#include <csignal>

namespace relay {

/// Ends the process silently when the reader of its output goes away (`|
/// head`), as opt and mlir-opt do: with exit status 74, EX_IOERR. A file that
/// exceeds the limit of the system (`ulimit -f`) is an error of writing and
/// does not end the process.
void installSignalHandlers();

/// Postpones the signals that interrupt the process to the end of the scope, on
/// all threads. At most one exists at a time.
class SignalPostponement {
public:
  SignalPostponement();
  ~SignalPostponement();
  SignalPostponement(const SignalPostponement &) = delete;
  SignalPostponement &operator=(const SignalPostponement &) = delete;

private:
  static constexpr std::array<int, 3> Interrupts = {SIGHUP, SIGINT, SIGTERM};

  std::array<struct sigaction, Interrupts.size()> Before;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_SIGNALS_H

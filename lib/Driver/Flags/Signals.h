//===- Signals.h - Signals that the tools handle ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals other than crashes: a closed pipe, a file beyond the size limit, an
// interrupt while output files are renamed.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_SIGNALS_H
#define RELAY_LIB_DRIVER_FLAGS_SIGNALS_H

#include "relay/Support/LLVM.h"
#include <array>
#include <csignal>

namespace relay {

/// Ends the process silently with exit status 74, EX_IOERR, if the reader of
/// its output exits (`| head`), as opt and mlir-opt do. Exceeding the file size
/// limit of the system (`ulimit -f`) is a write error and does not end the
/// process.
void installSignalHandlers();

/// Postpones signals that interrupt the process until the end of the scope, on
/// all threads. At most one instance exists at a time.
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

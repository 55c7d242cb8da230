//===- ShellCommand.h - Commands with a time limit --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the command of -bisect in a process group of its own, so that a time-out
// kills the shell together with the processes that it has started. LLVM's
// ExecuteAndWait kills the shell alone.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_SHELLCOMMAND_H
#define RELAY_LIB_DRIVER_OPT_SHELLCOMMAND_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <csignal>
#include <sys/types.h>

namespace relay {

/// Gives SIGCHLD its default action as long as it lives. Where the parent of
/// this process has set the signal to be ignored, the system sends no signal
/// for a child process that ends and discards its status.
class DefaultChildSignal {
public:
  DefaultChildSignal();
  DefaultChildSignal(const DefaultChildSignal &) = delete;
  DefaultChildSignal &operator=(const DefaultChildSignal &) = delete;
  ~DefaultChildSignal() { sigaction(SIGCHLD, &Old, nullptr); }

private:
  struct sigaction Old;
};

/// Waits until the child process \p Process ends. \returns the status of
/// waitpid().
llvm::Expected<int> waitForProcess(pid_t Process);

struct ShellOutcome {
  bool HasTimedOut = false;
  int Status = 0; ///< of waitpid()
};

/// Runs \p Command in /bin/sh without input and output; its error stream is the
/// file \p ErrorFile. After \p Timeout seconds, kills its process group. A
/// signal that ends this process ends the process group too. If this process
/// survives the signal, returns an error. For a process with a single thread.
llvm::Expected<ShellOutcome> runShellCommand(StringRef Command, int ErrorFile,
                                             unsigned Timeout);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_SHELLCOMMAND_H

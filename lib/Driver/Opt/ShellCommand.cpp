//===- ShellCommand.cpp - Commands with a time limit ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ShellCommand.h. Signals are blocked while the command runs and taken by
// sigtimedwait(), so that neither a handler nor a thread is needed. A signal
// from the terminal reaches only the process group of the terminal; it is sent
// on to the command.
//
//===----------------------------------------------------------------------===//

#include "ShellCommand.h"
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;
using Clock = std::chrono::steady_clock;

DefaultChildSignal::DefaultChildSignal() {
  const struct sigaction Default = {}; // SIG_DFL, no flags, an empty mask
  sigaction(SIGCHLD, &Default, &Old);
}

static Error makeWaitError() {
  return llvm::createStringError(llvm::errnoAsErrorCode(),
                                 "cannot wait for a process");
}

Expected<int> relay::waitForProcess(pid_t Process) {
  int Status = 0;
  while (waitpid(Process, &Status, 0) < 0)
    if (errno != EINTR)
      return makeWaitError();
  return Status;
}

static bool isIgnored(int Signal) {
  struct sigaction Action;
  return sigaction(Signal, nullptr, &Action) == 0 &&
         Action.sa_handler == SIG_IGN;
}

namespace {

/// Blocks the signals that a wait for a command takes, as long as it lives.
class BlockedSignals {
public:
  BlockedSignals() {
    sigemptyset(&Taken);
    sigaddset(&Taken, SIGCHLD);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      if (!isIgnored(Signal))
        sigaddset(&Taken, Signal);
    sigprocmask(SIG_BLOCK, &Taken, &Old);
  }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;
  ~BlockedSignals() { sigprocmask(SIG_SETMASK, &Old, nullptr); }

  const sigset_t &getOld() const { return Old; }
  /// Returns the next signal, or 0 at \p Deadline.
  int wait(Clock::time_point Deadline) const;

private:
  DefaultChildSignal ChildSignal; ///< an ignored signal cannot be taken
  sigset_t Taken, Old;
};

} // namespace

int BlockedSignals::wait(Clock::time_point Deadline) const {
  for (;;) {
    auto Left = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    Deadline - Clock::now())
                    .count();
    if (Left <= 0)
      return 0;
    timespec Limit = {time_t(Left / 1000000000), long(Left % 1000000000)};
    int Signal = sigtimedwait(&Taken, nullptr, &Limit);
    if (Signal > 0)
      return Signal;
  }
}

/// Starts the shell in a new process group, with the signal mask \p Mask.
static Expected<pid_t> spawnShell(StringRef Command, int ErrorFile,
                                  const sigset_t &Mask) {
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, STDIN_FILENO, "/dev/null", O_RDONLY,
                                   0);
  posix_spawn_file_actions_addopen(&Files, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                   0);
  posix_spawn_file_actions_adddup2(&Files, ErrorFile, STDERR_FILENO);
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setflags(&Attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setsigmask(&Attributes, &Mask);
  std::string Text = Command.str();
  char Shell[] = "sh", Flag[] = "-c";
  char *const Arguments[] = {Shell, Flag, Text.data(), nullptr};
  pid_t Process;
  int Code =
      posix_spawn(&Process, "/bin/sh", &Files, &Attributes, Arguments, environ);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
  if (Code)
    return llvm::errorCodeToError(
        std::error_code(Code, std::generic_category()));
  return Process;
}

/// Ends this process by \p Signal. A handler may return: LLVM's handler does so
/// for SIGQUIT. \returns an error if the default action does not end the
/// process either, as in the first process of a container.
static Error endBySignal(int Signal) {
  raise(Signal);
  std::signal(Signal, SIG_DFL);
  raise(Signal);
  return llvm::createStringError(std::errc::interrupted,
                                 "a signal has ended the command");
}

Expected<ShellOutcome> relay::runShellCommand(StringRef Command, int ErrorFile,
                                              unsigned Timeout) {
  ShellOutcome Outcome;
  int EndedBy = 0;
  {
    BlockedSignals Signals;
    Expected<pid_t> Process = spawnShell(Command, ErrorFile, Signals.getOld());
    if (!Process)
      return Process.takeError();
    Clock::time_point Deadline = Clock::now() + std::chrono::seconds(Timeout);
    pid_t Ended;
    while ((Ended = waitpid(*Process, &Outcome.Status, WNOHANG)) == 0) {
      int Signal = Signals.wait(Deadline);
      if (Signal == SIGCHLD)
        continue;
      Outcome.HasTimedOut = Signal == 0;
      EndedBy = Signal;
      kill(-*Process, SIGKILL);
      Expected<int> Status = waitForProcess(*Process);
      if (!Status)
        return Status.takeError();
      Outcome.Status = *Status;
      break;
    }
    if (Ended < 0)
      return makeWaitError();
  }
  if (EndedBy)
    return endBySignal(EndedBy);
  return Outcome;
}

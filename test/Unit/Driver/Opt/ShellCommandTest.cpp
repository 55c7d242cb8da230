//===- ShellCommandTest.cpp - Commands with a time limit ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The status of a command, and which signals end it. In the commands, $PPID is
// the process that runs the test: a child of its own if it changes the actions
// of signals.
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/Driver/Opt/ShellCommand.h"
#include "gtest/gtest.h"
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace relay;

namespace {

constexpr unsigned Timeout = 60;

/// Returns the outcome of \p Command, which writes its errors to the error
/// stream of the test.
llvm::Expected<ShellOutcome> run(StringRef Command,
                                 unsigned Seconds = Timeout) {
  return runShellCommand(Command, STDERR_FILENO, Seconds);
}

/// Returns the exit status of \p Command; -1 if it has none.
int getExitStatus(StringRef Command) {
  llvm::Expected<ShellOutcome> Outcome = run(Command);
  if (!Outcome) {
    llvm::consumeError(Outcome.takeError());
    return -1;
  }
  if (Outcome->HasTimedOut || !WIFEXITED(Outcome->Status))
    return -1;
  return WEXITSTATUS(Outcome->Status);
}

bool hasAction(int Signal, void (*Handler)(int)) {
  struct sigaction Action;
  return sigaction(Signal, nullptr, &Action) == 0 &&
         Action.sa_handler == Handler;
}

bool isBlocked(int Signal) {
  sigset_t Mask;
  sigprocmask(SIG_BLOCK, nullptr, &Mask);
  return sigismember(&Mask, Signal) == 1;
}

/// Writes a line and returns, like LLVM's handler for SIGQUIT.
void printSignal(int Signal) {
  char Text[] = "handled ?\n";
  Text[8] = Signal == SIGTERM ? 'T' : Signal == SIGUSR1 ? 'U' : 'X';
  if (write(STDERR_FILENO, Text, strlen(Text)) < 0)
    _exit(9);
}

/// Fills memory below the frame of the caller with bits, so that a variable
/// that is not initialized there is not zero by chance.
[[gnu::noinline]] void fillStack() {
  volatile char Memory[1 << 14];
  for (volatile char &Byte : Memory)
    Byte = char(0xff);
}

TEST(ShellCommand, ExitStatus) {
  EXPECT_EQ(getExitStatus("exit 0"), 0);
  EXPECT_EQ(getExitStatus("exit 7"), 7);
}

/// The command does not inherit the blocked signals.
TEST(ShellCommand, StatusOfASignal) {
  llvm::Expected<ShellOutcome> Outcome = run("kill -TERM $$; exit 7");
  ASSERT_TRUE(bool(Outcome));
  EXPECT_FALSE(Outcome->HasTimedOut);
  ASSERT_TRUE(WIFSIGNALED(Outcome->Status));
  EXPECT_EQ(WTERMSIG(Outcome->Status), SIGTERM);
}

TEST(ShellCommand, StatusAfterATimeout) {
  llvm::Expected<ShellOutcome> Outcome = run("exec sleep 60", 1);
  ASSERT_TRUE(bool(Outcome));
  EXPECT_TRUE(Outcome->HasTimedOut);
  ASSERT_TRUE(WIFSIGNALED(Outcome->Status));
  EXPECT_EQ(WTERMSIG(Outcome->Status), SIGKILL);
}

TEST(ShellCommand, NoInputAndOutput) {
  auto Run = [](StringRef Name, int Descriptor) {
    int Old = open("/dev/zero", O_RDWR);
    if (Old < 0 || dup2(Old, Descriptor) < 0)
      _exit(9);
    _exit(getExitStatus(("test /dev/" + Name + " -ef /dev/null").str()));
  };
  EXPECT_EXIT(Run("stdin", STDIN_FILENO), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(Run("stdout", STDOUT_FILENO), testing::ExitedWithCode(0), "");
}

TEST(ShellCommand, ErrorStream) {
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  llvm::Expected<ShellOutcome> Outcome =
      runShellCommand("echo problem >&2", Ends[1], Timeout);
  close(Ends[1]);
  EXPECT_TRUE(bool(Outcome));
  char Text[20];
  ssize_t Size = read(Ends[0], Text, sizeof(Text));
  close(Ends[0]);
  EXPECT_EQ(std::string(Text, std::max<ssize_t>(Size, 0)), "problem\n");
}

TEST(ShellCommand, ProcessGroupOfItsOwn) {
  EXPECT_EQ(getExitStatus("test $(cut -d' ' -f5 /proc/$$/stat) = $$"), 0);
}

/// The command inherits the signals that its parent had blocked before.
TEST(ShellCommand, BlockedSignals) {
  auto Run = [] {
    sigset_t Mask;
    sigemptyset(&Mask);
    sigaddset(&Mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &Mask, nullptr);
    int Status = getExitStatus("kill -USR1 $$; exit 7");
    _exit(isBlocked(SIGUSR1) ? Status : 9);
  };
  EXPECT_EXIT(Run(), testing::ExitedWithCode(7), "");
}

TEST(ShellCommand, UnblocksSignals) {
  EXPECT_EQ(getExitStatus("exit 0"), 0);
  for (int Signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    EXPECT_FALSE(isBlocked(Signal)) << Signal;
}

/// An ignored SIGCHLD is not sent, and the status would be lost.
TEST(ShellCommand, IgnoredChildSignal) {
  auto Run = [] {
    std::signal(SIGCHLD, SIG_IGN);
    int Status = getExitStatus("exit 7");
    bool IsRestored = hasAction(SIGCHLD, SIG_IGN);
    _exit(Status == 7 && IsRestored ? 0 : 1);
  };
  EXPECT_EXIT(Run(), testing::ExitedWithCode(0), "");
}

TEST(ShellCommand, SignalsWithDefaultAction) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    auto Run = [Signal] {
      std::signal(Signal, SIG_DFL);
      getExitStatus(("kill -" + std::to_string(Signal) + " $PPID; sleep 60"));
      _exit(0);
    };
    EXPECT_EXIT(Run(), testing::KilledBySignal(Signal), "") << Signal;
  }
}

/// As by nohup.
TEST(ShellCommand, IgnoredSignals) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    auto Run = [Signal] {
      std::signal(Signal, SIG_IGN);
      int Status = getExitStatus("kill -" + std::to_string(Signal) +
                                 " $PPID; sleep 0.1; exit 7");
      _exit(Status == 7 && hasAction(Signal, SIG_IGN) ? 0 : 1);
    };
    EXPECT_EXIT(Run(), testing::ExitedWithCode(0), "") << Signal;
  }
}

/// The handler removes files; the process ends even if it returns.
TEST(ShellCommand, SignalsWithHandler) {
  auto Run = [] {
    std::signal(SIGTERM, printSignal);
    getExitStatus("kill -TERM $PPID; sleep 60");
    _exit(0);
  };
  EXPECT_EXIT(Run(), testing::KilledBySignal(SIGTERM), "^handled T\n$");
}

/// Other signals do not end the command.
TEST(ShellCommand, OtherSignals) {
  auto Run = [] {
    std::signal(SIGUSR1, printSignal);
    fillStack();
    _exit(getExitStatus("kill -USR1 $PPID; sleep 0.1; exit 7"));
  };
  EXPECT_EXIT(Run(), testing::ExitedWithCode(7), "^handled U\n$");
}

} // namespace

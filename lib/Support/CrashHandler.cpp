//===- CrashHandler.cpp - What a crash leaves behind ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CrashHandler.h. What runs in the handler calls only what a handler may
// call: no allocation, no streams, no locks.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/CrashHandler.h"
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace relay;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static constexpr bool IsSanitized = true;
#elif defined(__has_feature)
static constexpr bool IsSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
static constexpr bool IsSanitized = false;
#endif

namespace {

struct FatalSignal {
  int Number;
  const char *Text;
};
constexpr FatalSignal FatalSignals[] = {
    {SIGSEGV, "segmentation fault"},
    {SIGBUS, "bus error"},
    {SIGILL, "illegal instruction"},
    {SIGFPE, "arithmetic exception"},
    {SIGABRT, "aborted"},
    {SIGTRAP, "trap"},
    {SIGSYS, "bad system call"},
};

/// What a thread needs to outlive an overflow of its stack, and to tell one.
struct ThreadState {
  static constexpr size_t StackSize = 64 * 1024;

  ~ThreadState() {
    if (!HandlerStack)
      return;
    stack_t None = {};
    None.ss_flags = SS_DISABLE;
    sigaltstack(&None, nullptr);
  }

  std::unique_ptr<char[]> HandlerStack;
  const char *StackEnd = nullptr; ///< the lowest address
};

} // namespace

static const char *ToolName = nullptr;
static std::atomic<const CrashText *> Texts[CrashHandler::NumSlots];
static struct sigaction OldActions[std::size(FatalSignals)];
static thread_local ThreadState Thread;
thread_local CrashActivity *CrashActivity::Innermost = nullptr;

CrashActivity::CrashActivity(StringRef What, StringRef Where)
    : What(What), Where(Where), Outer(Innermost) {
  Innermost = this;
  if (ToolName && !Thread.HandlerStack)
    CrashHandler::prepareThread();
}

/// The lowest address of this thread's stack; null if it cannot be told. Of the
/// main thread's the system tells only the size.
static const char *getStackEnd() {
  if (getpid() == gettid()) {
    rlimit Limit;
    if (getrlimit(RLIMIT_STACK, &Limit) || Limit.rlim_cur == RLIM_INFINITY)
      return nullptr;
    return static_cast<const char *>(__builtin_frame_address(0)) -
           Limit.rlim_cur;
  }
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes))
    return nullptr;
  void *End = nullptr;
  size_t Size = 0;
  pthread_attr_getstack(&Attributes, &End, &Size);
  pthread_attr_destroy(&Attributes);
  return static_cast<const char *>(End);
}

void CrashHandler::prepareThread() {
  Thread.HandlerStack = std::make_unique<char[]>(ThreadState::StackSize);
  Thread.StackEnd = getStackEnd();
  stack_t Stack = {};
  Stack.ss_sp = Thread.HandlerStack.get();
  Stack.ss_size = ThreadState::StackSize;
  sigaltstack(&Stack, nullptr);
}

//===----------------------------------------------------------------------===//
// In the handler
//===----------------------------------------------------------------------===//

void CrashHandler::write(int File, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(File, Text.data(), Text.size());
    if (Written <= 0)
      return;
    Text = Text.drop_front(Written);
  }
}

void CrashHandler::printActivity(int File) {
  const CrashActivity *A = CrashActivity::Innermost;
  if (!A)
    return write(File, "relay");
  write(File, A->What);
  if (A->Where.empty())
    return;
  write(File, " on ");
  if (A->Where.front() != '[')
    write(File, "@");
  write(File, A->Where);
}

void CrashHandler::writeText(const CrashText &Text) {
  int File = STDERR_FILENO;
  if (!Text.Path.empty())
    File = open(Text.Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (File < 0) {
    write(STDERR_FILENO, ToolName);
    write(STDERR_FILENO, ": error: cannot write '");
    write(STDERR_FILENO, Text.Path);
    return write(STDERR_FILENO, "'\n");
  }
  write(File, Text.Heading);
  printActivity(File);
  write(File, Text.Text);
  if (Text.Path.empty())
    return;
  close(File);
  write(STDERR_FILENO, ToolName);
  write(STDERR_FILENO, ": note: '");
  write(STDERR_FILENO, Text.Path);
  write(STDERR_FILENO, "' has been written\n");
}

/// Whether \p Address, at which there is no memory, is behind the end of this
/// thread's stack.
static bool isBehindStack(const char *Address) {
  constexpr ptrdiff_t Above = 256 * 1024, Below = 16 << 20;
  if (!Thread.StackEnd || !Address)
    return false;
  ptrdiff_t Distance = Address - Thread.StackEnd;
  return Distance < Above && Distance > -Below;
}

static const char *getSignalText(int Signal, const char *Address) {
  if (Signal == SIGSEGV && isBehindStack(Address))
    return "stack overflow";
  for (const FatalSignal &S : FatalSignals)
    if (S.Number == Signal)
      return S.Text;
  return "signal";
}

void CrashHandler::handle(int Signal, void *Address) {
  // Of threads that crash at once the first one reports.
  static std::atomic_flag Entered = ATOMIC_FLAG_INIT;
  static thread_local bool IsFirst = false;
  if (Entered.test_and_set() && !IsFirst)
    for (;;)
      pause();
  if (std::exchange(IsFirst, true))
    _exit(1); // the handler itself crashed
  write(STDERR_FILENO, ToolName);
  write(STDERR_FILENO, ": error: ");
  write(STDERR_FILENO, getSignalText(Signal, static_cast<char *>(Address)));
  write(STDERR_FILENO, " in ");
  printActivity(STDERR_FILENO);
  write(STDERR_FILENO, "\n");
  for (auto &Text : Texts)
    if (const CrashText *T = Text.load())
      writeText(*T);
  _exit(1);
}

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

void CrashHandler::install(const char *Tool) {
  if (IsSanitized)
    return;
  ToolName = Tool;
  prepareThread();
  struct sigaction Action = {};
  Action.sa_sigaction = [](int Signal, siginfo_t *Info, void *) {
    handle(Signal, Info->si_code > 0 ? Info->si_addr : nullptr);
  };
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&Action.sa_mask);
  for (auto [S, Old] : llvm::zip(FatalSignals, OldActions))
    sigaction(S.Number, &Action, &Old);
}

void CrashHandler::uninstall() {
  if (!ToolName)
    return;
  for (auto [S, Old] : llvm::zip(FatalSignals, OldActions))
    sigaction(S.Number, &Old, nullptr);
  ToolName = nullptr;
}

void CrashHandler::set(Slot S, const CrashText *Text) { Texts[S] = Text; }

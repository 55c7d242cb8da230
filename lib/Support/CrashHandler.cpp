//===- CrashHandler.cpp - Reports crashes ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CrashHandler.h. Code that runs in the handler calls only functions
// allowed in a handler: no allocation, no streams, no locks.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/CrashHandler.h"
#include "relay/Support/RunLimits.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

/// State that a thread needs to survive and detect a stack overflow.
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
static int ExitStatus = 1;
static std::atomic<const CrashText *> Texts[CrashHandler::NumSlots];
static std::atomic<PendingOutput *> Pending{nullptr};
static std::atomic<CrashTask *> Task{nullptr};
static thread_local ThreadState Thread;
thread_local CrashActivity *CrashActivity::Innermost = nullptr;

CrashActivity::CrashActivity(StringRef What, StringRef Where, CrashFn OnCrash)
    : What(What), Where(Where), OnCrash(OnCrash), Outer(Innermost) {
  Innermost = this;
  prepareThread();
}

/// Outer activities may belong to another thread that waits for this one.
void CrashActivity::noteExceededLimit() {
  for (CrashActivity *A = Innermost; A; A = A->Outer)
    A->ExceededLimit = true;
}

/// The preposition between an activity and its unit.
static StringRef getPreposition(StringRef Where) {
  return Where.front() == '[' ? " on " : " on @";
}

std::string CrashActivity::describe() {
  if (!Innermost)
    return "relay";
  std::string Text = Innermost->What.str();
  if (!Innermost->Where.empty())
    Text += (getPreposition(Innermost->Where) + Innermost->Where).str();
  return Text;
}

CrashActivity::ThreadScope::ThreadScope(CrashActivity *A) {
  assert(!Innermost && "the thread has an activity of its own");
  Innermost = A;
  prepareThread();
}

void CrashActivity::prepareThread() {
  if (ToolName && !Thread.HandlerStack)
    CrashHandler::prepareThread();
}

/// Returns the lowest address of this thread's stack; null if unknown. For the
/// main thread, the system only provides the size.
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
  // Not cleared: its pages stay untouched until a crash.
  Thread.HandlerStack.reset(new char[ThreadState::StackSize]);
  Thread.StackEnd = getStackEnd();
  stack_t Stack = {};
  Stack.ss_sp = Thread.HandlerStack.get();
  Stack.ss_size = ThreadState::StackSize;
  sigaltstack(&Stack, nullptr);
}

//===----------------------------------------------------------------------===//
// In the handler
//===----------------------------------------------------------------------===//

bool CrashHandler::write(int File, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(File, Text.data(), Text.size());
    if (Written <= 0)
      return false;
    Text = Text.drop_front(Written);
  }
  return true;
}

bool CrashHandler::printActivity(int File) {
  const CrashActivity *A = CrashActivity::Innermost;
  if (!A)
    return write(File, "relay");
  if (!write(File, A->What) || A->Where.empty())
    return true;
  return write(File, getPreposition(A->Where)) && write(File, A->Where);
}

bool CrashHandler::writeText(int File, const CrashText &Text,
                             const char *Ending) {
  if (!write(File, Text.Heading))
    return false;
  if (Text.SaysEnding && !(write(File, Ending) && write(File, " in ")))
    return false;
  return printActivity(File) && write(File, Text.Text);
}

/// \returns false, and sets errno, if the file cannot be written.
bool CrashHandler::writeFile(const CrashText &Text, const char *Ending) {
  int File = open(Text.Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (File < 0)
    return false;
  if (!writeText(File, Text, Ending)) {
    int Reason = errno;
    (void)!ftruncate(File, 0); // an empty file is better than a partial one
    errno = Reason;
    return false;
  }
  return close(File) == 0;
}

void CrashHandler::leave(const CrashText &Text, const char *Ending) {
  if (Text.Path.empty()) {
    writeText(STDERR_FILENO, Text, Ending);
    return;
  }
  const char *Reason =
      writeFile(Text, Ending) ? nullptr : strerrordesc_np(errno);
  write(STDERR_FILENO, ToolName);
  write(STDERR_FILENO, Reason ? ": error: cannot write '" : ": note: '");
  write(STDERR_FILENO, Text.Path);
  write(STDERR_FILENO, Reason ? "': " : "' has been written");
  write(STDERR_FILENO, Reason ? Reason : "");
  write(STDERR_FILENO, "\n");
}

void CrashHandler::notifyActivity() {
  CrashActivity *A = CrashActivity::Innermost;
  while (A && !A->OnCrash)
    A = A->Outer;
  if (A)
    A->OnCrash(*A);
}

/// _Fork() takes no locks, unlike fork(). If memory was the limit, the task
/// gets more of it.
void CrashHandler::runTask(const char *Ending) {
  constexpr unsigned MaxSeconds = 5;
  constexpr uint64_t MoreMemory = RunLimits::DefaultMemory / 4;
  constexpr int HasReported = 3;
  CrashTask *Wanted = Task;
  if (!Wanted)
    return;
  pid_t Child = _Fork();
  if (Child == 0) {
    for (const FatalSignal &S : FatalSignals)
      std::signal(S.Number, SIG_DFL);
    std::signal(SIGALRM, SIG_DFL);
    alarm(MaxSeconds);
    Task = nullptr; // not again if the task fails
    MemoryAllowance More(MoreMemory);
    _exit(Wanted->runAfterCrash(Ending) ? 0 : HasReported);
  }
  int Status = 1;
  while (Child > 0 && waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  if (Child > 0 && WIFEXITED(Status) &&
      (WEXITSTATUS(Status) == 0 || WEXITSTATUS(Status) == HasReported))
    return;
  write(STDERR_FILENO, ToolName);
  write(STDERR_FILENO, ": error: cannot ");
  write(STDERR_FILENO, Wanted->getWhat());
  write(STDERR_FILENO, "\n");
}

/// Returns true if \p Address, where no memory is mapped, is beyond the end of
/// this thread's stack.
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

void CrashHandler::printProblem(const char *Problem) {
  if (isatty(STDERR_FILENO))
    write(STDERR_FILENO, "\r\x1b[K"); // clears the status line
  write(STDERR_FILENO, ToolName ? ToolName : "relay");
  write(STDERR_FILENO, ": error: ");
  write(STDERR_FILENO, Problem);
  write(STDERR_FILENO, " in ");
  printActivity(STDERR_FILENO);
  write(STDERR_FILENO, "\n");
}

void CrashHandler::printMessage(StringRef Kind, StringRef Text) {
  for (StringRef Part :
       {StringRef(ToolName ? ToolName : "relay"), StringRef(": "), Kind,
        StringRef(": "), Text, StringRef("\n")})
    write(STDERR_FILENO, Part);
}

void CrashHandler::report(const char *Problem) {
  constexpr const char *Ending = "crashed";
  printProblem(Problem);
  for (auto &Text : Texts)
    if (const CrashText *T = Text.load())
      leave(*T, Ending);
  notifyActivity();
  runTask(Ending);
}

void CrashHandler::leaveForError() {
  constexpr const char *Ending = "stopped";
  if (!ToolName)
    return;
  if (const CrashText *T = Texts[Reproducer].load())
    leave(*T, Ending);
  runTask(Ending);
}

/// Waits until another thread ends the process.
[[noreturn]] static void waitForEnd() {
  for (;;)
    pause();
}

void CrashHandler::handle(int Signal, void *Address) {
  // The handler itself may crash: in pending output, which is then abandoned,
  // or in the report.
  static thread_local const char *Problem = nullptr;
  static thread_local bool IsReporting = false;
  if (IsReporting)
    _exit(ExitStatus);
  if (!Problem) {
    Problem = getSignalText(Signal, static_cast<char *>(Address));
    PendingOutput *Output = Pending;
    if (Output && !Output->finishBeforeCrash())
      waitForEnd();
  }
  IsReporting = true;
  static std::atomic_flag IsReported = ATOMIC_FLAG_INIT;
  if (IsReported.test_and_set())
    waitForEnd();
  report(Problem);
  _exit(ExitStatus);
}

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// LLVM installs handlers for the same signals when the first file to remove is
/// registered. Its handling of other fatal signals, which removes such files,
/// remains; but signals that the parent ignored (`nohup`) remain ignored.
static void registerLLVMHandlers() {
  constexpr int Interrupts[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR2};
  SmallVector<int, std::size(Interrupts)> Ignored;
  for (int Signal : Interrupts) {
    struct sigaction Old;
    if (!sigaction(Signal, nullptr, &Old) && Old.sa_handler == SIG_IGN)
      Ignored.push_back(Signal);
  }
  llvm::sys::SetInterruptFunction(nullptr);
  for (int Signal : Ignored)
    std::signal(Signal, SIG_IGN);
}

bool CrashHandler::isSanitized() { return IsSanitized; }

void CrashHandler::install(const char *Tool, int Status) {
  if (IsSanitized)
    return;
  registerLLVMHandlers();
  ToolName = Tool;
  ExitStatus = Status;
  prepareThread();
  struct sigaction Action = {};
  Action.sa_sigaction = [](int Signal, siginfo_t *Info, void *) {
    handle(Signal, Info->si_code > 0 ? Info->si_addr : nullptr);
  };
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Action.sa_mask);
  for (const FatalSignal &S : FatalSignals)
    sigaction(S.Number, &Action, nullptr);
}

void CrashHandler::uninstall() {
  if (!ToolName)
    return;
  for (const FatalSignal &S : FatalSignals)
    std::signal(S.Number, SIG_DFL);
  ToolName = nullptr;
}

void CrashHandler::set(Slot S, const CrashText *Text) { Texts[S] = Text; }

void CrashHandler::setTask(CrashTask *New) { Task = New; }

void CrashHandler::setPending(PendingOutput *Output) { Pending = Output; }

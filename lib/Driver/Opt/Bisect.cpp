//===- Bisect.cpp - The first bad pass and rewrite ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Bisect.h. A candidate reports through memory that both processes share,
// and writes to anonymous files; only COMMAND gets a named file.
//
//===----------------------------------------------------------------------===//

#include "Bisect.h"
#include "ShellCommand.h"
#include "relay/IR/Context.h"
#include "relay/Instrumentation/Dumps/IRDiff.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/RunLimits.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;

char NothingBrokenError::ID;

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

namespace {

/// Memory shared by the two processes of a candidate.
struct Shared {
  enum class Ending : uint8_t { Died, Failed, Passed };
  Ending End = Ending::Died;
  /// True once the module and the dump are complete.
  bool HasModule = false, HasDump = false;
  BisectProgress Progress;
};

/// A file without a name.
class AnonymousFile {
public:
  AnonymousFile() : File(memfd_create("relay-bisect", MFD_CLOEXEC)) {}
  AnonymousFile(const AnonymousFile &) = delete;
  ~AnonymousFile() { close(File); }

  int get() const { return File; }
  std::string read() const {
    auto Text = llvm::MemoryBuffer::getOpenFile(
        llvm::sys::fs::convertFDToNativeFile(File), "", /*FileSize=*/-1);
    return Text ? (*Text)->getBuffer().str() : "";
  }

private:
  int File;
};

/// The process of a candidate.
struct Child {
  Child()
      : Memory(static_cast<Shared *>(mmap(nullptr, sizeof(Shared),
                                          PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    new (Memory) Shared;
  }
  Child(const Child &) = delete;
  ~Child() { munmap(Memory, sizeof(Shared)); }

  Shared *Memory;
  AnonymousFile Errors, Dump, Module;
};

} // namespace

static void writeModule(Module &M, int File) {
  llvm::raw_fd_ostream OS(File, /*shouldClose=*/false);
  printModule(M, OS);
}

static void writeDump(const Module &M, int File) {
  llvm::raw_fd_ostream OS(File, /*shouldClose=*/false);
  for (Function &F : M.functions())
    printFunction(F, OS, PrintOptions::forDumps());
}

/// Runs a candidate in a process that ends with it. The outcome is recorded
/// before anything is printed, since broken IR may not print and a text may
/// exceed its size limit. \p NeedsModule is set if a command needs the module.
[[noreturn]] static void runInChild(Module &M, Bisect::RunFn Run,
                                    BisectLimit Limit, bool NeedsModule,
                                    unsigned Timeout, const Child &C) {
  CrashHandler::uninstall();
  std::signal(SIGALRM, SIG_DFL);
  alarm(Timeout);
  rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  dup2(C.Errors.get(), STDERR_FILENO);
  BisectGate Gate(Limit, C.Memory->Progress);
  bool Passed = succeeded(Run(M, Gate));
  C.Memory->End = Passed ? Shared::Ending::Passed : Shared::Ending::Failed;
  CrashActivity Activity("writing");
  if (Passed && NeedsModule) {
    writeModule(M, C.Module.get());
    C.Memory->HasModule = !Activity.hasExceededLimit();
  }
  if (!Activity.hasExceededLimit()) {
    writeDump(M, C.Dump.get());
    C.Memory->HasDump = !Activity.hasExceededLimit();
  }
  _exit(0);
}

/// Returns the line of the first error among the diagnostics; empty if there is
/// none.
static std::string getFirstError(const Child &C) {
  std::string Errors = C.Errors.read();
  for (StringRef Line : llvm::split(Errors, '\n'))
    if (Line.contains("error: "))
      return Line.str();
  return "";
}

/// Returns the first error among the diagnostics, or a description of \p
/// Status, the status of waitpid().
static std::string getReason(const Child &C, int Status) {
  if (C.Memory->End == Shared::Ending::Failed) {
    std::string Line = getFirstError(C);
    return Line.empty() ? "the pipeline fails" : Line;
  }
  if (WIFSIGNALED(Status))
    return ("it crashes: " + Twine(strsignal(WTERMSIG(Status)))).str();
  return "it ends the process with exit status " +
         std::to_string(WEXITSTATUS(Status));
}

/// Returns an error about a candidate whose module cannot be printed, so that
/// the command cannot run on it: `the module after (2) FuseOps on @main cannot
/// be judged: more than ...`.
static Error makeUnjudgedError(const Child &C) {
  const BisectProgress &Progress = C.Memory->Progress;
  std::string Reason = getFirstError(C);
  std::string After =
      "after (" + std::to_string(Progress.NumPasses) + ") " + Progress.Pass;
  return llvm::createStringError(
      "the module " + (Progress.NumPasses ? After : "before any pass") +
      " cannot be judged: " +
      (Reason.empty() ? "it cannot be printed"
                      : StringRef(Reason).split("error: ").second));
}

/// Runs a candidate to its end, see runInChild(). \returns the status of
/// waitpid().
static Expected<int> runCandidate(Module &M, Bisect::RunFn Run,
                                  BisectLimit Limit, bool NeedsModule,
                                  unsigned Timeout, const Child &C) {
  M.getContext().stopThreads();
  DefaultChildSignal ChildSignal; // waitForProcess() needs the status
  pid_t Process = fork();
  if (Process < 0)
    return llvm::createStringError(llvm::errnoAsErrorCode(),
                                   "cannot start a process");
  if (Process == 0)
    runInChild(M, Run, Limit, NeedsModule, Timeout, C);
  return waitForProcess(Process);
}

std::string Bisect::describeTimeout() const {
  return "takes longer than " + std::to_string(Timeout) + " s";
}

Expected<Bisect::Outcome> Bisect::tryOut(BisectLimit Limit) const {
  Child C;
  Expected<int> Status =
      runCandidate(M, Run, Limit, /*NeedsModule=*/!Command.empty(), Timeout, C);
  if (!Status)
    return Status.takeError();
  Outcome Result;
  Result.Progress = C.Memory->Progress;
  if (C.Memory->HasDump)
    Result.Text = C.Dump.read();
  bool Passed = C.Memory->End == Shared::Ending::Passed;
  if (Passed && Command.empty())
    return Expected<Outcome>(std::move(Result));
  if (Passed && !C.Memory->HasModule && !WIFSIGNALED(*Status))
    return makeUnjudgedError(C);
  if (WIFSIGNALED(*Status) && WTERMSIG(*Status) == SIGALRM)
    Result.Reason = "it " + describeTimeout();
  else if (!Passed || !C.Memory->HasModule)
    Result.Reason = getReason(C, *Status);
  else if (Error E = judge(Result, C.Module.read()))
    return Expected<Outcome>(std::move(E));
  return Expected<Outcome>(std::move(Result));
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Replaces each `{}` in \p Command by \p Path, or appends \p Path if there is
/// none.
static std::string expandCommand(StringRef Command, StringRef Path) {
  if (!Command.contains("{}"))
    return (Command + " " + Path).str();
  SmallVector<StringRef> Parts;
  Command.split(Parts, "{}");
  return llvm::join(Parts, Path);
}

/// Returns `: ` and the first line of \p Text, which may be truncated; empty if
/// there is no text.
static std::string getFirstLine(StringRef Text) {
  constexpr size_t MaxSize = 200;
  StringRef Line = Text.ltrim().split('\n').first.rtrim();
  if (Line.empty())
    return "";
  return (": " + Line.take_front(MaxSize)).str();
}

/// Returns true if \p Status, of waitpid(), means that the shell could not run
/// its command.
static bool isNotRun(int Status) {
  return WIFEXITED(Status) &&
         (WEXITSTATUS(Status) == 126 || WEXITSTATUS(Status) == 127);
}

/// Describes \p Status, of waitpid(), of a command that failed.
static std::string describeEnd(int Status) {
  return WIFSIGNALED(Status)
             ? "crashes"
             : "ends with exit status " + std::to_string(WEXITSTATUS(Status));
}

/// Runs the command on \p Module, the text of a candidate that passed.
Error Bisect::judge(Outcome &Result, StringRef Module) const {
  llvm::SmallString<64> Path;
  int File;
  if (std::error_code Code = llvm::sys::fs::createTemporaryFile(
          "relay-bisect", "relay", File, Path))
    return llvm::createStringError(Code, "cannot make a temporary file");
  llvm::FileRemover Remover(Path);
  llvm::sys::RemoveFileOnSignal(Path);
  {
    llvm::raw_fd_ostream OS(File, /*shouldClose=*/true);
    OS << Module;
  }
  std::string Shell = expandCommand(Command, Path);
  AnonymousFile Errors;
  Expected<ShellOutcome> Outcome = [&] {
    MemoryLimitPause Pause;
    return runShellCommand(Shell, Errors.get(), Timeout);
  }();
  llvm::sys::DontRemoveFileOnSignal(Path);
  if (!Outcome)
    llvm::consumeError(Outcome.takeError());
  if (!Outcome || isNotRun(Outcome->Status))
    return llvm::createStringError("cannot run '" + Command + "'");
  if (Outcome->HasTimedOut || Outcome->Status)
    Result.Reason = ("'" + Command + "' " +
                     (Outcome->HasTimedOut ? describeTimeout()
                                           : describeEnd(Outcome->Status)) +
                     getFirstLine(Errors.read()))
                        .str();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Searches between \p Good and \p Bad, whose outcome is \p BadOutcome, for the
/// first broken candidate. Returns its outcome and stores its number in \p Bad.
Expected<Bisect::Outcome>
Bisect::findFirstBad(uint64_t Good, uint64_t &Bad, Outcome BadOutcome,
                     function_ref<BisectLimit(uint64_t)> GetLimit) const {
  while (Bad - Good > 1) {
    uint64_t Middle = Good + (Bad - Good) / 2;
    Expected<Outcome> Result = tryOut(GetLimit(Middle));
    if (!Result)
      return Result.takeError();
    if (Result->Reason.empty()) {
      Good = Middle;
      continue;
    }
    Bad = Middle;
    BadOutcome = std::move(*Result);
  }
  return Expected<Outcome>(std::move(BadOutcome));
}

/// Prints the changes of the last step up to \p Limit; nothing if one side has
/// no dump.
Error Bisect::printChange(const Outcome &Bad, BisectLimit BeforeBad,
                          raw_ostream &OS) const {
  OS << "failure: " << Bad.Reason << '\n';
  if (Bad.Text.empty())
    return Error::success();
  Expected<Outcome> Before = tryOut(BeforeBad);
  if (!Before)
    return Before.takeError();
  if (Before->Text.empty())
    return Error::success();
  printUnifiedDiff(diffDumps(Before->Text, Bad.Text), OS, /*Color=*/false);
  return Error::success();
}

/// Searches pass number \p N, which is \p BadPass, for the first broken
/// rewrite.
Error Bisect::searchPass(uint64_t N, Outcome BadPass, raw_ostream &OS) const {
  OS << "first bad pass: (" << N << ") " << BadPass.Progress.Pass << '\n';
  Expected<Outcome> Idle = tryOut({N, 0});
  if (!Idle)
    return Idle.takeError();
  if (!Idle->Reason.empty()) {
    OS << "first bad rewrite: none; the pass fails without rewrites\n";
    return printChange(BadPass, {N - 1}, OS);
  }
  uint64_t Number = BadPass.Progress.NumRewrites, NumRewrites = Number;
  Expected<Outcome> Bad =
      findFirstBad(0, Number, std::move(BadPass),
                   [&](uint64_t Rewrites) { return BisectLimit{N, Rewrites}; });
  if (!Bad)
    return Bad.takeError();
  OS << "first bad rewrite: (" << Number << " of " << NumRewrites << ") "
     << Bad->Progress.Rewrite << '\n';
  return printChange(*Bad, {N, Number - 1}, OS);
}

Error Bisect::run(raw_ostream &OS) {
  Expected<Outcome> All = tryOut({});
  if (!All)
    return All.takeError();
  uint64_t N = All->Progress.NumPasses;
  if (All->Reason.empty())
    return llvm::make_error<NothingBrokenError>(
        "nothing fails after " + Twine(N) + (N == 1 ? " pass" : " passes"));
  Expected<Outcome> None = tryOut({0});
  if (!None)
    return None.takeError();
  if (!None->Reason.empty())
    return llvm::createStringError(
        "the module fails before the first pass that can be skipped: " +
        None->Reason);
  Expected<Outcome> BadPass =
      findFirstBad(0, N, std::move(*All),
                   [](uint64_t Passes) { return BisectLimit{Passes}; });
  if (!BadPass)
    return BadPass.takeError();
  return searchPass(N, std::move(*BadPass), OS);
}

//===- Tool.cpp - Common parts of the tools -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Tool.h.
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "Files.h"
#include "ResponseFiles.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/PrintableText.h"
#include "relay/Support/Version.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <new>
#include <unistd.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;

void relay::reportToolError(StringRef Tool, const Twine &Message) {
  llvm::WithColor::error(llvm::errs(), Tool)
      << toPrintable(Message.str()) << '\n';
}

void relay::reportToolWarning(StringRef Tool, const Twine &Message) {
  llvm::WithColor::warning(llvm::errs(), Tool)
      << toPrintable(Message.str()) << '\n';
}

void relay::reportToolRemark(StringRef Tool, const Twine &Message) {
  llvm::WithColor::remark(llvm::errs(), Tool)
      << toPrintable(Message.str()) << '\n';
}

LogicalResult relay::reportToolError(StringRef Tool, Error E) {
  if (!E)
    return success();
  llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
    reportToolError(Tool, Info.message());
  });
  return failure();
}

void relay::keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // the maximum value
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// Must not allocate: no memory is left.
static void printMemoryLimit() {
  uint64_t Limit = getMemoryLimit() >> 20;
  if (!Limit)
    return;
  char Digits[20], *First = std::end(Digits);
  for (; Limit; Limit /= 10)
    *--First = '0' + Limit % 10;
  CrashHandler::write(STDERR_FILENO, "note: -max-memory is ");
  CrashHandler::write(STDERR_FILENO,
                      StringRef(First, std::end(Digits) - First));
  CrashHandler::write(STDERR_FILENO, " MiB\n");
}

namespace {
/// The data of the handlers of fatal errors.
struct FatalErrorData {
  const char *Tool;
  int Status;
};
} // namespace

/// Removes incomplete files.
[[noreturn]] static void exitAtOnce(const FatalErrorData &Data) {
  llvm::sys::RunInterruptHandlers();
  _exit(Data.Status);
}

/// Returns to the first thread with an error that ends the process: other
/// threads wait, and a thread that fails again during exit ends at once.
static void beginReport(const FatalErrorData &Known) {
  static std::atomic_flag IsReported = ATOMIC_FLAG_INIT;
  static thread_local bool IsReporting = false;
  if (IsReporting)
    _exit(Known.Status);
  if (IsReported.test_and_set())
    for (;;)
      pause();
  IsReporting = true;
}

/// Passes bugs of the program on to the crash handler. Failure to start a
/// thread, which LLVM treats as a bug, is not one.
static void handleFatalError(void *Data, const char *Reason, bool IsCrash) {
  const auto &Known = *static_cast<const FatalErrorData *>(Data);
  beginReport(Known);
  StringRef Text(Reason);
  bool IsThread = Text.consume_front("pthread_create failed");
  reportToolError(Known.Tool, IsThread ? "cannot start a thread" + Text +
                                             "; -threads=1 does without"
                                       : Twine(Text));
  if (IsCrash && !IsThread)
    return;
  CrashHandler::leaveForError();
  exitAtOnce(Known);
}

static void handleBadAlloc(void *Data, const char *, bool) {
  const auto &Known = *static_cast<const FatalErrorData *>(Data);
  beginReport(Known);
  CrashHandler::printProblem("out of memory");
  printMemoryLimit();
  CrashHandler::leaveForError();
  exitAtOnce(Known);
}

void relay::installFatalErrorHandler(const char *Tool, int Status) {
  static FatalErrorData Data;
  Data = {Tool, Status};
  llvm::install_fatal_error_handler(handleFatalError, &Data);
  llvm::install_bad_alloc_error_handler(handleBadAlloc, &Data);
  std::set_new_handler([] { llvm::report_bad_alloc_error("out of memory"); });
}

Error relay::checkTextVersion(const Flag<std::string> &F) {
  if (!F.isGiven() || parseRelease(*F))
    return Error::success();
  return llvm::createStringError("option " + F.getSpelling() + ": '" + *F +
                                 "' is not a release from 0.6 to 0.19");
}

SessionLimits LimitFlags::get() const {
  constexpr uint64_t MiB = 1 << 20;
  SessionLimits Limits;
  Limits.Characters = *Characters;
  if (Memory.isGiven())
    Limits.Memory =
        *Memory ? llvm::SaturatingMultiply<uint64_t>(*Memory, MiB) : UINT64_MAX;
  return Limits;
}

void relay::limitMemoryFor(uint64_t InputSize, const LimitFlags &Flags) {
  uint64_t Limit = Flags.get().get(InputSize).Memory;
  limitMemory(Limit == UINT64_MAX ? 0 : Limit);
}

Error relay::loadPlugins(Session &S, const ParsedCommandLine &Line,
                         const FlagBase &PluginFlag) {
  for (const FlagUse &Use : Line.Flags)
    if (Use.Flag == &PluginFlag && !Use.Value->empty())
      if (Error E = S.loadPlugin(*Use.Value))
        return E;
  return S.getFlags().checkNames();
}

Expected<SmallVector<const char *>>
relay::expandArguments(int Argc, const char *const *Argv,
                       llvm::BumpPtrAllocator &Texts) {
  return expandResponseFiles(ArrayRef(Argv, Argc).drop_front(), Texts);
}

/// Applies \p Mode to the messages of LLVM and of the tools. The flag overrides
/// the environment, see https://no-color.org.
static void setColor(ColorMode Mode) {
  const char *NoColor = std::getenv("NO_COLOR");
  if (Mode == ColorMode::Auto && NoColor && *NoColor)
    Mode = ColorMode::Never;
  if (Mode == ColorMode::Auto)
    return;
  auto *Always = +[](const raw_ostream &) { return true; };
  auto *Never = +[](const raw_ostream &) { return false; };
  llvm::WithColor::setAutoDetectFunction(Mode == ColorMode::Always ? Always
                                                                   : Never);
}

std::optional<int> ToolFlags::apply(const ParsedCommandLine &Line,
                                    const ToolInfo &Tool) {
  Error E =
      llvm::joinErrors(checkResponseFiles(Line.Operands), All.apply(Line));
  setColor(Color);
  // Help is printed regardless of other errors.
  if (Help || ShortHelp || HelpHidden || Version)
    llvm::consumeError(std::move(E));
  else if (failed(reportToolError(Tool.Name, std::move(E))))
    return 2;
  bool ShowsHelp = Help || ShortHelp || HelpHidden;
  if (!ShowsHelp && !Version)
    return std::nullopt;
  E = writeOutput("-", [&](raw_ostream &OS) {
    if (!ShowsHelp) {
      OS << Tool.Name << " " RELAY_VERSION_STRING "\n";
      return;
    }
    All.printHelp(OS, Tool.Overview, Tool.Usage, HelpHidden);
    OS << Tool.Notes;
  });
  return failed(reportToolError(Tool.Name, std::move(E))) ? Tool.FailureStatus
                                                          : 0;
}

//===- Tool.cpp - What the tools have in common ---------------------------===//
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
#include "relay/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

void relay::reportToolError(StringRef Tool, const Twine &Message) {
  llvm::WithColor::error(llvm::errs(), Tool) << Message << '\n';
}

LogicalResult relay::reportToolError(StringRef Tool, Error E) {
  if (!E)
    return success();
  llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
    reportToolError(Tool, Info.message());
  });
  return failure();
}

void relay::installFatalErrorHandler(const char *Tool) {
  llvm::install_fatal_error_handler(
      [](void *Data, const char *Reason, bool) {
        reportToolError(static_cast<const char *>(Data), Reason);
      },
      const_cast<char *>(Tool));
}

Expected<SmallVector<const char *>>
relay::expandArguments(int Argc, const char *const *Argv,
                       llvm::BumpPtrAllocator &Texts) {
  SmallVector<const char *> Arguments(Argv, Argv + Argc);
  if (Error E =
          llvm::cl::ExpansionContext(Texts, llvm::cl::TokenizeGNUCommandLine)
              .expandResponseFiles(Arguments))
    return Expected<SmallVector<const char *>>(std::move(E));
  Arguments.erase(Arguments.begin());
  return Expected<SmallVector<const char *>>(std::move(Arguments));
}

/// Lets LLVM write in color, or not, whatever the stream is.
static void setColor(bool Color) {
  auto *Always = +[](const raw_ostream &) { return true; };
  auto *Never = +[](const raw_ostream &) { return false; };
  llvm::WithColor::setAutoDetectFunction(Color ? Always : Never);
}

std::optional<int> ToolFlags::apply(const ParsedCommandLine &Line,
                                    const ToolInfo &Tool) {
  Error E = All.apply(Line);
  if (Color.isGiven())
    setColor(Color);
  // Who asks for help gets it, whatever else is wrong.
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

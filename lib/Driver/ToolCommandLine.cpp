//===- ToolCommandLine.cpp - Command lines of all tools -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ToolCommandLine.h.
//
//===----------------------------------------------------------------------===//

#include "ToolCommandLine.h"
#include "relay/Support/Version.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace relay;
namespace cl = llvm::cl;

void relay::reportToolError(const char *Tool, const Twine &Message) {
  llvm::WithColor::error(llvm::errs(), Tool) << Message << '\n';
}

LogicalResult relay::reportToolError(const char *Tool, llvm::Error E) {
  if (!E)
    return success();
  llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
    reportToolError(Tool, Info.message());
  });
  return failure();
}

void relay::removeSupportOptions() {
  static const llvm::StringSet<> Kept = {"color",
                                         "help",
                                         "help-hidden",
                                         "help-list",
                                         "help-list-hidden",
                                         "print-all-options",
                                         "print-options",
                                         "version"};
  SmallVector<cl::Option *, 16> Removed;
  for (auto &Entry : cl::getRegisteredOptions())
    if (!Kept.contains(Entry.getKey()))
      Removed.push_back(Entry.getValue());
  for (cl::Option *O : Removed)
    O->removeArgument();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string lowerFirst(StringRef Text) {
  return Text.take_front().lower() + Text.drop_front().str();
}

/// One line of LLVM's, without the program's name, in our words.
static std::string rewordLine(StringRef Line) {
  StringRef Rest = Line.trim().rtrim("!.");
  if (Rest.consume_front("Unknown command line argument '"))
    return ("unknown option '" +
            Rest.take_until([](char C) { return C == '\''; }) + "'")
        .str();
  if (Rest.consume_front("for the ")) {
    auto [Option, Problem] = Rest.split(" option: ");
    Option.consume_front("-");
    return ("option " + Option + ": " + Problem).str();
  }
  return lowerFirst(Rest.split(" See: ").first);
}

/// Writes what LLVM says about the command line, \p Text, as our errors.
static void reportErrors(StringRef Text, StringRef Program, const char *Tool) {
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::string Pending;
  auto Flush = [&] {
    if (!Pending.empty())
      reportToolError(Tool, Pending);
    Pending.clear();
  };
  for (StringRef Line : Lines) {
    if (!Line.consume_front(Program) || !Line.consume_front(": "))
      continue; // the second line of a message
    if (Line.consume_front("Did you mean '")) {
      StringRef Near = Line.take_until([](char C) { return C == '\''; });
      Near.consume_front("-");
      Pending += ("; did you mean '" + Near + "'?").str();
      continue;
    }
    Flush();
    Pending = rewordLine(Line);
  }
  Flush();
}

LogicalResult relay::parseToolCommandLine(int Argc, char **Argv,
                                          const char *Tool,
                                          const char *Overview) {
  std::string Version = std::string(Tool) + " " RELAY_VERSION_STRING "\n";
  cl::SetVersionPrinter([Version](raw_ostream &OS) { OS << Version; });
  std::string Errors;
  llvm::raw_string_ostream OS(Errors);
  if (cl::ParseCommandLineOptions(Argc, Argv, Overview, &OS))
    return success();
  reportErrors(Errors, llvm::sys::path::filename(Argv[0]), Tool);
  if (Errors.empty()) // LLVM has said on standard error which value
    reportToolError(Tool, "wrong value of an option");
  return failure();
}

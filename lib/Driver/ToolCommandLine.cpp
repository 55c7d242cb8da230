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
#include "relay/Support/Diagnostics.h"
#include "relay/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <cstdio>
#include <unistd.h>

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
  static const llvm::StringSet<> Kept = {
      "color",  "help", "help-hidden", "help-list", "help-list-hidden",
      "version"};
  SmallVector<cl::Option *, 16> Removed;
  for (auto &Entry : cl::getRegisteredOptions())
    if (!Kept.contains(Entry.getKey()))
      Removed.push_back(Entry.getValue());
  for (cl::Option *O : Removed)
    O->removeArgument();
}

//===----------------------------------------------------------------------===//
// Before parsing
//===----------------------------------------------------------------------===//

llvm::Error relay::expandResponseFiles(SmallVectorImpl<const char *> &Arguments,
                                       llvm::BumpPtrAllocator &Texts) {
  return cl::ExpansionContext(Texts, cl::TokenizeGNUCommandLine)
      .expandResponseFiles(Arguments);
}

StringRef relay::getOptionName(StringRef Option) {
  return Option.ltrim('-').split('=').first;
}

bool CommandLineParts::hasOption(StringRef Name) const {
  return llvm::any_of(
      Options, [&](StringRef Option) { return getOptionName(Option) == Name; });
}

static bool takesNextArgument(StringRef Option) {
  if (Option.contains('='))
    return false;
  auto &Registered = cl::getRegisteredOptions();
  auto Found = Registered.find(getOptionName(Option));
  return Found != Registered.end() &&
         Found->second->getValueExpectedFlag() == cl::ValueRequired;
}

CommandLineParts relay::splitCommandLine(ArrayRef<const char *> Arguments) {
  CommandLineParts Parts;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    if (Argument == "--") {
      llvm::append_range(Parts.Operands, Arguments.drop_front(I + 1));
      break;
    }
    if (!Argument.starts_with("-") || Argument == "-") {
      Parts.Operands.push_back(Argument.str());
      continue;
    }
    std::string Option = "-" + Argument.ltrim('-').str();
    if (takesNextArgument(Option) && I + 1 != Arguments.size())
      Option += std::string("=") + Arguments[++I];
    Parts.Options.push_back(std::move(Option));
  }
  return Parts;
}

/// An error if an option but \p MayBeEmpty has an empty value, which would
/// count as none.
static llvm::Error checkNotEmpty(ArrayRef<const char *> Arguments,
                                 StringRef MayBeEmpty) {
  for (StringRef Option : splitCommandLine(Arguments).Options)
    if (Option.consume_back("=") && !Option.contains('=') &&
        getOptionName(Option) != MayBeEmpty)
      return llvm::createStringError("option " + Option +
                                     ": the value is empty");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string lowerFirst(StringRef Text) {
  return Text.take_front().lower() + Text.drop_front().str();
}

/// That \p Option has no value \p Word, and which it has: they stand in its
/// description, `quiet|diff`.
static std::string getUnknownWordText(StringRef Option, StringRef Word) {
  std::string Text = ("unknown value '" + Word + "'").str();
  const cl::Option *O = cl::getRegisteredOptions().lookup(Option);
  if (!O)
    return Text;
  SmallVector<StringRef> Words;
  O->ValueStr.split(Words, '|');
  std::string Suggestion = getSuggestion(Word, Words);
  if (!Suggestion.empty())
    return Text + Suggestion;
  return Text + ", expected one of " + llvm::join(Words, ", ");
}

/// What LLVM says about the value of \p Option.
static std::string rewordProblem(StringRef Option, StringRef Problem) {
  if (Problem.consume_front("Cannot find option named '"))
    return getUnknownWordText(Option, Problem.drop_back());
  auto Invalid = [&](StringRef What, StringRef Wanted) {
    StringRef Value = Problem.take_front(Problem.find(What));
    return ("wrong value " + Value + ", expected " + Wanted).str();
  };
  if (Problem.contains(" is invalid value for boolean argument"))
    return Invalid(" is invalid", "true or false");
  if (Problem.ends_with(" value invalid for floating point argument"))
    return Invalid(" value invalid", "a number");
  if (Problem.contains(" value invalid for u"))
    return Invalid(" value invalid", "a number from 0 on");
  if (Problem.ends_with(" value invalid for integer argument"))
    return Invalid(" value invalid", "a whole number");
  return lowerFirst(Problem);
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
    Option = Option.ltrim('-');
    return ("option -" + Option + ": " + rewordProblem(Option, Problem)).str();
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
      if (Near.size() < 2)
        continue; // a letter is near to anything
      Pending += ("; did you mean '" + Near + "'?").str();
      continue;
    }
    Flush();
    Pending = rewordLine(Line);
  }
  Flush();
}

namespace {

/// Takes what is written to standard error while it lives: LLVM's parsers of
/// values know no other place for what they have to say.
class ErrorCapture {
public:
  ErrorCapture() : File(std::tmpfile()), Saved(dup(2)) {
    if (File && Saved != -1)
      dup2(fileno(File), 2);
  }
  /// Ends it and returns the text; nothing when it has ended.
  std::string finish();

private:
  std::FILE *File;
  int Saved;
};

/// What is told when LLVM cannot go on: output that cannot be written at exit,
/// of -help for example.
struct FatalErrors {
  const char *Tool;
  ErrorCapture Capture;
};

} // namespace

std::string ErrorCapture::finish() {
  std::string Text;
  if (!File || Saved == -1)
    return Text;
  dup2(Saved, 2);
  close(Saved);
  std::rewind(File);
  char Buffer[512];
  while (size_t Size = std::fread(Buffer, 1, sizeof(Buffer), File))
    Text.append(Buffer, Size);
  std::fclose(File);
  File = nullptr;
  return Text;
}

static void reportFatalError(void *Data, const char *Reason, bool) {
  auto *Errors = static_cast<FatalErrors *>(Data);
  Errors->Capture.finish();
  reportToolError(Errors->Tool, Reason);
}

LogicalResult relay::parseToolCommandLine(int Argc, const char *const *Argv,
                                          const char *Tool,
                                          const char *Overview,
                                          StringRef MayBeEmpty) {
  std::string Version = std::string(Tool) + " " RELAY_VERSION_STRING "\n";
  cl::SetVersionPrinter([Version](raw_ostream &OS) { OS << Version; });
  auto *Fatal = new FatalErrors{Tool, {}}; // may be needed until the end
  llvm::install_fatal_error_handler(reportFatalError, Fatal);
  std::string Errors;
  llvm::raw_string_ostream OS(Errors);
  llvm::BumpPtrAllocator Texts;
  SmallVector<const char *> Arguments(Argv, Argv + Argc);
  if (llvm::Error E = expandResponseFiles(Arguments, Texts)) {
    Fatal->Capture.finish();
    return reportToolError(Tool, std::move(E));
  }
  bool Parsed = cl::ParseCommandLineOptions(Arguments.size(), Arguments.data(),
                                            Overview, &OS);
  Errors += Fatal->Capture.finish();
  if (Parsed)
    return reportToolError(
        Tool, checkNotEmpty(ArrayRef(Arguments).drop_front(), MayBeEmpty));
  reportErrors(Errors, llvm::sys::path::filename(Argv[0]), Tool);
  if (Errors.empty()) // they could not be captured
    reportToolError(Tool, "wrong value of an option");
  return failure();
}

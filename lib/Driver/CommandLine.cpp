//===- CommandLine.cpp - Options of relay-opt -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CommandLine.h.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Extensions.h"
#include "Files.h"
#include "Reproducer.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Text/Parser.h"
#include "llvm/Support/StringSaver.h"
#include <array>

using namespace relay;
using llvm::Error;

static constexpr ToolInfo OptTool = {"relay-opt", "runs passes over Relay text",
                                     "relay-opt [options] <file|->"};

//===----------------------------------------------------------------------===//
// -O0 to -O4
//===----------------------------------------------------------------------===//

using DefaultPipelineFlags = std::array<const Flag<bool> *, 5>;

/// By level.
static DefaultPipelineFlags getDefaultPipelineFlags(const RelayOptOptions &O) {
  return {&O.O0, &O.O1, &O.O2, &O.O3, &O.O4};
}

const Flag<bool> *RelayOptOptions::getDefaultPipelineFlag() const {
  for (const Flag<bool> *F : getDefaultPipelineFlags(*this))
    if (*F)
      return F;
  return nullptr;
}

std::string RelayOptOptions::getPipeline() const {
  if (const Flag<bool> *F = getDefaultPipelineFlag())
    return ("default<" + F->getName() + ">").str();
  return *Passes;
}

unsigned RelayOptOptions::getOptLevel() const {
  DefaultPipelineFlags Flags = getDefaultPipelineFlags(*this);
  if (const Flag<bool> *F = getDefaultPipelineFlag())
    return llvm::find(Flags, F) - Flags.begin();
  return OptLevel;
}

/// An error if what -O2 stands for is given besides.
static Error checkDefaultPipeline(const RelayOptOptions &O) {
  const Flag<bool> *Given = O.getDefaultPipelineFlag();
  if (!Given)
    return Error::success();
  StringRef Spelling = Given->getSpelling();
  for (const Flag<bool> *F : getDefaultPipelineFlags(O))
    if (*F && F != Given)
      return llvm::createStringError("options " + Spelling + " and " +
                                     F->getSpelling() + " exclude each other");
  if (O.OptLevel.isGiven())
    return llvm::createStringError("options " + Spelling +
                                   " and -opt-level exclude each other");
  if (O.Passes.isGiven())
    return llvm::createStringError(
        "options " + Spelling +
        " and -passes exclude each other: use -passes='" + O.getPipeline() +
        ",other-pass'");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The files that a run writes.
static SmallVector<OutputFile> getOutputs(const RelayOptOptions &O,
                                          const InstrumentationList &List) {
  bool WritesConstants = O.ElideConstantsLargerThan.isGiven();
  SmallVector<OutputFile> Files = {
      {"-o", *O.Output},
      {"-constants-file", WritesConstants ? *O.ConstantsFile : ""},
      {"-crash-reproducer", *O.CrashReproducer}};
  for (InstrumentationFile &F : List.getFiles())
    Files.push_back({std::move(F.Flag), std::move(F.Path)});
  llvm::erase_if(Files, [](const OutputFile &F) { return F.Path.empty(); });
  return Files;
}

/// An error if a flag has a value that makes no sense, or not beside another.
static Error checkOptions(const RelayOptOptions &O,
                          const InstrumentationList &List) {
  if (Error E = List.checkFlags())
    return E;
  if (Error E = checkDefaultPipeline(O))
    return E;
  for (const Flag<std::string> *F : {&O.ConstantsFile, &O.CrashReproducer})
    if (**F == "-")
      return llvm::createStringError("option " + F->getSpelling() +
                                     ": has to be a file");
  if (O.TextVersion.isGiven() && !parseRelease(*O.TextVersion))
    return llvm::createStringError("option -text-version: '" + *O.TextVersion +
                                   "' is not a release from 0.6 to 0.19");
  if (O.Threads.isGiven() && !O.Threads)
    return llvm::createStringError("option -threads: has to be 1 or more");
  if (O.BisectCommand.isGiven() && O.VerifyDiagnostics)
    return llvm::createStringError(
        "options -bisect and -verify-diagnostics exclude each other");
  return checkDistinct(getOutputs(O, List), O.Input);
}

static InstrumentationSetup getSetup(const RelayOptOptions &O) {
  InstrumentationSetup Setup;
  Setup.Input = O.Input;
  Setup.Output = *O.Output;
  Setup.Pipeline = O.getPipeline();
  Setup.AllowUndefinedGlobals = O.AllowUndefinedGlobals;
  Setup.PrintSpans = O.PrintSpans;
  Setup.ElideConstantsLargerThan = O.getElisionLimit();
  return Setup;
}

/// Takes over the operand; an error if there is none where one is needed, or
/// more than one.
static Error setInput(ArrayRef<StringRef> Operands, RelayOptOptions &O) {
  if (Operands.size() > 1)
    return llvm::createStringError("unexpected operand '" + Operands[1] + "'");
  if (!Operands.empty())
    O.Input = Operands.front().str();
  else if (O.needsInput())
    return llvm::createStringError(
        "missing operand: a file, or - for standard input");
  return Error::success();
}

/// Loads the plugins of \p Line, whose flags are then part of the set. An empty
/// name is reported with all else that is wrong.
static Error loadPlugins(const ParsedCommandLine &Line,
                         const RelayOptOptions &O, Extensions &Added) {
  for (const FlagUse &Use : Line.Flags)
    if (Use.Flag == &O.Plugins && !Use.Value->empty())
      if (Error E = Added.loadPlugin(*Use.Value))
        return E;
  return O.All.checkNames();
}

/// Whether \p Line chooses a pipeline.
static bool hasPipeline(const ParsedCommandLine &Line,
                        const RelayOptOptions &O) {
  return Line.has(O.Passes.getName()) ||
         llvm::any_of(getDefaultPipelineFlags(O), [&](const Flag<bool> *F) {
           return Line.has(F->getName());
         });
}

/// Whether \p Given has the flag \p Name, or one that excludes it.
static bool replaces(const ParsedCommandLine &Given, StringRef Name,
                     const RelayOptOptions &O) {
  auto IsLevel = [&](const Flag<bool> *F) { return F->getName() == Name; };
  if (Name == O.Passes.getName() ||
      llvm::any_of(getDefaultPipelineFlags(O), IsLevel))
    return hasPipeline(Given, O);
  if (Name == O.OptLevel.getName() && !Given.has(O.Passes.getName()) &&
      hasPipeline(Given, O))
    return true;
  return Given.has(Name);
}

/// Puts the flags of the reproducer \p Path that \p Arguments do not have
/// before them, kept in \p Texts. Its plugins are loaded unless some are given.
static Error expandReproducer(StringRef Path,
                              SmallVectorImpl<const char *> &Arguments,
                              const RelayOptOptions &O, Extensions &Added,
                              llvm::BumpPtrAllocator &Texts) {
  auto Options = readReproducer(Path);
  if (!Options)
    return Options.takeError();
  llvm::StringSaver Saver(Texts);
  SmallVector<const char *> Kept;
  for (StringRef Option : *Options)
    Kept.push_back(Saver.save(Option).data());
  if (!O.All.read(Arguments).has("load-pass-plugin"))
    if (Error E = loadPlugins(O.All.read(Kept), O, Added))
      return E;
  ParsedCommandLine Given = O.All.read(Arguments);
  llvm::erase_if(Kept, [&](StringRef Option) {
    return replaces(Given, Option.drop_front().split('=').first, O);
  });
  Arguments.insert(Arguments.begin(), Kept.begin(), Kept.end());
  return Error::success();
}

/// The reproducer among \p Operands. Where there are several, all but one are
/// values of flags that its plugins declare, or there is a mistake, which is
/// reported later: then the answer is none.
static std::optional<StringRef> findReproducer(ArrayRef<StringRef> Operands) {
  if (Operands.size() == 1)
    return Operands.front();
  for (StringRef Operand : Operands) {
    auto Options = readReproducer(Operand);
    if (Options)
      return Operand;
    llvm::consumeError(Options.takeError());
  }
  return std::nullopt;
}

/// Loads plugins and expands a reproducer, if \p Arguments have these.
static Error expandCommandLine(SmallVectorImpl<const char *> &Arguments,
                               const RelayOptOptions &O, Extensions &Added,
                               llvm::BumpPtrAllocator &Texts) {
  if (Error E = loadPlugins(O.All.read(Arguments), O, Added))
    return E;
  ParsedCommandLine Given = O.All.read(Arguments);
  if (!Given.has("run-reproducer"))
    return Error::success();
  std::optional<StringRef> Path = findReproducer(Given.Operands);
  return Path ? expandReproducer(*Path, Arguments, O, Added, Texts)
              : Error::success();
}

std::optional<int> relay::parseCommandLine(int Argc, char **Argv,
                                           RelayOptOptions &O,
                                           Extensions &Added,
                                           InstrumentationList &List) {
  llvm::BumpPtrAllocator Texts;
  auto Arguments = expandArguments(Argc, Argv, Texts);
  if (!Arguments) {
    (void)reportToolError(OptTool.Name, Arguments.takeError());
    return 2;
  }
  if (failed(reportToolError(OptTool.Name,
                             expandCommandLine(*Arguments, O, Added, Texts))))
    return 1;
  ParsedCommandLine Line = O.All.read(*Arguments);
  if (std::optional<int> Status = O.General.apply(Line, OptTool))
    return Status;
  if (failed(reportToolError(OptTool.Name, setInput(Line.Operands, O))))
    return 2;
  List.setUp(getSetup(O));
  if (failed(reportToolError(OptTool.Name, checkOptions(O, List))))
    return 2;
  O.Reproducible = getReproducibleFlags(Line.Flags);
  return std::nullopt;
}

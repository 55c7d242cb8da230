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
#include "Flags/Files.h"
#include "Flags/Synonyms.h"
#include "Reproducer.h"
#include "relay/Pass/PassContext.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/Threading.h"
#include <array>
#include <cstdlib>

using namespace relay;
using llvm::Error;

static constexpr const char Notes[] = R"(
Without a file, or with -, standard input is read. The module goes to standard
output; dumps, reports and diagnostics go to standard error.

Pipelines, for -passes:
  fuse-ops                                   a pass
  fuse-ops<max-depth=4;fuse-opt-level=2>     with options, separated by ';'
  dead-code-elimination<inline-once>         a boolean option is its name alone
  a,b,c                                      one after the other
  sequential(a,b)                            as TVM's Sequential: opt levels count
  function(a,b)                              each function through a, then b
  repeat<3>(a,b), fixpoint<max=10>(a,b)      again, or until nothing changes
  default<O2>                                what TVM runs at opt level 2
  require<analysis>, print<analysis>         an analysis instead of a pass
-print-passes lists passes, options, groups, pipelines and analyses.

Example:
  relay-opt model.relay -passes='infer-type,fuse-ops<max-depth=4>' \
    -print-after=fuse-ops -o fused.relay 2> dumps.txt

Exit status: 0; 2 for an unknown flag, a wrong value of a flag or one given
twice; 1 for all else that is wrong.
)";

static constexpr ToolInfo OptTool = {"relay-opt",
                                     "runs passes on Relay modules",
                                     "relay-opt [options] [file]", Notes};

//===----------------------------------------------------------------------===//
// -O0 to -O4
//===----------------------------------------------------------------------===//

using DefaultPipelineFlags = std::array<const Flag<bool> *, 5>;

/// The flags, by level.
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

ReadOptions RelayOptOptions::getReadOptions() const {
  ReadOptions Result;
  Result.Infer = !NoInfer;
  Result.Verify = !DisableVerify;
  Result.QuietUpgrades = QuietUpgrades;
  Result.AllowUnregisteredOps = AllowUnregisteredOps;
  Result.AllowUndefinedGlobals = AllowUndefinedGlobals;
  Result.OpaqueConstants = OpaqueConstants;
  Result.Release = parseRelease(*TextVersion).value_or(0);
  return Result;
}

//===----------------------------------------------------------------------===//
// The PassContext
//===----------------------------------------------------------------------===//

/// Returns \p E, unless success, as an error of \p Flag.
static Error atFlag(const FlagBase &Flag, Error E) {
  if (!E)
    return E;
  return llvm::createStringError("option " + Flag.getSpelling() + ": " +
                                 llvm::toString(std::move(E)));
}

/// Sets the config option that \p Setting, `key=value`, names.
static Error setConfig(PassContext &PC, StringRef Setting) {
  auto [Before, Value] = Setting.split('=');
  StringRef Key = Before.trim();
  if (Key.empty() || Before.size() == Setting.size())
    return llvm::make_error<FlagValueError>("option -pass-config: '" + Setting +
                                            "' is not of the form key=value");
  Error E = PC.setConfig(Key, Value);
  if (E && PC.getRegistry().lookupConfigOption(Key))
    return llvm::make_error<FlagValueError>(llvm::toString(std::move(E)));
  return E;
}

Error RelayOptOptions::configure(PassContext &PC) const {
  if (Target.isGiven())
    if (Error E = atFlag(Target, PC.setTarget(*Target)))
      return E;
  PC.setOptLevel(getOptLevel());
  PC.setGatesBarePasses(gatesBarePasses());
  for (const std::string &Name : RequiredPasses)
    if (Error E = atFlag(RequiredPasses, PC.addRequiredPass(Name)))
      return E;
  for (const std::string &Name : DisabledPasses)
    if (Error E = atFlag(DisabledPasses, PC.addDisabledPass(Name)))
      return E;
  for (StringRef Setting : PassConfig)
    if (Error E = setConfig(PC, Setting))
      return E;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Error makeExclusiveError(StringRef A, StringRef B) {
  return llvm::createStringError("options " + A + " and " + B +
                                 " exclude each other");
}

/// Returns an error if -O2 is given together with flags that it implies.
static Error checkDefaultPipeline(const RelayOptOptions &O) {
  const Flag<bool> *LevelFlag = O.getDefaultPipelineFlag();
  if (!LevelFlag)
    return Error::success();
  StringRef Spelling = LevelFlag->getSpelling();
  for (const Flag<bool> *F : getDefaultPipelineFlags(O))
    if (*F && F != LevelFlag)
      return makeExclusiveError(Spelling, F->getSpelling());
  if (O.OptLevel.isGiven())
    return makeExclusiveError(Spelling, "-opt-level");
  if (O.Passes.isGiven())
    return llvm::createStringError(
        "options " + Spelling +
        " and -passes exclude each other: use -passes='" + O.getPipeline() +
        ",other-pass'");
  return Error::success();
}

/// Returns the files that a run writes.
static SmallVector<OutputFile> getOutputs(const RelayOptOptions &O,
                                          const InstrumentationList &List) {
  SmallVector<OutputFile> Files = {
      {"-o", O.writesOutput() ? *O.Output : ""},
      {"-constants-file", O.writesConstants() ? *O.ConstantsFile : ""},
      {"-save-params", *O.Parameters.Save},
      {"-crash-reproducer", *O.CrashReproducer},
      {"-info-output-file", *O.InfoOutputFile}};
  for (InstrumentationFile &F : List.getFiles())
    Files.push_back({std::move(F.Flag), std::move(F.Path)});
  llvm::erase_if(Files, [](const OutputFile &F) { return F.Path.empty(); });
  return Files;
}

/// Returns an error if standard input is to be read more than once.
static Error checkInputs(const RelayOptOptions &O) {
  SmallVector<StringRef> Files(O.OpFacts.begin(), O.OpFacts.end());
  Files.append(O.Query.Files.begin(), O.Query.Files.end());
  Files.push_back(O.Input);
  if (llvm::count(Files, "-") <= 1)
    return Error::success();
  return llvm::createStringError("only one of the files can be standard input");
}

/// Returns an error if -o names a file that is not written.
static Error checkOutput(const RelayOptOptions &O) {
  if (O.writesOutput() || !O.Output.isGiven())
    return Error::success();
  return makeExclusiveError("-disable-output", "-o");
}

/// Returns an error if both flags of one of \p Pairs are given.
static Error
checkExclusive(ArrayRef<std::pair<const FlagBase *, const FlagBase *>> Pairs) {
  for (auto [A, B] : Pairs)
    if (A->isGiven() && B->isGiven())
      return makeExclusiveError(A->getSpelling(), B->getSpelling());
  return Error::success();
}

/// Returns an error if a key of -pass-config has two values.
static Error checkPassConfig(const RelayOptOptions &O) {
  llvm::StringSet<> Keys;
  for (StringRef Setting : O.PassConfig)
    if (StringRef Key = Setting.split('=').first.trim();
        !Keys.insert(Key).second)
      return llvm::createStringError("option " + O.PassConfig.getSpelling() +
                                     ": '" + Key + "' may be given only once");
  return Error::success();
}

/// Returns an error if a flag that writes files about passes or crashes is
/// given with -bisect, whose passes run in other processes.
static Error checkBisect(const RelayOptOptions &O,
                         const InstrumentationList &List) {
  if (!O.BisectCommand.isGiven())
    return checkNotGiven({&O.BisectTimeout}, O.BisectCommand.getSpelling());
  for (const InstrumentationFile &F : List.getFiles())
    if (!F.Path.empty())
      return makeExclusiveError(O.BisectCommand.getSpelling(), F.Flag);
  return checkExclusive({{&O.BisectCommand, &O.CrashReproducer},
                         {&O.BisectCommand, &O.InfoOutputFile},
                         {&O.BisectCommand, &O.VerifyDiagnostics}});
}

/// Returns an error if the value of a flag is invalid, or contradicts another
/// flag.
static Error checkOptions(const RelayOptOptions &O,
                          const InstrumentationList &List) {
  if (Error E = checkDefaultPipeline(O))
    return E;
  for (const Flag<std::string> *F : {&O.ConstantsFile, &O.CrashReproducer})
    if (**F == "-")
      return llvm::createStringError("option " + F->getSpelling() +
                                     ": expects a file name, got '-'");
  if (Error E = checkTextVersion(O.TextVersion))
    return E;
  if (Error E = O.Parameters.check())
    return E;
  if (Error E = checkExclusive({{&O.SplitInputFile, &O.Parameters.Save},
                                {&O.BisectCommand, &O.Parameters.Save},
                                {&O.BisectCommand, &O.Query.Patterns},
                                {&O.BisectCommand, &O.Query.Files}}))
    return E;
  if (!O.Query.Explained.empty() && !O.Query.isEnabled())
    return llvm::createStringError("option " + O.Query.Explained.getSpelling() +
                                   ": is only meaningful with " +
                                   O.Query.Patterns.getSpelling());
  if (Error E = checkInputs(O))
    return E;
  if (Error E = checkOutput(O))
    return E;
  if (Error E = checkBisect(O, List))
    return E;
  if (Error E = checkPassConfig(O))
    return E;
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
  if (const char *Levels = std::getenv("RELAY_LOG_DEBUG"))
    Setup.LogLevels = Levels;
  return Setup;
}

/// Returns true if \p Operand names a file rather than an operator or a pass.
static bool isFileName(StringRef Operand) {
  return Operand == "-" || Operand.ends_with(".relay") ||
         llvm::sys::fs::exists(Operand);
}

/// Returns an error about surplus \p Operands. An operand after a flag with an
/// optional value was probably meant as the value.
static Error makeOperandError(ArrayRef<StringRef> Operands,
                              ArrayRef<const char *> Arguments,
                              const FlagSet &Flags) {
  StringRef Before;
  for (StringRef Argument : Arguments) {
    const FlagBase *Flag =
        Before.starts_with("-") ? Flags.lookup(Before.ltrim('-')) : nullptr;
    bool MayHaveValue =
        Flag && !Flag->needsValue() && !Flag->getValueName().empty();
    bool IsList = MayHaveValue && Flag->getValueName().ends_with(",...");
    if (IsList && Argument == Operands.front() &&
        llvm::none_of(Operands, isFileName))
      return llvm::createStringError("unexpected operand '" + Operands[1] +
                                     "'; names are separated by commas: '" +
                                     Before + "=" + llvm::join(Operands, ",") +
                                     "'");
    if (MayHaveValue && llvm::is_contained(Operands, Argument))
      return llvm::createStringError("unexpected operand '" + Argument +
                                     "'; as a value it is '" + Before + "=" +
                                     Argument + "'");
    Before = Argument;
  }
  return llvm::createStringError("unexpected operand '" + Operands[1] + "'");
}

/// Returns true if \p Line chooses a pipeline.
static bool hasPipeline(const ParsedCommandLine &Line,
                        const RelayOptOptions &O) {
  return Line.has(O.Passes.getName()) ||
         llvm::any_of(getDefaultPipelineFlags(O), [&](const Flag<bool> *F) {
           return Line.isOn(F->getName());
         });
}

/// Returns true if \p Operand follows \p Flag, which has no value, in
/// \p Arguments.
static bool follows(StringRef Operand, const FlagBase &Flag,
                    ArrayRef<const char *> Arguments) {
  for (size_t I = 1; I < Arguments.size(); ++I)
    if (Arguments[I] == Operand.data())
      return StringRef(Arguments[I - 1]).ltrim('-') == Flag.getName();
  return false;
}

/// Sets the input to the operand of \p Line, or to standard input; returns an
/// error if there are several operands. Without a pipeline, the operand after a
/// flag that lists is the name to describe: `-print-ops nn.relu`.
static Error setInput(const ParsedCommandLine &Line,
                      ArrayRef<const char *> Arguments, RelayOptOptions &O) {
  ArrayRef<StringRef> Operands = Line.Operands;
  if (Operands.size() > 1)
    return makeOperandError(Operands, Arguments, O.All);
  if (Operands.size() == 1 && !hasPipeline(Line, O))
    for (Flag<std::string> *F : {&O.PrintOps, &O.PrintPasses})
      if (follows(Operands.front(), *F, Arguments)) {
        *F = Operands.front().str();
        return Error::success();
      }
  if (!Operands.empty() || O.needsInput())
    O.Input = Operands.empty() ? "-" : Operands.front().str();
  return Error::success();
}

/// Returns true if \p CommandLine has \p F, or a flag that excludes it.
static bool replaces(const ParsedCommandLine &CommandLine, const FlagBase &F,
                     const RelayOptOptions &O) {
  StringRef Name = F.getName();
  auto IsLevel = [&](const Flag<bool> *F) { return F->getName() == Name; };
  if (Name == O.Passes.getName() ||
      llvm::any_of(getDefaultPipelineFlags(O), IsLevel))
    return hasPipeline(CommandLine, O);
  if (Name == O.OptLevel.getName() && !CommandLine.has(O.Passes.getName()) &&
      hasPipeline(CommandLine, O))
    return true;
  if (Name == O.DisableOutput.getName() && CommandLine.has(O.Output.getName()))
    return true;
  if (isOutputFlag(F) && CommandLine.has(O.BisectCommand.getName()))
    return true;
  return CommandLine.has(Name);
}

/// Parses \p Arguments, which must outlive the result.
static ParsedCommandLine readArguments(ArrayRef<std::string> Arguments,
                                       const RelayOptOptions &O) {
  SmallVector<const char *> Texts;
  for (const std::string &Argument : Arguments)
    Texts.push_back(Argument.c_str());
  return O.All.read(Texts);
}

/// Returns true if \p Use permits the program to read or write files, run
/// commands, load code or use more resources, including more threads than
/// cores, whose stacks are not limited.
static bool needsTrust(const FlagUse &Use, const RelayOptOptions &O) {
  if (Use.Flag == &O.Parameters.Params)
    return namesInputFile(Use);
  unsigned Threads = 0;
  if (Use.Flag != &O.Threads || Use.Value->getAsInteger(0, Threads))
    return Use.Flag->needsTrust();
  return Threads > llvm::hardware_concurrency().compute_thread_count();
}

/// Selects the flags of \p File that the command line lacks and that may be
/// used; reports the others. Loads plugins.
static Error selectFlags(const ReproducerFile &File,
                         const ParsedCommandLine &CommandLine,
                         RelayOptOptions &O,
                         std::vector<std::string> &Selected) {
  ParsedCommandLine FromFile = readArguments(File.Options, O);
  for (StringRef Operand : FromFile.Operands)
    FromFile.Problems.push_back(("unexpected operand '" + Operand + "'").str());
  bool Trusted = CommandLine.isOn(O.TrustReproducer.getName());
  for (const FlagUse &Use : FromFile.Flags) {
    if (replaces(CommandLine, *Use.Flag, O))
      continue;
    if (!Trusted && needsTrust(Use, O)) {
      llvm::errs() << OptTool.Name << ": note: '" << File.Path << "' also has "
                   << Use.str() << ", which -trust-reproducer applies\n";
      continue;
    }
    O.KeepConstantsFile |= Use.Flag == &O.ConstantsFile && !Trusted;
    O.HasUntrustedPipeline |= Use.Flag == &O.Passes && !Trusted;
    Selected.push_back(Use.str());
  }
  Error All = Error::success();
  for (const std::string &Problem : FromFile.Problems)
    All = llvm::joinErrors(
        std::move(All),
        llvm::createStringError("reproducer '" + File.Path + "': " + Problem));
  return All;
}

/// Inserts the flags of the reproducer \p File that \p Arguments lack, stored
/// in \p Texts. Loads its plugins if it is trusted, unless the command line
/// names some.
static Error expandReproducer(ReproducerFile File,
                              SmallVectorImpl<const char *> &Arguments,
                              RelayOptOptions &O, Session &S,
                              llvm::BumpPtrAllocator &Texts) {
  ParsedCommandLine CommandLine = O.All.read(Arguments);
  if (CommandLine.isOn(O.TrustReproducer.getName()) &&
      !CommandLine.has(O.Plugins.getName()))
    if (Error E = loadPlugins(S, readArguments(File.Options, O), O.Plugins))
      return E;
  std::vector<std::string> Selected;
  if (Error E = selectFlags(File, O.All.read(Arguments), O, Selected))
    return E;
  llvm::StringSaver Saver(Texts);
  SmallVector<const char *> Kept;
  for (const std::string &Option : Selected)
    Kept.push_back(Saver.save(Option).data());
  Arguments.insert(Arguments.begin(), Kept.begin(), Kept.end());
  O.InputText = std::move(File.Text);
  return Error::success();
}

/// Reads the reproducer among \p Operands, or standard input if there are none.
/// If there are several, all but one are values of flags that its plugins
/// declare, or there is an error that is reported later: \p File is then left
/// empty.
static Error findReproducer(ArrayRef<StringRef> Operands,
                            std::optional<ReproducerFile> &File) {
  if (Operands.size() <= 1) {
    auto Found = readReproducer(Operands.empty() ? "-" : Operands.front());
    if (!Found)
      return Found.takeError();
    File = std::move(*Found);
    return Error::success();
  }
  for (StringRef Operand : Operands) {
    auto Found = readReproducer(Operand);
    if (Found) {
      File = std::move(*Found);
      break;
    }
    llvm::consumeError(Found.takeError());
  }
  return Error::success();
}

/// Loads the plugins of \p Line, which is to be completed. Errors are ignored
/// here.
static void loadPluginsOfLine(StringRef Line, const RelayOptOptions &O,
                              Session &S) {
  std::vector<std::string> Words = splitCommandLine(Line);
  llvm::consumeError(loadPlugins(S, readArguments(Words, O), O.Plugins));
}

/// Loads plugins and expands a reproducer, if \p Arguments have these.
static Error expandCommandLine(SmallVectorImpl<const char *> &Arguments,
                               RelayOptOptions &O, Session &S,
                               llvm::BumpPtrAllocator &Texts) {
  ParsedCommandLine CommandLine = O.All.read(Arguments);
  if (Error E = loadPlugins(S, CommandLine, O.Plugins))
    return E;
  if (CommandLine.has(O.Plugins.getName())) // now with the flags of the plugins
    CommandLine = O.All.read(Arguments);
  for (const FlagUse &Use : CommandLine.Flags)
    if (Use.Flag == &O.Completion.Line)
      loadPluginsOfLine(*Use.Value, O, S);
  if (!CommandLine.isOn(O.RunReproducer.getName()))
    return Error::success();
  std::optional<ReproducerFile> File;
  if (Error E = findReproducer(CommandLine.Operands, File))
    return E;
  return File ? expandReproducer(std::move(*File), Arguments, O, S, Texts)
              : Error::success();
}

/// Prints how to run a pass if \p Line has it as a flag, as for mlir-opt.
static void notePasses(const ParsedCommandLine &Line, Session &S) {
  if (Line.Unknown.empty())
    return;
  llvm::consumeError(S.initialize());
  for (StringRef Name : Line.Unknown)
    if (S.getRegistry().lookupArgument(Name))
      llvm::errs() << OptTool.Name << ": note: '" << Name
                   << "' is a pass: use -passes=" << Name << '\n';
}

std::optional<int> relay::parseCommandLine(int Argc, char **Argv,
                                           RelayOptOptions &O, Session &S) {
  InstrumentationList &List = S.getInstrumentations();
  O.All.setSynonyms(getFlagSynonyms());
  llvm::BumpPtrAllocator Texts;
  auto Arguments = expandArguments(Argc, Argv, Texts);
  if (!Arguments) {
    (void)reportToolError(OptTool.Name, Arguments.takeError());
    return 2;
  }
  if (failed(reportToolError(OptTool.Name,
                             expandCommandLine(*Arguments, O, S, Texts))))
    return 1;
  ParsedCommandLine Line = O.All.read(*Arguments);
  if (std::optional<int> Status = O.General.apply(Line, OptTool)) {
    notePasses(Line, S);
    return Status;
  }
  if (failed(reportToolError(OptTool.Name, setInput(Line, *Arguments, O))))
    return 2;
  if (failed(reportToolError(OptTool.Name, List.setUp(getSetup(O)))) ||
      failed(reportToolError(OptTool.Name, checkOptions(O, List))))
    return 2;
  O.Reproducible = getReproducibleFlags(Line.Flags);
  O.ReproducerNeedsTrust = llvm::any_of(Line.Flags, [&](const FlagUse &Use) {
    return needsTrust(Use, O) && !isOutputFlag(*Use.Flag) &&
           !getReproducibleFlags(Use).empty();
  });
  return std::nullopt;
}

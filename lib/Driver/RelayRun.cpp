//===- RelayRun.cpp - relay-run as a function -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module and its inputs, evaluates @main and writes the outputs. None
// is written unless all are there.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/RelayRun.h"
#include "ConstantsFile.h"
#include "Extensions.h"
#include "Files.h"
#include "Tool.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Verifier.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Interpreter/Evaluator.h"
#include "relay/Interpreter/NumpyFile.h"
#include "relay/Interpreter/ValuePrinter.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

static constexpr const char RunNotes[] = R"(
The inputs are .npy files, in the order of the parameters of @main. Without -o
the outputs are printed.

Exit status: 0, or 2 for wrong flags, or 1 for any other error.
)";

static constexpr ToolInfo RunTool = {
    "relay-run", "evaluates Relay text",
    "relay-run [options] <model.relay|-> [<input.npy>...]", RunNotes};

namespace {

struct RelayRunFlags : FlagGroup {
  explicit RelayRunFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Evaluation"), General(Flags), Limits(Flags) {}

  ToolFlags General;
  LimitFlags Limits;
  std::string Model;
  std::vector<std::string> Inputs;
  ListFlag<std::string> NamedInputs{
      *this, "-input",
      "Read the input of the parameter of this name from this file",
      flag::ValueName{"name=file"}};
  Flag<std::string> Output{
      *this, "-o",
      "Write the outputs to files of this directory: output_0.npy, a file for "
      "each field of a tuple",
      flag::ValueName{"directory"}, flag::NeedsTrust()};
  Flag<unsigned> Threads{*this,
                         "-threads",
                         "Work on this many threads (default: one a core)",
                         flag::ValueName{"number"},
                         flag::Positive(),
                         flag::NeedsTrust()};
  Flag<uint64_t> Steps{*this,
                       "-max-steps",
                       "Operations that may be evaluated (default 1000000000)",
                       flag::Init{EvaluatorOptions::DefaultSteps},
                       flag::ValueName{"number"},
                       flag::NeedsTrust()};
  Flag<std::string> ConstantsFile{
      *this, "-constants-file",
      "Where the data that the text leaves out is read from",
      flag::ValueName{"file"}};
  Flag<std::string> TextVersion{
      *this, "-text-version",
      "Take the file for one of this release of TVM, 0.6 to 0.19 (default: "
      "what it tells)",
      flag::ValueName{"0.N"}};
  ListFlag<std::string> Plugins{*this, "-load-pass-plugin",
                                "Load the operators of this plugin",
                                flag::ValueName{"library"}};
};

class RelayRun {
public:
  RelayRun(const RelayRunFlags &Flags, Context &Ctx)
      : Flags(Flags), Ctx(Ctx), Constants(*Flags.ConstantsFile) {}

  LogicalResult run();

private:
  LogicalResult report(Error E) {
    return reportToolError(RunTool.Name, std::move(E));
  }
  LogicalResult readModel();
  Expected<Tensor> readInput(StringRef Path);
  Error setInput(unsigned Param, StringRef Path);
  Error setNamedInput(StringRef Text);
  Error readInputs();
  EvaluatorOptions getOptions() const;
  LogicalResult write(const RuntimeValue &Result);
  Error writeFiles(ArrayRef<RuntimeValue> Outputs);

  const RelayRunFlags &Flags;
  Context &Ctx;
  ConstantsFile Constants;
  std::unique_ptr<Module> M;
  Function *Main = nullptr;
  std::vector<RuntimeValue> Arguments;
  uint64_t InputSize = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

LogicalResult RelayRun::readModel() {
  CrashActivity Activity("reading");
  auto Input = openInput(Flags.Model);
  if (!Input)
    return report(Input.takeError());
  InputSize += (*Input)->getBufferSize();
  limitMemoryFor(InputSize, Flags.Limits);
  ParserOptions PO;
  PO.QuietUpgrades = true;
  PO.Release = parseRelease(*Flags.TextVersion).value_or(0);
  if (Constants.isGiven())
    PO.LookupConstant = [&](StringRef Hash) {
      return Constants.lookup(Ctx, Hash);
    };
  M = parseModule(std::move(*Input), Ctx, PO);
  if (!M || failed(inferTypes(*M)) || failed(verify(*M)))
    return failure();
  Main = M->lookupFunction("main");
  if (!Main)
    return report(
        llvm::createStringError(Flags.Model + " has no function @main"));
  return success();
}

Expected<Tensor> RelayRun::readInput(StringRef Path) {
  auto File = openInput(Path);
  if (!File)
    return File.takeError();
  InputSize += (*File)->getBufferSize();
  limitMemoryFor(InputSize, Flags.Limits);
  Expected<Tensor> Result = readNpy(std::move(*File));
  if (!Result)
    return llvm::createStringError(Path + ": " +
                                   llvm::toString(Result.takeError()));
  return Result;
}

Error RelayRun::setInput(unsigned Param, StringRef Path) {
  const BlockArgument *Arg = Main->getParams()[Param];
  if (Arguments[Param])
    return llvm::createStringError("two inputs for %" + Arg->getName() +
                                   " of @main");
  Expected<Tensor> Value = readInput(Path);
  if (!Value)
    return Value.takeError();
  Arguments[Param] = RuntimeValue(std::move(*Value));
  std::string Problem = checkValue(Arguments[Param], Arg->getType());
  if (!Problem.empty())
    return llvm::createStringError(Path + ": %" + Arg->getName() +
                                   " of @main: " + Problem);
  return Error::success();
}

Error RelayRun::setNamedInput(StringRef Text) {
  auto [Name, Path] = Text.split('=');
  Name.consume_front("%");
  SmallVector<StringRef, 8> Known;
  for (auto [I, Param] : llvm::enumerate(Main->getParams())) {
    if (Param->getName() == Name)
      return setInput(I, Path);
    Known.push_back(Param->getName());
  }
  return unknownNameError("-input", "parameter of @main", Name, Known);
}

/// Named ones first; the others are for what is left, in order.
Error RelayRun::readInputs() {
  ArrayRef<BlockArgument *> Params = Main->getParams();
  Arguments.resize(Params.size());
  for (const std::string &Named : Flags.NamedInputs)
    if (Error E = setNamedInput(Named))
      return E;
  unsigned Next = 0;
  for (const std::string &Path : Flags.Inputs) {
    while (Next != Params.size() && Arguments[Next])
      ++Next;
    if (Next == Params.size())
      return llvm::createStringError(
          "surplus input '" + Path + "': @main has " + Twine(Params.size()) +
          (Params.size() == 1 ? " parameter" : " parameters"));
    if (Error E = setInput(Next, Path))
      return E;
  }
  for (auto [Param, Arg] : llvm::zip(Params, Arguments))
    if (!Arg)
      return llvm::createStringError("missing input for %" + Param->getName() +
                                     " of @main, " +
                                     toString(Param->getType()));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The result, or the fields of a tuple, in depth-first order.
static std::vector<RuntimeValue> getOutputs(const RuntimeValue &Result) {
  std::vector<RuntimeValue> Outputs, Worklist = {Result};
  while (!Worklist.empty()) {
    RuntimeValue V = std::move(Worklist.back());
    Worklist.pop_back();
    if (!V.isTuple())
      Outputs.push_back(std::move(V));
    else
      llvm::append_range(Worklist, llvm::reverse(V.getFields()));
  }
  return Outputs;
}

Error RelayRun::writeFiles(ArrayRef<RuntimeValue> Outputs) {
  for (auto [I, V] : llvm::enumerate(Outputs))
    if (!V.isTensor())
      return llvm::createStringError("output " + Twine(I) + " is " +
                                     V.describe() +
                                     ", which no .npy file holds");
  if (std::error_code Code = llvm::sys::fs::create_directories(*Flags.Output))
    return makeFileError("create", *Flags.Output, Code);
  for (auto [I, V] : llvm::enumerate(Outputs)) {
    llvm::SmallString<128> Path(*Flags.Output);
    llvm::sys::path::append(Path, "output_" + Twine(I) + ".npy");
    const Tensor &T = V.getTensor();
    if (Error E = writeFile(Path, [&](raw_ostream &OS) { writeNpy(OS, T); }))
      return E;
  }
  return Error::success();
}

LogicalResult RelayRun::write(const RuntimeValue &Result) {
  CrashActivity Activity("writing");
  std::vector<RuntimeValue> Outputs = getOutputs(Result);
  if (Flags.Output.isGiven())
    return report(writeFiles(Outputs));
  return report(writeOutput("-", [&](raw_ostream &OS) {
    for (auto [I, V] : llvm::enumerate(Outputs)) {
      OS << "output_" << I << ": ";
      printValue(OS, V);
      OS << '\n';
    }
  }));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

EvaluatorOptions RelayRun::getOptions() const {
  EvaluatorOptions Options;
  Options.MaxSteps = Flags.Steps;
  if (Flags.Limits.Memory.isGiven())
    Options.MaxMemory =
        llvm::SaturatingMultiply<uint64_t>(*Flags.Limits.Memory, 1 << 20);
  Options.NumThreads = Ctx.getNumThreads();
  return Options;
}

LogicalResult RelayRun::run() {
  if (failed(readModel()) || failed(report(readInputs())))
    return failure();
  CrashActivity Activity("evaluating");
  Evaluator TheEvaluator(*M, getOptions());
  FailureOr<RuntimeValue> Result = TheEvaluator.evaluate(*Main, Arguments);
  return failed(Result) ? failure() : write(*Result);
}

/// Takes over the operands; what is wrong with them, and with the values of
/// flags, is an error.
static Error finishFlags(ArrayRef<StringRef> Operands, RelayRunFlags &Flags) {
  if (Operands.empty())
    return llvm::createStringError(
        "missing operand: a model, or - for standard input");
  for (const std::string &Named : Flags.NamedInputs)
    if (!StringRef(Named).contains('=') || Named.front() == '=')
      return llvm::createStringError("option -input: '" + Named +
                                     "' is not of the form name=file");
  Flags.Model = Operands[0].str();
  for (StringRef Input : Operands.drop_front())
    Flags.Inputs.push_back(Input.str());
  return checkTextVersion(Flags.TextVersion);
}

/// Reads the command line and loads plugins into \p Added. Returns the exit
/// status when there is nothing to evaluate.
static std::optional<int> parseRunCommandLine(int Argc, char **Argv,
                                              FlagSet &All,
                                              RelayRunFlags &Flags,
                                              Extensions &Added) {
  llvm::BumpPtrAllocator Texts;
  auto Arguments = expandArguments(Argc, Argv, Texts);
  if (!Arguments) {
    (void)reportToolError(RunTool.Name, Arguments.takeError());
    return 2;
  }
  if (failed(
          reportToolError(RunTool.Name, Added.loadPlugins(All.read(*Arguments),
                                                          Flags.Plugins))))
    return 1;
  ParsedCommandLine Line = All.read(*Arguments);
  if (std::optional<int> Status = Flags.General.apply(Line, RunTool))
    return Status;
  if (failed(reportToolError(RunTool.Name, finishFlags(Line.Operands, Flags))))
    return 2;
  return std::nullopt;
}

int relay::relayRunMain(int Argc, char **Argv, void (*RegisterOps)(Context &)) {
  CrashHandler::install(RunTool.Name, /*Status=*/1);
  installPipeHandler();
  installFatalErrorHandler(RunTool.Name, /*Status=*/1);
  limitMemory(RunLimits::DefaultMemory);
  FlagSet All(RunTool.Name);
  RelayRunFlags Flags(All);
  InstrumentationList Unused(All, llvm::nulls());
  RelayOptExtension Mine;
  Mine.RegisterOps = RegisterOps;
  Extensions Added(Mine, All, Unused);
  if (std::optional<int> Status =
          parseRunCommandLine(Argc, Argv, All, Flags, Added))
    return *Status;
  if (failed(reportToolError(RunTool.Name, Added.checkOps())))
    return 1;
  // Context and module are left to the system at exit.
  auto *Ctx = new Context;
  Ctx->setLimits(Flags.Limits.get());
  Ctx->setNumThreads(Flags.Threads
                         ? Flags.Threads
                         : llvm::hardware_concurrency().compute_thread_count());
  registerAllOps(*Ctx);
  Added.registerOps(*Ctx);
  return failed((new RelayRun(Flags, *Ctx))->run()) ? 1 : 0;
}

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
#include "RunInputs.h"
#include "RunListeners.h"
#include "Tool.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Verifier.h"
#include "relay/Instrumentation/Instrumentation.h"
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
      : FlagGroup(Flags, "Evaluation"), General(Flags), Limits(Flags),
        Inputs(Flags), Reports(Flags) {}

  ToolFlags General;
  LimitFlags Limits;
  std::string Model;
  RunInputFlags Inputs;
  RunListenerFlags Reports;
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
  /// Limits the memory of the process; \p Bytes of input have been opened.
  void addInput(uint64_t Bytes);
  FailureOr<RuntimeValue> evaluate(ArrayRef<RuntimeValue> Arguments);
  EvaluatorOptions getOptions() const;
  LogicalResult write(const RuntimeValue &Result);
  Error writeFiles(ArrayRef<RuntimeValue> Outputs);

  const RelayRunFlags &Flags;
  Context &Ctx;
  ConstantsFile Constants;
  std::unique_ptr<Module> M;
  Function *Main = nullptr;
  /// Lives as long as the result, which may hold closures.
  std::optional<Evaluator> TheEvaluator;
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
  addInput((*Input)->getBufferSize());
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

/// Makes the directory \p Path if it is not there.
static Error createDirectory(StringRef Path) {
  std::error_code Code = llvm::sys::fs::create_directories(Path);
  if (!Code && !llvm::sys::fs::is_directory(Path))
    Code = std::make_error_code(std::errc::not_a_directory);
  return Code ? makeFileError("create", Path, Code) : Error::success();
}

Error RelayRun::writeFiles(ArrayRef<RuntimeValue> Outputs) {
  for (auto [I, V] : llvm::enumerate(Outputs))
    if (!V.isTensor())
      return llvm::createStringError("output " + Twine(I) + " is " +
                                     V.describe() +
                                     ", which no .npy file holds");
  if (Error E = createDirectory(*Flags.Output))
    return E;
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

/// What values may hold; -max-memory=0 is no limit.
static uint64_t getValueLimit(const LimitFlags &Limits) {
  constexpr uint64_t MiB = 1 << 20;
  if (!Limits.Memory.isGiven())
    return EvaluatorOptions::DefaultMemory;
  return *Limits.Memory
             ? llvm::SaturatingMultiply<uint64_t>(*Limits.Memory, MiB)
             : UINT64_MAX;
}

/// The process may take more than the values, so that an evaluation that takes
/// too much is told by the evaluator, which knows where it is.
void RelayRun::addInput(uint64_t Bytes) {
  constexpr uint64_t BytesPerCharacter = 16;
  InputSize += Bytes;
  uint64_t Values = getValueLimit(Flags.Limits);
  uint64_t All = llvm::SaturatingAdd(llvm::SaturatingAdd(Values, Values / 2),
                                     RunLimits::DefaultMemory / 4 +
                                         InputSize * BytesPerCharacter);
  limitMemory(All == UINT64_MAX ? 0 : All);
}

EvaluatorOptions RelayRun::getOptions() const {
  EvaluatorOptions Options;
  Options.MaxSteps = Flags.Steps;
  Options.MaxMemory = getValueLimit(Flags.Limits);
  Options.NumThreads = Ctx.getNumThreads();
  return Options;
}

FailureOr<RuntimeValue> RelayRun::evaluate(ArrayRef<RuntimeValue> Arguments) {
  CrashActivity Activity("evaluating");
  const RunListenerFlags &Reports = Flags.Reports;
  TraceListener Trace(Ctx, *Reports.Trace, llvm::errs());
  DumpListener Dump(Ctx, *Reports.DumpValues);
  TimeListener Time(Ctx);
  EvaluatorOptions Options = getOptions();
  if (Reports.DumpValues.isGiven()) {
    if (failed(report(createDirectory(*Reports.DumpValues))))
      return failure();
    Options.Listeners.push_back(&Dump);
  }
  if (Reports.Trace.isGiven())
    Options.Listeners.push_back(&Trace);
  if (Reports.TimeOps) // the last, so that the others are not timed
    Options.Listeners.push_back(&Time);
  TheEvaluator.emplace(*M, Options);
  FailureOr<RuntimeValue> Result = TheEvaluator->evaluate(*Main, Arguments);
  if (Reports.DumpValues.isGiven() && failed(report(Dump.finish())))
    Result = failure();
  if (Reports.TimeOps)
    Time.print(llvm::errs());
  return Result;
}

LogicalResult RelayRun::run() {
  if (failed(readModel()))
    return failure();
  RunInputs Inputs(Flags.Inputs, *Main,
                   [this](uint64_t Bytes) { addInput(Bytes); });
  Expected<std::vector<RuntimeValue>> Arguments = Inputs.read();
  if (!Arguments)
    return report(Arguments.takeError());
  FailureOr<RuntimeValue> Result = evaluate(*Arguments);
  return failed(Result) ? failure() : write(*Result);
}

/// Takes over the operands; what is wrong with them, and with the values of
/// flags, is an error.
static Error finishFlags(ArrayRef<StringRef> Operands, RelayRunFlags &Flags) {
  if (Operands.empty())
    return llvm::createStringError(
        "missing operand: a model, or - for standard input");
  Flags.Model = Operands[0].str();
  for (StringRef Input : Operands.drop_front())
    Flags.Inputs.Files.push_back(Input.str());
  if (Error E = Flags.Inputs.check())
    return E;
  if (Error E = Flags.Reports.check())
    return E;
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

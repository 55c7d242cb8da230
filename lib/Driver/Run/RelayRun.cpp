//===- RelayRun.cpp - relay-run as a function -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module and its inputs, evaluates @main and writes the outputs: either
// all or none.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Run/RelayRun.h"
#include "Flags/Completion.h"
#include "Flags/Files.h"
#include "Flags/Signals.h"
#include "RunComparison.h"
#include "RunListeners.h"
#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

static constexpr const char RunNotes[] = R"(
The inputs are .npy files, in the order of the parameters of @main, and .npz
files, by the names of the parameters. Without -o the outputs are printed.

Exit status: 0, or 2 for wrong flags, or 1 for any other error. With -compare
and -compare-values: 0 within the tolerance, 1 beyond, 2 for any error.
)";

static constexpr ToolInfo RunTool = {
    "relay-run", "evaluates Relay text",
    "relay-run [options] <model.relay|-> [<input.npy|input.npz>...]", RunNotes};

namespace {

struct RelayRunFlags : FlagGroup {
  explicit RelayRunFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Evaluation"), General(Flags), Completion(Flags),
        Models(Flags), Reports(Flags), Comparison(Flags) {}

  ToolFlags General;
  CompletionFlags Completion;
  std::string Model;
  RunModelFlags Models;
  RunListenerFlags Reports;
  RunComparisonFlags Comparison;
  Flag<std::string> Output{
      *this, "-o",
      "Write the outputs to files of this directory: output_0.npy, a file for "
      "each field of a tuple",
      flag::ValueName{"directory"}, flag::NeedsTrust()};
  Flag<unsigned> Threads{*this,
                         "-threads",
                         "Use this many threads (default: one per core)",
                         flag::ValueName{"number"},
                         flag::Positive(),
                         flag::NeedsTrust()};
  ListFlag<std::string> Plugins{*this, "-load-pass-plugin",
                                "Load the operators of this plugin",
                                flag::ValueName{"library"}};
};

class RelayRun {
public:
  RelayRun(const RelayRunFlags &Flags, Session &S, Context &Ctx,
           RunProgress *Progress)
      : Flags(Flags), Ctx(Ctx), Progress(Progress), Memory(Flags.Models),
        Inputs([this](uint64_t Bytes) { Memory.addInput(Bytes); }),
        Model(Flags.Models, S, Ctx, Memory, Inputs, Progress),
        Reference(Flags.Models, S, Ctx, Memory, Inputs, Progress) {}

  /// Runs the evaluation and returns the exit status.
  int run();

private:
  LogicalResult report(Error E) {
    return reportToolError(RunTool.Name, std::move(E));
  }
  LogicalResult readArguments();
  FailureOr<RuntimeValue> evaluate();
  LogicalResult write(const RuntimeValue &Result);
  Error writeFiles(ArrayRef<RuntimeValue> Outputs);

  const RelayRunFlags &Flags;
  Context &Ctx;
  RunProgress *Progress;
  RunMemory Memory;
  RunInputFiles Inputs;
  RunModel Model;
  RunModel Reference; ///< the model of -compare
};

} // namespace

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// Collects the result, or the fields of a tuple, in depth-first order. Tuples
/// with shared fields may have more fields than fit in memory.
static Expected<std::vector<RuntimeValue>>
getOutputs(const RuntimeValue &Result) {
  constexpr size_t MaxOutputs = 1'000'000;
  std::vector<RuntimeValue> Outputs, Worklist = {Result};
  for (size_t I = 0; !Worklist.empty(); ++I) {
    if (I == MaxOutputs)
      return llvm::createStringError("the result has more than " +
                                     Twine(MaxOutputs) + " fields");
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
                                     ", which a .npy file cannot hold");
  if (Error E = makeWritableDirectory(*Flags.Output))
    return E;
  OutputFileGroup Files;
  for (auto [I, V] : llvm::enumerate(Outputs)) {
    llvm::SmallString<128> Path(*Flags.Output);
    llvm::sys::path::append(Path, "output_" + Twine(I) + ".npy");
    const Tensor &T = V.getTensor();
    if (Error E = Files.add(Path, [&](raw_ostream &OS) { writeNpy(OS, T); }))
      return E;
  }
  // Either all output files are replaced or none.
  SignalPostponement Postponed;
  return Files.commit();
}

LogicalResult RelayRun::write(const RuntimeValue &Result) {
  CrashActivity Activity("writing");
  Expected<std::vector<RuntimeValue>> Outputs = getOutputs(Result);
  if (!Outputs)
    return report(Outputs.takeError());
  if (Flags.Output.isGiven())
    return report(writeFiles(*Outputs));
  return report(writeOutput("-", [&](raw_ostream &OS) {
    for (auto [I, V] : llvm::enumerate(*Outputs)) {
      OS << "output_" << I << ": ";
      printValue(OS, V);
      OS << '\n';
    }
  }));
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

/// With -params=random, parameters without an input are random.
LogicalResult RelayRun::readArguments() {
  if (failed(Model.readInputs()))
    return failure();
  std::optional<uint64_t> Seed = Flags.Models.Inputs.getSeed();
  return Seed ? Model.makeRandomInputs(*Seed) : Model.checkInputs();
}

FailureOr<RuntimeValue> RelayRun::evaluate() {
  const RunListenerFlags &Reports = Flags.Reports;
  raw_ostream &OS = Progress ? Progress->getStream() : llvm::errs();
  TraceListener Trace(Ctx, *Reports.Trace, OS);
  DumpListener Dump(Ctx, *Reports.DumpValues);
  TimeListener Time(Ctx);
  SmallVector<EvaluationListener *, 3> Listeners;
  if (Reports.DumpValues.isGiven()) {
    if (failed(report(makeWritableDirectory(*Reports.DumpValues))))
      return failure();
    Listeners.push_back(&Dump);
  }
  if (Reports.Trace.isGiven())
    Listeners.push_back(&Trace);
  if (Reports.TimeOps) // last, so that the others are not timed
    Listeners.push_back(&Time);
  FailureOr<RuntimeValue> Result = Model.evaluate(Listeners);
  if (Reports.DumpValues.isGiven() && failed(report(Dump.finish())))
    Result = failure();
  if (succeeded(Result) && failed(report(Trace.checkMatched())))
    Result = failure();
  if (Reports.TimeOps)
    Time.print(llvm::errs(), Model.getPeakMemory());
  return Result;
}

int RelayRun::run() {
  bool Compares = Flags.Comparison.isGiven();
  if (failed(Model.read(Flags.Model)))
    return Compares ? 2 : 1;
  if (Compares)
    return compareRuns(Flags.Comparison, Model, Reference);
  Model.getConstantsFile().warnIfUnused(RunTool.Name);
  if (failed(readArguments()))
    return 1;
  FailureOr<RuntimeValue> Result = evaluate();
  return failed(Result) || failed(write(*Result)) ? 1 : 0;
}

/// Returns an error if a flag is given that is meaningless when runs are
/// compared.
static Error checkWithoutComparison(const RelayRunFlags &Flags) {
  const RunListenerFlags &Reports = Flags.Reports;
  for (const FlagBase *F : {static_cast<const FlagBase *>(&Flags.Output),
                            static_cast<const FlagBase *>(&Reports.Trace),
                            static_cast<const FlagBase *>(&Reports.DumpValues),
                            static_cast<const FlagBase *>(&Reports.TimeOps)})
    if (F->isGiven())
      return llvm::createStringError(
          "options " + F->getSpelling() + " and " +
          (Flags.Comparison.Values.isGiven() ? "-compare-values" : "-compare") +
          " exclude each other");
  return Error::success();
}

/// Returns an error if the value of -o is probably not meant as a directory,
/// which would be created.
static Error checkOutputDirectory(StringRef Output) {
  if (llvm::sys::fs::is_directory(Output))
    return Error::success();
  if (Output == "-")
    return llvm::createStringError(
        "option -o: expects a directory, got '-'; without -o the outputs are "
        "printed");
  StringRef Extension = llvm::sys::path::extension(Output);
  if (Extension != ".npy" && Extension != ".npz")
    return Error::success();
  return llvm::createStringError(
      "option -o: expects a directory, got the file name '" + Output + "'");
}

/// Sets the operands; returns an error if they or the values of flags are
/// invalid.
static Error finishFlags(ArrayRef<StringRef> Operands, RelayRunFlags &Flags) {
  if (Operands.empty())
    return llvm::createStringError(
        "missing operand: a model, or - for standard input");
  Flags.Model = Operands[0].str();
  for (StringRef Input : Operands.drop_front())
    Flags.Models.Inputs.Files.push_back(Input.str());
  if (Error E = Flags.Models.check())
    return E;
  if (Error E = Flags.Reports.check())
    return E;
  if (Error E = checkOutputDirectory(*Flags.Output))
    return E;
  if (Flags.Comparison.isGiven())
    if (Error E = checkWithoutComparison(Flags))
      return E;
  return Flags.Comparison.check(Flags.Model);
}

/// Makes fatal errors end the process with \p Status.
static void installHandlers(int Status) {
  CrashHandler::install(RunTool.Name, Status);
  installFatalErrorHandler(RunTool.Name, Status);
}

/// Returns the exit status of errors. With a comparison it differs from that of
/// a difference.
static int getErrorStatus(const ParsedCommandLine &Line) {
  return Line.has("compare") || Line.has("compare-values") ? 2 : 1;
}

/// Parses the command line and loads plugins into \p S. Returns the exit status
/// if there is nothing to evaluate.
static std::optional<int>
parseRunCommandLine(int Argc, char **Argv, RelayRunFlags &Flags, Session &S) {
  FlagSet &All = S.getFlags();
  llvm::BumpPtrAllocator Texts;
  auto Arguments = expandArguments(Argc, Argv, Texts);
  if (!Arguments) {
    (void)reportToolError(RunTool.Name, Arguments.takeError());
    return 2;
  }
  ParsedCommandLine Line = All.read(*Arguments);
  int Status = getErrorStatus(Line);
  installHandlers(Status);
  if (failed(
          reportToolError(RunTool.Name, loadPlugins(S, Line, Flags.Plugins))))
    return Status;
  Line = All.read(*Arguments); // with the flags of plugins
  if (std::optional<int> Ended = Flags.General.apply(Line, RunTool))
    return Ended;
  if (std::optional<int> Ended = Flags.Completion.apply(RunTool.Name, Status))
    return Ended;
  if (failed(reportToolError(RunTool.Name, finishFlags(Line.Operands, Flags))))
    return 2;
  return std::nullopt;
}

int relay::relayRunMain(int Argc, char **Argv, void (*RegisterOps)(Context &)) {
  installHandlers(/*Status=*/1);
  installSignalHandlers();
  keepFreedMemory();
  limitMemory(RunLimits::DefaultMemory);
  Session S(RunTool.Name, llvm::errs(), llvm::errs());
  RelayRunFlags Flags(S.getFlags());
  Extension OpsOfProgram;
  OpsOfProgram.RegisterOps = RegisterOps;
  S.add(OpsOfProgram);
  if (std::optional<int> Status = parseRunCommandLine(Argc, Argv, Flags, S))
    return *Status;
  if (failed(reportToolError(RunTool.Name, S.initialize())))
    return Flags.Comparison.isGiven() ? 2 : 1;
  SessionLimits Limits = Flags.Models.Limits.get();
  Limits.Memory.reset(); // values are limited by RunModelFlags::getValueLimit()
  S.setLimits(Limits);
  S.setNumThreads(Flags.Threads
                      ? Flags.Threads
                      : llvm::hardware_concurrency().compute_thread_count());
  // Context and module are not destroyed at exit.
  Context *Ctx = S.createContext().release();
  bool HasTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  auto *Progress = HasTerminal ? new RunProgress(*Ctx, llvm::errs()) : nullptr;
  return (new RelayRun(Flags, S, *Ctx, Progress))->run();
}

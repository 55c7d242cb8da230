//===- InputRun.cpp - relay-opt on its input ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InputRun.h. A single module and its Context are not destroyed at exit:
// for a million operations that takes longer than printing them.
//
//===----------------------------------------------------------------------===//

#include "InputRun.h"
#include "Bisect.h"
#include "CommandLine.h"
#include "Flags/Files.h"
#include "Flags/Tool.h"
#include "IdleOptions.h"
#include "relay/Instrumentation/Reports/Progress.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/OutputFile.h"

using namespace relay;
using llvm::Error;

/// Returns the path of the reproducer; empty if none is written.
static std::string
getReproducerPath(const RelayOptOptions &Options,
                  const InstrumentationList &Instrumentations) {
  return Options.CrashReproducer.isGiven()
             ? *Options.CrashReproducer
             : Instrumentations.getReproducerPath();
}

InputRun::InputRun(Session &S, const RelayOptOptions &Options,
                   ModulePassManager Pipeline, ProgressLine *Progress,
                   std::function<LogicalResult(Error)> ReportError)
    : S(S), Options(Options), Pipeline(std::move(Pipeline)), Progress(Progress),
      Report([this, ReportError](Error E) {
        LogicalResult Result = ReportError(std::move(E));
        HasToolError |= failed(Result);
        return Result;
      }),
      Repro(getReproducerPath(Options, S.getInstrumentations()),
            Options.Reproducible),
      Constants(*Options.ConstantsFile), Parameters(Options.Parameters),
      Query(Options.Query), Output(S, Options, Constants) {
  std::optional<std::string> WithPaths =
      makePathsAbsolute(Options.getPipeline(), S.getRegistry());
  Repro.setPipeline(WithPaths.value_or(Options.getPipeline()));
  if (WithPaths || Options.ReproducerNeedsTrust)
    Repro.setNeedsTrust();
  S.setErrorHandler([this](Error E) { (void)Report(std::move(E)); });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

OwnedModule InputRun::read(std::unique_ptr<llvm::MemoryBuffer> Text,
                           std::unique_ptr<Context> Ctx) {
  ReadOptions O = Options.getReadOptions();
  O.AllowEmpty = HasParts;
  O.FirstLine = PartLine;
  Context &Into = *Ctx;
  if (Constants.isGiven())
    O.LookupConstant = [&](StringRef Hash) {
      return Constants.lookup(Into, Hash);
    };
  bool IsReady = succeeded(Query.prepare(Into, S.getRegistry())) &&
                 succeeded(Pipeline.initialize(Into, S.getRegistry()));
  std::unique_ptr<Module> M =
      IsReady ? S.read(std::move(Text), Into, O) : nullptr;
  return OwnedModule(std::move(Ctx), std::move(M));
}

/// Performs -verify-roundtrip, if requested. With \p Infer the text is typed
/// again, which gives the same types only before any pass has run.
LogicalResult InputRun::checkRoundTrip(Module &M, bool Infer) {
  if (!Options.VerifyRoundTrip)
    return success();
  ReadOptions O = Options.getReadOptions();
  O.AllowEmpty = HasParts;
  O.Infer = Infer;
  return S.checkRoundTrip(M, O);
}

/// Checks the text of \p M and binds its parameters, before passes run.
LogicalResult InputRun::prepare(Module &M) {
  if (failed(checkRoundTrip(M, /*Infer=*/!Options.NoInfer)))
    return failure();
  CrashActivity Activity("reading the parameters");
  return Parameters.fill(M, Report);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Error InputRun::configure(PassContext &PC, BisectGate *Gate) {
  llvm::cantFail(Options.configure(PC)); // Session::check()
  if (Gate) {
    Parameters.addTo(PC); // more runs follow
    Gate->registerCallbacks(PC.getCallbacks());
  } else {
    Parameters.moveTo(PC);
  }
  if (Progress)
    Progress->registerCallbacks(PC.getCallbacks());
  Repro.registerCallbacks(PC.getCallbacks());
  return Error::success();
}

/// Runs the pipeline, as far as \p Gate permits if it is given.
LogicalResult InputRun::runPipeline(Module &M, BisectGate *Gate) {
  RunOptions O;
  O.Configure = [&](PassContext &PC) { return configure(PC, Gate); };
  O.Verify = !Options.DisableVerify;
  O.AllowUndefinedGlobals = Options.AllowUndefinedGlobals;
  O.MustNestAsText = Options.Emit == OutputForm::Text;
  return S.run(M, Pipeline, O);
}

LogicalResult InputRun::runToResult(Module &M) {
  if (failed(runPipeline(M)) ||
      (!Pipeline.empty() && failed(checkRoundTrip(M, /*Infer=*/false)))) {
    (void)Repro.write();
    return failure();
  }
  return Options.Query.isEnabled() ? Report(Query.run(M)) : success();
}

/// Adds to \p E how to define a failure, unless a command does.
Error InputRun::explainNothingBroken(Error E) const {
  if (!Options.BisectCommand->empty())
    return E;
  return llvm::createStringError(
      llvm::toString(std::move(E)) +
      "; -bisect=COMMAND or a further check (-help, Checks) can define a "
      "failure");
}

LogicalResult InputRun::bisect(Module &M) {
  auto Run = [this](Module &M, BisectGate &Gate) {
    return runPipeline(M, &Gate);
  };
  std::string Found;
  std::string Part = "part from line " + std::to_string(PartLine) + " on:";
  llvm::raw_string_ostream OS(Found);
  if (HasParts)
    OS << Part << '\n';
  Error E =
      Bisect(M, Run, *Options.BisectCommand, Options.BisectTimeout).run(OS);
  HasBroken |= !E;
  if (HasParts && E.isA<NothingBrokenError>())
    OS << llvm::toString(std::exchange(E, Error::success())) << '\n';
  if (!E)
    BisectReport += Found;
  else if (E.isA<NothingBrokenError>())
    E = explainNothingBroken(std::move(E));
  else if (HasParts)
    E = llvm::createStringError(Part + " " + llvm::toString(std::move(E)));
  return Report(std::move(E));
}

/// Returns failure after the last part if no part is broken.
LogicalResult InputRun::checkBisected() {
  if (HasBroken)
    return success();
  BisectReport.clear();
  return Report(explainNothingBroken(
      llvm::make_error<NothingBrokenError>("nothing fails in any part")));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Processes \p M, which has just been read.
LogicalResult InputRun::transform(OwnedModule &M) {
  if (!M || failed(prepare(*M)))
    return failure();
  return Options.BisectCommand.isGiven() ? bisect(*M) : runToResult(*M);
}

/// Destroys \p M and everything that belongs to its Context.
void InputRun::dropPart(OwnedModule M) {
  Query.reset();
  Parameters.reset();
  if (!HasParts)
    (void)M.release();
}

/// Adds \p M to the output.
LogicalResult InputRun::addResult(OwnedModule M) {
  Query.reset();
  Parameters.reset();
  if (succeeded(Output.add(std::move(M))))
    return success();
  (void)Repro.write("writing");
  return failure();
}

LogicalResult InputRun::runOnPart(std::unique_ptr<llvm::MemoryBuffer> Text) {
  std::unique_ptr<Context> Ctx = S.createContext();
  S.watch(*Ctx);
  Repro.setInput(Text->getBuffer(), ++NumParts);
  std::optional<ExpectedDiagnostics> Expected;
  if (Options.VerifyDiagnostics.isGiven())
    Expected.emplace(Ctx->getDiagnostics(), Text->getBuffer(), PartLine,
                     *Options.VerifyDiagnostics);
  OwnedModule M = read(std::move(Text), std::move(Ctx));
  LogicalResult Result = transform(M);
  bool HasResult = succeeded(Result);
  if (Expected)
    Result = success(succeeded(Expected->finish()) && !HasToolError);
  if (HasResult && !Options.BisectCommand.isGiven() &&
      !Options.Query.isEnabled())
    return success(succeeded(addResult(std::move(M))) && succeeded(Result));
  if (Expected && HasParts && !HasResult)
    Output.addEmptyPart();
  dropPart(std::move(M));
  return Result;
}

LogicalResult InputRun::runSplit(const llvm::MemoryBuffer &Input) {
  bool Failed = false;
  warnOfNearMarkers(Input.getBuffer(), *Options.SplitInputFile,
                    Input.getBufferIdentifier());
  auto Parts = splitInput(Input.getBuffer(), *Options.SplitInputFile);
  HasParts = Parts.size() > 1;
  if (HasParts)
    Output.expectParts();
  for (auto [Part, Line] : Parts) {
    PartLine = Line;
    Failed |= failed(runOnPart(llvm::MemoryBuffer::getMemBufferCopy(
        Part, Input.getBufferIdentifier())));
  }
  if (Options.BisectCommand.isGiven() && HasParts && !Failed)
    Failed = failed(checkBisected());
  return success(!Failed);
}

//===----------------------------------------------------------------------===//
// Reports and results
//===----------------------------------------------------------------------===//

/// Writes the reports without a file of their own. With -bisect there are none,
/// since its passes run in other processes.
LogicalResult InputRun::writeReports(bool Failed) {
  if (Options.BisectCommand.isGiven())
    return success();
  if (!Options.InfoOutputFile.isGiven())
    return Report(
        S.report(S.getInstrumentations().getStream(), Pipeline, Failed));
  Error ReportsError = Error::success();
  auto Print = [&](raw_ostream &OS) {
    ReportsError = llvm::joinErrors(std::move(ReportsError),
                                    S.report(OS, Pipeline, Failed));
  };
  StringRef Path = *Options.InfoOutputFile;
  Error FileError =
      Path == "-" ? writeOutput(Path, Print) : appendToFile(Path, Print);
  return Report(
      llvm::joinErrors(std::move(FileError), std::move(ReportsError)));
}

/// Writes the report files. This is the last step, since a trace includes the
/// time of printing.
LogicalResult InputRun::writeReportFiles(bool Failed) {
  return Report(S.writeReportFiles(writeOutput, Pipeline, Failed));
}

LogicalResult InputRun::writeResults() {
  std::string Heading = BisectReport + Query.getReport().str();
  CrashActivity Activity("writing");
  LogicalResult Result = Output.write(Heading, Report);
  if (Activity.hasExceededLimit())
    (void)Repro.write("writing");
  return Result;
}

LogicalResult InputRun::run(std::unique_ptr<llvm::MemoryBuffer> Input) {
  LogicalResult Result = Options.SplitInputFile.isGiven()
                             ? runSplit(*Input)
                             : runOnPart(std::move(Input));
  bool Failed = failed(Result);
  if (failed(writeReports(Failed)))
    Result = failure();
  if (succeeded(Result))
    Result = Report(Parameters.save());
  // The result of -bisect on a part is written even if other parts fail.
  if ((succeeded(Result) || HasBroken) && failed(writeResults()))
    Result = failure();
  if (succeeded(Result) && !Options.writesConstants() &&
      !Options.KeepConstantsFile)
    Constants.warnIfUnused("relay-opt");
  if (succeeded(Result) && !Options.BisectCommand.isGiven())
    warnOfIdleRules(Pipeline);
  bool Written = succeeded(writeReportFiles(Failed));
  return success(Written && succeeded(Result));
}

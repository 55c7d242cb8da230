//===- RelayOptMain.cpp - relay-opt as a function -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What relay-opt does, step by step. Contexts and modules are left to the
// system at exit: taking a million operations down costs more than printing
// them.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Opt/RelayOptMain.h"
#include "Bisect.h"
#include "ConstantsFile.h"
#include "ExpectedDiagnostics.h"
#include "Extensions.h"
#include "Flags/CommandLine.h"
#include "Flags/Completion.h"
#include "Flags/Files.h"
#include "Flags/Tool.h"
#include "Listings.h"
#include "PatternQuery.h"
#include "Reproducer.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Driver/Opt/RoundTrip.h"
#include "relay/IR/Verifier.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Instrumentation/Reports/Progress.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Facts/OpFactFile.h"
#include "relay/Text/Json/Json.h"
#include "relay/Text/Parse/Nesting.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <csignal>

using namespace relay;
using llvm::Error;

/// Where a run that fails is kept; empty for nowhere.
static std::string
getReproducerPath(const RelayOptOptions &Options,
                  const InstrumentationList &Instrumentations) {
  return Options.CrashReproducer.isGiven()
             ? *Options.CrashReproducer
             : Instrumentations.getReproducerPath();
}

namespace {

/// One run of relay-opt.
class RelayOpt {
public:
  RelayOpt(const RelayOptOptions &Options, const Extensions &Added,
           InstrumentationList &Instrumentations, ProgressLine *Progress,
           std::unique_ptr<llvm::MemoryBuffer> InputText)
      : Options(Options), Added(Added), Instrumentations(Instrumentations),
        Progress(Progress), InputText(std::move(InputText)),
        Repro(getReproducerPath(Options, Instrumentations),
              Options.Reproducible),
        Constants(*Options.ConstantsFile), Parameters(Options.Parameters),
        Query(Options.Query) {}

  /// Runs what the command line asks for. \returns the exit status; what is
  /// wrong has been reported.
  int run();

private:
  LogicalResult runAll();
  /// Reports an error that is none of the input's. -verify-diagnostics expects
  /// none.
  LogicalResult report(Error E) {
    HasValueError |= E.isA<FlagValueError>();
    LogicalResult Result = reportToolError("relay-opt", std::move(E));
    HasToolError |= failed(Result);
    return Result;
  }
  Context &makeContext() const;
  Error registerEverything();
  LogicalResult addFacts(Context &Ctx) const;
  LogicalResult loadFacts();
  LogicalResult runPipelineOnInput();
  /// Reads, transforms and appends to \p Results the module of \p Text.
  LogicalResult process(std::unique_ptr<llvm::MemoryBuffer> Text);
  LogicalResult processSplit(const llvm::MemoryBuffer &Text);
  std::unique_ptr<Module> read(std::unique_ptr<llvm::MemoryBuffer> Text,
                               Context &Ctx, bool Infer, unsigned Release = 0);
  /// -verify-roundtrip, if asked for. With \p Infer the text is typed again,
  /// which changes nothing only where nothing was done since.
  LogicalResult checkRoundTrip(Module &M, bool Infer);
  LogicalResult check(Module &M) {
    if (Options.DisableVerify)
      return success();
    InstrumentationList::Phase Verify(Instrumentations, "Verify module");
    return verify(M, Options.AllowUndefinedGlobals);
  }
  /// Verifies what passes have changed.
  LogicalResult checkAgain(Module &M, IncrementalVerifier &Verifier) {
    if (Options.DisableVerify)
      return success();
    InstrumentationList::Phase Verify(Instrumentations, "Verify module");
    LogicalResult Result = Verifier.verifyChanged(M);
    if (failed(Result))
      llvm::errs() << "relay-opt: note: a pass left invalid IR; -verify-each "
                      "tells which\n";
    return Result;
  }
  LogicalResult fillParameters(Module &M) {
    CrashActivity Activity("reading the parameters");
    return Parameters.fill(M, [this](Error E) { return report(std::move(E)); });
  }
  LogicalResult transform(Module &M, BisectGate *Gate = nullptr);
  LogicalResult transformToResult(Module &M);
  LogicalResult bisect(Module &M);
  LogicalResult checkBisected();
  Error configure(PassContext &PC) const;
  LogicalResult checkConfiguration();
  void printLists(raw_ostream &OS) const;
  void print(raw_ostream &OS);
  Error printReportsTo(raw_ostream &OS, bool Failed);
  LogicalResult printReports(bool Failed);
  LogicalResult writeReports(bool Failed);
  Error writeResults();

  const RelayOptOptions &Options;
  const Extensions &Added;
  InstrumentationList &Instrumentations;
  ProgressLine *Progress; ///< null if there is none
  /// Null if the input has not been read.
  std::unique_ptr<llvm::MemoryBuffer> InputText;
  Reproducer Repro;
  PassRegistry Registry;
  ModulePassManager Pipeline;
  ConstantsFile Constants;
  ParameterValues Parameters;
  PatternQuery Query;
  /// The files of -op-facts, which each Context reads.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> FactFiles;
  /// One for each part; null where an error was expected.
  std::vector<Module *> Results;
  std::string BisectReport;
  bool HasParts = false;  ///< the input is several modules
  unsigned NumParts = 0;  ///< up to the present one
  unsigned PartLine = 1;  ///< the first line of the present one
  bool HasBroken = false; ///< -bisect has found what it looks for
  bool HasToolError = false, HasValueError = false;
};

} // namespace

Context &RelayOpt::makeContext() const {
  auto *Ctx = new Context;
  registerAllOps(*Ctx);
  Added.registerOps(*Ctx);
  (void)addFacts(*Ctx); // checked by loadFacts()
  Ctx->setLimits(Options.Limits.get());
  Ctx->setNumThreads(Options.Threads
                         ? Options.Threads
                         : llvm::hardware_concurrency().compute_thread_count());
  Ctx->setMinParallelWork(Options.MinParallelWork);
  return *Ctx;
}

//===----------------------------------------------------------------------===//
// One module
//===----------------------------------------------------------------------===//

std::unique_ptr<Module> RelayOpt::read(std::unique_ptr<llvm::MemoryBuffer> Text,
                                       Context &Ctx, bool Infer,
                                       unsigned Release) {
  CrashActivity Activity("reading");
  ParserOptions PO;
  PO.Release = Release;
  PO.QuietUpgrades = Options.QuietUpgrades;
  PO.AllowEmpty = HasParts;
  if (Constants.isGiven())
    PO.LookupConstant = [&](StringRef Hash) {
      return Constants.lookup(Ctx, Hash);
    };
  PO.AllowUnregisteredOps = Options.AllowUnregisteredOps;
  PO.AllowUndefinedGlobals = Options.AllowUndefinedGlobals;
  std::unique_ptr<Module> M;
  {
    InstrumentationList::Phase Parse(Instrumentations, "Parse");
    M = parseModule(std::move(Text), Ctx, PO);
  }
  if (!M)
    return nullptr;
  if (Infer) {
    InstrumentationList::Phase Inference(Instrumentations, "Infer types");
    if (failed(inferTypes(*M)))
      return nullptr;
  }
  return failed(check(*M)) ? nullptr : std::move(M);
}

LogicalResult RelayOpt::checkRoundTrip(Module &M, bool Infer) {
  if (!Options.VerifyRoundTrip)
    return success();
  return verifyRoundTrip(M, /*Typed=*/Infer, [&](auto Text) {
    return read(std::move(Text), makeContext(), Infer,
                ParserOptions::CurrentRelease);
  });
}

/// \p E, if there is one, as one of what \p Flag says.
static Error atFlag(const FlagBase &Flag, Error E) {
  if (!E)
    return E;
  return llvm::createStringError("option " + Flag.getSpelling() + ": " +
                                 llvm::toString(std::move(E)));
}

/// Adds the facts of -op-facts to \p Ctx.
LogicalResult RelayOpt::addFacts(Context &Ctx) const {
  if (FactFiles.empty())
    return success();
  registerAllOpFacts(Ctx);
  SmallVector<StringRef> Keys = Registry.getTargetKeys();
  bool Failed = false;
  for (const auto &File : FactFiles)
    Failed |=
        failed(readOpFacts(llvm::MemoryBuffer::getMemBufferCopy(
                               File->getBuffer(), File->getBufferIdentifier()),
                           Ctx, Keys));
  return success(!Failed);
}

/// Opens the files of -op-facts and reports the errors in them.
LogicalResult RelayOpt::loadFacts() {
  for (StringRef Path : Options.OpFacts) {
    auto File = openInput(Path);
    if (!File)
      return report(File.takeError());
    FactFiles.push_back(std::move(*File));
  }
  Context Ctx;
  registerAllOps(Ctx);
  Added.registerOps(Ctx);
  return addFacts(Ctx);
}

Error RelayOpt::configure(PassContext &PC) const {
  if (Options.Target.isGiven())
    if (Error E = atFlag(Options.Target, PC.setTarget(*Options.Target)))
      return E;
  PC.setOptLevel(Options.getOptLevel());
  PC.setGatesBarePasses(Options.gatesBarePasses());
  for (const std::string &Name : Options.RequiredPasses)
    if (Error E = atFlag(Options.RequiredPasses, PC.addRequiredPass(Name)))
      return E;
  for (const std::string &Name : Options.DisabledPasses)
    if (Error E = atFlag(Options.DisabledPasses, PC.addDisabledPass(Name)))
      return E;
  for (StringRef Setting : Options.PassConfig) {
    auto [Before, Value] = Setting.split('=');
    StringRef Key = Before.trim();
    if (Key.empty() || Before.size() == Setting.size())
      return llvm::make_error<FlagValueError>("option -pass-config: '" +
                                              Setting +
                                              "' is not of the form key=value");
    Error E = PC.setConfig(Key, Value);
    if (E && Registry.lookupConfigOption(Key))
      return llvm::make_error<FlagValueError>(llvm::toString(std::move(E)));
    if (E)
      return E;
  }
  return Error::success();
}

/// Reports wrong names and values before there is input.
LogicalResult RelayOpt::checkConfiguration() {
  Context Ctx;
  PassContext PC(Ctx, Registry);
  if (failed(report(configure(PC))))
    return failure();
  if (!Options.OpFacts.empty() && failed(loadFacts()))
    return failure();
  if (failed(report(Instrumentations.prepare(Registry))))
    return failure();
  for (const Flag<std::string> *F : {&Options.Output, &Options.CrashReproducer})
    if (**F != "-" && !(*F)->empty() && failed(report(checkWritable(**F))))
      return failure();
  return success();
}

/// Runs the pipeline, or with \p Gate as much of it as that lets run.
LogicalResult RelayOpt::transform(Module &M, BisectGate *Gate) {
  CrashActivity Activity("the pipeline");
  PassContext PC(M.getContext(), Registry, Instrumentations.getStream());
  llvm::cantFail(configure(PC)); // checked by checkConfiguration()
  if (Gate) {
    Parameters.addTo(PC); // there will be other runs
    Gate->registerCallbacks(PC.getCallbacks());
  } else {
    Parameters.moveTo(PC);
  }
  Instrumentations.registerCallbacks(PC);
  if (Progress)
    Progress->registerCallbacks(PC.getCallbacks());
  Repro.registerCallbacks(PC.getCallbacks());
  AnalysisManagers AMs(PC);
  auto Scope = PassContext::Scope::enter(PC);
  if (!Scope)
    return report(Scope.takeError());
  Instrumentations.start(M);
  IncrementalVerifier Verifier(Options.AllowUndefinedGlobals);
  if (!Pipeline.empty())
    Verifier.assumeVerified(M); // it was when it was read
  bool Failed = failed(Pipeline.run(M, AMs.Modules, PC));
  Error E = llvm::joinErrors(PC.takeInstrumentError(), Scope->exit());
  Failed |= failed(report(std::move(E)));
  bool EndFailed = failed(report(Instrumentations.finish(M, Failed)));
  if (Failed || EndFailed || Instrumentations.hasFailed())
    return failure();
  return Pipeline.empty() ? success() : checkAgain(M, Verifier);
}

LogicalResult RelayOpt::transformToResult(Module &M) {
  if (failed(transform(M)) ||
      (Options.Emit == OutputForm::Text && failed(checkNesting(M))) ||
      (!Pipeline.empty() && failed(checkRoundTrip(M, /*Infer=*/false)))) {
    (void)Repro.write();
    return failure();
  }
  if (Options.Query.isEnabled())
    return report(Query.run(M));
  Results.push_back(&M);
  return success();
}

LogicalResult RelayOpt::bisect(Module &M) {
  auto Run = [this](Module &M, BisectGate &Gate) {
    return transform(M, &Gate);
  };
  std::string Found;
  std::string Part = "part from line " + std::to_string(PartLine) + " on:";
  llvm::raw_string_ostream OS(Found);
  if (HasParts)
    OS << Part << '\n';
  Error E = Bisect(M, Run, *Options.BisectCommand).run(OS);
  HasBroken |= !E;
  if (HasParts && E.isA<NothingBrokenError>())
    OS << llvm::toString(std::exchange(E, Error::success())) << '\n';
  if (!E)
    BisectReport += Found;
  else if (HasParts)
    E = llvm::createStringError(Part + " " + llvm::toString(std::move(E)));
  return report(std::move(E));
}

/// After all parts: an error if no part is broken.
LogicalResult RelayOpt::checkBisected() {
  if (HasBroken)
    return success();
  BisectReport.clear();
  return report(
      llvm::make_error<NothingBrokenError>("nothing is broken in any part"));
}

LogicalResult RelayOpt::process(std::unique_ptr<llvm::MemoryBuffer> Text) {
  Context &Ctx = makeContext();
  Instrumentations.startModule();
  Instrumentations.configure(Ctx, Registry);
  Repro.setInput(Text->getBuffer(), ++NumParts);
  std::optional<ExpectedDiagnostics> Expected;
  if (Options.VerifyDiagnostics.isGiven())
    Expected.emplace(Ctx.getDiagnostics(), Text->getBuffer(),
                     *Options.VerifyDiagnostics);
  bool Infer = !Options.NoInfer;
  unsigned Release = parseRelease(*Options.TextVersion).value_or(0);
  // Left to the system.
  bool IsReady =
      succeeded(Query.prepare(Ctx)) && succeeded(Pipeline.initialize(Ctx));
  Module *M =
      IsReady ? read(std::move(Text), Ctx, Infer, Release).release() : nullptr;
  LogicalResult Result = failure();
  if (M && succeeded(checkRoundTrip(*M, Infer)) &&
      succeeded(fillParameters(*M)))
    Result =
        Options.BisectCommand.isGiven() ? bisect(*M) : transformToResult(*M);
  if (HasParts)
    Ctx.stopThreads(); // of each part there would be some
  if (!Expected)
    return Result;
  if (HasParts && failed(Result))
    Results.push_back(nullptr);
  return success(succeeded(Expected->finish()) && !HasToolError);
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

/// Each part stands in a text of its own, on the lines that it has in the file.
LogicalResult RelayOpt::processSplit(const llvm::MemoryBuffer &Text) {
  bool Failed = false;
  warnOfNearMarkers(Text.getBuffer(), *Options.SplitInputFile,
                    Text.getBufferIdentifier());
  auto Parts = splitInput(Text.getBuffer(), *Options.SplitInputFile);
  HasParts = Parts.size() > 1;
  for (auto [Part, Line] : Parts) {
    PartLine = Line;
    std::string Padded = std::string(Line - 1, '\n') + Part.str();
    Failed |= failed(process(llvm::MemoryBuffer::getMemBufferCopy(
        Padded, Text.getBufferIdentifier())));
  }
  if (Options.BisectCommand.isGiven() && HasParts && !Failed)
    Failed = failed(checkBisected());
  return success(!Failed);
}

void RelayOpt::print(raw_ostream &OS) {
  CrashActivity Activity("writing");
  InstrumentationList::Phase Print(Instrumentations, "Print");
  OS << BisectReport << Query.getReport();
  std::string Separator = *Options.SplitInputFile + "\n";
  PrintOptions PO;
  PO.ElideConstantsLargerThan = Options.getElisionLimit();
  PO.Spans = Options.PrintSpans;
  if (Constants.isGiven())
    PO.OnElided = [&](StringRef Hash, const ConstantData &Data) {
      Constants.add(Hash, Data);
    };
  auto PrintOne = [&](Module *M) {
    if (M && Options.Emit == OutputForm::Json)
      printJson(*M, OS);
    else if (M)
      printModule(*M, OS, PO);
  };
  llvm::interleave(Results, OS, PrintOne, Separator);
}

/// The text waits for the file of its constants, so that there is none without
/// them.
Error RelayOpt::writeResults() {
  if (!Options.writesOutput())
    return Error::success();
  if (!Options.writesConstants())
    return writeOutput(*Options.Output, [&](raw_ostream &OS) { print(OS); });
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS);
  if (Error E = Constants.write())
    return E;
  return writeOutput(*Options.Output, [&](raw_ostream &Out) { Out << Text; });
}

/// Prints the reports that have no file of their own, to \p OS.
Error RelayOpt::printReportsTo(raw_ostream &OS, bool Failed) {
  Error All = Error::success();
  Instrumentations.forEach([&](Instrumentation &I) {
    if (I.getReportFile().empty())
      All = llvm::joinErrors(std::move(All), I.report(OS, Pipeline, Failed));
  });
  return All;
}

/// The passes of -bisect run in other processes: there is nothing to report.
LogicalResult RelayOpt::printReports(bool Failed) {
  if (Options.BisectCommand.isGiven())
    return success();
  if (!Options.InfoOutputFile.isGiven())
    return report(printReportsTo(Instrumentations.getStream(), Failed));
  Error OfReports = Error::success();
  auto Print = [&](raw_ostream &OS) {
    OfReports =
        llvm::joinErrors(std::move(OfReports), printReportsTo(OS, Failed));
  };
  StringRef Path = *Options.InfoOutputFile;
  Error OfFile =
      Path == "-" ? writeOutput(Path, Print) : appendToFile(Path, Print);
  return report(llvm::joinErrors(std::move(OfFile), std::move(OfReports)));
}

/// Writes the others. A trace has the time of printing in it, so that this
/// comes last.
LogicalResult RelayOpt::writeReports(bool Failed) {
  Error All = Error::success();
  Instrumentations.forEach([&](Instrumentation &I) {
    if (I.getReportFile().empty())
      return;
    Error OfReport = Error::success();
    Error OfFile = writeOutput(I.getReportFile(), [&](raw_ostream &OS) {
      OfReport =
          llvm::joinErrors(std::move(OfReport), I.report(OS, Pipeline, Failed));
    });
    All =
        llvm::joinErrors(std::move(All), llvm::joinErrors(std::move(OfFile),
                                                          std::move(OfReport)));
  });
  return report(std::move(All));
}

LogicalResult RelayOpt::runPipelineOnInput() {
  if (!InputText) {
    auto Input = openInput(Options.Input);
    if (!Input)
      return report(Input.takeError());
    InputText = std::move(*Input);
  }
  limitMemoryFor(InputText->getBufferSize(), Options.Limits);
  LogicalResult Result = Options.SplitInputFile.isGiven()
                             ? processSplit(*InputText)
                             : process(std::move(InputText));
  bool Failed = failed(Result);
  if (failed(printReports(Failed)))
    Result = failure();
  if (succeeded(Result))
    Result = report(Parameters.save());
  // What -bisect has found in a part is written whatever the others are.
  if ((succeeded(Result) || HasBroken) && failed(report(writeResults())))
    Result = failure();
  if (succeeded(Result) && !Options.writesConstants() &&
      !Options.KeepConstantsFile)
    Constants.warnIfUnused("relay-opt");
  bool Written = succeeded(writeReports(Failed));
  return success(Written && succeeded(Result));
}

Error RelayOpt::registerEverything() {
  if (Error E = Added.checkOps())
    return E;
  registerAllPasses(Registry);
  return Added.registerPasses(Registry);
}

int RelayOpt::run() {
  if (succeeded(runAll()))
    return 0;
  return HasValueError ? 2 : 1;
}

/// Writes what needs neither a pipeline nor input.
void RelayOpt::printLists(raw_ostream &OS) const {
  if (Options.PrintOps)
    printOps(makeContext(), OS);
  if (Options.PrintPasses)
    printPasses(Registry, OS);
  if (Options.PrintCompletion.isGiven())
    printCompletionScript(*Options.PrintCompletion, OS);
  if (Options.Complete.isGiven())
    printCompletions(*Options.Complete, Options.All, Registry, OS);
}

/// A list that the error in a pipeline recommends can be had by adding its flag
/// to the line.
LogicalResult RelayOpt::runAll() {
  if (failed(report(registerEverything())))
    return failure();
  if (Options.printsOnlyLists())
    return report(
        writeOutput(*Options.Output, [&](raw_ostream &OS) { printLists(OS); }));
  FailureOr<ModulePassManager> Parsed =
      parsePipeline(Options.getPipeline(), "-passes", Registry);
  if (failed(Parsed))
    return failure();
  Pipeline = std::move(*Parsed);
  std::optional<std::string> WithPaths =
      makePathsAbsolute(Options.getPipeline(), Registry);
  if (WithPaths && Options.HasUntrustedPipeline)
    return report(llvm::createStringError(
        "the pipeline of the reproducer reads files: '" +
        Options.getPipeline() + "'; -trust-reproducer allows it"));
  Repro.setPipeline(WithPaths.value_or(Options.getPipeline()));
  if (failed(checkConfiguration()))
    return failure();
  if (Options.needsInput())
    return runPipelineOnInput();
  return report(writeOutput(*Options.Output, [&](raw_ostream &OS) {
    printLists(OS);
    Pipeline.printPipeline(OS);
    OS << '\n';
  }));
}

int relay::relayOptMain(int Argc, char **Argv, const RelayOptExtension &Mine) {
  CrashHandler::install("relay-opt", /*Status=*/1);
  installPipeHandler();
  // A file that grows too large is an error of writing, not the end of the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  installFatalErrorHandler("relay-opt", /*Status=*/1);
  limitMemory(RunLimits::DefaultMemory); // for plugins and files of options
  FlagSet Flags("relay-opt");
  RelayOptOptions Options(Flags);
  ProgressOptions ProgressOpts;
  ProgressLine Progress(ProgressOpts, llvm::errs());
  OrderedStream Dumps(Progress.getStream());
  InstrumentationList Instrumentations(Flags, Dumps);
  addStandardInstrumentations(Instrumentations);
  Extensions Added(Mine, Flags, Instrumentations);
  if (std::optional<int> Status =
          parseCommandLine(Argc, Argv, Options, Added, Instrumentations))
    return *Status;
  bool HasTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  RelayOpt Run(Options, Added, Instrumentations,
               HasTerminal ? &Progress : nullptr, std::move(Options.InputText));
  return Run.run();
}

//===- RelayOptMain.cpp - relay-opt as a function -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the command line, and prints lists or processes an input.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Opt/RelayOptMain.h"
#include "CommandLine.h"
#include "Descriptions.h"
#include "Flags/Completion.h"
#include "Flags/Files.h"
#include "Flags/Signals.h"
#include "Flags/Tool.h"
#include "IdleOptions.h"
#include "InputRun.h"
#include "Listings.h"
#include "relay/Instrumentation/Reports/Progress.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/OutputFile.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"

using namespace relay;
using llvm::Error;

namespace {

/// A run of relay-opt.
class RelayOpt {
public:
  RelayOpt(Session &S, RelayOptOptions &Options, ProgressLine *Progress)
      : S(S), Options(Options), Progress(Progress) {}

  /// Executes the command line. \returns the exit status; errors have been
  /// reported.
  int run();

private:
  /// Reports an error that is not about the input.
  LogicalResult report(Error E) {
    HasValueError |= E.isA<FlagValueError>();
    return reportToolError("relay-opt", std::move(E));
  }
  LogicalResult runAll();
  LogicalResult runOnInput(ModulePassManager Pipeline);
  Error checkTrust() const;
  LogicalResult addFacts();
  LogicalResult checkConfiguration();
  void setUp();
  Error printLists(raw_ostream &OS) const;
  LogicalResult writeLists(const ModulePassManager *Pipeline);

  Session &S;
  RelayOptOptions &Options;
  ProgressLine *Progress; ///< null if there is none
  bool HasValueError = false;
};

} // namespace

/// Returns an error if the pipeline of an untrusted reproducer reads files.
Error RelayOpt::checkTrust() const {
  if (!Options.HasUntrustedPipeline ||
      !makePathsAbsolute(Options.getPipeline(), S.getRegistry()))
    return Error::success();
  return llvm::createStringError(
      "the pipeline of the reproducer reads files: '" + Options.getPipeline() +
      "'; -trust-reproducer allows it");
}

/// Reads the files of -op-facts.
LogicalResult RelayOpt::addFacts() {
  if (Options.OpFacts.empty())
    return success();
  Context Ctx;
  PassContext PC(Ctx, S.getRegistry());
  if (failed(report(Options.configure(PC))))
    return failure();
  bool Failed = false;
  for (StringRef Path : Options.OpFacts) {
    auto File = openInput(Path);
    Failed |= failed(File ? S.addOpFacts(std::move(*File), PC.getTargetKeys())
                          : report(File.takeError()));
  }
  return success(!Failed);
}

/// Reports invalid names and values before the input is read.
LogicalResult RelayOpt::checkConfiguration() {
  RunOptions O;
  O.Configure = [this](PassContext &PC) { return Options.configure(PC); };
  if (failed(report(S.check(O))) || failed(addFacts()))
    return failure();
  for (const Flag<std::string> *F : {&Options.Output, &Options.CrashReproducer})
    if (**F != "-" && !(*F)->empty() && failed(report(checkWritable(**F))))
      return failure();
  return success();
}

/// Passes limits and threads to the Session.
void RelayOpt::setUp() {
  S.setLimits(Options.Limits.get());
  S.setNumThreads(Options.Threads
                      ? Options.Threads
                      : llvm::hardware_concurrency().compute_thread_count());
  S.setMinParallelWork(Options.MinParallelWork);
}

LogicalResult RelayOpt::runOnInput(ModulePassManager Pipeline) {
  std::unique_ptr<llvm::MemoryBuffer> Input = std::move(Options.InputText);
  if (!Input) {
    auto Opened = openInput(Options.Input);
    if (!Opened)
      return report(Opened.takeError());
    Input = std::move(*Opened);
  }
  limitMemoryFor(Input->getBufferSize(), Options.Limits);
  InputRun Run(S, Options, std::move(Pipeline), Progress,
               [this](Error E) { return report(std::move(E)); });
  return Run.run(std::move(Input));
}

/// Prints lists that need neither a pipeline nor input.
Error RelayOpt::printLists(raw_ostream &OS) const {
  const PassRegistry &Registry = S.getRegistry();
  if (!Options.PrintOps->empty()) {
    std::unique_ptr<Context> Ctx = S.createContext();
    PassContext PC(*Ctx, Registry);
    if (Error E = Options.configure(PC))
      return E;
    if (Error E = describeOps(*Options.PrintOps, PC, OS))
      return E;
  } else if (Options.PrintOps.isGiven()) {
    printOps(*S.createContext(), OS);
  }
  if (!Options.PrintPasses->empty()) {
    if (Error E = describePasses(*Options.PrintPasses, Registry, OS))
      return E;
  } else if (Options.PrintPasses.isGiven()) {
    printPasses(Registry, OS);
  }
  Options.Completion.print("relay-opt", Registry, OS);
  return Error::success();
}

/// Writes lists and the text of \p Pipeline, unless null.
LogicalResult RelayOpt::writeLists(const ModulePassManager *Pipeline) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (failed(report(printLists(OS))))
    return failure();
  if (Pipeline) {
    Pipeline->printPipeline(OS);
    OS << '\n';
  }
  return report(
      writeOutput(*Options.Output, [&](raw_ostream &Out) { Out << Text; }));
}

/// Lists recommended by an error in the pipeline are printed even with that
/// pipeline, if their flag is added to the line.
LogicalResult RelayOpt::runAll() {
  if (failed(report(S.initialize())))
    return failure();
  setUp();
  if (Options.printsOnlyLists()) {
    bool UsesFacts = !Options.PrintOps->empty();
    if (UsesFacts && failed(addFacts()))
      return failure();
    return writeLists(/*Pipeline=*/nullptr);
  }
  FailureOr<ModulePassManager> Pipeline =
      S.parsePipeline(Options.getPipeline(), "-passes");
  if (failed(Pipeline) || failed(report(checkTrust())) ||
      failed(checkConfiguration()))
    return failure();
  remarkOnUnimplemented(Options, S.getRegistry());
  warnOfMisspeltTarget(Options, S.getRegistry());
  if (Options.needsInput()) {
    warnOfUnboundParameters(Options, *Pipeline);
    return runOnInput(std::move(*Pipeline));
  }
  return writeLists(&*Pipeline);
}

int RelayOpt::run() {
  if (succeeded(runAll()))
    return 0;
  return HasValueError ? 2 : 1;
}

int relay::relayOptMain(int Argc, char **Argv, const Extension &E) {
  CrashHandler::install("relay-opt", /*Status=*/1);
  installSignalHandlers();
  installFatalErrorHandler("relay-opt", /*Status=*/1);
  limitMemory(RunLimits::DefaultMemory); // for plugins and files of options
  ProgressOptions ProgressOpts;
  ProgressLine Progress(ProgressOpts, llvm::errs());
  Session S("relay-opt", llvm::errs(), Progress.getStream());
  RelayOptOptions Options(S.getFlags());
  addStandardInstrumentations(S.getInstrumentations());
  S.add(E);
  if (std::optional<int> Status = parseCommandLine(Argc, Argv, Options, S))
    return *Status;
  bool HasTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  return RelayOpt(S, Options, HasTerminal ? &Progress : nullptr).run();
}

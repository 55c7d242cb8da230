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
#include "Files.h"
#include "OptionCategories.h"
#include "Reproducer.h"
#include "ToolCommandLine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"

using namespace relay;
using llvm::Error;
namespace cl = llvm::cl;

namespace {

/// The flags of RelayOptOptions.
struct RelayOptFlags {
  explicit RelayOptFlags(RelayOptOptions &O);
  /// Takes over what flags alone cannot express; what is wrong is reported.
  LogicalResult finish(RelayOptOptions &O) const;

  StandardInstrumentationFlags Instrumentation;
  cl::opt<std::string, true> Input, Output, Passes;
  cl::list<std::string, std::vector<std::string>> Plugins;
  cl::opt<std::string, true> CrashReproducer, Bisect;
  cl::opt<bool, true> RunReproducer;
  cl::opt<bool, true> NoInfer, AllowUnregisteredOps, AllowUndefinedGlobals,
      SplitInputFile, VerifyDiagnostics, VerifyRoundTrip;
  cl::opt<uint64_t> ElideConstantsLargerThan;
  cl::opt<bool, true> PrintSpans;
  cl::opt<std::string, true> ConstantsFile;
  cl::opt<bool, true> PrintOps, PrintPasses, PrintPipelinePasses,
      PrintBashCompletion;
  cl::opt<unsigned, true> OptLevel, Threads;
  cl::opt<uint64_t, true> MinParallelWork;
  cl::list<std::string, std::vector<std::string>> RequiredPasses,
      DisabledPasses, PassConfig;
};

} // namespace

RelayOptFlags::RelayOptFlags(RelayOptOptions &O)
    : Instrumentation(O.Instrumentation),
      Input(cl::Positional, cl::location(O.Input), cl::desc("<file|->")),
      Output("o", cl::location(O.Output), cl::init("-"), cl::value_desc("file"),
             cl::desc("Write the module here (default: standard output)")),
      Passes("passes", cl::location(O.Passes), cl::value_desc("pipeline"),
             cl::desc("Run this pipeline: a,b,function(c,d),sequential(e,f)")),
      Plugins("load-pass-plugin", cl::location(O.Plugins),
              cl::value_desc("library"),
              cl::desc("Load what this plugin adds")),
      CrashReproducer("crash-reproducer", cl::location(O.CrashReproducer),
                      cl::value_desc("file"),
                      cl::desc("Write the run to this file if it crashes or a "
                               "pass fails")),
      Bisect("bisect", cl::location(O.BisectCommand), cl::ValueOptional,
             cl::value_desc("command"),
             cl::desc("Find the first pass and rewrite that crash or fail, or "
                      "that the command rejects")),
      RunReproducer("run-reproducer", cl::location(O.RunReproducer),
                    cl::desc("Take options from the input, a reproducer")),
      NoInfer("no-infer", cl::location(O.NoInfer),
              cl::desc("Do not infer types that the text leaves out")),
      AllowUnregisteredOps("allow-unregistered-ops",
                           cl::location(O.AllowUnregisteredOps),
                           cl::desc("Read operators that are not declared")),
      AllowUndefinedGlobals("allow-undefined-globals",
                            cl::location(O.AllowUndefinedGlobals),
                            cl::desc("Read calls of functions, and names of "
                                     "types, that the file does not define")),
      SplitInputFile("split-input-file", cl::location(O.SplitInputFile),
                     cl::desc("Process the parts of the file between lines "
                              "'// -----' one by one")),
      VerifyDiagnostics("verify-diagnostics", cl::location(O.VerifyDiagnostics),
                        cl::desc("Check that the diagnostics are those of "
                                 "comments expected-error@+1 {{...}}")),
      VerifyRoundTrip("verify-roundtrip", cl::location(O.VerifyRoundTrip),
                      cl::desc("Check that the module, as read and as printed, "
                               "reads back as the same")),
      ElideConstantsLargerThan("elide-constants-larger-than",
                               cl::value_desc("elements"),
                               cl::desc("Leave the data of larger constants "
                                        "out")),
      PrintSpans("print-spans", cl::location(O.PrintSpans),
                 cl::desc("Print where operations come from, in the module and "
                          "in dumps: /* span=layer1/conv1:0:0 */")),
      ConstantsFile("constants-file", cl::location(O.ConstantsFile),
                    cl::value_desc("file"),
                    cl::desc("Where the data that the text leaves out is read "
                             "from and written to")),
      PrintOps("print-ops", cl::location(O.PrintOps),
               cl::desc("List the declared operators")),
      PrintPasses("print-passes", cl::location(O.PrintPasses),
                  cl::desc("List the passes with their options")),
      PrintPipelinePasses("print-pipeline-passes",
                          cl::location(O.PrintPipelinePasses),
                          cl::desc("Print the pipeline instead of running it")),
      PrintBashCompletion("print-bash-completion",
                          cl::location(O.PrintBashCompletion),
                          cl::desc("Print the script that completes command "
                                   "lines in bash")),
      OptLevel("opt-level", cl::location(O.OptLevel), cl::init(3),
               cl::value_desc("level"),
               cl::desc("Run passes up to this level (default 3)")),
      Threads("threads", cl::location(O.Threads), cl::ZeroOrMore,
              cl::value_desc("number"),
              cl::desc("Run function passes on so many functions at once "
                       "(default: all cores)")),
      MinParallelWork("min-parallel-work", cl::location(O.MinParallelWork),
                      cl::Hidden, cl::ZeroOrMore, cl::value_desc("operations"),
                      cl::desc("Run passes on one thread when they have less "
                               "to do than this, in operations times passes")),
      RequiredPasses("required-pass", cl::location(O.RequiredPasses),
                     cl::CommaSeparated, cl::value_desc("pass,..."),
                     cl::desc("Run these passes whatever the level")),
      DisabledPasses("disable-pass", cl::location(O.DisabledPasses),
                     cl::CommaSeparated, cl::value_desc("pass,..."),
                     cl::desc("Do not run these passes")),
      PassConfig("pass-config", cl::location(O.PassConfig),
                 cl::value_desc("key=value"),
                 cl::desc("Set an option of the pass context")) {}

static Error wrongValue(const Twine &Message) {
  return llvm::createStringError("option -" + Message);
}

/// The files that a run with \p O writes.
static SmallVector<OutputFile> getOutputs(const RelayOptOptions &O) {
  const TimeTraceOptions &Trace = O.Instrumentation.Trace;
  bool WritesConstants = O.ElideConstantsLargerThan.has_value();
  SmallVector<OutputFile> Files = {
      {"-o", O.Output},
      {"-constants-file", WritesConstants ? O.ConstantsFile : ""},
      {"-crash-reproducer", O.CrashReproducer},
      {"-pass-report", O.Instrumentation.Report.File},
      {"-print-on-crash-path", O.Instrumentation.Crash.Path},
      {Trace.File.empty() ? "-time-trace" : "-time-trace-file",
       Trace.Enabled ? Trace.getFile(O.Output) : ""}};
  llvm::erase_if(Files, [](const OutputFile &F) { return F.Path.empty(); });
  return Files;
}

/// An error if a flag has a value that makes no sense, or not beside another.
static Error checkOptions(const RelayOptOptions &O) {
  if (Error E = O.Instrumentation.Report.check())
    return E;
  for (auto [Flag, Path] :
       {std::pair("constants-file", &O.ConstantsFile),
        std::pair("crash-reproducer", &O.CrashReproducer),
        std::pair("print-on-crash-path", &O.Instrumentation.Crash.Path)})
    if (*Path == "-")
      return wrongValue(Twine(Flag) + ": has to be a file");
  if (O.Bisect && O.VerifyDiagnostics)
    return llvm::createStringError(
        "options -bisect and -verify-diagnostics exclude each other");
  return checkDistinct(getOutputs(O), O.Input);
}

LogicalResult RelayOptFlags::finish(RelayOptOptions &O) const {
  if (ElideConstantsLargerThan.getNumOccurrences())
    O.ElideConstantsLargerThan = ElideConstantsLargerThan;
  O.Bisect = Bisect.getNumOccurrences();
  if (Threads.getNumOccurrences() && !O.Threads)
    return reportToolError("relay-opt",
                           wrongValue("threads: has to be 1 or more"));
  if (failed(reportToolError("relay-opt", checkOptions(O))))
    return failure();
  if (const char *Files = std::getenv("RELAY_LOG_DEBUG"))
    O.Instrumentation.Logging.Environment = Files;
  O.Instrumentation.Verification.AllowUndefined = O.AllowUndefinedGlobals;
  O.Instrumentation.Progress.Enabled =
      llvm::sys::Process::StandardErrIsDisplayed();
  O.Instrumentation.Dumping.Spans = O.PrintSpans;
  O.Instrumentation.finish();
  O.Instrumentation.Report.Input = O.Input;
  O.Instrumentation.Report.Pipeline = O.Passes;
  O.GatesBarePasses = OptLevel.getNumOccurrences() ||
                      !O.RequiredPasses.empty() || !O.DisabledPasses.empty();
  return success();
}

/// Reads \p Arguments, argv, into \p Flags and \p Options.
static LogicalResult parseFlags(ArrayRef<std::string> Arguments,
                                const RelayOptFlags &Flags,
                                RelayOptOptions &Options) {
  SmallVector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());
  Options.Given = getReproducibleOptions(
      splitCommandLine(ArrayRef<const char *>(Pointers).drop_front()).Options);
  if (failed(parseToolCommandLine(Pointers.size(), Pointers.data(), "relay-opt",
                                  "runs passes over Relay text\n",
                                  /*MayBeEmpty=*/"passes")))
    return failure();
  return Flags.finish(Options);
}

std::optional<int> relay::parseCommandLine(int Argc, char **Argv,
                                           RelayOptOptions &Options) {
  removeSupportOptions();
  // The parser keeps pointers to flags for good.
  auto *Flags = new RelayOptFlags(Options);
  categorizeOptions();
  // Not left to the parser, so that a reproducer keeps what is in them.
  llvm::BumpPtrAllocator Texts;
  SmallVector<const char *> Arguments(Argv, Argv + Argc);
  if (failed(
          reportToolError("relay-opt", expandResponseFiles(Arguments, Texts))))
    return 2;
  auto Expanded = expandReproducer(Arguments);
  if (!Expanded) {
    (void)reportToolError("relay-opt", Expanded.takeError());
    return 1;
  }
  if (failed(parseFlags(*Expanded, *Flags, Options)))
    return 2;
  if (Options.needsInput() && Options.Input.empty()) {
    reportToolError("relay-opt",
                    "missing operand: a file, or - for standard input");
    return 2;
  }
  return std::nullopt;
}

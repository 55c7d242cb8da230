//===- CommandLine.h - Options of relay-opt ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only reader of argv. Flags of a feature are declared with the feature;
// this file declares the flags of the driver and parses all.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_COMMANDLINE_H
#define RELAY_LIB_DRIVER_OPT_COMMANDLINE_H

#include "BoundParameters.h"
#include "ExpectedDiagnostics.h"
#include "Flags/Completion.h"
#include "Flags/Files.h"
#include "Flags/Tool.h"
#include "PatternQuery.h"
#include "relay/Pass/PassContext.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

struct RelayOptOptions {
  explicit RelayOptOptions(FlagSet &Flags) : All(Flags) {}

  FlagSet &All;
  FlagGroup Checks{All, "Checks"}, Debugging{All, "Debugging"},
      InputAndOutput{All, "Input and output"},
      Lists{All, "Lists, instead of a run"}, Passing{All, "Passes"},
      Reports{All, "Time and reports"};

  ToolFlags General{All};
  PassLimitFlags Limits{All};
  ParameterFlags Parameters{All};
  PatternQueryFlags Query{All};
  std::string Input;
  /// The text of the input, if it has already been read.
  std::unique_ptr<llvm::MemoryBuffer> InputText;

  // Input and output.
  Flag<std::string> Output{InputAndOutput,
                           "-o",
                           "Write the module here (default: standard output)",
                           flag::Init{"-"},
                           flag::ValueName{"file"},
                           flag::NeedsTrust()};
  Flag<bool> DisableOutput{InputAndOutput, "-disable-output",
                           "Do not write the module"};
  Flag<OutputForm> Emit{
      InputAndOutput, "-emit", "Output format",
      flag::OneOf<OutputForm>{
          {"text", OutputForm::Text, "text (the default)"},
          {"json", OutputForm::Json, "JSON for TVM's load_json"}}};
  Flag<bool> NoInfer{InputAndOutput, "-no-infer", "Do not infer types"};
  Flag<bool> AllowUnregisteredOps{InputAndOutput, "-allow-unregistered-ops",
                                  "Allow undeclared operators"};
  Flag<bool> AllowUndefinedGlobals{
      InputAndOutput, "-allow-undefined-globals",
      "Allow calls of undefined functions and names of undefined types"};
  Flag<bool> OpaqueConstants{
      InputAndOutput, "-opaque-constants",
      "Read constants without their data, as print(mod) shows them"};
  Flag<std::string> TextVersion{InputAndOutput, "-text-version",
                                "Read the input as text of this TVM release, "
                                "0.6 to 0.19 (default: as the input says)",
                                flag::ValueName{"0.N"}};
  Flag<bool> QuietUpgrades{InputAndOutput, "-quiet-upgrades",
                           "Suppress remarks about upgraded constructs"};
  Flag<std::string> SplitInputFile{
      InputAndOutput,
      "-split-input-file",
      "Process parts of the file separately, split at lines that begin with "
      "this (default '// -----')",
      flag::Init{std::string("// -----")},
      flag::WithoutValue{std::string("// -----")},
      flag::ValueName{"marker"}};
  Flag<uint64_t> ElideConstantsLargerThan{
      InputAndOutput, "-elide-constants-larger-than",
      "Elide the data of larger constants", flag::ValueName{"elements"}};
  Flag<bool> PrintSpans{
      InputAndOutput, "-print-spans",
      "Print spans in the module and in dumps: /* span=layer1/conv1:0:0 */"};
  Flag<std::string> ConstantsFile{InputAndOutput, "-constants-file",
                                  "Read and write elided constants here",
                                  flag::ValueName{"file"}};
  /// Set if the constants file must not be written.
  bool KeepConstantsFile = false;
  Flag<bool> DisableVerify{
      Checks, "-disable-verify",
      "Do not verify the module after reading and after the pipeline"};
  Flag<ExpectedScope> VerifyDiagnostics{
      Checks, "-verify-diagnostics",
      "Check diagnostics against comments expected-error@+1 {{...}}",
      flag::WithoutValue{ExpectedScope::All},
      flag::OneOf<ExpectedScope>{
          {"all", ExpectedScope::All, "reject other diagnostics (the default)"},
          {"only-expected", ExpectedScope::OnlyExpected,
           "allow other diagnostics"}}};
  Flag<bool> VerifyRoundTrip{
      Checks, "-verify-roundtrip",
      "Check that the module, as read and as printed, reads back unchanged"};

  Flag<std::string> InfoOutputFile{
      Reports, "-info-output-file",
      "Append -stats, -time-passes and other reports to this file (default: "
      "standard error)",
      flag::ValueName{"file"}, flag::NeedsTrust()};

  // Failures.
  Flag<std::string> CrashReproducer{
      Debugging, "-crash-reproducer",
      "On a crash or failure, write a reproducer to this file",
      flag::ValueName{"file"}, flag::NeedsTrust()};
  Flag<bool> RunReproducer{Debugging, "-run-reproducer",
                           "Run the reproducer that is the input",
                           flag::NeedsTrust()};
  Flag<bool> TrustReproducer{
      Debugging, "-trust-reproducer",
      "With -run-reproducer: also use options that read or write files, run "
      "commands, load plugins or set limits",
      flag::NeedsTrust()};
  Flag<std::string> BisectCommand{Debugging,
                                  "-bisect",
                                  "Find the first pass and rewrite that crash, "
                                  "fail, or make the command fail",
                                  flag::WithoutValue{""},
                                  flag::ValueName{"command"},
                                  flag::NeedsTrust()};
  Flag<unsigned> BisectTimeout{Debugging,
                               "-bisect-timeout",
                               "With -bisect: treat a candidate or a command "
                               "as broken if it runs longer "
                               "(default 300)",
                               flag::Init{300u},
                               flag::ValueName{"seconds"},
                               flag::Positive(),
                               flag::NeedsTrust()};
  /// The flags of the command line to store in a reproducer.
  std::vector<std::string> Reproducible;
  /// True if one of these flags has no effect without -trust-reproducer.
  bool ReproducerNeedsTrust = false;

  /// Set if the pipeline is that of an untrusted reproducer.
  bool HasUntrustedPipeline = false;

  // Lists, instead of a run. Without a value, a flag lists all entries.
  Flag<std::string> PrintOps{
      Lists, "-print-ops",
      "List the declared operators, or describe the named ones",
      flag::WithoutValue{""}, flag::ValueName{"operator,..."}};
  Flag<std::string> PrintPasses{
      Lists, "-print-passes",
      "List the passes with their options, or describe the named ones",
      flag::WithoutValue{""}, flag::ValueName{"pass,..."}};
  Flag<bool> PrintPipelinePasses{Lists, "-print-pipeline-passes",
                                 "Print the pipeline instead of running it"};
  CompletionFlags Completion{All};

  // The pipeline and its PassContext.
  Flag<std::string> Passes{
      Passing, "-passes",
      "Run this pipeline: a,b,function(c,d),sequential(e,f)",
      flag::ValueName{"pipeline"}, flag::MayBeEmpty()};
  ListFlag<std::string> Plugins{Passing, "-load-pass-plugin",
                                "Load this plugin", flag::ValueName{"library"},
                                flag::NeedsTrust()};
  Flag<unsigned> OptLevel{
      Passing, "-opt-level", "Run passes up to this opt level (default 3)",
      flag::Init{RunOptions::DefaultOptLevel}, flag::ValueName{"level"}};
  /// -O2 is short for -passes=default<O2> -opt-level=2.
  Flag<bool> O0{Passing, "-O0", "Same as -passes='default<O0>' -opt-level=0"};
  Flag<bool> O1{Passing, "-O1", "Same as -passes='default<O1>' -opt-level=1"};
  Flag<bool> O2{Passing, "-O2", "Same as -passes='default<O2>' -opt-level=2"};
  Flag<bool> O3{Passing, "-O3", "Same as -passes='default<O3>' -opt-level=3"};
  Flag<bool> O4{Passing, "-O4", "Same as -passes='default<O4>' -opt-level=4"};
  ListFlag<std::string> RequiredPasses{
      Passing, "-required-pass", "Run these passes at any opt level",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};
  ListFlag<std::string> DisabledPasses{
      Passing, "-disable-pass", "Do not run these passes",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};
  Flag<std::string> Target{Passing, "-target",
                           "Select hooks and facts for this target",
                           flag::ValueName{"name[,option=value...]"}};
  ListFlag<std::string> OpFacts{
      Passing, "-op-facts",
      "Read facts of operators, as tables, from this file",
      flag::ValueName{"file"}, flag::NeedsTrust()};
  ListFlag<std::string> PassConfig{Passing, "-pass-config",
                                   "Set an option of the pass context",
                                   flag::ValueName{"key=value"}};

  /// 0 means all cores.
  Flag<unsigned> Threads{
      Passing,
      "-threads",
      "Process up to this many functions in parallel (default: all cores)",
      flag::LastCounts(),
      flag::ValueName{"number"},
      flag::Positive()};
  Flag<uint64_t> MinParallelWork{
      Passing,
      "-min-parallel-work",
      "Use one thread for work below this, in operations times passes",
      flag::Init{Context::DefaultMinParallelWork},
      flag::Hidden(),
      flag::LastCounts(),
      flag::ValueName{"operations"}};

  bool printsLists() const {
    return PrintOps.isGiven() || PrintPasses.isGiven() || Completion.areGiven();
  }
  bool printsOnlyLists() const { return printsLists() && !PrintPipelinePasses; }
  bool needsInput() const { return !printsLists() && !PrintPipelinePasses; }
  /// Returns the flag among -O0 to -O4 that is given; null if none is.
  const Flag<bool> *getDefaultPipelineFlag() const;
  /// Return the text of the pipeline, and the opt level of its context.
  std::string getPipeline() const;
  unsigned getOptLevel() const;
  /// Returns the options for reading the input.
  ReadOptions getReadOptions() const;
  /// Configures the PassContext.
  llvm::Error configure(PassContext &PC) const;

  /// Returns true if opt level and required and disabled passes apply outside
  /// of groups, too.
  bool gatesBarePasses() const {
    return OptLevel.isGiven() || !RequiredPasses.empty() ||
           !DisabledPasses.empty();
  }
  /// Returns true if a module is written to -o. The results of -bisect and
  /// -match are not modules.
  bool writesOutput() const {
    return !DisableOutput || BisectCommand.isGiven() || Query.isEnabled();
  }
  bool writesConstants() const {
    return ConstantsFile.isGiven() && ElideConstantsLargerThan.isGiven() &&
           Emit == OutputForm::Text && !DisableOutput && !KeepConstantsFile;
  }
  std::optional<uint64_t> getElisionLimit() const {
    if (ElideConstantsLargerThan.isGiven())
      return *ElideConstantsLargerThan;
    return std::nullopt;
  }
};

/// Parses the command line into \p Options, and configures the instrumentations
/// of \p S. Plugins are loaded first, so that their flags are known. Returns
/// the exit status if there is nothing to run: for -help, -version, or errors,
/// which have been reported.
std::optional<int> parseCommandLine(int Argc, char **Argv,
                                    RelayOptOptions &Options, Session &S);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_COMMANDLINE_H

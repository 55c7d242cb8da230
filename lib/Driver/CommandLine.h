//===- CommandLine.h - Options of relay-opt ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only reader of argv. Options of a feature are declared with the feature;
// here are those of the driver itself and the reading of all.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_COMMANDLINE_H
#define RELAY_LIB_DRIVER_COMMANDLINE_H

#include "relay/Instrumentation/StandardInstrumentations.h"
#include <optional>
#include <string>
#include <vector>

namespace relay {

struct RelayOptOptions {
  std::string Input;
  std::string Output = "-";
  std::string Passes;
  std::vector<std::string> Plugins;

  // Reading and writing.
  bool NoInfer = false;
  bool AllowUnregisteredOps = false;
  bool AllowUndefinedGlobals = false;
  bool SplitInputFile = false;
  bool VerifyDiagnostics = false;
  bool VerifyRoundTrip = false;
  std::optional<uint64_t> ElideConstantsLargerThan;
  bool PrintSpans = false;
  std::string ConstantsFile;

  // When it goes wrong.
  std::string CrashReproducer;
  bool RunReproducer = false;
  /// The options of the command line that a reproducer keeps.
  std::vector<std::string> Given;

  // Instead of running.
  bool Bisect = false;
  std::string BisectCommand;
  bool PrintOps = false;
  bool PrintPasses = false;
  bool PrintPipelinePasses = false;
  bool PrintBashCompletion = false;

  // The PassContext.
  unsigned OptLevel = 3;
  /// One of the next three was given, so that they count outside of groups too.
  bool GatesBarePasses = false;
  std::vector<std::string> RequiredPasses, DisabledPasses;
  std::vector<std::string> PassConfig; ///< `key=value`

  /// On how many threads function passes run, and how much they have to do.
  unsigned Threads = 0; ///< 0 for all cores
  uint64_t MinParallelWork = PassContext::DefaultMinParallelWork;

  StandardInstrumentationOptions Instrumentation;

  bool needsInput() const {
    return !PrintOps && !PrintPasses && !PrintPipelinePasses &&
           !PrintBashCompletion;
  }
};

/// Reads the command line into \p Options. Returns the exit status when there
/// is nothing to run: -help, -version, or errors, which have been reported. May
/// be called once in a process.
std::optional<int> parseCommandLine(int Argc, char **Argv,
                                    RelayOptOptions &Options);

} // namespace relay

#endif // RELAY_LIB_DRIVER_COMMANDLINE_H

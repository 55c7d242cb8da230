//===- DebugPassManager.h - Trace of the pass manager -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -debug-pass-manager[=quiet|verbose]: prints a line for each pass that runs or
// is skipped and, unless quiet, for each analysis that is computed or
// invalidated, in LLVM's words. Verbose output also names groups that run
// (otherwise only skipped groups are named), indents nested passes, and prints
// the options of passes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_DEBUGPASSMANAGER_H
#define RELAY_INSTRUMENTATION_REPORTS_DEBUGPASSMANAGER_H

#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct DebugPassManagerOptions : InstrumentationOptions {
  explicit DebugPassManagerOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  enum class Mode : uint8_t { Off, Normal, Quiet, Verbose };
  Flag<Mode> Lines{*this, "-debug-pass-manager",
                   "Print passes and analyses as they run",
                   flag::WithoutValue{Mode::Normal},
                   flag::OneOf<Mode>{{"quiet", Mode::Quiet, "passes only"},
                                     {"verbose", Mode::Verbose,
                                      "groups and options of passes too"}}};

  bool isEnabled() const override { return Lines != Mode::Off; }
};

class DebugPassManager final : public Instrumentation {
public:
  using Options = DebugPassManagerOptions;
  static constexpr StringLiteral Name = "debug-pass-manager";

  DebugPassManager(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), OS(*Setup.Stream) {}

  void registerCallbacks(PassContext &PC) override;

private:
  void registerPassCallbacks(PassInstrumentationCallbacks &PIC);
  void registerAnalysisCallbacks(PassInstrumentationCallbacks &PIC);
  bool isVerbose() const {
    return Opts.Lines == DebugPassManagerOptions::Mode::Verbose;
  }
  void printChanges(const PassRun &Run);
  void printPass(StringRef What, const PassRun &Run);
  void print(const Twine &Line, unsigned Depth);

  const Options &Opts;
  raw_ostream &OS; ///< receives unsplit lines
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_DEBUGPASSMANAGER_H

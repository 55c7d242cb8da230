//===- TestPassRuns.h - Prints how runs of passes begin and end -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -test-pass-runs, for tests of the pass manager: a line for each run of a pass
// that begins, ends or is skipped, also when the process crashes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_LIB_TESTPASSRUNS_H
#define RELAY_TEST_LIB_TESTPASSRUNS_H

#include "relay/Instrumentation/Instrumentation.h"
#include <unistd.h>

namespace relay::test {

class TestPassRuns final : public Instrumentation {
public:
  struct Options : InstrumentationOptions {
    explicit Options(FlagSet &Flags)
        : InstrumentationOptions(Flags, "Debugging") {}
    Flag<bool> Enabled{*this, "-test-pass-runs",
                       "Print how runs of passes begin and end"};
    bool isEnabled() const override { return Enabled; }
  };
  static constexpr StringLiteral Name = "test-pass-runs";

  TestPassRuns(const Options &, const InstrumentationSetup &Setup)
      : OS(*Setup.Stream) {}

  void registerCallbacks(PassContext &PC) override {
    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    PIC.registerBeforeSkippedPassCallback([this](const PassRun &Run) {
      OS << describe("skip ", Run) + " by " + Run.getSkippedBy().str() + "\n";
    });
    PIC.registerBeforeNonSkippedPassCallback(
        [this](const PassRun &Run) { OS << describe("begin", Run) + "\n"; });
    PIC.registerEndPassCallback([this](const PassRun &Run) {
      OS << describe("end  ", Run) + ": " + getText(Run.getOutcome()) + "\n";
    });
    // Strings are not for a handler; they are good enough for a test.
    PIC.registerCrashedPassCallback([](const PassRun &Run) {
      CrashHandler::write(STDERR_FILENO, describe("end  ", Run) + ": " +
                                             getText(Run.getOutcome()) + "\n");
    });
  }

private:
  static std::string describe(StringRef What, const PassRun &Run) {
    return (What + " " + Twine(std::string(2 * Run.getDepth(), ' ')) +
            Run.getName() + " on " + Run.getUnit().getName())
        .str();
  }
  static std::string getText(PassRun::Outcome O) {
    static constexpr const char *Texts[] = {"running", "changed", "unchanged",
                                            "skipped", "failed",  "stopped",
                                            "crashed"};
    return Texts[unsigned(O)];
  }

  raw_ostream &OS;
};

} // namespace relay::test

#endif // RELAY_TEST_LIB_TESTPASSRUNS_H

//===- OptBisect.h - Stop running passes after a limit ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -opt-bisect-limit=N: runs the first N passes and prints a line for each in
// LLVM's words. Each function of a function pass counts separately. Required
// passes always run and are not counted; nor are groups, whose members are.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CONTROL_OPTBISECT_H
#define RELAY_INSTRUMENTATION_CONTROL_OPTBISECT_H

#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct OptBisectOptions : InstrumentationOptions {
  explicit OptBisectOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  /// If negative, runs all passes and prints a line for each.
  Flag<int> Limit{
      *this, "-opt-bisect-limit",
      "Run only the first N passes; -1 runs all and prints their numbers",
      flag::ValueName{"number"}};

  bool isEnabled() const override { return Limit.isGiven(); }
};

class OptBisect final : public Instrumentation {
public:
  using Options = OptBisectOptions;
  static constexpr StringLiteral Name = "opt-bisect";

  OptBisect(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), OS(*Setup.Stream) {}

  /// Passes are counted over all modules.
  void takeOver(Instrumentation &Previous) override {
    NumPasses = static_cast<OptBisect &>(Previous).NumPasses;
  }

  void registerCallbacks(PassContext &PC) override;

private:
  bool shouldRun(const PassRun &Run);

  const Options &Opts;
  raw_ostream &OS;
  int NumPasses = 0;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CONTROL_OPTBISECT_H

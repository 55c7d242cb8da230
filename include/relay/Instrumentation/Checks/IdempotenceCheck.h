//===- IdempotenceCheck.h - Runs each pass a second time --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-idempotent: an error for each pass whose second run on the same unit
// changes something again, with the differences. The second run is on a copy,
// so that the pipeline goes on as it would. A pass that changed nothing is not
// run again, nor are groups, whose members are.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_IDEMPOTENCECHECK_H
#define RELAY_INSTRUMENTATION_CHECKS_IDEMPOTENCECHECK_H

#include "relay/Instrumentation/Dumps/ChangeTracking.h"
#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct IdempotenceOptions : InstrumentationOptions {
  explicit IdempotenceOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Checks") {}

  Flag<bool> Enabled{*this, "-verify-idempotent",
                     "Check that a second run of each pass changes nothing"};

  bool isEnabled() const override { return Enabled; }
};

class IdempotenceCheck final : public Instrumentation, public RewriteListener {
public:
  using Options = IdempotenceOptions;
  static constexpr StringLiteral Name = "verify-idempotent";

  IdempotenceCheck(const Options &, const InstrumentationSetup &Setup)
      : OS(*Setup.Stream) {}

  /// Passes are checked within a scope of their context.
  void registerCallbacks(PassContext &PC) override;
  /// Returns true if a pass was found that is not idempotent.
  bool hasFailed() const override { return Failed; }

private:
  void notifyRefused(const Rewrite &) override { WasCut = true; }
  void check(const Pass &P, IRUnit Unit);
  bool runAgain(const Pass &P, IRUnit Unit, Module &Copy);

  raw_ostream &OS;
  PassContext *Ctx = nullptr;
  /// The pass that runs was not let do all that it wanted to: a second run
  /// would do the rest, which says nothing about the pass.
  bool WasCut = false;
  bool Failed = false;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_IDEMPOTENCECHECK_H

//===- IdempotenceCheck.h - A second run of each pass -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-idempotent: reports an error for each pass whose second run on the
// same unit makes further changes, with the differences. The second run is on a
// copy, so that the pipeline is unaffected. A pass that changed nothing is not
// run again; neither are groups, since their members are.
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

  /// Passes are checked within a scope of the context.
  void registerCallbacks(PassContext &PC) override;
  /// Returns true if a pass was found to be not idempotent.
  bool hasFailed() const override { return Failed; }

private:
  void notifyRefused(const Rewrite &) override { WasCut = true; }
  void check(const Pass &P, IRUnit Unit);
  bool runAgain(const Pass &P, IRUnit Unit, Module &Copy);

  raw_ostream &OS;
  PassContext *Ctx = nullptr;
  /// True if the running pass was kept from some rewrites. A second run would
  /// make them, which is not a fault of the pass.
  bool WasCut = false;
  bool Failed = false;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_IDEMPOTENCECHECK_H

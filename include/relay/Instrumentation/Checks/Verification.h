//===- Verification.h - Verify after each pass ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-each: runs the Verifier on the unit of each pass after the pass, and
// stops the pipeline with a diagnostic that names the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_VERIFICATION_H
#define RELAY_INSTRUMENTATION_CHECKS_VERIFICATION_H

#include "relay/IR/Verifier.h"
#include "relay/Instrumentation/Checks/AnnouncementCheck.h"
#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct VerificationOptions : InstrumentationOptions {
  explicit VerificationOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Checks") {}

  Flag<bool> Enabled{*this, "-verify-each", "Verify after each pass"};

  bool isEnabled() const override {
    return Enabled || AnnouncementCheck::HasAssertions;
  }
};

/// Verifies the IR changed by each pass.
class Verification final : public Instrumentation {
public:
  using Options = VerificationOptions;
  static constexpr StringLiteral Name = "verify-each";

  Verification(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), Verifier(Setup.AllowUndefinedGlobals) {}

  void registerCallbacks(PassContext &PC) override;
  void start(Module &M) override;

private:
  LogicalResult verify(IRUnit Unit);
  LogicalResult check(const PassRun &Run);

  const Options &Opts;
  IncrementalVerifier Verifier;
  /// The error in declared types of an input read without inference.
  std::optional<Diagnostic> InputError;
  AnnouncementCheck Announcements;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_VERIFICATION_H

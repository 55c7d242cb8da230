//===- Verification.h - Verify after each pass ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-each: runs the Verifier on what a pass ran on, and stops the pipeline
// with a diagnostic that names the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_VERIFICATION_H
#define RELAY_INSTRUMENTATION_VERIFICATION_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/Flags.h"

namespace relay {

struct VerificationOptions : FlagGroup {
  explicit VerificationOptions(FlagSet &Flags) : FlagGroup(Flags, "Checks") {}

  Flag<bool> Enabled{*this, "-verify-each", "Verify after each pass"};
  /// Functions, types and constructors need not be defined.
  bool AllowUndefined = false;
};

/// Lets \p PIC verify after each pass.
void registerVerification(PassInstrumentationCallbacks &PIC,
                          const VerificationOptions &Options);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_VERIFICATION_H

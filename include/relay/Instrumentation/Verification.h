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
#include "llvm/Support/CommandLine.h"

namespace relay {

struct VerificationOptions {
  bool Enabled = false;
  /// Functions, types and constructors need not be defined.
  bool AllowUndefined = false;
};

/// The flags of VerificationOptions.
struct VerificationFlags {
  explicit VerificationFlags(VerificationOptions &Options);
  llvm::cl::opt<bool, true> Enabled;
};

/// Lets \p PIC verify after each pass.
void registerVerification(PassInstrumentationCallbacks &PIC,
                          const VerificationOptions &Options);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_VERIFICATION_H

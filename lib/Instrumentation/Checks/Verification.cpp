//===- Verification.cpp - Verify after each pass --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the Verifier after each pass, and reports its errors. See
// Verification.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/Verification.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/Pass/Pass.h"

using namespace relay;

/// Returns the first type error of \p M, whose types have not been inferred.
static std::optional<Diagnostic> findTypeError(const Module &M) {
  std::optional<Diagnostic> First;
  DiagnosticEngine &Diags = M.getContext().getDiagnostics();
  Diags.pushHandler([&](const Diagnostic &D) {
    if (!First && D.Kind == Severity::Error)
      First = D;
    return true;
  });
  (void)inferTypes(*M.clone());
  Diags.popHandler();
  return First;
}

/// The module was verified after reading, except for types that were not
/// inferred.
void Verification::start(Module &M) {
  if (!Opts.Enabled)
    return;
  Verifier.assumeVerified(M);
  InputError = M.isTyped() ? std::nullopt : findTypeError(M);
}

LogicalResult Verification::verify(IRUnit Unit) {
  if (Function *F = Unit.getAsFunction())
    return Verifier.verifyChanged(*F);
  return Verifier.verifyChanged(*Unit.getAsModule());
}

/// Groups need no check: their members have been verified.
LogicalResult Verification::check(const PassRun &Run) {
  IRUnit Unit = Run.getUnit();
  if (Run.getInfo().IsGroup || succeeded(verify(Unit)))
    return success();
  Context &Ctx = Unit.getModule().getContext();
  if (InputError)
    return Ctx.emitError(InputError->Loc)
           << "the input is invalid (-no-infer leaves its types unchecked): "
           << InputError->Message;
  return Ctx.emitError(Location()) << "'" << Run.getInfo().Argument
                                   << "' left invalid IR on " << Unit.getName();
}

void Verification::registerCallbacks(PassContext &PC) {
  // A change without announcement is often the reason of invalid IR.
  Announcements.registerCallbacks(PC.getCallbacks(), Opts.Enabled);
  if (!Opts.Enabled)
    return;
  PC.getCallbacks().registerAfterPassCallback(
      [this](const PassRun &Run) { return check(Run); });
}

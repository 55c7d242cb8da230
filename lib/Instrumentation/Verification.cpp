//===- Verification.cpp - Verify after each pass --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Verification.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Verification.h"
#include "relay/IR/Context.h"
#include "relay/IR/Verifier.h"
#include "relay/Pass/Pass.h"

using namespace relay;

static LogicalResult verifyUnit(IRUnit Unit, bool AllowUndefined) {
  if (Function *F = Unit.getAsFunction())
    return verify(*F, AllowUndefined);
  return verify(*Unit.getAsModule(), AllowUndefined);
}

LogicalResult Verification::check(const PassRun &Run) const {
  IRUnit Unit = Run.getUnit();
  if (succeeded(verifyUnit(Unit, AllowUndefined)))
    return success();
  return Unit.getModule().getContext().emitError(Location())
         << "'" << Run.getInfo().Argument << "' left invalid IR on "
         << Unit.getName();
}

void Verification::registerCallbacks(PassContext &PC) {
  // A change against the rules often is why the IR does not verify.
  Announcements.registerCallbacks(PC.getCallbacks(), Opts.Enabled);
  if (!Opts.Enabled)
    return;
  PC.getCallbacks().registerAfterPassCallback(
      [this](const PassRun &Run) { return check(Run); });
}

//===- PassRemarks.cpp - Remarks on missed opportunities ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassRemarks.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassRemarks.h"
#include "relay/Pass/PassContext.h"

using namespace relay;
using llvm::Error;

Error PassRemarks::prepare(const PassRegistry &Registry) const {
  return checkPassNames("-pass-remarks-missed", Opts.Missed, Registry);
}

void PassRemarks::registerCallbacks(PassContext &PC) {
  Passes = NamedPasses(Opts.Missed, PC.getRegistry());
  PC.getCallbacks().registerMissedRemarkCallback(
      [this](const PassRun &Run, const MissedRemark &Remark) {
        if (Passes.contains(Run.getInfo()))
          Run.getContext().getDiagnostics().emit(
              Severity::Remark, Remark.Op->getLoc(),
              Remark.Op->getName() + ": " + Remark.Message + " [" +
                  Run.getInfo().Argument + ":" + Remark.Name + "]");
      });
}

//===- PassRemarks.cpp - Remarks on missed opportunities ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the passes of -pass-remarks-missed, and prints their remarks. See
// PassRemarks.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassRemarks.h"
#include "relay/Pass/PassContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;
using llvm::Error;

/// Returns `'a', 'b'`, the passes that emit remarks.
static std::string listPassesWithRemarks(const PassRegistry &Registry) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::ListSeparator Comma;
  for (StringRef Name : Registry.getElementNames())
    if (const PassInfo *Info = Registry.findPass(Name);
        Info && !Info->Remarks.empty())
      OS << Comma << '\'' << Name << '\'';
  return Text;
}

Error PassRemarks::prepare(const PassRegistry &Registry) const {
  if (Error E = checkPassNames("-pass-remarks-missed", Opts.Missed, Registry))
    return E;
  for (StringRef Name : Opts.Missed)
    if (const PassInfo *Info = Registry.findPass(Name);
        !Info || Info->Remarks.empty())
      return llvm::createStringError("option -pass-remarks-missed: pass '" +
                                     Name +
                                     "' emits no remarks; passes that do: " +
                                     listPassesWithRemarks(Registry));
  return Error::success();
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

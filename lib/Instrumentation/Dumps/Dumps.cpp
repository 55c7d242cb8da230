//===- Dumps.cpp - Dumps before and after passes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Connects the flags of dumps with the callbacks of passes. See Dumps.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/Dumps.h"

using namespace relay;
using llvm::Error;

Error Dumps::prepare(const PassRegistry &Registry) const {
  if (Error E = Dumper.prepare(Registry))
    return E;
  return Printing.checkPasses(Registry);
}

Error Dumps::checkFlags() const {
  if (!Opts.Changes.BeforeChanged || !Opts.Changes.isDiff())
    return Error::success();
  return llvm::createStringError(
      "options -print-before-changed and -print-changed=diff exclude each "
      "other: a difference shows both sides");
}

void Dumps::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  Dumper.lookUpPasses(PC.getRegistry());
  Printing.lookUpPasses(PC.getRegistry());
  if (Opts.dumps()) {
    Dumper.registerCallbacks(PIC);
    Printing.registerCallbacks(PIC);
  }
  if (Opts.Changes.any())
    Changes.registerCallbacks(PIC);
  if (Opts.OpDifferences.Enabled)
    PC.addInstrument(std::make_unique<OpDiff>(Dumper));
}

Error Dumps::finish(Module &M, bool Failed) {
  if (!Failed)
    Dumper.noteModule(M);
  return Error::success();
}

Error Dumps::report(raw_ostream &, const ModulePassManager &, bool Failed) {
  return Failed ? Error::success() : Dumper.checkAll();
}

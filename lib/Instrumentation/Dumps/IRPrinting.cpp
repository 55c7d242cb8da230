//===- IRPrinting.cpp - Dumps before and after passes ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides before and after each pass whether to dump the IR. See IRPrinting.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/IRPrinting.h"
#include "relay/Pass/Pass.h"

using namespace relay;

llvm::Error IRPrinting::checkPasses(const PassRegistry &Registry) const {
  if (llvm::Error E = checkPassNames("-print-before", Options.Before, Registry))
    return E;
  return checkPassNames("-print-after", Options.After, Registry);
}

/// Groups are dumped only if they are named: their members are dumped.
bool IRPrinting::isWanted(const PassRun &Run, bool All,
                          const NamedPasses &Named,
                          ArrayRef<unsigned> Numbers) const {
  const PassInfo &Info = Run.getInfo();
  if (Dumper.isFilteredOut(Info))
    return false;
  return (All && Dumper.isOneOfAll(Info)) || Named.contains(Info) ||
         llvm::is_contained(Numbers, Run.getNumber());
}

bool IRPrinting::isWantedAfter(const PassRun &Run) const {
  return isWanted(Run, AfterAll, After, Dumper.getOptions().AfterNumbers);
}

void IRPrinting::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (isWanted(Run, Options.BeforeAll, Before,
                 Dumper.getOptions().BeforeNumbers))
      Dumper.dump("Before", Run);
  });
  PIC.registerAfterPassCallback([this](const PassRun &Run) {
    if (isWantedAfter(Run))
      Dumper.dump("After", Run);
    return Dumper.getResult();
  });
  PIC.registerAfterPassFailedCallback([this](const PassRun &Run) {
    if (isWantedAfter(Run))
      Dumper.dump("After", Run, "failed");
  });
}

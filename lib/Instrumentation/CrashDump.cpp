//===- CrashDump.cpp - The IR before the pass that crashed ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CrashDump.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/CrashDump.h"
#include "relay/Pass/Pass.h"
#include "relay/Text/Printer.h"

using namespace relay;

void CrashDump::keep(const PassRun &Run) {
  if (Run.getInfo().IsGroup)
    return;
  Old = std::move(Present);
  Present = std::make_unique<CrashText>();
  Present->Path = *Options.Path;
  Present->Heading = "// *** IR Dump Before Crash In ";
  llvm::raw_string_ostream OS(Present->Text);
  OS << " ***\n";
  printModule(Run.getUnit().getModule(), OS);
  CrashHandler::set(CrashHandler::Dump, Present.get());
}

void CrashDump::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.requireSingleThread();
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { keep(Run); });
}

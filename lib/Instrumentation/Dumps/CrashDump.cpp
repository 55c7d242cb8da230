//===- CrashDump.cpp - The IR before the pass that crashed ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the text of the IR for the crash handler, before each pass. See
// CrashDump.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/CrashDump.h"
#include "relay/Instrumentation/Dumps/IRDumper.h"
#include "relay/Pass/Pass.h"

using namespace relay;

llvm::Error CrashDump::checkFlags() const {
  if (*Opts.Path != "-")
    return llvm::Error::success();
  return llvm::createStringError(
      "option -print-on-crash-path: expects a file name, got '-'");
}

/// Prepares the text for a crash of the pass of \p Run. Groups have no text:
/// each of their passes prepares its own.
void CrashDump::keep(const PassRun &Run) {
  if (Run.getInfo().IsGroup)
    return;
  // The handler refers to the previous text until set() replaces it.
  Old = std::move(Present);
  Present = std::make_unique<CrashText>();
  Present->Path = *Opts.Path;
  // After the heading, the handler writes the name of the pass.
  Present->Heading = (DumpHeaderBegin + "Before Crash In ").str();
  llvm::raw_string_ostream OS(Present->Text);
  OS << DumpHeaderEnd;
  printReadable(Run.getUnit(), OS, Printing);
  CrashHandler::set(CrashHandler::Dump, Present.get());
}

void CrashDump::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { keep(Run); });
}

//===- Progress.cpp - Progress of a long run ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints and removes the line that shows the progress on a terminal. See
// Progress.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/Progress.h"
#include "relay/Pass/PassContext.h"

using namespace relay;

ProgressLine::ProgressLine(const ProgressOptions &Options, raw_ostream &OS)
    : Line(Options, OS, [this](raw_ostream &To) { return print(To); }) {}

bool ProgressLine::print(raw_ostream &OS) const {
  if (PassName.empty())
    return false;
  OS << PassName << ", ";
  if (NumSeen)
    OS << NumSeen << " of ";
  OS << NumFunctions << (NumFunctions == 1 ? " function" : " functions");
  return true;
}

void ProgressLine::start() {
  PassName = "";
  Seen.clear();
  Line.start();
}

void ProgressLine::note(const PassRun &Run) {
  std::lock_guard<std::mutex> Guard(Line.getLock());
  PassName = Run.getName();
  NumFunctions = Run.getUnit().getModule().getNumFunctions();
  NumSeen = Run.getUnit().getAsFunction() ? ++Seen[Run.getSweep()] : 0;
}

void ProgressLine::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { note(Run); });
  PIC.registerEnterPassContextCallback([this](PassContext &Ctx) {
    // Diagnostics do not use the stream.
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &) {
      Line.clear();
      return false;
    });
    start();
  });
  PIC.registerExitPassContextCallback([this](PassContext &Ctx) {
    Line.stop();
    Ctx.getDiagnostics().popHandler();
  });
}

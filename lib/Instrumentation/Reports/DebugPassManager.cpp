//===- DebugPassManager.cpp - Trace of the pass manager -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the lines of -debug-pass-manager. See DebugPassManager.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/DebugPassManager.h"
#include "relay/Pass/Pass.h"

using namespace relay;
using Mode = DebugPassManagerOptions::Mode;

void DebugPassManager::print(const Twine &Line, unsigned Depth) {
  std::string Indent(isVerbose() ? 2 * Depth : 0, ' ');
  OS << (Indent + Line + "\n").str();
}

/// Events in the run of this thread, or between its members.
static unsigned getPresentDepth() {
  const PassRun *Run = PassRun::getCurrent();
  return Run ? Run->getDepth() + Run->getInfo().IsGroup : 0;
}

/// Returns the name of \p P with its options, `FuseOps<max-depth=4>`; for a
/// group the name only.
static std::string getNameWithOptions(const Pass &P) {
  std::string Name = P.getName().str();
  return P.getInfo().IsGroup ? Name : Name + P.getOptionText();
}

void DebugPassManager::printPass(StringRef What, const PassRun &Run) {
  const Pass &P = Run.getPass();
  IRUnit Unit = Run.getUnit();
  std::string Size;
  if (const Function *F = Unit.getAsFunction()) {
    unsigned N = F->getNumOperations();
    Size = " (" + std::to_string(N) + (N == 1 ? " operation)" : " operations)");
  }
  print(What + " pass: " + (isVerbose() ? getNameWithOptions(P) : P.getName()) +
            " on " + Unit.getName() + Size,
        Run.getDepth());
}

/// Prints the functions that a module pass has changed, which are normalized
/// and whose analyses are invalidated.
void DebugPassManager::printChanges(const PassRun &Run) {
  if (!Run.getUnit().getAsModule() || Run.getInfo().IsGroup ||
      Run.getOutcome() != PassRun::Outcome::Changed)
    return;
  std::string Names;
  for (const Function *F : Run.getChangedFunctions())
    Names += (" @" + F->getName()).str();
  print("Changed functions:" + (Names.empty() ? " none" : Names),
        Run.getDepth() + 1);
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void DebugPassManager::registerPassCallbacks(
    PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeSkippedPassCallback(
      [this](const PassRun &Run) { printPass("Skipping", Run); });
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (isVerbose() || !Run.getInfo().IsGroup)
      printPass("Running", Run);
  });
  if (isVerbose())
    PIC.registerEndPassCallback(
        [this](const PassRun &Run) { printChanges(Run); });
}

void DebugPassManager::registerAnalysisCallbacks(
    PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeAnalysisCallback([this](StringRef Name, IRUnit Unit) {
    print("Running analysis: " + Name + " on " + Unit.getName(),
          getPresentDepth());
  });
  PIC.registerAnalysisInvalidatedCallback(
      [this](StringRef Name, IRUnit Unit, StringRef Because) {
        print("Invalidating analysis: " + Name + " on " + Unit.getName() +
                  (Because.empty() ? "" : ", computed from ") + Because,
              getPresentDepth());
      });
  PIC.registerAnalysesClearedCallback([this](StringRef Unit) {
    print("Clearing all analysis results for: " + Unit, getPresentDepth());
  });
}

void DebugPassManager::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  registerPassCallbacks(PIC);
  if (Opts.Lines != Mode::Quiet)
    registerAnalysisCallbacks(PIC);
}

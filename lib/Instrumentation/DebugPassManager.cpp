//===- DebugPassManager.cpp - What the pass manager does ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DebugPassManager.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/DebugPassManager.h"
#include "relay/Pass/Pass.h"

using namespace relay;
namespace cl = llvm::cl;
using Mode = DebugPassManagerOptions::Mode;

DebugPassManagerFlags::DebugPassManagerFlags(DebugPassManagerOptions &O)
    : Lines("debug-pass-manager", cl::location(O.Lines), cl::ValueOptional,
            cl::value_desc("quiet|verbose"),
            cl::desc("Print what the pass manager does"),
            cl::values(clEnumValN(Mode::Normal, "", ""),
                       clEnumValN(Mode::Quiet, "quiet", "nothing of analyses"),
                       clEnumValN(Mode::Verbose, "verbose",
                                  "groups and options of passes too"))) {}

void DebugPassManager::print(const Twine &Line) {
  OS << (Twine(std::string(2 * Depth, ' ')) + Line + "\n").str();
}

/// The name of \p P with its options, `FuseOps<max-depth=4>`; of a group only
/// the name.
static std::string getNameWithOptions(const Pass &P) {
  std::string Name = P.getName().str();
  return P.getInfo().IsGroup ? Name : Name + P.getOptionText();
}

void DebugPassManager::printPass(StringRef What, const Pass &P, IRUnit Unit) {
  if (P.getInfo().IsGroup && !isVerbose())
    return;
  std::string Size;
  if (const Function *F = Unit.getAsFunction()) {
    unsigned N = F->getNumOperations();
    Size = " (" + std::to_string(N) + (N == 1 ? " operation)" : " operations)");
  }
  print(What + " pass: " + (isVerbose() ? getNameWithOptions(P) : P.getName()) +
        " on " + Unit.getName() + Size);
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void DebugPassManager::registerPassCallbacks(
    PassInstrumentationCallbacks &PIC) {
  auto Leave = [this](const Pass &P) {
    if (P.getInfo().IsGroup && isVerbose())
      --Depth;
  };
  PIC.registerBeforeSkippedPassCallback(
      [this](const Pass &P, IRUnit Unit) { printPass("Skipping", P, Unit); });
  PIC.registerBeforeNonSkippedPassCallback([this](const Pass &P, IRUnit Unit) {
    printPass("Running", P, Unit);
    if (P.getInfo().IsGroup && isVerbose())
      ++Depth;
  });
  PIC.registerAfterPassCallback(
      [Leave](const Pass &P, IRUnit, const PreservedAnalyses &) {
        Leave(P);
        return success();
      },
      /*ToFront=*/true);
  PIC.registerAfterPassFailedCallback(
      [Leave](const Pass &P, IRUnit) { Leave(P); });
}

void DebugPassManager::registerAnalysisCallbacks(
    PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeAnalysisCallback([this](StringRef Name, IRUnit Unit) {
    print("Running analysis: " + Name + " on " + Unit.getName());
  });
  PIC.registerAnalysisInvalidatedCallback([this](StringRef Name, IRUnit Unit) {
    print("Invalidating analysis: " + Name + " on " + Unit.getName());
  });
  PIC.registerAnalysesClearedCallback([this](StringRef Unit) {
    print("Clearing all analysis results for: " + Unit);
  });
}

void DebugPassManager::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  registerPassCallbacks(PIC);
  if (Options.Lines != Mode::Quiet)
    registerAnalysisCallbacks(PIC);
}

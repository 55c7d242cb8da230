//===- PrintChanged.cpp - Dumps of changes --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the functions that a pass changed, in full or as differences. See
// PrintChanged.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/PrintChanged.h"
#include "relay/Instrumentation/Dumps/IRDiff.h"
#include "relay/Pass/Pass.h"
#include "relay/Text/Print/Printer.h"

using namespace relay;

/// Prints `--- @main`, `--- [module]`, or that this side has no such function.
static void printSide(StringRef Sign, const FunctionText &Text,
                      const FunctionChange &C, raw_ostream &OS) {
  OS << Sign << ' ';
  if (!Text)
    OS << "/dev/null\n";
  else
    OS << (C.K == FunctionChange::Kind::Definitions ? "" : "@") << C.Name
       << '\n';
}

void relay::printDiffs(ArrayRef<FunctionChange> Changes, raw_ostream &OS,
                       bool Color) {
  for (const FunctionChange &C : Changes) {
    printSide("---", C.Before, C, OS);
    printSide("+++", C.After, C, OS);
    StringRef Before = C.Before ? StringRef(*C.Before) : StringRef();
    StringRef After = C.After ? StringRef(*C.After) : StringRef();
    printUnifiedDiff(diffDumps(Before, After), OS, Color);
  }
}

PrintChanged::PrintChanged(const PrintChangedOptions &Options, IRDumper &Dumper)
    : Options(Options), Dumper(Dumper) {
  Tracker.setFilter([this](const Pass &P) { return isWanted(P); });
  Tracker.addListener(
      [this](const PassRun &Run, Changes C) { report(Run, C); });
}

/// Groups are shown only if they are named: their members are shown.
bool PrintChanged::isWanted(const Pass &P) const {
  return Dumper.isOneOfAll(P.getInfo());
}

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

void PrintChanged::report(const PassRun &Run, Changes All) {
  SmallVector<FunctionChange, 1> Wanted;
  llvm::copy_if(All, std::back_inserter(Wanted), [&](const FunctionChange &C) {
    return Dumper.isWanted(C.Name) && (!C.F || Dumper.hasWantedLayer(*C.F));
  });
  if (Wanted.empty()) {
    Function *F = Run.getUnit().getAsFunction();
    bool FilteredOut = F ? !Dumper.isWanted(*F) : !All.empty();
    if (Options.isVerbose())
      Dumper.printHeader("After", Run,
                         FilteredOut ? "filtered out"
                                     : "omitted because no change");
    return;
  }
  if (Options.isDiff())
    return Dumper.dumpDiff("After", Run, [&](raw_ostream &OS) {
      printDiffs(Wanted, OS, Options.isColored());
    });
  if (Options.BeforeChanged)
    printBefore(Run, Wanted);
  printAfter(Run, Wanted);
}

void PrintChanged::printBefore(const PassRun &Run, Changes Of) {
  if (Dumper.dumpsOneText())
    return Dumper.dumpText("Before", Run, *Before[&Run]);
  std::string Text;
  for (const FunctionChange &C : Of)
    if (C.Before) // otherwise it was added
      Text += *C.Before;
  Dumper.dumpText("Before", Run, Text);
}

/// Prints `// added: @f, @g`.
static void printNames(StringRef Title, FunctionChange::Kind K,
                       ArrayRef<FunctionChange> Of, raw_ostream &OS) {
  StringRef Separator = "";
  for (const FunctionChange &C : Of) {
    if (C.K != K)
      continue;
    OS << (Separator.empty() ? Title : Separator) << '@' << C.Name;
    Separator = ", ";
  }
  if (!Separator.empty())
    OS << '\n';
}

void PrintChanged::printAfter(const PassRun &Run, Changes Of) {
  if (!Dumper.getOptions().Directory->empty())
    return Dumper.dump("After", Run);
  Dumper.printHeader("After", Run);
  raw_ostream &OS = Dumper.getStream();
  printNames("// added: ", FunctionChange::Kind::Added, Of, OS);
  printNames("// removed: ", FunctionChange::Kind::Removed, Of, OS);
  if (Dumper.getOptions().ModuleScope)
    return Dumper.printUnit(Run.getUnit());
  for (const FunctionChange &C : Of) {
    if (C.F)
      Dumper.printFunction(*C.F);
    else if (C.K == FunctionChange::Kind::Definitions)
      OS << *C.After;
  }
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

/// Returns the text before \p Run. The text of the module is created only if a
/// pass has changed it.
PrintChanged::SharedText PrintChanged::getTextBefore(const PassRun &Run) {
  bool IsOfModule = Dumper.getOptions().ModuleScope;
  if (IsOfModule && ModuleText)
    return ModuleText;
  auto Text = std::make_shared<std::string>();
  llvm::raw_string_ostream OS(*Text);
  Dumper.printText(Run.getUnit(), OS);
  if (IsOfModule)
    ModuleText = Text;
  return Text;
}

void PrintChanged::registerTextBefore(PassInstrumentationCallbacks &PIC) {
  ModuleText = nullptr;
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    Function *F = Run.getUnit().getAsFunction();
    if (isWanted(Run.getPass()) && (!F || Dumper.isWanted(F->getName())))
      Before[&Run] = getTextBefore(Run);
  });
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    Before.take(&Run);
    if (Run.getOutcome() != PassRun::Outcome::Unchanged)
      ModuleText = nullptr;
  });
}

void PrintChanged::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  bool NeedsText = Options.BeforeChanged && Dumper.dumpsOneText();
  if (Options.isDiff())
    Tracker.keepTexts(ChangeTracker::Numbering::Stable);
  else if (Options.BeforeChanged && !NeedsText)
    Tracker.keepTexts(
        [this](Function &F, raw_ostream &OS) { Dumper.printFunction(F, OS); });
  Tracker.registerCallbacks(PIC);
  if (NeedsText)
    registerTextBefore(PIC);
  PIC.registerAfterPassCallback([this](const PassRun &Run) {
    if (Options.isVerbose() && !Run.getInfo().IsGroup &&
        !isWanted(Run.getPass()))
      Dumper.printHeader("After", Run, "filtered out");
    return Dumper.getResult();
  });
  if (!Options.isVerbose())
    return;
  PIC.registerAfterPassFailedCallback([this](const PassRun &Run) {
    if (isWanted(Run.getPass()))
      Dumper.printHeader("After", Run, "omitted because it failed");
  });
}

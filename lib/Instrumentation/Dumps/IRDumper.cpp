//===- IRDumper.cpp - Format and destination of dumps ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks filters, and writes headers and IR to the stream or to files. See
// IRDumper.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/IRDumper.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/Pass.h"
#include "relay/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;
using llvm::SmallString;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

Error relay::checkPassNames(StringRef Flag, ArrayRef<std::string> Names,
                            const PassRegistry &Registry) {
  if (Names.empty()) // sorting all names would be a tenth of start-up
    return Error::success();
  SmallVector<StringRef> Known = Registry.getElementNames();
  for (StringRef Name : Names) {
    if (!llvm::is_contained(Known, Name) && !Registry.findPass(Name))
      return unknownNameError("option " + Flag, "pass", Name, Known);
    if (Registry.isPlace(Name))
      return llvm::createStringError(
          "option " + Flag + ": '" + Name +
          "' is not a pass; name its members instead");
  }
  return Error::success();
}

NamedPasses::NamedPasses(ArrayRef<std::string> Names,
                         const PassRegistry &Registry) {
  for (StringRef Name : Names) {
    const PassInfo *Info = Registry.findPass(Name);
    Arguments.insert(Info ? Info->Argument : Name);
  }
}

Error IRDumper::prepare(const PassRegistry &Registry) const {
  if (Error E = checkPassNames("-filter-passes", Options.Passes, Registry))
    return E;
  std::string Problem;
  if (!Options.Layers->empty() && !Layers.isValid(Problem))
    return llvm::make_error<FlagValueError>("option -filter-print-layers: " +
                                            Problem);
  if (Options.Directory->empty())
    return Error::success();
  return makeWritableDirectory(*Options.Directory);
}

/// The wildcard for all functions, as in LLVM.
static constexpr StringLiteral AllFunctions = "*";

static StringRef withoutAt(StringRef Name) {
  Name.consume_front("@");
  return Name;
}

void IRDumper::noteFunctions(const Module &M) {
  if (Options.Functions.empty())
    return;
  for (Function &F : M.functions())
    SeenFunctions.insert(F.getName());
}

void IRDumper::noteModule(const Module &M) {
  noteFunctions(M);
  if (Options.Layers->empty())
    return;
  for (StringRef Layer : M.getContext().getLocations().getAllLayers())
    SeenLayers.insert(Layer);
}

static SmallVector<StringRef> getSorted(const llvm::StringSet<> &Names) {
  SmallVector<StringRef> Sorted(Names.keys());
  llvm::sort(Sorted);
  return Sorted;
}

Error IRDumper::checkFunctions() const {
  for (const std::string &Name : Options.Functions)
    if (Name != AllFunctions && !SeenFunctions.contains(withoutAt(Name)))
      return unknownNameError("option -filter-print-funcs", "function", Name,
                              getSorted(SeenFunctions));
  return Error::success();
}

Error IRDumper::checkLayers() const {
  if (Options.Layers->empty() ||
      llvm::any_of(SeenLayers.keys(),
                   [&](StringRef Name) { return Layers.match(Name); }))
    return Error::success();
  return llvm::createStringError(
      "option -filter-print-layers: no layer matches '" + *Options.Layers +
      "'" + getSuggestion(*Options.Layers, getSorted(SeenLayers)));
}

static Error checkNumbersOf(StringRef Flag, ArrayRef<unsigned> Numbers,
                            unsigned NumPasses) {
  for (unsigned N : Numbers)
    if (N > NumPasses)
      return llvm::createStringError(
          "option " + Flag + ": no pass has number " + Twine(N) + "; " +
          Twine(NumPasses) + (NumPasses == 1 ? " has run" : " have run"));
  return Error::success();
}

Error IRDumper::checkNumbers() const {
  if (Error E = checkNumbersOf("-print-before-pass-number",
                               Options.BeforeNumbers, NumPasses))
    return E;
  return checkNumbersOf("-print-after-pass-number", Options.AfterNumbers,
                        NumPasses);
}

Error IRDumper::checkAll() const {
  if (Error E = checkFunctions())
    return E;
  if (Error E = checkLayers())
    return E;
  return checkNumbers();
}

//===----------------------------------------------------------------------===//
// Filters and headers
//===----------------------------------------------------------------------===//

bool IRDumper::isWanted(StringRef Function) const {
  return Options.Functions.empty() ||
         llvm::any_of(Options.Functions, [&](StringRef Name) {
           return Name == AllFunctions || withoutAt(Name) == Function;
         });
}

bool IRDumper::hasSeenWanted() const {
  return Options.Functions.empty() ||
         llvm::any_of(Options.Functions, [this](StringRef Name) {
           return Name == AllFunctions ||
                  SeenFunctions.contains(withoutAt(Name));
         });
}

bool IRDumper::isWanted(const Operation &Op) const {
  const LocationTable &Locations =
      Op.getFunction()->getContext().getLocations();
  return Locations.hasLayer(
      Op.getLoc(), [this](StringRef Name) { return Layers.match(Name); });
}

bool IRDumper::hasWantedLayer(Function &F) const {
  bool Found = Options.Layers->empty();
  if (!Found)
    walk(F, [&](Operation *Op) { Found = Found || isWanted(*Op); });
  return Found;
}

/// Returns `3-FuseOps<max-depth=4>`; number and options only if requested.
std::string IRDumper::getLabel(const PassRun &Run) const {
  std::string Label;
  if (Options.hasNumbers())
    Label = llvm::utostr(Run.getNumber()) + "-";
  Label += Run.getName();
  return Options.PassOptions ? Label + Run.getPass().getOptionText() : Label;
}

std::string IRDumper::makeHeader(StringRef When, const PassRun &Run,
                                 StringRef Note) const {
  return (DumpHeaderBegin + When + " " + getLabel(Run) + " on " +
          Run.getUnit().getName() + (Note.empty() ? "" : " ") + Note +
          DumpHeaderEnd)
      .str();
}

//===----------------------------------------------------------------------===//
// Dumps
//===----------------------------------------------------------------------===//

PrintOptions IRDumper::getModuleOptions() const {
  PrintOptions O;
  O.Spans = Setup.PrintSpans;
  O.ElideConstantsLargerThan = Setup.ElideConstantsLargerThan;
  return O;
}

void IRDumper::printFunction(Function &F, raw_ostream &To) const {
  PrintOptions O = PrintOptions::forDumps();
  O.Spans = Setup.PrintSpans;
  if (Setup.ElideConstantsLargerThan)
    O.ElideConstantsLargerThan = Setup.ElideConstantsLargerThan;
  if (!Options.Layers->empty())
    O.Shows = [this](const Operation &Op) { return isWanted(Op); };
  relay::printFunction(F, To, O);
}

void IRDumper::printText(IRUnit Unit, raw_ostream &To) const {
  printReadable(Options.ModuleScope ? IRUnit(Unit.getModule()) : Unit, To,
                getModuleOptions());
}

void IRDumper::printUnit(IRUnit Unit) {
  if (Options.ModuleScope)
    return printModule(Unit.getModule(), OS, getModuleOptions());
  if (Function *F = Unit.getAsFunction())
    return printFunction(*F);
  for (Function &F : Unit.getModule().functions())
    if (isWanted(F))
      printFunction(F);
}

void IRDumper::dump(StringRef When, const PassRun &Run, StringRef Note) {
  IRUnit Unit = Run.getUnit();
  Function *F = Unit.getAsFunction();
  if (F ? !isWanted(*F) : !hasSeenWanted())
    return;
  std::string Header = makeHeader(When, Run, Note);
  if (!Options.Directory->empty())
    return writeUnit(getFileName(When, Run, ".relay"), Header, Unit);
  OS << Header;
  printUnit(Unit);
}

void IRDumper::dumpText(StringRef When, const PassRun &Run, StringRef Text) {
  std::string Header = makeHeader(When, Run, "");
  if (Options.Directory->empty()) {
    OS << Header << Text;
    return;
  }
  writeFile(getFileName(When, Run, ".relay"), Run.getUnit().getModule(),
            [&](raw_ostream &File) { File << Header << Text; });
}

void IRDumper::dumpDiff(StringRef When, const PassRun &Run,
                        function_ref<void(raw_ostream &)> Print) {
  std::string Header = makeHeader(When, Run, "");
  auto PrintAll = [&](raw_ostream &To) {
    To << Header;
    Print(To);
  };
  if (Options.Directory->empty())
    return PrintAll(OS);
  writeFile(getFileName(When, Run, ".diff"), Run.getUnit().getModule(),
            PrintAll);
}

void IRDumper::dumpStart(Module &M) {
  std::string Header = (DumpHeaderBegin + "At Start" + DumpHeaderEnd).str();
  ++NumModules;
  noteFunctions(M);
  if (!hasSeenWanted())
    return;
  if (!Options.Directory->empty())
    return writeUnit(getStartFileName(), Header, M);
  OS << Header;
  printUnit(M);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Returns \p Name with characters that are special to file systems and shells
/// as %XX, truncated if it is too long for a file name.
static std::string escapeFileName(StringRef Name) {
  constexpr size_t MaxSize = 150;
  std::string Result;
  for (char C : Name) {
    if (llvm::isAlnum(C) || StringRef("_-.").contains(C))
      Result += C;
    else
      Result += "%" + llvm::utohexstr(uint8_t(C), false, 2);
    if (Result.size() >= MaxSize)
      break;
  }
  return Result;
}

/// Returns `0003-`.
static std::string getFileNumber(unsigned N) {
  std::string Number = llvm::utostr(N);
  if (Number.size() < 4)
    Number.insert(0, 4 - Number.size(), '0');
  return Number + "-";
}

/// Returns `0003-main-fold-constant-after.relay`.
std::string IRDumper::getFileName(StringRef When, const PassRun &Run,
                                  StringRef Extension) const {
  Function *F = Run.getUnit().getAsFunction();
  return getFileNumber(Run.getNumber()) +
         (F ? escapeFileName(F->getName()) : "module") + "-" +
         Run.getInfo().Argument.str() + "-" + When.lower() + Extension.str();
}

/// Returns `0000-module-start.relay`; for the second module of an input, with
/// the number of passes of the first, `0012-module-2-start.relay`.
std::string IRDumper::getStartFileName() const {
  std::string Part = NumModules == 1 ? "" : "-" + llvm::utostr(NumModules);
  return getFileNumber(NumPasses) + "module" + Part + "-start.relay";
}

void IRDumper::writeFile(StringRef Name, const Module &M,
                         function_ref<void(raw_ostream &)> Print) {
  SmallString<128> Path(*Options.Directory);
  llvm::sys::path::append(Path, Name);
  Error E = relay::writeFile(Path, Print);
  if (!E)
    return;
  Failed = true;
  M.getContext().emitError(Location(), toString(std::move(E)));
}

void IRDumper::writeUnit(StringRef Name, StringRef Header, IRUnit Unit) {
  writeFile(Name, Unit.getModule(), [&](raw_ostream &File) {
    File << Header;
    printText(Unit, File);
  });
}

//===----------------------------------------------------------------------===//
// Text that reads back
//===----------------------------------------------------------------------===//

void relay::printReadable(IRUnit Unit, raw_ostream &OS, const PrintOptions &O) {
  Function *F = Unit.getAsFunction();
  if (!F || F->getForm() != Function::Form::Definition)
    return printModule(Unit.getModule(), OS, O);
  auto Wanted = getReachableFunctions(*F);
  if (Wanted.size() == Unit.getModule().getNumFunctions())
    return printModule(Unit.getModule(), OS, O);
  if (Wanted.size() > 1 || F->getModule()->getNumTypeDefs())
    return printModule(*Unit.getModule().clone([&](const Function &Each) {
      return Wanted.contains(const_cast<Function *>(&Each));
    }),
                       OS, O);
  // Visiting each function of the module would take too long.
  Module Alone(F->getContext());
  Function *Copy = Alone.createFunction(F->getName());
  Copy->cloneFrom(*F);
  Copy->normalize();
  printModule(Alone, OS, O);
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void IRDumper::start(const PassRun &Run) {
  if (Module *M = Run.getUnit().getAsModule())
    noteFunctions(*M);
  if (!Options.hasNumbers())
    return;
  NumPasses = Run.getNumber();
  if (Options.PassNumbers)
    OS << "// Running pass " << NumPasses << ' ' << Run.getName()
       << (Options.PassOptions ? Run.getPass().getOptionText() : "") << " on "
       << Run.getUnit().getName() << '\n';
}

void IRDumper::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  if (Options.needsOneThread())
    PIC.requireSingleThread();
  // Numbers, and thus names of files, continue from one module to the next.
  PIC.registerEnterPassContextCallback(
      [this](PassContext &Ctx) { Ctx.setNumRuns(NumPasses); });
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { start(Run); });
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    if (Module *M = Run.getUnit().getAsModule())
      noteFunctions(*M);
  });
}

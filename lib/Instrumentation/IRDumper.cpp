//===- IRDumper.cpp - What dumps look like and where they go --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IRDumper.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/IRDumper.h"
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
  SmallVector<StringRef> Known = Registry.getElementNames();
  for (StringRef Name : Names)
    if (!llvm::is_contained(Known, Name))
      return unknownNameError("option " + Flag, "pass", Name, Known);
  return Error::success();
}

Error IRDumper::prepare(const PassRegistry &Registry) const {
  if (Error E = checkPassNames("-filter-passes", Options.Passes, Registry))
    return E;
  std::string Problem;
  if (!Options.Layers->empty() && !Layers.isValid(Problem))
    return llvm::createStringError("option -filter-print-layers: " + Problem);
  if (Options.Directory->empty())
    return Error::success();
  std::error_code Code = llvm::sys::fs::create_directories(*Options.Directory);
  if (!Code && !llvm::sys::fs::is_directory(*Options.Directory))
    Code = std::make_error_code(std::errc::not_a_directory);
  if (!Code)
    Code = llvm::sys::fs::access(*Options.Directory,
                                 llvm::sys::fs::AccessMode::Write);
  if (!Code)
    return Error::success();
  return llvm::createStringError(Code, "cannot write into directory '" +
                                           *Options.Directory +
                                           "': " + Code.message());
}

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
    if (!SeenFunctions.contains(withoutAt(Name)))
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
    if (N == 0 || N > NumPasses)
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
           return withoutAt(Name) == Function;
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

/// `3-FuseOps<max-depth=4>`; number and options as asked for.
std::string IRDumper::getLabel(const PassRun &Run) const {
  std::string Label;
  if (Options.hasNumbers())
    Label = llvm::utostr(Run.getNumber()) + "-";
  Label += Run.getName();
  return Options.PassOptions ? Label + Run.getPass().getOptionText() : Label;
}

std::string IRDumper::makeHeader(StringRef When, const PassRun &Run,
                                 StringRef Note) const {
  return ("// *** IR Dump " + When + " " + getLabel(Run) + " on " +
          Run.getUnit().getName() + (Note.empty() ? "" : " ") + Note + " ***\n")
      .str();
}

//===----------------------------------------------------------------------===//
// Dumps
//===----------------------------------------------------------------------===//

PrintOptions IRDumper::withFlags(PrintOptions O) const {
  O.Spans = Spans;
  return O;
}

void IRDumper::printFunction(Function &F) {
  PrintOptions O = withFlags(PrintOptions::forDumps());
  if (!Options.Layers->empty())
    O.Shows = [this](const Operation &Op) { return isWanted(Op); };
  relay::printFunction(F, OS, O);
}

void IRDumper::printUnit(IRUnit Unit) {
  if (Options.ModuleScope)
    return printModule(Unit.getModule(), OS, withFlags({}));
  if (Function *F = Unit.getAsFunction())
    return printFunction(*F);
  for (Function &F : Unit.getModule().functions())
    if (isWanted(F))
      printFunction(F);
}

void IRDumper::dump(StringRef When, const PassRun &Run, StringRef Note) {
  IRUnit Unit = Run.getUnit();
  Function *F = Unit.getAsFunction();
  if (F && !isWanted(*F))
    return;
  std::string Header = makeHeader(When, Run, Note);
  if (!Options.Directory->empty())
    return writeFile(getFileName(When, Run), Header, Unit);
  OS << Header;
  printUnit(Unit);
}

void IRDumper::dumpStart(Module &M) {
  StringRef Header = "// *** IR Dump At Start ***\n";
  if (!Options.Directory->empty())
    return writeFile("0000-module-start.relay", Header, M);
  OS << Header;
  printUnit(M);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// \p Name with what file systems and shells take for something else as %XX,
/// and cut where it is too long for a file's name.
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

/// `0003-main-fold-constant-after.relay`
std::string IRDumper::getFileName(StringRef When, const PassRun &Run) const {
  Function *F = Run.getUnit().getAsFunction();
  std::string Number = llvm::utostr(Run.getNumber());
  if (Number.size() < 4)
    Number.insert(0, 4 - Number.size(), '0');
  return Number + "-" + (F ? escapeFileName(F->getName()) : "module") + "-" +
         Run.getInfo().Argument.str() + "-" + When.lower() + ".relay";
}

/// Whether the text of \p F alone could not be read.
static bool needsModule(Function &F) {
  if (F.getForm() != Function::Form::Definition ||
      F.getModule()->getNumTypeDefs())
    return true;
  return walk(F,
              [](Operation *Op) -> LogicalResult {
                return failure(Op->is(OpCode::GlobalRef) ||
                               Op->is(OpCode::CallGlobal));
              })
      .wasInterrupted();
}

/// Writes text that reads back.
void IRDumper::printFile(IRUnit Unit, raw_ostream &File) const {
  PrintOptions O = withFlags({});
  Function *F = Unit.getAsFunction();
  if (!F || Options.ModuleScope || needsModule(*F))
    return printModule(Unit.getModule(), File, O);
  Module Alone(F->getContext());
  Function *Copy = Alone.createFunction(F->getName());
  Copy->cloneFrom(*F);
  Copy->normalize();
  printModule(Alone, File, O);
}

void IRDumper::writeFile(StringRef Name, StringRef Header, IRUnit Unit) {
  SmallString<128> Path(*Options.Directory);
  llvm::sys::path::append(Path, Name);
  Error E = relay::writeFile(Path, [&](raw_ostream &File) {
    File << Header;
    printFile(Unit, File);
  });
  if (!E)
    return;
  Failed = true;
  Unit.getModule().getContext().emitError(Location(), toString(std::move(E)));
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
  // Numbers go on from one module to the next, and so do names of files.
  PIC.registerEnterPassContextCallback(
      [this](PassContext &Ctx) { Ctx.setNumRuns(NumPasses); });
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { start(Run); });
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    if (Module *M = Run.getUnit().getAsModule())
      noteFunctions(*M);
  });
}

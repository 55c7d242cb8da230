//===- SemanticsCheck.cpp - Check results of functions --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the results of the module before and after each pass. See
// SemanticsCheck.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/SemanticsCheck.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Fingerprint.h"
#include "relay/IR/Verifier.h"
#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Before passes
//===----------------------------------------------------------------------===//

/// Copies \p F and the functions that it reaches.
static std::unique_ptr<Module> copyReachable(Function &F) {
  auto Wanted = getReachableFunctions(F);
  return F.getModule()->clone([&](const Function &Each) {
    return Wanted.contains(const_cast<Function *>(&Each));
  });
}

/// Copies the functions that a pass on \p Unit may change, and all functions
/// that they reach.
static std::unique_ptr<Module> copyUnit(IRUnit Unit) {
  if (Function *F = Unit.getAsFunction())
    return copyReachable(*F);
  return Unit.getModule().clone();
}

/// Groups are not checked, but their members are. A pass inside another one may
/// run while the module is in an intermediate state.
bool SemanticsCheck::isChecked(const PassRun &Run) {
  if (Run.getInfo().IsGroup)
    return false;
  for (const PassRun *R = Run.getOuter(); R; R = R->getOuter())
    if (!R->getInfo().IsGroup)
      return false;
  return true;
}

void SemanticsCheck::before(const PassRun &Run) {
  IRUnit Unit = Run.getUnit();
  if (!isChecked(Run) || !Run.getInfo().Tolerance.NotCompared.empty() ||
      CopiedUnit == Unit.getOpaque())
    return;
  Copy = copyUnit(Unit);
  CopiedUnit = Unit.getOpaque();
  Twins.start(Unit.getModule(), *Copy);
}

void SemanticsCheck::dropCopy() {
  Twins.clear();
  Copy = nullptr;
  CopiedUnit = nullptr;
}

//===----------------------------------------------------------------------===//
// After passes
//===----------------------------------------------------------------------===//

LogicalResult SemanticsCheck::after(const PassRun &Run) {
  if (!isChecked(Run) || Run.getOutcome() != PassRun::Outcome::Changed)
    return success();
  if (StringRef Reason = Run.getInfo().Tolerance.NotCompared; !Reason.empty()) {
    addLine(Run, "", "not compared, since " + Reason);
    return success();
  }
  for (Function *F : Run.getChangedFunctions())
    if (failed(checkFunction(Run, *F)))
      return failure();
  return success();
}

static std::string describeInputs(unsigned N) {
  return std::to_string(N) + (N == 1 ? " input" : " inputs");
}

/// Returns `agreed on 4 inputs`.
static std::string describeOutcome(const ComparisonOutcome &Outcome) {
  std::string Amplified;
  if (Outcome.NumAmplified != 0)
    Amplified = "'" + Outcome.Amplifier.str() +
                "' amplifies differences within the tolerance on " +
                describeInputs(Outcome.NumAmplified);
  if (Outcome.K == ComparisonOutcome::Kind::NotEvaluated)
    return "not evaluated: " + Outcome.Reason;
  if (Outcome.K == ComparisonOutcome::Kind::NotCompared)
    return "not compared: " + (Amplified.empty() ? Outcome.Reason : Amplified);
  std::string Text = "agreed on " + describeInputs(Outcome.NumAgreed);
  if (!Amplified.empty())
    Text += ", " + Amplified;
  if (Outcome.NumFailed != 0)
    Text += ", failed before on " + std::to_string(Outcome.NumFailed);
  if (!Outcome.Reason.empty())
    Text += " (" + Outcome.Reason + ")";
  return Text;
}

/// New functions are evaluated through calls from existing functions.
LogicalResult SemanticsCheck::checkFunction(const PassRun &Run, Function &New) {
  Function *Old = Copy->lookupFunction(New.getName());
  if (!Old || getFingerprint(*Old) == getFingerprint(New))
    return success();
  if (failed(verify(New, AllowUndefinedGlobals)))
    return New.getContext().emitError(Location())
           << "'" << Run.getInfo().Argument << "' left invalid IR on @"
           << New.getName();
  FunctionComparisonOptions Options = ComparisonOptions;
  Options.Requantize = Run.getPass().getRequantizeMode(Run.getContext());
  ComparisonOutcome Outcome =
      FunctionComparison(*Old, New, Twins, Run.getInfo().Tolerance, Options)
          .run();
  if (Outcome.K == ComparisonOutcome::Kind::Differs)
    return reportDifference(Run, *Old, New, Outcome);
  addLine(Run, New.getName(), describeOutcome(Outcome));
  return success();
}

LogicalResult
SemanticsCheck::reportDifference(const PassRun &Run, Function &Old,
                                 Function &New,
                                 const ComparisonOutcome &Outcome) {
  addLine(Run, New.getName(), "differs");
  InFlightDiagnostic D = New.getContext().emitError(New.getLoc());
  D << "'" << Run.getInfo().Argument << "' changes what @" << New.getName()
    << " computes: " << Outcome.Difference.Text;
  D.note(Location(),
         "on " + describe(Outcome.Input) + " of seed " + Twine(Outcome.Seed));
  if (!Outcome.Difference.Extent.empty())
    D << ", in " << Outcome.Difference.Extent;
  if (const Operation *Op = Outcome.FirstOperation)
    D.note(Op->getLoc(), "the first operation that differs: " +
                             Outcome.FirstOperationDifference.Text);
  if (!Opts.Directory->empty())
    writeCounterexample(Old, New, Outcome.Arguments, D);
  return D;
}

//===----------------------------------------------------------------------===//
// Counterexamples
//===----------------------------------------------------------------------===//

static std::string getPath(StringRef Directory, const Twine &Name) {
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, Name);
  return std::string(Path);
}

/// Copies \p F as `@main`, followed by the functions that it reaches, whose
/// names are kept unless they are taken. Returns null if it reaches another
/// `@main`.
static std::unique_ptr<Module> extractAsMain(Function &F) {
  std::unique_ptr<Module> M = copyReachable(F);
  if (F.getName() != "main") {
    if (M->lookupFunction("main"))
      return nullptr;
    M->createFunction("main")->cloneFrom(*M->lookupFunction(F.getName()));
    M->normalize();
  }
  SmallVector<Function *> Others;
  for (Function &Each : M->functions())
    if (Each.getName() != "main")
      Others.push_back(&Each);
  for (Function *Other : Others)
    M->addFunction(M->takeFunction(Other));
  return M;
}

/// Writes the tensors among \p Arguments of `@main`, under the names of the
/// parameters in text, and adds the names of the others to \p LeftOut.
static Error writeInputs(Module &M, ArrayRef<RuntimeValue> Arguments,
                         StringRef Path,
                         SmallVectorImpl<std::string> &LeftOut) {
  llvm::DenseMap<const Value *, std::string> Names;
  visitPrintedNames(M, [&](const Value &V, StringRef Name) {
    if (isa<BlockArgument>(&V))
      Names[&V] = Name.str();
  });
  std::vector<NamedTensor> Tensors;
  for (auto [Param, Value] :
       llvm::zip(M.lookupFunction("main")->getParams(), Arguments))
    if (Value.isTensor())
      Tensors.push_back({Names.lookup(Param), Value.getTensor()});
    else
      LeftOut.push_back("%" + Names.lookup(Param));
  Error ArchiveError = Error::success();
  Error FileError = writeFile(Path, [&](raw_ostream &OS) {
    ArchiveError = llvm::joinErrors(std::move(ArchiveError),
                                    writeNumpyArchive(OS, Tensors));
  });
  return llvm::joinErrors(std::move(FileError), std::move(ArchiveError));
}

/// Adds a note to \p D with the written files, or with the reason why there are
/// none.
void SemanticsCheck::writeCounterexample(Function &Old, Function &New,
                                         ArrayRef<RuntimeValue> Arguments,
                                         InFlightDiagnostic &D) const {
  std::unique_ptr<Module> Before = extractAsMain(Old);
  std::unique_ptr<Module> After = extractAsMain(New);
  if (!Before || !After) {
    D.note(Location(), "no counterexample is written, since @" + New.getName() +
                           " calls @main");
    return;
  }
  auto Write = [](Module &M, StringRef Path) {
    return writeFile(Path, [&](raw_ostream &OS) { printModule(M, OS); });
  };
  std::string Part = NumModules > 1 ? "-" + std::to_string(NumModules) : "";
  std::string BeforePath = getPath(*Opts.Directory, "before" + Part + ".relay");
  std::string AfterPath = getPath(*Opts.Directory, "after" + Part + ".relay");
  std::string InputPath = getPath(*Opts.Directory, "inputs" + Part + ".npz");
  SmallVector<std::string> LeftOut;
  Error E = Write(*Before, BeforePath);
  E = llvm::joinErrors(std::move(E), Write(*After, AfterPath));
  E = llvm::joinErrors(std::move(E),
                       writeInputs(*Before, Arguments, InputPath, LeftOut));
  if (E)
    D.note(Location(), llvm::toString(std::move(E)));
  else if (!LeftOut.empty())
    D.note(Location(), "'" + BeforePath + "' is the module before the pass, '" +
                           AfterPath + "' after it; '" + InputPath +
                           "' has no " + llvm::join(LeftOut, ", ") +
                           ", since only tensors are written");
  else
    D.note(Location(), "'relay-run " + BeforePath + " " + InputPath +
                           "' evaluates the module before the pass; '" +
                           AfterPath + "' is the module after it");
}

std::string SemanticsCheck::getReproducerPath() const {
  return Opts.Directory->empty() ? ""
                                 : getPath(*Opts.Directory, "reproducer.relay");
}

void SemanticsCheck::addFiles(
    SmallVectorImpl<InstrumentationFile> &Files) const {
  if (!Opts.Directory->empty())
    Files.push_back({Opts.Directory.getSpelling(), *Opts.Directory});
}

Error SemanticsCheck::prepare(const PassRegistry &) const {
  if (Opts.Directory->empty())
    return Error::success();
  return makeWritableDirectory(*Opts.Directory);
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// Adds one line for all functions with the same outcome of a run of a pass.
void SemanticsCheck::addLine(const PassRun &Run, StringRef Function,
                             const Twine &Text) {
  Line New = {Run.getSweep(), Run.getName().str(), Function.str(), Text.str()};
  if (!Lines.empty() && Lines.back().Sweep == New.Sweep &&
      Lines.back().Pass == New.Pass && Lines.back().Text == New.Text)
    ++Lines.back().NumMore;
  else
    Lines.push_back(std::move(New));
}

void SemanticsCheck::takeOver(Instrumentation &Previous) {
  auto &Old = static_cast<SemanticsCheck &>(Previous);
  Earlier = std::move(Old.Earlier);
  Earlier.add(Old.Lines);
  NumModules = Old.NumModules;
}

std::string SemanticsCheck::Line::getText() const {
  std::string Result = Pass;
  if (!Function.empty())
    Result += " on @" + Function;
  if (NumMore != 0)
    Result += " and " + std::to_string(NumMore) + " more";
  return Result + ": " + Text;
}

void SemanticsCheck::Report::add(ArrayRef<Line> LinesOfModule) {
  llvm::StringMap<unsigned> NumEqual;
  for (const Line &L : LinesOfModule) {
    std::string Text = L.getText();
    std::string Key = std::to_string(NumEqual[Text]++) + " " + Text;
    auto [Place, IsNew] = Places.try_emplace(Key, Lines.size());
    if (IsNew)
      Lines.emplace_back(std::move(Text), 1);
    else
      ++Lines[Place->second].second;
  }
}

void SemanticsCheck::Report::print(raw_ostream &OS) const {
  for (const auto &[Text, NumModules] : Lines) {
    OS << "verify-semantics: " << Text;
    if (NumModules != 1)
      OS << " (in " << NumModules << " modules)";
    OS << '\n';
  }
  if (Lines.empty())
    OS << "verify-semantics: no pass changed a function\n";
}

Error SemanticsCheck::report(raw_ostream &OS, const ModulePassManager &,
                             bool /*Failed*/) {
  Report All = Earlier;
  All.add(Lines);
  All.print(OS);
  return Error::success();
}

/// Passes run on one thread, since functions are evaluated together with their
/// callees.
void SemanticsCheck::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PIC.registerRewriteListener(&Twins);
  ComparisonOptions.NumInputs = Opts.NumInputs;
  ComparisonOptions.Seed = Opts.Seed;
  ComparisonOptions.MaxElements = Opts.MaxElements;
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { before(Run); });
  PIC.registerAfterPassCallback(
      [this](const PassRun &Run) { return after(Run); });
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    if (isChecked(Run) && Run.getOutcome() != PassRun::Outcome::Unchanged)
      dropCopy();
  });
}

//===- AnalysisInvalidation.cpp - Check preserved analyses ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recomputes preserved analyses, and compares them with the kept ones. See
// AnalysisInvalidation.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/AnalysisInvalidation.h"
#include "relay/Pass/Pass.h"
#include "relay/Text/Print/Printer.h"

using namespace relay;

/// The result of the proxy is valid for the functions of the module.
static constexpr StringRef ProxyName = "FunctionAnalysisManagerModuleProxy";

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::string getFunctionNames(const Module &M) {
  std::string Names;
  for (Function &F : M.functions())
    Names += ("@" + F.getName() + " ").str();
  return Names;
}

static const AnalysisInfo *lookup(const PassRegistry &Registry,
                                  StringRef Name) {
  for (const AnalysisInfo *Info : Registry.getAnalyses())
    if (Info->Name == Name)
      return Info;
  return nullptr;
}

std::optional<std::string> AnalysisInvalidation::compute(StringRef Name,
                                                         IRUnit Unit) const {
  if (Name == ProxyName)
    return getFunctionNames(*Unit.getAsModule());
  auto [Analysis, Rest] = Name.split('<');
  const AnalysisInfo *Info = lookup(PassCtx->getRegistry(), Analysis);
  if (!Info)
    return std::nullopt;
  Rest.consume_back(">");
  FailureOr<PassOptionValues> Arguments = PassOptionValues::parse(
      Analysis, Info->Options, Rest, Location(), PassCtx->getDiagnostics());
  assert(succeeded(Arguments) && "the text of arguments reads back");
  AnalysisManagers AMs(*PassCtx, nullptr);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Module *M = Unit.getAsModule())
    (void)Info->GetOnModule(*M, AMs.Modules, *Arguments, &OS);
  else
    (void)Info->GetOnFunction(*Unit.getAsFunction(), AMs.Functions, *Arguments,
                              &OS);
  return Text;
}

void AnalysisInvalidation::forget(StringRef Name, IRUnit Unit) {
  KnownResults[Unit.getOpaque()].erase(Name);
  if (Name != ProxyName)
    return;
  // Functions may have been erased.
  Results ModuleResults = std::move(KnownResults[Unit.getOpaque()]);
  KnownResults.clear();
  KnownResults[Unit.getOpaque()] = std::move(ModuleResults);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

AnalysisInvalidation::State AnalysisInvalidation::getState(IRUnit Unit) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Unit.print(OS, PrintOptions::forDumps());
  return {Unit.getHash(), std::move(Text)};
}

static bool normalize(IRUnit Unit) {
  Function *F = Unit.getAsFunction();
  return F ? F->normalize() : Unit.getModule().normalize();
}

LogicalResult AnalysisInvalidation::checkUnchanged(const Pass &P, IRUnit Unit,
                                                   const State &Before) {
  bool Changed = normalize(Unit);
  State After = getState(Unit);
  if (!Changed && After.Hash == Before.Hash && After.Text == Before.Text)
    return success();
  return Unit.getModule().getContext().emitError(Location())
         << "'" << P.getInfo().Argument << "' reported no changes, but changed "
         << Unit.getName();
}

LogicalResult AnalysisInvalidation::compare(const Pass &P, IRUnit Unit,
                                            StringRef Name, StringRef Known) {
  if (compute(Name, Unit) == Known)
    return success();
  return Unit.getModule().getContext().emitError(Location())
         << "'" << P.getInfo().Argument << "' claims to preserve " << Name
         << " on " << Unit.getName()
         << ", but recomputing it gives a different result";
}

LogicalResult AnalysisInvalidation::checkResults(const Pass &P, IRUnit Unit) {
  auto Found = KnownResults.find(Unit.getOpaque());
  if (Found == KnownResults.end())
    return success();
  SmallVector<StringRef> Names(Found->second.keys());
  llvm::sort(Names);
  for (StringRef Name : Names)
    if (failed(compare(P, Unit, Name, Found->second[Name])))
      return failure();
  return success();
}

/// Checks the module's analyses that a function pass claims to preserve; the
/// pass has not caused an invalidation in the module yet.
LogicalResult
AnalysisInvalidation::checkModuleResults(const Pass &P, Module &M,
                                         const PreservedAnalyses &PA) {
  for (const AnalysisInfo *Info : PassCtx->getRegistry().getAnalyses()) {
    if (Info->Unit != PassUnit::Module || !PA.isPreserved(Info->Key))
      continue;
    const Results &ModuleResults = KnownResults[IRUnit(M).getOpaque()];
    auto Known = ModuleResults.find(Info->Name);
    if (Known != ModuleResults.end() &&
        failed(compare(P, M, Info->Name, Known->second)))
      return failure();
  }
  return success();
}

LogicalResult AnalysisInvalidation::check(const PassRun &Run) {
  const Pass &P = Run.getPass();
  IRUnit Unit = Run.getUnit();
  if (P.getInfo().IsGroup)
    return success();
  if (Run.getOutcome() == PassRun::Outcome::Unchanged)
    return checkUnchanged(P, Unit, States[&Run]);
  if (failed(checkResults(P, Unit)))
    return failure();
  if (Unit.getAsFunction())
    return checkModuleResults(P, Unit.getModule(), Run.getPreservedAnalyses());
  for (Function &F : Unit.getAsModule()->functions())
    if (failed(checkResults(P, F)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void AnalysisInvalidation::registerAnalysisCallbacks(
    PassInstrumentationCallbacks &PIC) {
  PIC.registerAfterAnalysisCallback([this](StringRef Name, IRUnit Unit) {
    if (std::optional<std::string> Text = compute(Name, Unit))
      KnownResults[Unit.getOpaque()][Name] = std::move(*Text);
  });
  PIC.registerAnalysisInvalidatedCallback(
      [this](StringRef Name, IRUnit Unit, StringRef) { forget(Name, Unit); });
}

void AnalysisInvalidation::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread();
  PassCtx = &PC;
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
    if (!Run.getInfo().IsGroup)
      States[&Run] = getState(Run.getUnit());
  });
  PIC.registerAfterPassCallback(
      [this](const PassRun &Run) { return check(Run); });
  PIC.registerEndPassCallback(
      [this](const PassRun &Run) { States.take(&Run); });
  registerAnalysisCallbacks(PIC);
}

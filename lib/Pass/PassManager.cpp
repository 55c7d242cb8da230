//===- PassManager.cpp - Running passes one after the other ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PassManager, the adaptor from modules to functions, and the steps around each
// pass. SequentialPass and FunctionRun have their own files.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassManager.h"
#include "FunctionChanges.h"
#include "FunctionRun.h"
#include "relay/IR/Threading.h"
#include "relay/Support/CrashHandler.h"
#include "llvm/ADT/ScopeExit.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

/// Announces that \p P does not run on \p Unit because of \p By.
template <typename UnitT>
static void skip(const Pass &P, UnitT &Unit, StringRef By, PassContext &Ctx) {
  PassRun Run(P, Unit, Ctx);
  Ctx.getInstrumentation().runBeforeSkippedPass(Run, By);
}

/// Runs \p Run as one pass of \p Info for the instruments. \p Skip is called
/// with the name of the first instrument that skips it. Run calls its argument
/// before the pass begins; if it does not, callbacks have refused the pass, and
/// instruments are not notified.
static FailureOr<PreservedAnalyses>
runWithInstruments(const PassInfo &Info, Module &M, PassContext &Ctx,
                   function_ref<void(StringRef)> Skip,
                   function_ref<FailureOr<PreservedAnalyses>(BeginFn)> Run) {
  Expected<const PassInstrument *> Refusal = Ctx.findRefusal(M, Info);
  if (!Refusal)
    return Ctx.fail(Refusal.takeError());
  if (*Refusal) {
    Skip((*Refusal)->getName());
    return PreservedAnalyses::all();
  }
  bool HasBegun = false;
  auto Begin = [&]() -> LogicalResult {
    if (HasBegun)
      return success();
    if (Error E = Ctx.runBeforePass(M, Info))
      return Ctx.fail(std::move(E));
    HasBegun = true;
    return success();
  };
  FailureOr<PreservedAnalyses> PA = Run(Begin);
  if (!HasBegun)
    return PA;
  if (failed(PA)) {
    Ctx.runAfterFailedPass(M, Info);
    return failure();
  }
  if (Error E = Ctx.runAfterPass(M, Info))
    return Ctx.fail(std::move(E));
  return PA;
}

/// Returns true if \p M has no function that function passes run on.
static bool hasNoUnits(const Module &M) {
  return llvm::all_of(M.functions(), [](const Function &F) {
    return F.isSkippedByOptimization();
  });
}

LogicalResult relay::inferAfterFunctionPass(PreservedAnalyses &PA, Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx) {
  if (!Ctx.infersAfterFunctionPasses())
    return success();
  const PassRegistry &Registry = Ctx.getRegistry();
  const PassInfo *Info = Registry.lookupName("InferType");
  assert(Info && "the registry has no pass that infers types");
  FailureOr<PreservedAnalyses> Inferred =
      runPass(*Registry.create(*Info), M, AM, Ctx);
  if (failed(Inferred))
    return failure();
  PA.intersect(*Inferred);
  return success();
}

static FailureOr<PreservedAnalyses> runFunctionPass(FunctionPass &P, Module &M,
                                                    ModuleAnalysisManager &AM,
                                                    PassContext &Ctx) {
  if (!Ctx.runsPassByPass())
    return runOnFunctions(FunctionStep{&P}, M, AM, Ctx);
  auto Run = [&](BeginFn Begin) -> FailureOr<PreservedAnalyses> {
    // If no function is asked about, nothing is refused.
    FunctionStep Step{&P};
    if (Ctx.getInstrumentation().mayRefuse(P.getInfo()) && !hasNoUnits(M))
      Step.Begin = Begin;
    else if (failed(Begin()))
      return failure();
    FailureOr<PreservedAnalyses> PA = runOnFunctions(Step, M, AM, Ctx);
    if (failed(PA) || failed(inferAfterFunctionPass(*PA, M, AM, Ctx)))
      return failure();
    return PA;
  };
  // Instruments see one run over the module instead of a run per function.
  CrashActivity Activity(P.getName(), IRUnit::ModuleName);
  auto Skip = [&](StringRef By) { skip(P, M, By, Ctx); };
  return runWithInstruments(P.getInfo(), M, Ctx, Skip, Run);
}

/// Normalizes \p Changed, on several threads if that is allowed.
static void normalize(ArrayRef<Function *> Changed, const PassContext &Ctx) {
  if (!Ctx.requiresSingleThread())
    return forEachInParallel(Changed,
                             [&](size_t I) { Changed[I]->normalize(); });
  for (Function *F : Changed)
    F->normalize();
}

/// Drops results that \p PA does not preserve: of \p M, and of \p Changed
/// functions. If functions were added or removed, the results of all are
/// dropped (FunctionAnalysisManagerModuleProxy).
static void invalidate(Module &M, PreservedAnalyses PA,
                       ArrayRef<Function *> Changed,
                       ModuleAnalysisManager &AM) {
  FunctionAnalysisManager *FAM = AM.getOther();
  if (FAM && PA.isPreserved(&FunctionAnalysisManagerModuleProxy::Key,
                            AllAnalysesOn<Module>::id()))
    for (Function *F : Changed)
      FAM->invalidate(*F, PA);
  PA.preserveSet<AllAnalysesOn<Function>>();
  AM.invalidate(M, PA);
}

/// Runs \p P, normalizes changed functions and invalidates analyses. The
/// members of a group do both themselves.
static FailureOr<PreservedAnalyses> runAndSettle(PassRun &Run, ModulePass &P,
                                                 Module &M,
                                                 ModuleAnalysisManager &AM,
                                                 PassContext &Ctx) {
  FunctionChanges Changes(M);
  FailureOr<PreservedAnalyses> PA =
      callPass(Run, [&] { return P.run(M, AM, Ctx); });
  if (failed(PA))
    return PA;
  bool IsGroup = P.getInfo().IsGroup, SaysChanged = !PA->areAllPreserved();
  Run.setChangedFunctions(Changes.take(M, SaysChanged && !IsGroup));
  if (!SaysChanged || IsGroup)
    return PA;
  normalize(Run.getChangedFunctions(), Ctx);
  invalidate(M, *PA, Run.getChangedFunctions(), AM);
  return PA;
}

static FailureOr<PreservedAnalyses> runModulePass(ModulePass &P, Module &M,
                                                  ModuleAnalysisManager &AM,
                                                  PassContext &Ctx) {
  PassRun ThisRun(P, M, Ctx);
  PassInstrumentation PI = Ctx.getInstrumentation();
  auto Skip = [&](StringRef By) { PI.runBeforeSkippedPass(ThisRun, By); };
  auto Run = [&](BeginFn Begin) -> FailureOr<PreservedAnalyses> {
    FailureOr<bool> Runs = askAndBegin(ThisRun, PI, Begin);
    if (failed(Runs))
      return failure();
    if (!*Runs)
      return PreservedAnalyses::all();
    FailureOr<PreservedAnalyses> PA = runAndSettle(ThisRun, P, M, AM, Ctx);
    if (failed(PA)) {
      PI.runAfterPassFailed(ThisRun);
      return failure();
    }
    if (failed(PI.runAfterPass(ThisRun, *PA)))
      return failure();
    return PA;
  };
  return runWithInstruments(P.getInfo(), M, Ctx, Skip, Run);
}

static FailureOr<PreservedAnalyses>
runByUnit(Pass &P, Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  // A group runs its members by this function, too.
  auto Restore = llvm::make_scope_exit(
      [&, Old = M.getRewriteListeners()] { M.setRewriteListeners(Old); });
  std::optional<Context::ConstantScope> KeepConstants;
  if (!P.getInfo().IsGroup)
    KeepConstants.emplace(M.getContext());
  M.setRewriteListeners(Ctx.getCallbacks().getRewriteListeners());
  if (auto *OnFunctions = dyn_cast<FunctionPass>(&P))
    return runFunctionPass(*OnFunctions, M, AM, Ctx);
  auto &OnModule = cast<ModulePass>(P);
  if (isa<ModuleToFunctionPassAdaptor>(P))
    return OnModule.run(M, AM, Ctx);
  return runModulePass(OnModule, M, AM, Ctx);
}

FailureOr<PreservedAnalyses> relay::runPass(Pass &P, Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx) {
  Ctx.noteRun();
  if (failed(P.initialize(M.getContext(), Ctx.getRegistry())))
    return failure();
  FailureOr<PreservedAnalyses> PA = runByUnit(P, M, AM, Ctx);
  if (failed(PA) || failed(M.getContext().checkMemory()))
    return failure();
  return PA;
}

//===----------------------------------------------------------------------===//
// PassManager
//===----------------------------------------------------------------------===//

template <typename UnitT> PassManager<UnitT> PassManager<UnitT>::clone() const {
  PassManager Copy;
  for (const auto &P : Passes)
    Copy.addPass(std::unique_ptr<PassOn<UnitT>>(
        cast<PassOn<UnitT>>(P->clone().release())));
  return Copy;
}

template <typename UnitT>
LogicalResult PassManager<UnitT>::initialize(Context &Ctx,
                                             const PassRegistry &Registry) {
  bool Failed = false;
  for (const auto &P : Passes)
    Failed |= failed(P->initialize(Ctx, Registry));
  return llvm::success(!Failed);
}

template <typename UnitT>
void PassManager<UnitT>::printPipeline(raw_ostream &OS) const {
  llvm::interleave(
      Passes, OS, [&](const auto &P) { P->printPipeline(OS); }, ",");
}

static FailureOr<PreservedAnalyses>
runOne(ModulePass &P, Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  return runPass(P, M, AM, Ctx);
}
static FailureOr<PreservedAnalyses> runOne(FunctionPass &P, Function &F,
                                           FunctionAnalysisManager &AM,
                                           PassContext &Ctx) {
  PassRun Run(P, F, Ctx);
  return runOnFunction(Run, P, AM);
}

/// Returns why the context (opt level or disabled passes) skips \p P, which is
/// outside of a group; empty if it runs. As in TVM, `sequential` can be
/// disabled only inside another one.
static StringRef getGate(const Pass &P, const PassContext &Ctx) {
  bool IsGated =
      Ctx.gatesBarePasses() && &P.getInfo() != &SequentialPass::getStaticInfo();
  return IsGated ? Ctx.getSkipReason(P.getInfo()) : "";
}

template <typename UnitT>
FailureOr<PreservedAnalyses> PassManager<UnitT>::run(UnitT &Unit,
                                                     AnalysisManager<UnitT> &AM,
                                                     PassContext &Ctx) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (const auto &P : Passes) {
    if (StringRef Gate = getGate(*P, Ctx); !Gate.empty()) {
      skip(*P, Unit, Gate, Ctx);
      continue;
    }
    FailureOr<PreservedAnalyses> PassPA = runOne(*P, Unit, AM, Ctx);
    if (failed(PassPA))
      return failure();
    PA.intersect(*PassPA);
  }
  return PA;
}

ModulePassManager relay::makeModulePipeline(PassList Passes) {
  ModulePassManager PM;
  FunctionPassManager Pending; // consecutive function passes
  auto Flush = [&] {
    if (!Pending.empty())
      PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(
          std::exchange(Pending, FunctionPassManager())));
  };
  for (std::unique_ptr<Pass> &P : Passes) {
    if (isa<FunctionPass>(*P)) {
      Pending.addPass(
          std::unique_ptr<FunctionPass>(cast<FunctionPass>(P.release())));
      continue;
    }
    Flush();
    auto *OnFunctions = dyn_cast<ModuleToFunctionPassAdaptor>(P.get());
    if (!OnFunctions || !OnFunctions->getManager().empty())
      PM.addPass(std::unique_ptr<ModulePass>(cast<ModulePass>(P.release())));
  }
  Flush();
  return PM;
}

template class relay::PassManager<Function>;
template class relay::PassManager<Module>;

//===----------------------------------------------------------------------===//
// ModuleToFunctionPassAdaptor
//===----------------------------------------------------------------------===//

static PassInfo makeAdaptorInfo() {
  PassInfo Info;
  Info.Name = "function";
  Info.Argument = "function";
  Info.IsRequired = true;
  Info.IsGroup = true;
  Info.Summary = "runs function passes on each function";
  return Info;
}

const PassInfo ModuleToFunctionPassAdaptor::StaticInfo = makeAdaptorInfo();

ModuleToFunctionPassAdaptor::ModuleToFunctionPassAdaptor(
    FunctionPassManager FPM)
    : ModulePass(StaticInfo), FPM(std::move(FPM)) {}

void ModuleToFunctionPassAdaptor::printPipeline(raw_ostream &OS) const {
  OS << getInfo().Argument << '(';
  FPM.printPipeline(OS);
  OS << ')';
}

std::unique_ptr<Pass> ModuleToFunctionPassAdaptor::clone() const {
  return std::make_unique<ModuleToFunctionPassAdaptor>(FPM.clone());
}

/// Runs \p Steps in rows, each up to the next pass that requires analyses of
/// the module. Releases unused constants between rows.
static FailureOr<PreservedAnalyses> runRows(ArrayRef<FunctionStep> Steps,
                                            Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  while (!Steps.empty()) {
    auto *End = std::find_if(Steps.begin() + 1, Steps.end(),
                             [](const FunctionStep &Step) {
                               return !Step.P->getInfo().ModuleAnalyses.empty();
                             });
    size_t Length = End - Steps.begin();
    Context::ConstantScope KeepConstants(M.getContext());
    FailureOr<PreservedAnalyses> OfRow =
        runOnFunctions(Steps.take_front(Length), M, AM, Ctx);
    if (failed(OfRow))
      return failure();
    PA.intersect(*OfRow);
    Steps = Steps.drop_front(Length);
  }
  return PA;
}

FailureOr<PreservedAnalyses>
ModuleToFunctionPassAdaptor::run(Module &M, ModuleAnalysisManager &AM,
                                 PassContext &Ctx) {
  if (!Ctx.runsPassByPass()) {
    SmallVector<FunctionStep> Steps;
    for (const std::unique_ptr<FunctionPass> &P : FPM.getPasses())
      Steps.push_back({P.get(), getGate(*P, Ctx)});
    return runRows(Steps, M, AM, Ctx);
  }
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (const std::unique_ptr<FunctionPass> &P : FPM.getPasses()) {
    if (StringRef Gate = getGate(*P, Ctx); !Gate.empty()) {
      skip(*P, M, Gate, Ctx);
      continue;
    }
    Context::ConstantScope KeepConstants(M.getContext());
    FailureOr<PreservedAnalyses> PassPA = runFunctionPass(*P, M, AM, Ctx);
    if (failed(PassPA))
      return failure();
    PA.intersect(*PassPA);
  }
  return PA;
}

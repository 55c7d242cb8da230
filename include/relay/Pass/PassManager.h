//===- PassManager.h - Running passes one after the other -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PassManager<Unit> runs passes on a unit; ModuleToFunctionPassAdaptor runs a
// function pipeline on each function of a module; SequentialPass is TVM's group
// of passes with its rules about opt levels and required passes; RepeatPass
// runs passes several times.
//
// After each pass: failure stops the pipeline; changed functions are
// normalized; analyses that were not preserved are dropped; callbacks are
// notified.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSMANAGER_H
#define RELAY_PASS_PASSMANAGER_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassContext.h"

namespace relay {

template <typename UnitT>
using PassOn =
    std::conditional_t<std::is_same_v<UnitT, Module>, ModulePass, FunctionPass>;

template <typename UnitT> class PassManager {
public:
  PassManager() = default;
  PassManager(PassManager &&) = default;
  PassManager &operator=(PassManager &&) = default;

  void addPass(std::unique_ptr<PassOn<UnitT>> P) {
    Passes.push_back(std::move(P));
  }
  bool empty() const { return Passes.empty(); }
  std::vector<std::unique_ptr<PassOn<UnitT>>> takePasses() {
    return std::move(Passes);
  }
  ArrayRef<std::unique_ptr<PassOn<UnitT>>> getPasses() const { return Passes; }
  PassManager clone() const;
  /// Calls \p Visit for each pass, including members of groups.
  void forEachPass(function_ref<void(const Pass &)> Visit) const {
    for (const auto &P : Passes)
      P->forEachPass(Visit);
  }
  /// Initializes all passes for \p Ctx (Pass::initialize).
  LogicalResult initialize(Context &Ctx, const PassRegistry &Registry);
  /// Writes the pipeline as text that reads back.
  void printPipeline(raw_ostream &OS) const;

  /// Runs the passes on \p Unit. Failure has been reported, or is kept by
  /// PassContext::takeInstrumentError().
  FailureOr<PreservedAnalyses> run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                                   PassContext &Ctx);

private:
  std::vector<std::unique_ptr<PassOn<UnitT>>> Passes;
};

extern template class PassManager<Function>;
extern template class PassManager<Module>;
using FunctionPassManager = PassManager<Function>;
using ModulePassManager = PassManager<Module>;

/// `function(a,b)`: runs a and b on a function, then on the next. While
/// instruments are installed it runs a on all functions, then b. Callbacks and
/// instruments see its passes, but not the adaptor.
class ModuleToFunctionPassAdaptor : public ModulePass {
public:
  explicit ModuleToFunctionPassAdaptor(FunctionPassManager FPM);

  FunctionPassManager &getManager() { return FPM; }
  void printPipeline(raw_ostream &OS) const override;
  std::unique_ptr<Pass> clone() const override;
  void forEachPass(function_ref<void(const Pass &)> Visit) const override {
    FPM.forEachPass(Visit);
  }
  LogicalResult initialize(Context &Ctx,
                           const PassRegistry &Registry) override {
    return FPM.initialize(Ctx, Registry);
  }
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

  static const PassInfo &getStaticInfo() { return StaticInfo; }
  static bool classof(const Pass *P) { return &P->getInfo() == &StaticInfo; }

private:
  static const PassInfo StaticInfo;
  FunctionPassManager FPM;
};

/// `sequential(a,b)`, TVM's Sequential: a pass whose members run if
/// PassContext::isPassEnabled(), each after the passes that it requires.
/// Required passes run at any opt level, and without their own required passes.
class SequentialPass : public ModulePass {
public:
  /// \p Info is getStaticInfo(), or the PassInfo of a named pipeline, and must
  /// outlive the pass. The members are module and function passes. \p Options
  /// are the options of the pipeline as text.
  explicit SequentialPass(const PassInfo &Info = getStaticInfo(),
                          PassList Members = {}, std::string Options = {});

  /// Adds a module or a function pass.
  void addPass(std::unique_ptr<Pass> P) { Passes.push_back(std::move(P)); }
  const PassList &getMembers() const { return Passes; }
  void printPipeline(raw_ostream &OS) const override;
  std::unique_ptr<Pass> clone() const override;
  /// Includes the passes that members required, once they have run.
  void forEachPass(function_ref<void(const Pass &)> Visit) const override;
  LogicalResult initialize(Context &Ctx, const PassRegistry &Registry) override;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

  static const PassInfo &getStaticInfo() { return StaticInfo; }

private:
  LogicalResult runRequired(const Pass &P, PreservedAnalyses &PA, Module &M,
                            ModuleAnalysisManager &AM, PassContext &Ctx);

  static const PassInfo StaticInfo;
  PassList Passes;
  std::string Options;
  /// The passes that members require, created when first needed.
  PassList RequiredPasses;
};

/// `repeat<3>(a,b)` runs its members three times. `fixpoint<max=10>(a,b)` runs
/// them until a run changes nothing, at most ten times. Reaching that limit is
/// a warning: the module is valid, but further runs might improve it.
class RepeatPass : public ModulePass {
public:
  /// \p Info has one option, the number of runs, and must outlive the pass.
  RepeatPass(const PassInfo &Info, ModulePassManager PM, int64_t MaxRuns,
             bool UntilUnchanged);

  void printPipeline(raw_ostream &OS) const override;
  std::unique_ptr<Pass> clone() const override;
  void forEachPass(function_ref<void(const Pass &)> Visit) const override;
  LogicalResult initialize(Context &Ctx, const PassRegistry &Registry) override;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  ModulePassManager PM;
  int64_t MaxRuns;
  bool UntilUnchanged;
};

/// Creates a pipeline of module and function passes; consecutive function
/// passes share a loop over functions.
ModulePassManager makeModulePipeline(PassList Passes);

/// Runs `infer-type` on \p M if \p Ctx infers types after function passes, and
/// removes what it does not preserve from \p PA. For passes that stand for
/// function passes; runPass() does it for function passes.
LogicalResult inferAfterFunctionPass(PreservedAnalyses &PA, Module &M,
                                     ModuleAnalysisManager &AM,
                                     PassContext &Ctx);

/// Runs one pass, a module or a function pass, on \p M together with
/// instruments, callbacks, normalization and invalidation.
FailureOr<PreservedAnalyses>
runPass(Pass &P, Module &M, ModuleAnalysisManager &AM, PassContext &Ctx);

} // namespace relay

#endif // RELAY_PASS_PASSMANAGER_H

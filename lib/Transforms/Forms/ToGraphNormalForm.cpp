//===- ToGraphNormalForm.cpp - Turn let bindings into dataflow ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes bound operations floating. Unlike in TVM, these stay bound: a closure
// that calls itself, which TVM turns into invalid text, and operations that
// have an effect or return a reference, which TVM reorders and drops. In a
// module without effects, calls of unknown closures have none.
//
//===----------------------------------------------------------------------===//

#include "Inline/Scopes.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class ToGraphNormalForm final
    : public ToGraphNormalFormBase<ToGraphNormalForm> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  /// Counts of the changes to a function.
  struct Outcome {
    uint64_t NumUnbound = 0;
    bool HasChanged = false;
    Function *Retyped = nullptr; ///< without an annotation it is less dynamic
  };
  static Outcome runOnFunction(Function &F, const Purity *CallPurity);
};
} // namespace

/// Returns true if the bound \p Op is used in its own region. Only uses in its
/// own region have smaller numbers than it.
static bool isRecursive(const Operation *Op) {
  return llvm::any_of(Op->uses(), [&](const Use &U) {
    Operation *User =
        U.getUserOp() ? U.getUserOp() : U.getUserBlock()->getParentOp();
    return User && User->getIndex() < Op->getIndex();
  });
}

/// Makes bindings in \p F floating, except those that must keep their position.
/// \p CallPurity is null if nothing has an effect.
ToGraphNormalForm::Outcome
ToGraphNormalForm::runOnFunction(Function &F, const Purity *CallPurity) {
  if (F.isSkippedByOptimization() || !F.getNumBindings())
    return {};
  std::optional<ValuePurity> Values;
  if (CallPurity)
    Values.emplace(
        F, [&](StringRef Name) { return CallPurity->isCallPure(Name); });
  auto MustStayBound = [&](Operation *Op) {
    if (Op->is(OpCode::Fn))
      return isRecursive(Op) || (Values && !Values->mayUnbind(Op));
    if (!Values)
      return false;
    if (isSymbolRef(*Op))
      return !Values->mayUnbind(Op);
    bool GivesReference =
        !Op->is(OpCode::Alias) && mayHoldReference(Op->getType());
    return GivesReference || !Values->mayUnbind(Op);
  };
  SmallVector<Operation *, 0> Bindings;
  Bindings.reserve(F.getNumBindings());
  walk(F, [&](Operation *Op) {
    if (Op->isBound() && !MustStayBound(Op))
      Bindings.push_back(Op);
  });
  Outcome Done;
  Rewriter R(F);
  for (Operation *Op : Bindings) {
    if (!R.startRewrite("unbind", Op))
      continue;
    ++Done.NumUnbound;
    if (hasDynamicAnnotation(Op))
      Done.Retyped = &F;
    if (!Op->is(OpCode::Alias)) {
      R.unbind(Op);
      continue;
    }
    R.replaceAllUses(Op, Op->getOperand(0));
    R.eraseOp(Op);
  }
  Done.HasChanged = R.getNumRewrites();
  return Done;
}

FailureOr<PreservedAnalyses>
ToGraphNormalForm::run(Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  bool NeedsPurity = hasBindings(M) && hasEffects(M);
  const Purity *CallPurity =
      NeedsPurity ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  bool Changed = false;
  for (const Outcome &Done : mapFunctions<Outcome>(
           M, Ctx, [&](Function &F) { return runOnFunction(F, CallPurity); })) {
    NumUnbound += Done.NumUnbound;
    Changed |= Done.HasChanged;
    if (Done.Retyped && failed(retype(*Done.Retyped)))
      return failure();
  }
  return preserved(Changed);
}

std::unique_ptr<Pass> relay::createToGraphNormalFormPass() {
  return std::make_unique<ToGraphNormalForm>();
}

//===- DynamicToStatic.cpp - Constant shapes as attributes ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces operators of the dialect `dyn` whose shapes are constants by static
// ones (StaticForms.td), then folds constants. Operands are visited before
// users, so that the shape of a replaced operation is constant for its users.
//
// As in TVM, variables of `let` are no constants, and only operands of such
// operators are evaluated before the end.
//
//===----------------------------------------------------------------------===//

#include "ConstantEvaluator.h"
#include "FoldConstant.h"
#include "JoinedTypes.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Fold/StaticForm.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Replaces the operations of one function.
class StaticRewriter {
public:
  StaticRewriter(Function &F, PassContext &PC)
      : F(F), Forms(F.getContext(), PC.getTargetKeys()), Shapes(F.getContext()),
        R(F), Purity(findEffects(F)) {}

  /// Returns the number of replaced operations.
  unsigned run();

private:
  const ConstantData *getData(Value *V);
  bool replace(Operation *Op);

  Function &F;
  OpHooks<StaticForm> Forms;
  ConstantEvaluator Shapes;
  Rewriter R;
  std::optional<ValuePurity> Purity; ///< none if nothing has an effect
  std::optional<JoinedTypes> Joined; ///< if an operation has a static form
};

} // namespace

/// A value that may have an effect is not known, since it would be dropped.
const ConstantData *StaticRewriter::getData(Value *V) {
  return Purity && !Purity->isUsePure(V) ? nullptr : Shapes.evaluate(V);
}

/// Returns the type of \p New; null if it does not take its operands.
static Type *inferStaticType(Context &Ctx, const StaticOp &New) {
  SmallVector<Type *, 4> Types;
  for (Value *V : New.Operands)
    Types.push_back(V->getType());
  return inferCallType(Ctx, *New.Info, New.Attributes, Types);
}

/// Replaces \p Op if its shapes are constant. Its users get their types at
/// once, since their shapes may depend on its shape.
bool StaticRewriter::replace(Operation *Op) {
  auto Hook = Forms.lookup(*Op);
  if (!Hook || !Op->getType())
    return false;
  StaticOp New = Hook(*Op, [&](Value *V) { return getData(V); });
  if (!New.Info)
    return false;
  if (!Joined)
    Joined.emplace(F);
  if (Joined->contains(Op)) {
    RELAY_DEBUG(F.getContext(), 2)
        << "stays dynamic, its type is unified with another: "
        << Op->getDescription();
    return false;
  }
  Type *T = inferStaticType(F.getContext(), New);
  if (!T || !isLessDynamic(F.getContext(), T, Op->getType()) ||
      !R.startRewrite(New.Info->Name, Op))
    return false;
  R.setInsertionPoint(Op);
  Shapes.forget(Op);
  Operation *Static =
      R.createTypedOperation(*New.Info, New.Operands, New.Attributes, T);
  Static->setIndex(Op->getIndex()); // by which Purity knows the effects of Op
  R.replaceOpAndRetype(Op, Static);
  return true;
}

unsigned StaticRewriter::run() {
  unsigned NumReplaced = 0;
  walk(F, [&](Operation *Op) { NumReplaced += replace(Op); });
  return NumReplaced;
}

namespace {
class DynamicToStatic : public DynamicToStaticBase<DynamicToStatic> {
public:
  using DynamicToStaticBase::DynamicToStaticBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &PC) override;

private:
  FailureOr<bool> run(Function &F, const ConstantBudget &Budget,
                      PassContext &PC);
};
} // namespace

/// Replaces a dynamic result annotation of \p F by the type of its value, as in
/// TVM: a result becomes less dynamic with its value, and more dynamic if the
/// annotation was narrower than the type of the value.
static LogicalResult updateResultAnnotation(Function &F) {
  if (!isDynamic(F.getSignature().ResultAnnotation))
    return success();
  Rewriter R(F);
  R.noteRewrite("update-result");
  R.setResultAnnotation(F.getBody(), nullptr);
  if (failed(retype(F)))
    return failure();
  R.setResultAnnotation(F.getBody(), F.getBody().getResult()->getType());
  return success();
}

/// Returns true if it has changed \p F.
FailureOr<bool> DynamicToStatic::run(Function &F, const ConstantBudget &Budget,
                                     PassContext &PC) {
  unsigned NumReplacedHere = StaticRewriter(F, PC).run();
  NumReplaced += NumReplacedHere;
  if (NumReplacedHere && failed(retype(F)))
    return failure();
  bool HasChanged = NumReplacedHere != 0;
  // As in TVM, the shapes of values that become constant are folded, too.
  for (unsigned Round = 0; Round != 2; ++Round) {
    FoldingCounts Counts;
    FailureOr<bool> HasFolded =
        foldConstants(F, Budget, /*FoldQnn=*/false, Counts);
    NumEvaluated += Counts.NumEvaluated;
    if (failed(HasFolded))
      return failure();
    if (!*HasFolded)
      break;
    HasChanged = true;
  }
  if (HasChanged && failed(updateResultAnnotation(F)))
    return failure();
  return HasChanged;
}

/// Infers the types of all functions again, since result types of their callees
/// may have become less dynamic.
static LogicalResult retypeCallers(Module &M) {
  for (Function &F : M.functions()) {
    F.normalize();
    Rewriter R(F);
    R.noteRewrite("retype");
    R.noteModified(F);
  }
  return inferTypes(M);
}

FailureOr<PreservedAnalyses>
DynamicToStatic::run(Module &M, ModuleAnalysisManager &, PassContext &PC) {
  SmallVector<Function *, 4> Functions;
  for (Function &F : M.functions())
    if (!F.isSkippedByOptimization() && !isPrimitive(F.getSignature()))
      Functions.push_back(&F);
  ConstantBudget Budget(Functions);
  bool HasChanged = false;
  for (Function *F : Functions) {
    FailureOr<bool> Changed = run(*F, Budget, PC);
    if (failed(Changed))
      return failure();
    HasChanged |= *Changed;
  }
  if (HasChanged && M.getNumFunctions() > 1 && failed(retypeCallers(M)))
    return failure();
  return preserved(HasChanged);
}

std::unique_ptr<Pass> relay::createDynamicToStaticPass() {
  return std::make_unique<DynamicToStatic>();
}

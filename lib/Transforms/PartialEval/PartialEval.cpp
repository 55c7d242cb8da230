//===- PartialEval.cpp - Evaluate what is known before running ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates each function with unknown parameters. All functions are evaluated
// before any of them changes, since calls are unfolded to original bodies.
//
//===----------------------------------------------------------------------===//

#include "PartialEvaluator.h"
#include "SameBody.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// The new body of a function.
struct NewBody {
  explicit NewBody(Function &F) : F(F), D(F) {}
  Function &F;
  Draft D;
  Value *Result = nullptr;
};

class PartialEval : public PartialEvalBase<PartialEval> {
public:
  using PartialEvalBase::PartialEvalBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &) override;

private:
  std::unique_ptr<NewBody> evaluate(Program &P, ConstantCalculator &Constants,
                                    Function &F);
  void addStatistics(const PartialEvaluator::Counts &Counts);
};

} // namespace

void PartialEval::addStatistics(const PartialEvaluator::Counts &Counts) {
  NumEvaluated += Counts.NumEvaluated;
  NumUnfolded += Counts.NumUnfolded;
  NumChosen += Counts.NumChosen;
  NumReads += Counts.NumReads;
}

/// Evaluates \p F; null if that changes nothing.
std::unique_ptr<NewBody> PartialEval::evaluate(Program &P,
                                               ConstantCalculator &Constants,
                                               Function &F) {
  for (bool KeepsTypes : {false, true}) {
    auto New = std::make_unique<NewBody>(F);
    PartialEvaluator E(P, Constants, F, New->D.getBlock(),
                       Options.MaxUnfoldedOperations, KeepsTypes);
    New->Result = E.run();
    if (!KeepsTypes && E.hasTypeConflict())
      continue;
    if (isSameBody(F.getBody(), New->D.getBlock(), New->Result))
      return nullptr;
    addStatistics(E.getCounts());
    return New;
  }
  llvm_unreachable("the second evaluation keeps types");
}

/// Replaces the body of \p New.F. Its type stays.
static LogicalResult replaceBody(NewBody &New, bool &HasChanged) {
  Function &F = New.F;
  Block &Body = F.getBody();
  Rewriter R(F);
  if (!R.startRewrite("evaluate"))
    return success();
  HasChanged = true;
  Type *ResultType = Body.getResult()->getType();
  SmallVector<Operation *, 0> Original;
  for (Operation &Op : Body)
    Original.push_back(&Op);
  R.keepResultAnnotations();
  R.setInsertionPointToEnd(Body);
  R.insertDraft(New.D);
  R.setResultOnly(Body, New.Result);
  if (!F.getSignature().ResultAnnotation && ResultType &&
      New.Result->getType() != ResultType && isDynamic(ResultType))
    R.setResultAnnotation(Body, ResultType);
  for (Operation *Op : llvm::reverse(Original))
    R.eraseOp(Op);
  return retype(F);
}

FailureOr<PreservedAnalyses>
PartialEval::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  const Purity *Calls =
      hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  std::vector<std::unique_ptr<NewBody>> Bodies;
  {
    Program P(M, Calls);
    ConstantCalculator Constants(M);
    for (Function &F : M.functions())
      if (!F.isSkippedByOptimization() && !isPrimitive(F.getSignature()))
        if (std::unique_ptr<NewBody> New = evaluate(P, Constants, F))
          Bodies.push_back(std::move(New));
  }
  bool HasChanged = false;
  for (std::unique_ptr<NewBody> &New : Bodies)
    if (failed(replaceBody(*New, HasChanged)))
      return failure();
  return preserved(HasChanged);
}

std::unique_ptr<Pass> relay::createPartialEvalPass(PartialEvalOptions Options) {
  return std::make_unique<PartialEval>(Options);
}

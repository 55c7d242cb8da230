//===- PartialEval.cpp - Evaluate known values at compile time ------------===//
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
                                    Function &F, uint64_t &Budget);
  std::vector<std::unique_ptr<NewBody>> evaluate(Module &M,
                                                 const Purity *Calls);
  void addStatistics(const PartialEvaluator::Counts &Counts);
};

} // namespace

void PartialEval::addStatistics(const PartialEvaluator::Counts &Counts) {
  NumEvaluated += Counts.NumEvaluated;
  NumUnfolded += Counts.NumUnfolded;
  NumChosen += Counts.NumChosen;
  NumReads += Counts.NumReads;
}

/// Evaluates \p F; null if that changes nothing. Unfolds up to \p Budget
/// operations, and subtracts them.
std::unique_ptr<NewBody> PartialEval::evaluate(Program &P,
                                               ConstantCalculator &Constants,
                                               Function &F, uint64_t &Budget) {
  auto New = std::make_unique<NewBody>(F);
  PartialEvaluator E(P, Constants, F, New->D.getBlock(), Budget);
  New->Result = E.run();
  Budget = E.getBudget();
  if (isSameBody(F.getBody(), New->D.getBlock(), New->Result))
    return nullptr;
  addStatistics(E.getCounts());
  return New;
}

/// Annotates the parameters of \p F: its callers rely on its type, which the
/// new body may not determine.
static void annotateParameters(Rewriter &R, Function &F) {
  for (BlockArgument *Param : F.getParams())
    if (Type *T = Param->getType();
        T && !T->isIncomplete() && !Param->getAnnotation())
      R.setAnnotation(Param, T);
}

/// Replaces the body of \p New.F. Its type stays.
static LogicalResult replaceBody(NewBody &New, bool &HasChanged) {
  Function &F = New.F;
  Block &Body = F.getBody();
  Rewriter R(F);
  if (!R.startRewrite("evaluate"))
    return success();
  HasChanged = true;
  SmallVector<Operation *, 0> Original;
  for (Operation &Op : Body)
    Original.push_back(&Op);
  R.keepResultAnnotations();
  R.setInsertionPointToEnd(Body);
  R.insertDraft(New.D);
  R.setResultOnly(Body, New.Result);
  annotateParameters(R, F);
  for (Operation *Op : llvm::reverse(Original))
    R.eraseOp(Op);
  return retype(F);
}

/// Evaluates all functions. Each has an equal part of the operations that the
/// functions before it have not unfolded.
std::vector<std::unique_ptr<NewBody>>
PartialEval::evaluate(Module &M, const Purity *Calls) {
  std::vector<std::unique_ptr<NewBody>> Bodies;
  Program P(M, Calls);
  ConstantCalculator Constants(M);
  uint64_t Left = Options.MaxUnfoldedOperations;
  uint64_t NumLeft = M.getNumFunctions();
  for (Function &F : M.functions()) {
    uint64_t Part = Left / NumLeft--;
    if (F.isSkippedByOptimization() || isPrimitive(F.getSignature()))
      continue;
    Left -= Part;
    if (std::unique_ptr<NewBody> New = evaluate(P, Constants, F, Part))
      Bodies.push_back(std::move(New));
    Left += Part;
  }
  return Bodies;
}

FailureOr<PreservedAnalyses>
PartialEval::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  const Purity *Calls =
      hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  bool HasChanged = false;
  for (std::unique_ptr<NewBody> &New : evaluate(M, Calls))
    if (failed(replaceBody(*New, HasChanged)))
      return failure();
  return preserved(HasChanged);
}

std::unique_ptr<Pass> relay::createPartialEvalPass(PartialEvalOptions Options) {
  return std::make_unique<PartialEval>(Options);
}

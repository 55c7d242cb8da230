//===- CapturePostDfsIndexInSpans.cpp - Post-dominators as spans ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each expression its number in its function and the number of its
// post-dominator. ExprGraph numbers the expressions.
//
//===----------------------------------------------------------------------===//

#include "Spans.h"
#include "relay/Pattern/Match/ExprGraph.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class CapturePostDfsIndexInSpans
    : public CapturePostDfsIndexInSpansBase<CapturePostDfsIndexInSpans> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override;
};
} // namespace

/// Returns the value whose location is that of \p E, or null. A bound operation
/// has one location for its value; an alias has that of its variable.
static Value *getLocatedValue(ExprRef E) {
  if (Operation *Op = E.getOperation())
    return Op;
  Value *V = E.getVariable();
  if (!V)
    return nullptr;
  Operation *Op = V->getDefiningOp();
  return !Op || Op->is(OpCode::Alias) ? V : nullptr;
}

FailureOr<PreservedAnalyses>
CapturePostDfsIndexInSpans::run(Function &F, FunctionAnalysisManager &,
                                PassContext &) {
  Rewriter R(F);
  if (!R.startRewrite("capture"))
    return preserved(false);
  ExprGraph Graph(F);
  uint64_t NumChanged = 0;
  for (uint32_t N = 0; N != Graph.size(); ++N) {
    Value *V = getLocatedValue(Graph.getExpr(N));
    if (!V)
      continue;
    std::optional<uint32_t> Dominator = Graph.getPostDominator(N);
    NumChanged +=
        setPosition(R, *V, {"index", int(N), Dominator ? int(*Dominator) : -1});
  }
  NumCaptured += NumChanged;
  return preserved(NumChanged != 0);
}

std::unique_ptr<Pass> relay::createCapturePostDfsIndexInSpansPass() {
  return std::make_unique<CapturePostDfsIndexInSpans>();
}

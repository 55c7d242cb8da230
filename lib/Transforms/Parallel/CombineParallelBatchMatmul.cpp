//===- CombineParallelBatchMatmul.cpp - One batch product for several -----===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batch products of the same left side become one whose right side
// concatenates theirs along the column axis of the results. Only the
// form that multiplies by the transposed right side is combined, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "ParallelCombiner.h"
#include "relay/Ops/NN.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Left operands: [B, M, K]; right operands: [B, N, K] with different N;
/// results: [B, M, N].
class BatchMatmulCombiner final : public ConcatenatingCombiner {
public:
  using ConcatenatingCombiner::ConcatenatingCombiner;

  const OpInfo &getOp() const override { return BatchMatmulOp::getInfo(); }
  Key getKey(const Operation *Call) const override;
  bool areCompatible(const ParallelGroup &, const Operation *A,
                     const Operation *B, unsigned I, unsigned) const override {
    TensorType *T = getTensorType(A->getOperand(I));
    return canConcatenate(T, getTensorType(B->getOperand(I)), T->getRank() - 1);
  }

protected:
  Operation *combineCalls(const ParallelGroup &G) override;
  Value *combineOperands(const ParallelGroup &G, unsigned L,
                         unsigned I) override {
    return concatenate(getOperands(G, L, I), -1);
  }
  unsigned getAxis(const ParallelGroup &, unsigned) const override { return 2; }
};

} // namespace

ParallelRules::Key BatchMatmulCombiner::getKey(const Operation *Call) const {
  BatchMatmulOp Product(Call);
  auto *Right = dyn_cast_or_null<TensorType>(Product.tensorB()->getType());
  auto *Result = dyn_cast_or_null<TensorType>(Call->getType());
  if (Product.attrs().transposeA() || !Product.attrs().transposeB() || !Right ||
      Right->getRank() != 3 || !Right->isStatic() || !Result ||
      Result->getRank() != 3 || Result->getDim(2) != Right->getDim(1))
    return {};
  return {&Product.attrs(), withoutAxis(R.getContext(), Right, 1)};
}

Operation *BatchMatmulCombiner::combineCalls(const ParallelGroup &G) {
  BatchMatmulOp First(G.getCalls()[0]);
  Operation *Right = concatenate(getOperands(G, 0, /*I=*/1), 1);
  return R.create<BatchMatmulOp>(First.tensorA(), Right, &First.attrs());
}

namespace {
class CombineParallelBatchMatmul
    : public ParallelPass<
          CombineParallelBatchMatmulBase<CombineParallelBatchMatmul>> {
public:
  using ParallelPass::ParallelPass;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    return combine(BatchMatmulCombiner(F));
  }
};
} // namespace

std::unique_ptr<Pass> relay::createCombineParallelBatchMatmulPass(
    CombineParallelBatchMatmulOptions Options) {
  return std::make_unique<CombineParallelBatchMatmul>(Options);
}

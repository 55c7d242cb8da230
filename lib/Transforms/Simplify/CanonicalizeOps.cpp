//===- CanonicalizeOps.cpp - Fewer operators for the same -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces nn.bias_add by an add of the bias with trailing axes of 1, so that
// other passes need to support broadcasting by add only.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// The number of axes of the data of \p Add after the axis of the bias; none if
/// the rank is unknown or the axis is out of range.
static std::optional<int64_t> countAxesAfter(BiasAddOp Add) {
  auto *Data = dyn_cast_or_null<TensorType>(Add.data()->getType());
  if (!Data)
    return std::nullopt;
  int64_t Rank = Data->getRank(), Axis = Add.attrs().axis();
  Axis += Axis < 0 ? Rank : 0;
  if (Axis < 0 || Axis >= Rank)
    return std::nullopt;
  return Rank - 1 - Axis;
}

/// Creates the add that replaces \p Add, before it.
static Operation *makeAdd(Rewriter &R, BiasAddOp Add, int64_t AxesAfter) {
  R.setInsertionPoint(Add);
  Value *Bias = Add.bias();
  if (AxesAfter)
    Bias = R.create<ExpandDimsOp>(Bias, /*Axis=*/1, AxesAfter);
  return R.create<AddOp>(Add.data(), Bias);
}

namespace {
class CanonicalizeOps : public CanonicalizeOpsBase<CanonicalizeOps> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    R.keepResultAnnotations(); // callers rely on the type of the result
    bool TypesChange = false;
    walk(F, [&](BiasAddOp Add) {
      std::optional<int64_t> AxesAfter = countAxesAfter(Add);
      if (!AxesAfter || !R.startRewrite("bias-add", Add))
        return;
      Operation *New = makeAdd(R, Add, *AxesAfter);
      TypesChange |= New->getType() != Add->getType();
      R.replaceOpAndRetype(Add, New);
      ++NumReplaced;
    });
    if (TypesChange && failed(retype(F)))
      return failure();
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createCanonicalizeOpsPass() {
  return std::make_unique<CanonicalizeOps>();
}

//===- SimplifyInference.cpp - Spell out operators for inference ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces operators that are compositions when nothing is trained by what they
// compute. How each is spelled out is a function of its own below.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Walk.h"
#include "relay/Ops/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

static Value *getScalar(Builder &B, DType T, double Number) {
  Context &Ctx = B.getContext();
  return B.create<ConstantOp>(
      ConstantAttrs::get(Ctx, Ctx.getScalarConstant(T, Number)));
}

/// \p Vector, [C], with dimensions of 1 behind, so that it lies along \p Axis
/// of tensors of \p Rank dimensions.
static Value *alongAxis(Builder &B, Value *Vector, int64_t Axis, int64_t Rank) {
  int64_t Behind = Rank - 1 - (Axis < 0 ? Axis + Rank : Axis);
  if (Behind == 0)
    return Vector;
  return B.create<ExpandDimsOp>(
      Vector, ExpandDimsAttrs::get(B.getContext(), /*Axis=*/1, Behind));
}

//===----------------------------------------------------------------------===//
// Results of operators that yield tuples
//===----------------------------------------------------------------------===//

/// data * s + (beta - moving_mean * s) with s = gamma / sqrt(moving_var + eps),
/// along axis. Without `scale` gamma is 1, without `center` beta is 0.
static Value *simplifyBatchNorm(Builder &B, BatchNormOp Norm) {
  auto *Data = dyn_cast_or_null<TensorType>(Norm.data()->getType());
  if (!Data)
    return nullptr;
  const BatchNormAttrs &A = Norm.attrs();
  DType T = Data->getDType();
  Value *Variance =
      B.create<AddOp>(Norm.movingVar(), getScalar(B, T, A.epsilon()));
  Value *Deviation = B.create<SqrtOp>(Variance);
  Value *Scale = B.create<DivideOp>(getScalar(B, T, 1), Deviation);
  if (A.scale())
    Scale = B.create<MultiplyOp>(Scale, Norm.gamma());
  Value *Shift = B.create<NegativeOp>(Norm.movingMean());
  Shift = B.create<MultiplyOp>(Shift, Scale);
  if (A.center())
    Shift = B.create<AddOp>(Shift, Norm.beta());
  int64_t Rank = Data->getRank();
  Value *Scaled =
      B.create<MultiplyOp>(Norm.data(), alongAxis(B, Scale, A.axis(), Rank));
  return B.create<AddOp>(Scaled, alongAxis(B, Shift, A.axis(), Rank));
}

/// What takes the place of field 0 of the tuple that \p Op yields; null when
/// there is nothing.
static Value *simplifyFirstField(Builder &B, Operation *Op) {
  if (auto Norm = dyn_cast<BatchNormOp>(Op))
    return simplifyBatchNorm(B, Norm);
  if (auto Dropout = dyn_cast<DropoutOp>(Op))
    return Dropout.data();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What takes the place of \p Op; null when it stays.
static Value *simplify(Builder &B, Operation *Op) {
  auto Field = dyn_cast<TupleGetItemOp>(Op);
  if (!Field || Field.attrs().index() != 0)
    return nullptr;
  Operation *Tuple = Field.tuple()->getDefiningOp();
  // A variable is not looked through.
  return Tuple && Tuple->isFloating() ? simplifyFirstField(B, Tuple) : nullptr;
}

namespace {
class SimplifyInference : public SimplifyInferenceBase {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    bool Changed = false;
    walk(F, [&](Operation *Op) {
      R.setInsertionPoint(Op);
      R.setLoc(Op->getLoc());
      Value *New = simplify(R, Op);
      if (!New)
        return;
      R.replaceOp(Op, New);
      ++NumSimplified;
      Changed = true;
    });
    return preserved(Changed);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createSimplifyInferencePass() {
  return std::make_unique<SimplifyInference>();
}

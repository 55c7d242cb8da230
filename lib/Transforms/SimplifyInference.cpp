//===- SimplifyInference.cpp - Spell out operators for inference ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces operators that are compositions when nothing is trained by what they
// compute. How each is spelled out is a function of its own below; the order of
// the operations is TVM's.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Reduce.h"
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
// Batch normalization
//===----------------------------------------------------------------------===//

/// data * s + (beta - moving_mean * s) with s = gamma / sqrt(moving_var + eps),
/// along axis. Without `scale` gamma is 1, without `center` beta is 0.
static Value *simplifyBatchNorm(Builder &B, BatchNormOp Norm,
                                const TensorType *Data) {
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

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

/// (data - mean) / sqrt(variance + epsilon), both over \p Axes.
static Value *standardize(Builder &B, Value *Data, DType T, ArrayRef<Dim> Axes,
                          double Epsilon) {
  Context &Ctx = B.getContext();
  Value *Mean = B.create<MeanOp>(
      Data, ReduceAttrs::get(Ctx, Axes, /*Keepdims=*/true, /*Exclude=*/false));
  Value *Variance = B.create<VarianceOp>(
      Data, Mean,
      VarianceAttrs::get(Ctx, Axes, /*Keepdims=*/true, /*Exclude=*/false,
                         /*Unbiased=*/false));
  Variance = B.create<AddOp>(Variance, getScalar(B, T, Epsilon));
  Value *Centered = B.create<SubtractOp>(Data, Mean);
  return B.create<DivideOp>(Centered, B.create<SqrtOp>(Variance));
}

/// \p V scaled by gamma and shifted by beta, [C], along the axis of \p Norm, as
/// far as its attributes say.
template <typename NormOpT>
static Value *scaleAndShift(Builder &B, Value *V, NormOpT Norm, int64_t Rank) {
  int64_t Axis = Norm.attrs().axis();
  if (Norm.attrs().scale())
    V = B.create<MultiplyOp>(V, alongAxis(B, Norm.gamma(), Axis, Rank));
  if (Norm.attrs().center())
    V = B.create<AddOp>(V, alongAxis(B, Norm.beta(), Axis, Rank));
  return V;
}

static Value *simplifyLayerNorm(Builder &B, LayerNormOp Norm,
                                const TensorType *Data) {
  Dim Axis = Dim::get(Norm.attrs().axis());
  Value *V = standardize(B, Norm.data(), Data->getDType(), Axis,
                         Norm.attrs().epsilon());
  return scaleAndShift(B, V, Norm, Data->getRank());
}

/// Over all dimensions but the first and that of the channels.
static Value *simplifyInstanceNorm(Builder &B, InstanceNormOp Norm,
                                   const TensorType *Data) {
  int64_t Rank = Data->getRank(), Channels = Norm.attrs().axis();
  SmallVector<Dim> Axes;
  for (int64_t I = 1; I < Rank; ++I)
    if (I != (Channels < 0 ? Channels + Rank : Channels))
      Axes.push_back(Dim::get(I));
  Value *V = standardize(B, Norm.data(), Data->getDType(), Axes,
                         Norm.attrs().epsilon());
  return scaleAndShift(B, V, Norm, Rank);
}

static Value *reshape(Builder &B, Value *V, ArrayRef<Dim> Shape) {
  return B.create<ReshapeOp>(
      V, ReshapeAttrs::get(B.getContext(), Shape, /*Allowzero=*/false));
}

/// Channels are split into [groups, channels of a group] and normalized over
/// the latter and what follows. The shape is known.
static Value *simplifyGroupNorm(Builder &B, GroupNormOp Norm,
                                const TensorType *Data) {
  const GroupNormAttrs &A = Norm.attrs();
  int64_t Rank = Data->getRank(), Groups = A.numGroups();
  int64_t Axis = A.axis() < 0 ? A.axis() + Rank : A.axis();
  SmallVector<Dim> Shape(Data->getShape()), Axes;
  Shape[Axis] = Dim::get(Data->getDim(Axis).getInt() / Groups);
  Shape.insert(Shape.begin() + Axis, Dim::get(Groups));
  for (int64_t I = Axis + 1; I <= Rank; ++I)
    Axes.push_back(Dim::get(I));
  Value *V = standardize(B, reshape(B, Norm.data(), Shape), Data->getDType(),
                         Axes, A.epsilon());
  return scaleAndShift(B, reshape(B, V, Data->getShape()), Norm, Rank);
}

/// data / sqrt(max(sum(data * data), eps)).
static Value *simplifyL2Normalize(Builder &B, L2NormalizeOp Norm,
                                  const TensorType *Data) {
  const L2NormalizeAttrs &A = Norm.attrs();
  std::optional<ArrayRef<Dim>> Axes;
  if (A.hasAxis())
    Axes = A.axis();
  Value *Square = B.create<MultiplyOp>(Norm.data(), Norm.data());
  Value *Sum = B.create<SumOp>(Square, ReduceAttrs::get(B.getContext(), Axes,
                                                        /*Keepdims=*/true,
                                                        /*Exclude=*/false));
  Value *Bounded =
      B.create<MaximumOp>(Sum, getScalar(B, Data->getDType(), A.eps()));
  return B.create<DivideOp>(Norm.data(), B.create<SqrtOp>(Bounded));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static const TensorType *getDataType(const Operation *Op) {
  return dyn_cast_or_null<TensorType>(Op->getOperand(0)->getType());
}

/// Whether \p Op, which yields one tensor, can be simplified.
static bool isNormalization(Operation *Op) {
  if (auto Norm = dyn_cast<GroupNormOp>(Op)) {
    const TensorType *Data = getDataType(Op);
    if (Data && Data->isStatic() && Norm.attrs().numGroups() >= 1)
      return true;
    RELAY_DEBUG(Op->getFunction()->getContext(), 2)
        << "the shape is not known: " << Op->getDescription();
    return false;
  }
  return (isa<LayerNormOp>(Op) || isa<InstanceNormOp>(Op) ||
          isa<L2NormalizeOp>(Op)) &&
         getDataType(Op);
}

/// The operation that \p Op is the result of and that can be simplified: \p Op
/// itself, or what yields the tuple that it is field 0 of; null if there is
/// none.
static Operation *getSimplified(Operation *Op) {
  auto Field = dyn_cast<TupleGetItemOp>(Op);
  if (!Field)
    return isNormalization(Op) ? Op : nullptr;
  if (Field.attrs().index() != 0)
    return nullptr;
  Operation *Tuple = Field.tuple()->getDefiningOp();
  // A variable is not looked through.
  if (!Tuple || Tuple->isBound())
    return nullptr;
  bool IsNorm = isa<BatchNormOp>(Tuple) && getDataType(Tuple);
  return IsNorm || isa<DropoutOp>(Tuple) ? Tuple : nullptr;
}

/// What takes the place of the result of \p Op, of getSimplified().
static Value *simplify(Builder &B, Operation *Op) {
  if (auto Dropout = dyn_cast<DropoutOp>(Op))
    return Dropout.data();
  const TensorType *Data = getDataType(Op);
  if (auto Norm = dyn_cast<BatchNormOp>(Op))
    return simplifyBatchNorm(B, Norm, Data);
  if (auto Norm = dyn_cast<LayerNormOp>(Op))
    return simplifyLayerNorm(B, Norm, Data);
  if (auto Norm = dyn_cast<InstanceNormOp>(Op))
    return simplifyInstanceNorm(B, Norm, Data);
  if (auto Norm = dyn_cast<GroupNormOp>(Op))
    return simplifyGroupNorm(B, Norm, Data);
  return simplifyL2Normalize(B, cast<L2NormalizeOp>(Op), Data);
}

namespace {
class SimplifyInference : public SimplifyInferenceBase<SimplifyInference> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    walk(F, [&](Operation *Op) {
      Operation *Simplified = getSimplified(Op);
      if (!Simplified || !R.startRewrite(Simplified->getName(), Op))
        return;
      R.setInsertionPoint(Op);
      R.setLoc(R.getContext().getLocations().fuse(
          {Simplified->getLoc(), Op->getLoc()}));
      R.replaceOp(Op, simplify(R, Simplified));
      ++NumSimplified;
    });
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createSimplifyInferencePass() {
  return std::make_unique<SimplifyInference>();
}

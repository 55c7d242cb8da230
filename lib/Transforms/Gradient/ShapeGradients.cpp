//===- ShapeGradients.cpp - Gradients of rearrangements -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for operators that move elements: reshapes, transposes, concatenation,
// slices, and reading at indices. `g` is the gradient of the result.
//
//===----------------------------------------------------------------------===//

#include "GradientUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

FailureOr<GradientList> relay::differentiateReshape(Rewriter &R,
                                                    const GradientRequest &G) {
  return withZeros(R, G, R.create<ReshapeLikeOp>(G.Gradient, G.Operands[0]));
}

/// Removes the new axes one by one.
FailureOr<GradientList>
relay::differentiateExpandDims(Rewriter &R, const GradientRequest &G) {
  const ExpandDimsAttrs &A = G.Op.getAttrsAs<ExpandDimsAttrs>();
  Value *V = G.Gradient;
  for (int64_t I = 0; I < A.numNewaxis(); ++I)
    V = R.create<SqueezeOp>(V, {A.axis()});
  return GradientList{V};
}

FailureOr<GradientList>
relay::differentiateTranspose(Rewriter &R, const GradientRequest &G) {
  const TransposeAttrs &A = G.Op.getAttrsAs<TransposeAttrs>();
  if (!A.hasAxes())
    return GradientList{R.create<TransposeOp>(G.Gradient, std::nullopt)};
  int64_t Rank = A.axes().size();
  SmallVector<int64_t, 4> Inverse(Rank);
  for (auto [I, Axis] : llvm::enumerate(A.axes()))
    Inverse[getPosition(Axis.getInt(), Rank)] = I;
  return GradientList{R.create<TransposeOp>(G.Gradient, Inverse)};
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// The types of the fields of the operand; null if they are not known.
static const TupleType *getOperandFields(const GradientRequest &G) {
  return dyn_cast_or_null<TupleType>(G.Op.getOperand(0)->getType());
}

/// Splits g where the operands meet.
FailureOr<GradientList>
relay::differentiateConcatenate(Rewriter &R, const GradientRequest &G) {
  int64_t Axis = G.Op.getAttrsAs<ConcatenateAttrs>().axis();
  const TupleType *Fields = getOperandFields(G);
  if (!Fields || Fields->getNumFields() == 0)
    return G.emitError() << "expects a tuple of tensors";
  SmallVector<int64_t, 4> Ends;
  int64_t End = 0;
  for (Type *Field : Fields->getFields().drop_back()) {
    auto *T = dyn_cast<TensorType>(Field);
    unsigned I = T ? getPosition(Axis, T->getRank()) : 0;
    FailureOr<int64_t> Extent = getStaticExtent(G, T, I);
    if (failed(Extent))
      return failure();
    Ends.push_back(End += *Extent);
  }
  return GradientList{
      R.create<SplitOp>(G.Gradient, R.getContext().getIntArray(Ends), Axis)};
}

/// Splits g along the axis of the stack, which it then removes.
FailureOr<GradientList> relay::differentiateStack(Rewriter &R,
                                                  const GradientRequest &G) {
  int64_t Axis = G.Op.getAttrsAs<StackAttrs>().axis();
  const TupleType *Fields = getOperandFields(G);
  if (!Fields)
    return G.emitError() << "expects a tuple of tensors";
  unsigned Count = Fields->getNumFields();
  Value *Parts =
      R.create<SplitOp>(G.Gradient, R.getContext().getInt(Count), Axis);
  SmallVector<Value *, 4> Elements;
  for (unsigned I = 0; I != Count; ++I)
    Elements.push_back(
        R.create<SqueezeOp>(R.create<TupleGetItemOp>(Parts, I), {Axis}));
  return GradientList{R.create<TupleOp>(Elements)};
}

//===----------------------------------------------------------------------===//
// Slices and indices
//===----------------------------------------------------------------------===//

/// The ends of the slice \p A of \p T as positions: `slice_mode="size"` has
/// lengths instead. Axes without an entry of `begin` begin at 0.
static FailureOr<SmallVector<int64_t, 4>>
getSliceEnds(const GradientRequest &G, const StridedSliceAttrs &A,
             const TensorType *T) {
  SmallVector<int64_t, 4> Ends;
  bool HasSizes = A.sliceMode() == "size";
  for (auto [I, End] : llvm::enumerate(A.end())) {
    if (!HasSizes) {
      Ends.push_back(End.getInt());
      continue;
    }
    FailureOr<int64_t> Extent = getStaticExtent(G, T, I);
    if (failed(Extent))
      return failure();
    int64_t Begin = I < A.begin().size() ? A.begin()[I].getInt() : 0;
    int64_t Position;
    bool IsToTheEnd =
        End.getInt() < 0 ||
        llvm::AddOverflow(getPosition(Begin, *Extent), End.getInt(), Position);
    Ends.push_back(IsToTheEnd ? *Extent : Position);
  }
  return Ends;
}

/// Zeros with g in place of the slice.
FailureOr<GradientList>
relay::differentiateStridedSlice(Rewriter &R, const GradientRequest &G) {
  const StridedSliceAttrs &A = G.Op.getAttrsAs<StridedSliceAttrs>();
  if (A.hasAxes())
    return G.emitError() << "expects a slice without `axes`";
  if (!A.hasBegin() || !A.hasEnd())
    return G.emitError() << "expects known limits";
  FailureOr<SmallVector<int64_t, 4>> Ends =
      getSliceEnds(G, A, G.getOperandType(0));
  if (failed(Ends))
    return failure();
  SmallVector<int64_t, 4> Begins, Strides;
  for (Dim Begin : A.begin())
    Begins.push_back(Begin.getInt());
  if (A.hasStrides() && A.sliceMode() != "size")
    for (Dim Stride : A.strides())
      Strides.push_back(Stride.getInt());
  if (Strides.empty())
    Strides.push_back(1);
  return GradientList{R.create<StridedSetOp>(
      zerosLike(R, G.Operands[0]), G.Gradient, createLimitVector(R, Begins),
      createLimitVector(R, *Ends), createLimitVector(R, Strides))};
}

/// Adds g to zeros at the indices.
FailureOr<GradientList> relay::differentiateGatherND(Rewriter &R,
                                                     const GradientRequest &G) {
  if (G.Op.getAttrsAs<GatherNDAttrs>().batchDims() != 0)
    return G.emitError() << "expects no batch dimensions";
  Value *Zero = zerosLike(R, G.Operands[0]);
  return withZeros(
      R, G, R.create<ScatterNDOp>(Zero, G.Operands[1], G.Gradient, "add"));
}

/// Sums of g where the result is on_value, and where it is off_value. If the
/// values are equal, the sum of all goes to on_value, as in TVM.
FailureOr<GradientList> relay::differentiateOneHot(Rewriter &R,
                                                   const GradientRequest &G) {
  Value *On = G.Operands[1], *Off = G.Operands[2];
  DType Data = G.Op.getAttrsAs<OneHotAttrs>().dtype();
  const TensorType *OnType = G.getOperandType(1);
  bool IsConverted = OnType && OnType->getDType() != Data;
  Value *Converted =
      IsConverted ? R.create<CastOp>(On, Data).getOperation() : On;
  Value *IsOn = R.create<EqualOp>(G.Result, Converted);
  Value *Zero = zerosLike(R, G.Gradient);
  Value *OfOn = R.create<SumOp>(R.create<WhereOp>(IsOn, G.Gradient, Zero));
  Value *OfOff = R.create<SumOp>(R.create<WhereOp>(IsOn, Zero, G.Gradient));
  return GradientList{zerosLike(R, G.Operands[0]),
                      R.create<CastLikeOp>(OfOn, On),
                      R.create<CastLikeOp>(OfOff, Off)};
}

/// Element i of the result is start + i * step.
FailureOr<GradientList> relay::differentiateArange(Rewriter &R,
                                                   const GradientRequest &G) {
  DType Index = DType::getInt(32);
  Value *Numbers =
      R.create<ArangeOp>(R.constant(Index, 0), createLength(R, G.Result),
                         R.constant(Index, 1), Index);
  Value *Factors = R.create<CastLikeOp>(Numbers, G.Gradient);
  Value *OfStep = R.create<SumOp>(R.create<MultiplyOp>(Factors, G.Gradient));
  Value *OfStart = R.create<SumOp>(G.Gradient);
  return GradientList{R.create<CastLikeOp>(OfStart, G.Operands[0]),
                      zerosLike(R, G.Operands[1]),
                      R.create<CastLikeOp>(OfStep, G.Operands[2])};
}

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
#include "llvm/ADT/Sequence.h"

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

/// Returns the order of axes that undoes the transposition to \p Order.
static SmallVector<int64_t, 4> getInverse(ArrayRef<int64_t> Order) {
  SmallVector<int64_t, 4> Inverse(Order.size());
  for (auto [I, Axis] : llvm::enumerate(Order))
    Inverse[Axis] = I;
  return Inverse;
}

FailureOr<GradientList>
relay::differentiateTranspose(Rewriter &R, const GradientRequest &G) {
  const TransposeAttrs &A = G.Op.getAttrsAs<TransposeAttrs>();
  if (!A.hasAxes())
    return GradientList{R.create<TransposeOp>(G.Gradient, std::nullopt)};
  SmallVector<int64_t, 4> Order;
  for (Dim Axis : A.axes())
    Order.push_back(getPosition(Axis.getInt(), A.axes().size()));
  return GradientList{R.create<TransposeOp>(G.Gradient, getInverse(Order))};
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

/// Creates the positions along \p Axis, or in flattened data, that a `take`
/// reads. All indices of mode `fast` are in range.
static FailureOr<Value *> createPositions(Rewriter &R, const GradientRequest &G,
                                          const TakeAttrs &A, int64_t Axis) {
  Value *Indices = G.Operands[1];
  if (A.mode() == "fast")
    return Indices;
  const TensorType *Data = G.getOperandType(0);
  int64_t Begin = A.axis() ? Axis : 0,
          End = A.axis() ? Axis + 1 : Data->getRank();
  int64_t Length = 1;
  for (int64_t I = Begin; I != End; ++I) {
    FailureOr<int64_t> Extent = getStaticExtent(G, Data, I);
    if (failed(Extent))
      return failure();
    Length *= *Extent;
  }
  DType T = DType::getInt(64);
  if (G.getOperandType(1)->getDType() != T)
    Indices = R.create<CastOp>(Indices, T);
  if (A.mode() == "wrap")
    return static_cast<Value *>(
        R.create<FloorModOp>(Indices, R.constant(T, Length)));
  Value *Low = R.create<MinimumOp>(Indices, R.constant(T, Length - 1));
  return static_cast<Value *>(R.create<MaximumOp>(Low, R.constant(T, 0)));
}

/// Returns the order of \p Rank axes that moves \p Count axes from \p Axis on
/// to the front.
static SmallVector<int64_t, 4> moveToFront(int64_t Axis, int64_t Count,
                                           int64_t Rank) {
  auto Order = llvm::to_vector<4>(llvm::seq<int64_t>(0, Rank));
  std::rotate(Order.begin(), Order.begin() + Axis,
              Order.begin() + Axis + Count);
  return Order;
}

static Value *transpose(Rewriter &R, Value *V, ArrayRef<int64_t> Order) {
  return llvm::is_sorted(Order) ? V : R.create<TransposeOp>(V, Order);
}

/// Adds g to zeros at the indices. For `scatter_nd`, the axis of the indices is
/// the first one.
FailureOr<GradientList> relay::differentiateTake(Rewriter &R,
                                                 const GradientRequest &G) {
  const TakeAttrs &A = G.Op.getAttrsAs<TakeAttrs>();
  const TensorType *Data = G.getOperandType(0), *Indices = G.getOperandType(1);
  if (A.batchDims() != 0)
    return G.emitError() << "expects no batch dimensions";
  if (!Data || !Indices)
    return G.emitError() << "expects tensors";
  int64_t Rank = Data->getRank(), IndexRank = Indices->getRank();
  int64_t Axis = A.axis() ? getPosition(*A.axis(), Rank) : 0;
  if (A.axis() && Axis == Rank)
    return G.emitError() << "expects an axis of the data";
  FailureOr<Value *> Positions = createPositions(R, G, A, Axis);
  if (failed(Positions))
    return failure();
  Value *Places = R.create<ExpandDimsOp>(*Positions, 0);
  Value *Zero = zerosLike(R, G.Operands[0]);
  if (!A.axis()) {
    Value *Flat = R.create<ReshapeOp>(Zero, ArrayRef<int64_t>{-1});
    Flat = R.create<ScatterNDOp>(Flat, Places, G.Gradient, "add");
    return withZeros(R, G, R.create<ReshapeLikeOp>(Flat, G.Operands[0]));
  }
  SmallVector<int64_t, 4> Order = moveToFront(Axis, 1, Rank);
  Value *Updates = transpose(
      R, G.Gradient, moveToFront(Axis, IndexRank, Rank - 1 + IndexRank));
  Value *Sum =
      R.create<ScatterNDOp>(transpose(R, Zero, Order), Places, Updates, "add");
  return withZeros(R, G, transpose(R, Sum, getInverse(Order)));
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

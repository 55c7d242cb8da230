//===- FakeQuantizationAxes.cpp - Axes of scales --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the axis of a result along which the scales of an operand vary.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

using namespace relay;

using OptionalAxis = std::optional<int64_t>;

/// The axis of \p To that starts after as many elements as \p Axis of \p From
/// and has the same length; none if there is none.
static OptionalAxis followReshape(const TensorType &From, const TensorType &To,
                                  int64_t Axis) {
  if (!From.isStatic() || !To.isStatic())
    return std::nullopt;
  int64_t Before = 1, Length = From.getDim(Axis).getInt();
  for (int64_t I = 0; I != Axis; ++I)
    Before *= From.getDim(I).getInt();
  int64_t Elements = 1;
  for (unsigned I = 0; I != To.getRank(); ++I) {
    if (Elements == Before && To.getDim(I).getInt() == Length)
      return I;
    Elements *= To.getDim(I).getInt();
  }
  return std::nullopt;
}

static OptionalAxis followTranspose(TransposeOp Op, const TensorType &From,
                                    int64_t Axis) {
  if (!Op.attrs().hasAxes())
    return int64_t(From.getRank()) - 1 - Axis;
  for (auto [I, Source] : llvm::enumerate(Op.attrs().axes()))
    if (getPosition(Source.getInt(), From.getRank()) == Axis)
      return I;
  return std::nullopt;
}

static OptionalAxis followReduction(const ReduceAttrs &A,
                                    const TensorType &From, int64_t Axis) {
  llvm::BitVector Reduced = findReducedAxes(A, From.getRank());
  if (Reduced[Axis])
    return std::nullopt;
  Reduced.resize(Axis);
  return A.keepdims() ? Axis : Axis - int64_t(Reduced.count());
}

/// Pools and resizing change the axes H and W.
static OptionalAxis followImage(StringRef LayoutText, int64_t Axis) {
  char Letter = size_t(Axis) < LayoutText.size() ? LayoutText[Axis] : 'W';
  return Letter == 'H' || Letter == 'W' ? OptionalAxis() : OptionalAxis(Axis);
}

/// Returns the axis of the result of an operator that keeps all axes: \p Axis,
/// unless it is \p Changed.
static OptionalAxis keepOther(int64_t Axis, int64_t Changed) {
  return Axis == Changed ? OptionalAxis() : OptionalAxis(Axis);
}

static OptionalAxis followSlice(StridedSliceOp Op, const TensorType &From,
                                const TensorType &To, int64_t Axis) {
  for (Dim Stride : Op.attrs().strides())
    if (!Stride.isConst() || Stride.getInt() < 1)
      return std::nullopt;
  return From.getDim(Axis) == To.getDim(Axis) ? OptionalAxis(Axis)
                                              : OptionalAxis();
}

static OptionalAxis followBroadcast(const TensorType &From,
                                    const TensorType &To, int64_t Axis) {
  int64_t Moved = Axis + int64_t(To.getRank()) - int64_t(From.getRank());
  return From.getDim(Axis) == To.getDim(Moved) ? OptionalAxis(Moved)
                                               : OptionalAxis();
}

/// Indices take the place of one axis, except for its leading batch axes.
static OptionalAxis followTake(TakeOp Op, const TensorType &From,
                               int64_t Axis) {
  auto *Indices = dyn_cast_or_null<TensorType>(Op.indices()->getType());
  if (!Indices || !Op.attrs().hasAxis())
    return std::nullopt;
  int64_t Taken = getPosition(*Op.attrs().axis(), From.getRank());
  if (Axis <= Taken)
    return keepOther(Axis, Taken);
  return Axis - 1 + int64_t(Indices->getRank()) - Op.attrs().batchDims();
}

static OptionalAxis findAxis(Operation *Op, const TensorType &From,
                             const TensorType &To, int64_t Axis) {
  if (auto Transpose = dyn_cast<TransposeOp>(Op))
    return followTranspose(Transpose, From, Axis);
  if (isa<ReshapeOp>(Op) || isa<SqueezeOp>(Op) || isa<ExpandDimsOp>(Op) ||
      isa<BatchFlattenOp>(Op))
    return followReshape(From, To, Axis);
  if (isa<MaxOp>(Op) || isa<MinOp>(Op) || isa<MeanOp>(Op))
    return followReduction(Op->getAttrsAs<ReduceAttrs>(), From, Axis);
  if (auto Pool = dyn_cast<MaxPool2DOp>(Op))
    return followImage(Pool.attrs().layout(), Axis);
  if (auto Resize = dyn_cast<Resize2DOp>(Op))
    return followImage(Resize.attrs().layout(), Axis);
  if (auto Slice = dyn_cast<StridedSliceOp>(Op))
    return followSlice(Slice, From, To, Axis);
  if (isa<BroadcastToOp>(Op))
    return followBroadcast(From, To, Axis);
  if (isa<SplitOp>(Op)) // a field may be all of the axis
    return From.getDim(Axis) == To.getDim(Axis) ? OptionalAxis(Axis)
                                                : OptionalAxis();
  if (auto Take = dyn_cast<TakeOp>(Op))
    return followTake(Take, From, Axis);
  if (auto Topk = dyn_cast<TopkOp>(Op))
    return keepOther(Axis, getPosition(Topk.attrs().axis(), From.getRank()));
  return std::nullopt;
}

std::optional<AffineType> relay::followAxis(Operation *Op, const Type *Result,
                                            AffineType T) {
  if (!T.isPerAxis())
    return T;
  auto *From = dyn_cast_or_null<TensorType>(Op->getOperand(0)->getType());
  auto *To = dyn_cast_or_null<TensorType>(Result);
  if (!From || !To)
    return std::nullopt;
  int64_t Axis = getPosition(T.Axis, From->getRank());
  if (Axis < 0 || Axis >= int64_t(From->getRank()))
    return std::nullopt;
  OptionalAxis Moved = findAxis(Op, *From, *To, Axis);
  if (!Moved)
    return std::nullopt;
  // A negative number stays one, as in TVM, where it means the same axis.
  if (*Moved != getPosition(T.Axis, To->getRank()))
    T.Axis = *Moved;
  return T;
}

//===- Rearrange.cpp - Moving and repeating elements ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Rearrange.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Relations.h"
#include "llvm/ADT/StringExtras.h"

#include "relay/Ops/Rearrange.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Changing the order of elements
//===----------------------------------------------------------------------===//

// data: [..] -> its dimensions in the order of `axes`, or reversed.
RelationResult relay::inferTranspose(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<TransposeAttrs>();
  if (!A.hasAxes()) {
    Shape Reversed(llvm::reverse(Data->getShape()));
    return R.setResult(R.getTensorType(Reversed, Data->getDType()));
  }
  auto Axes = getAxes(R, A.axes(), Data->getRank(), "axes");
  if (failed(Axes) || failed(checkCount(R, A.axes(), Data->getRank(), "axes")))
    return RelationResult::Failed;
  Shape Result;
  SmallVector<bool, 6> Seen(Data->getRank(), false);
  for (unsigned Axis : *Axes) {
    if (std::exchange(Seen[Axis], true))
      return R.error("'axes' names axis " + Twine(Axis) + " twice");
    Result.push_back(Data->getDim(Axis));
  }
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// data: [..] in src_layout -> the same in dst_layout.
RelationResult relay::inferLayoutTransform(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<LayoutTransformAttrs>();
  if (failed(getLayout(R, A.srcLayout(), "src_layout")) ||
      failed(getLayout(R, A.dstLayout(), "dst_layout")))
    return RelationResult::Failed;
  std::optional<LayoutMap> Map = LayoutMap::get(A.srcLayout(), A.dstLayout());
  if (!Map)
    return R.error("layouts " + A.srcLayout() + " and " + A.dstLayout() +
                   " do not have the same axes");
  FailureOr<Shape> Result = toCanonical(R, *Map, Data->getShape());
  if (failed(Result))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*Result, Data->getDType()));
}

// data: [..] -> the factors in dst_layout: 8N4C2n is [8, 4, 2].
RelationResult relay::inferAutoSchedulerLayoutTransform(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  StringRef Text = R.getAttrs<AutoSchedulerLayoutTransformAttrs>().dstLayout();
  Shape Result;
  for (StringRef Rest = Text; !Rest.empty();) {
    int32_t Extent;
    if (Rest.consumeInteger(10, Extent) || Rest.empty() ||
        !llvm::isAlpha(Rest.front()))
      return R.error("'dst_layout' is \"" + Text + "\", which is not a layout");
    Result.push_back(Dim::get(Extent));
    Rest = Rest.drop_front();
  }
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// data: [..] -> [..].
RelationResult relay::inferReverse(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<ReverseAttrs>();
  if (!A.hasAxis())
    return R.error("'axis' is missing");
  if (failed(getAxis(R, *A.axis(), Data->getRank())))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

// data: [.. n ..], seq_lengths: [n] -> the type of data.
RelationResult relay::inferReverseSequence(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Lengths = R.getTensor(1);
  const auto &A = R.getAttrs<ReverseSequenceAttrs>();
  if (failed(checkRank(R, "seq_lengths", Lengths, 1)) ||
      failed(checkSignedIntegers(R, 1)))
    return RelationResult::Failed;
  auto Batch = getAxis(R, A.batchAxis(), Data->getRank(), "batch_axis");
  auto Sequence = getAxis(R, A.seqAxis(), Data->getRank(), "seq_axis");
  if (failed(Batch) || failed(Sequence) ||
      failed(checkDim(R, "the number of seq_lengths", Lengths->getDim(0),
                      Data->getDim(*Batch))))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

//===----------------------------------------------------------------------===//
// Repeating elements
//===----------------------------------------------------------------------===//

// data: [..] -> [..], each dimension times its entry of `reps`; the shorter
// list is extended with 1 at the front. As in TVM, products that are not
// constant become `?`.
RelationResult relay::inferTile(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<TileAttrs>();
  if (!A.getSlot(0))
    return R.error("'reps' is missing");
  ArrayRef<Dim> Reps = A.reps();
  for (Dim Rep : Reps)
    if (Rep.isConst() && Rep.getInt() <= 0)
      return R.error("an entry of 'reps' is " + Twine(Rep.getInt()));
  unsigned Rank = std::max<unsigned>(Data->getRank(), Reps.size());
  Shape Result(Rank - Data->getRank(), Dim::get(1));
  llvm::append_range(Result, Data->getShape());
  DimMath Math(R.getContext());
  unsigned Offset = Rank - Reps.size();
  for (auto [I, Rep] : llvm::enumerate(Reps))
    Result[Offset + I] = Math.mul(Result[Offset + I], Rep);
  for (Dim &D : Result)
    D = D.isConst() ? D : Dim::getAny();
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// data: [..] -> [..], the dimension `axis` times `repeats`.
RelationResult relay::inferRepeat(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<RepeatAttrs>();
  if (!A.hasAxis())
    return R.error("'axis' is missing");
  if (A.repeats() < 1)
    return R.error("'repeats' is " + Twine(A.repeats()));
  auto Axis = getAxis(R, *A.axis(), Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Shape Result(Data->getShape());
  Result[*Axis] = DimMath(R.getContext()).mul(Result[*Axis], A.repeats());
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

/// Returns true if \p From may broadcast to \p To, with any values of
/// variables.
static bool mayBroadcastTo(ArrayRef<Dim> From, ArrayRef<Dim> To) {
  return From.size() <= To.size() &&
         llvm::all_of(llvm::zip(From, To.take_back(From.size())),
                      [](auto Pair) {
                        auto [Small, Large] = Pair;
                        return Small.isConst(1) || mayEqual(Small, Large);
                      });
}

// [..] -> the attribute's shape, to which the operand must broadcast.
RelationResult relay::inferBroadcastTo(TypeRelation &R) {
  const auto &A = R.getAttrs<InitOpAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (!A.hasShape())
    return R.error("'shape' is missing");
  if (!mayBroadcastTo(Data->getShape(), A.shape()))
    return R.error(toString(Data->getShape()) + " does not broadcast to " +
                   toString(A.shape()));
  return R.setResult(R.getTensorType(A.shape(), Data->getDType()));
}

// As above; the result has the type of the second operand, which has the dtype
// of the first.
RelationResult relay::inferBroadcastToLike(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Like = R.getTensor(1);
  if (failed(checkSameDType(R, Data, Like)) ||
      failed(checkBroadcastsTo(R, Data->getShape(), Like->getShape())))
    return RelationResult::Failed;
  return R.setResultLike(1);
}

// data: [batch.., spatial..] -> [batch.., windows.., window_shape..]. As in
// TVM, axes after the axes of the window are dropped.
RelationResult relay::inferSlidingWindow(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<SlidingWindowAttrs>();
  size_t NumSpatial = A.windowShape().size();
  if (A.axis() < 0 || A.axis() + NumSpatial > Data->getRank())
    return R.error("a window of " + countOf(NumSpatial, "axis") +
                   " from axis " + Twine(A.axis()) + " does not fit rank " +
                   Twine(Data->getRank()));
  if (failed(checkAtLeast(R, A.strides(), NumSpatial, "strides")) ||
      failed(checkNonZero(R, A.strides(), "strides")))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Result(Data->getShape().take_front(A.axis()));
  for (size_t I = 0; I != NumSpatial; ++I)
    Result.push_back(Math.windows(Data->getDim(A.axis() + I), Math.get(0),
                                  A.windowShape()[I], A.strides()[I]));
  llvm::append_range(Result, A.windowShape());
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

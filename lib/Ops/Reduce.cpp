//===- Reduce.cpp - Reductions and scans ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Reduce.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Reduce.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Reduce.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Returns the axes of a tensor of rank \p Rank that the common fields of
/// reductions select. None and an empty list mean all axes.
template <typename AttrsT>
static FailureOr<SmallVector<bool, 6>>
getReducedAxes(TypeRelation &R, const AttrsT &A, unsigned Rank) {
  if (A.axis().empty())
    return SmallVector<bool, 6>(Rank, true);
  FailureOr<SmallVector<unsigned, 6>> Axes = getAxes(R, A.axis(), Rank);
  if (failed(Axes))
    return failure();
  SmallVector<bool, 6> Reduced(Rank, A.exclude());
  for (unsigned Axis : *Axes)
    Reduced[Axis] = !A.exclude();
  return Reduced;
}

/// A sum or maximum of a scalar is the scalar, but an index into it is
/// undefined.
static LogicalResult checkHasAxes(TypeRelation &R, const TensorType *Data) {
  if (!Data->isScalar())
    return success();
  R.error("a scalar has no axes to reduce");
  return failure();
}

/// [..] -> [..] without the reduced axes or, with keepdims, with 1 on them.
template <typename AttrsT>
static FailureOr<Shape> getReducedShape(TypeRelation &R,
                                        const TensorType *Data) {
  const auto &A = R.getAttrs<AttrsT>();
  FailureOr<SmallVector<bool, 6>> Reduced =
      getReducedAxes(R, A, Data->getRank());
  if (failed(Reduced))
    return failure();
  Shape Result;
  for (auto [D, IsReduced] : llvm::zip_equal(Data->getShape(), *Reduced)) {
    if (!IsReduced)
      Result.push_back(D);
    else if (A.keepdims())
      Result.push_back(Dim::get(1));
  }
  return Result;
}

RelationResult relay::inferReduce(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  FailureOr<Shape> Result = getReducedShape<ReduceAttrs>(R, Data);
  if (failed(Result))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*Result, Data->getDType()));
}

// As inferReduce; the result has the integer type of the first dimension.
RelationResult relay::inferArgReduce(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(checkHasAxes(R, Data)))
    return RelationResult::Failed;
  FailureOr<Shape> Result = getReducedShape<ArgReduceAttrs>(R, Data);
  if (failed(Result))
    return RelationResult::Failed;
  Dim First = Data->getDim(0);
  DType T = First.isAny() ? DType::getInt(32) : First.getNumberType();
  return R.setResult(R.getTensorType(*Result, T));
}

// As inferReduce, for the first operand.
RelationResult relay::inferVariance(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  if (failed(checkHasAxes(R, Data)) ||
      failed(checkRank(R, "mean", R.getTensor(1), Data->getRank())))
    return RelationResult::Failed;
  FailureOr<Shape> Result = getReducedShape<VarianceAttrs>(R, Data);
  if (failed(Result))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*Result, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Undoing a broadcast
//===----------------------------------------------------------------------===//

// [..], T -> T, which must broadcast to the first operand.
RelationResult relay::inferCollapseSumLike(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Target = R.getTensor(1);
  if (failed(checkSameDType(R, Data, Target)) ||
      failed(checkBroadcastsTo(R, Target->getShape(), Data->getShape())))
    return RelationResult::Failed;
  return R.setResultLike(1);
}

// [..], [n] -> the attribute's shape; n axes of `?` if there is none. As in
// TVM, broadcasting to the first operand is not checked.
RelationResult relay::inferCollapseSumTo(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  const auto &A = R.getAttrs<InitOpAttrs>();
  FailureOr<unsigned> Rank = getVectorLength(R, 1);
  if (failed(Rank))
    return RelationResult::Failed;
  Shape Result(A.shape());
  if (!A.hasShape())
    Result.assign(*Rank, Dim::getAny());
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

// [..] -> [..] along an axis, or one axis of all elements.
RelationResult relay::inferScan(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<ScanopAttrs>();
  DType Element = getOutDType(A.dtype(), Data->getDType());
  if (A.hasAxis())
    return R.setResult(R.getTensorType(Data->getShape(), Element));
  Dim All = DimMath(R.getContext()).product(Data->getShape());
  return R.setResult(R.getTensorType(All, Element));
}

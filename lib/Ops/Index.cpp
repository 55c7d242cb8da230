//===- Index.cpp - Reading and writing parts of tensors -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Index.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Index.h"
#include "relay/Ops/AxisSlice.h"
#include "relay/Ops/Relations.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

#include "relay/Ops/Index.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

/// Without axis: indices' shape. With an axis: data's shape, in which the
/// indices' shape without its batch axes replaces the axis.
RelationResult relay::inferTake(TypeRelation &R) {
  const TakeAttrs &A = R.getAttrs<TakeAttrs>();
  const TensorType *Data = R.getTensor(0), *Indices = R.getTensor(1);
  if (!Data || !Indices)
    return R.unresolved(Data ? 1 : 0);
  if (!Indices->getDType().isInt() && !Indices->getDType().isUInt())
    return R.error("indices are not integers");
  if (!A.axis())
    return R.setResult(R.getTensorType(Indices->getShape(), Data->getDType()));
  int64_t Rank = Data->getRank(), Batch = A.batchDims();
  int64_t Axis = *A.axis() < 0 ? *A.axis() + Rank : *A.axis();
  // As in TVM, the axis after the last one is allowed.
  if (Axis < 0 || Axis > Rank)
    return R.error("'axis' is " + Twine(*A.axis()) + ", out of range");
  if (Rank == 0 && Indices->isScalar())
    return R.error("data has no axis to take from");
  if (Batch < 0 || Batch > Axis || Batch > int64_t(Indices->getRank()))
    return R.error("'batch_dims' is " + Twine(Batch) + ", out of range");
  Shape Out(Data->getShape().take_front(Axis));
  llvm::append_range(Out, Indices->getShape().drop_front(Batch));
  if (Axis < Rank)
    llvm::append_range(Out, Data->getShape().drop_front(Axis + 1));
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Elements at given positions
//===----------------------------------------------------------------------===//

// data, indices: [..] of equal rank and, except for `axis`, equal shape -> the
// type of indices, with data's dtype.
RelationResult relay::inferGather(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<GatherAttrs>();
  const TensorType *Data = R.getTensor(0), *Indices = R.getTensor(1);
  if (!A.hasAxis())
    return R.error("'axis' is missing");
  auto Axis = getAxis(R, *A.axis(), Data->getRank());
  if (failed(checkSignedIntegers(R, 1)) || failed(Axis) ||
      failed(checkRank(R, "indices", Indices, Data->getRank())))
    return RelationResult::Failed;
  for (unsigned I = 0; I != Data->getRank(); ++I)
    if (I != *Axis && !mayEqual(Data->getDim(I), Indices->getDim(I)))
      return R.error("data and indices differ on axis " + Twine(I));
  Dim Count = Indices->getDim(*Axis);
  if (Count.isConst() && Count.getInt() < 1)
    return R.error("indices are empty on axis " + Twine(*Axis));
  return R.setResult(R.getTensorType(Indices->getShape(), Data->getDType()));
}

/// Returns the number of axes of data that an index names: the length of the
/// first axis of operand \p I, at most \p Rank.
static FailureOr<unsigned> getIndexRank(TypeRelation &R, unsigned I,
                                        unsigned Rank) {
  const TensorType *Indices = R.getTensor(I);
  if (Indices->isScalar() || !Indices->getDim(0).isConst()) {
    R.error("the length of the first axis of indices is not known");
    return failure();
  }
  int64_t Length = Indices->getDim(0).getInt();
  if (Length >= 0 && Length <= Rank)
    return unsigned(Length);
  R.error("indices name " + Twine(Length) + " axes of " + Twine(Rank));
  return failure();
}

// data: [b.., x.., y..], indices: [x's rank, b.., i..] -> [b.., i.., y..]. As
// in TVM, indices may be of any data type.
RelationResult relay::inferGatherND(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Indices = R.getTensor(1);
  int64_t Batch = R.getAttrs<GatherNDAttrs>().batchDims();
  auto IndexRank = getIndexRank(R, 1, Data->getRank());
  if (failed(IndexRank))
    return RelationResult::Failed;
  if (Batch < 0 || Batch >= Indices->getRank() || Batch > Data->getRank())
    return R.error("'batch_dims' is " + Twine(Batch) + ", out of range");
  for (unsigned I = 0; I != Batch; ++I)
    if (!mayEqual(Data->getDim(I), Indices->getDim(I + 1)))
      return R.error("data and indices differ in batch axis " + Twine(I));
  Shape Result(Indices->getShape().drop_front());
  unsigned Named = std::min<unsigned>(*IndexRank + Batch, Data->getRank());
  llvm::append_range(Result, Data->getShape().drop_front(Named));
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// (data: [x.., y..], an index tensor for each axis of x) -> [broadcast shape of
// the indices.., y..].
RelationResult relay::inferAdvIndex(TypeRelation &R) {
  RelationResult Out;
  auto Tensors = R.getTensorFields(0, Out);
  if (failed(Tensors))
    return Out;
  if (Tensors->size() < 2)
    return R.error("the tuple holds no indices");
  const TensorType *Data = Tensors->front();
  ArrayRef<const TensorType *> Indices = ArrayRef(*Tensors).drop_front();
  if (Indices.size() > Data->getRank())
    return R.error(countOf(Indices.size(), "index tensor") + " for " +
                   countOf(Data->getRank(), "axis"));
  Shape Result(Indices.front()->getShape());
  for (const TensorType *T : Indices.drop_front()) {
    std::optional<Shape> Joined = broadcastShapes(Result, T->getShape());
    if (!Joined)
      return R.error("indices of shapes " + toString(Result) + " and " +
                     toString(T->getShape()) + " do not broadcast");
    Result = *Joined;
  }
  llvm::append_range(Result, Data->getShape().drop_front(Indices.size()));
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// condition: [..] of rank n -> [?, n].
RelationResult relay::inferArgwhere(TypeRelation &R) {
  const TensorType *Condition = R.getTensor(0);
  if (!Condition)
    return R.unresolved(0);
  return R.setResult(R.getTensorType(
      {Dim::getAny(), Dim::get(Condition->getRank())}, DType::getInt(32)));
}

// data: [n] or scalar, shape: [rank] -> [rank, n] or [rank].
RelationResult relay::inferUnravelIndex(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Of = R.getTensor(1);
  if (failed(checkIntegers(R, 0)) || failed(checkIntegers(R, 1)))
    return RelationResult::Failed;
  if (Of->isScalar())
    return R.error("shape is a scalar");
  Shape Result = {Of->getDim(0)};
  if (!Data->isScalar())
    Result.push_back(Data->getDim(0));
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Updates of elements at given positions
//===----------------------------------------------------------------------===//

// data, indices, updates: [..] -> the type of data. As in TVM, only indices are
// checked to be integers.
RelationResult relay::inferScatterElements(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  if (failed(checkIntegers(R, 1)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

// data: [x.., y..], indices: [x's rank, i..], updates: [i.., y..] -> the type
// of data. As in TVM, only the rank of updates is checked, and it may be
// greater.
RelationResult relay::inferScatterND(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  unsigned Rank = R.getTensor(0)->getRank();
  auto IndexRank = getIndexRank(R, 1, Rank);
  if (failed(IndexRank) || failed(checkIntegers(R, 1)))
    return RelationResult::Failed;
  unsigned Least = R.getTensor(1)->getRank() - 1 + Rank - *IndexRank;
  if (R.getTensor(2)->getRank() < Least)
    return R.error("updates have rank " + Twine(R.getTensor(2)->getRank()) +
                   ", less than " + Twine(Least));
  return R.setResultLike(0);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Returns entry \p I of \p Places; \p Default if there are fewer entries.
static FailureOr<int64_t> getPlace(TypeRelation &R, ArrayRef<Dim> Places,
                                   unsigned I, int64_t Default,
                                   StringRef Name) {
  if (I >= Places.size())
    return Default;
  return getConstant(R, Places[I], Name);
}

/// Returns entry \p I of the slice on an axis of \p Length elements. With
/// sizes, as in TVM, the end is relative to `begin` as written.
static FailureOr<AxisSlice> getSliceAxis(TypeRelation &R,
                                         const StridedSliceAttrs &A, unsigned I,
                                         int64_t Length) {
  // Beyond every axis, without overflow.
  constexpr int64_t Far = int64_t(1) << 40;
  auto Begin = getPlace(R, A.begin(), I, 0, "begin");
  auto End = getPlace(R, A.end(), I, Length, "end");
  auto Stride = getPlace(R, A.strides(), I, 1, "strides");
  if (failed(Begin) || failed(End) || failed(Stride))
    return failure();
  AxisSlice S = {std::clamp(*Begin, -Far, Far), std::clamp(*End, -Far, Far),
                 *Stride};
  if (A.sliceMode() == "size") {
    if (I >= A.end().size() && S.Begin > 0) {
      R.error("'end' has no size for axis " + Twine(I));
      return failure();
    }
    S.End = S.End < 0 ? Length : S.Begin + S.End;
    S.Stride = 1;
  }
  if (S.Stride != 0 && -Far < S.Stride && S.Stride < Far)
    return S;
  R.error("'strides' holds " + Twine(S.Stride));
  return failure();
}

/// Returns the sliced axes: `axes`, or all of them.
static FailureOr<SmallVector<unsigned, 6>>
getSlicedAxes(TypeRelation &R, const StridedSliceAttrs &A, unsigned Rank) {
  if (!A.hasBegin() || !A.hasEnd() || !A.hasStrides()) {
    R.error("'begin', 'end' or 'strides' is missing");
    return failure();
  }
  unsigned Count = A.begin().size();
  if (A.hasAxes()) {
    if (failed(checkCount(R, A.axes(), Count, "axes")) ||
        failed(checkCount(R, A.end(), Count, "end")) ||
        failed(checkCount(R, A.strides(), Count, "strides")))
      return failure();
    if (Count > Rank) {
      R.error("'axes' has " + countOf(Count, "number") + " for rank " +
              Twine(Rank));
      return failure();
    }
    for (Dim Axis : A.axes())
      if (Axis.isConst() && Axis.getInt() < 0) {
        R.error("'axes' holds " + Twine(Axis.getInt()) +
                ", but must not be negative");
        return failure();
      }
    return getAxes(R, A.axes(), Rank, "axes");
  }
  std::pair<ArrayRef<Dim>, StringRef> Lists[] = {
      {A.begin(), "begin"}, {A.end(), "end"}, {A.strides(), "strides"}};
  for (auto [Places, Name] : Lists)
    if (Places.size() > Rank) {
      R.error("'" + Name + "' has " + countOf(Places.size(), "number") +
              " for rank " + Twine(Rank));
      return failure();
    }
  return llvm::to_vector<6>(llvm::seq<unsigned>(0, Rank));
}

// data: [..] -> the lengths of the slices on their axes, `?` if the length of
// the axis is unknown.
RelationResult relay::inferStridedSlice(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  const auto &A = R.getAttrs<StridedSliceAttrs>();
  auto Axes = getSlicedAxes(R, A, Data->getRank());
  if (failed(Axes))
    return RelationResult::Failed;
  Shape Result(Data->getShape());
  for (auto [I, Axis] : llvm::enumerate(*Axes)) {
    Dim Length = Data->getDim(Axis);
    if (!Length.isConst()) {
      Result[Axis] = Dim::getAny();
      continue;
    }
    FailureOr<AxisSlice> S = getSliceAxis(R, A, I, Length.getInt());
    if (failed(S))
      return RelationResult::Failed;
    S->normalize(Length.getInt());
    std::optional<int64_t> Count = S->getLength();
    if (!Count)
      return R.error("the slice of axis " + Twine(Axis) +
                     " ends before it begins");
    // As in TVM, the integer type is the type of the dimension with the entry's
    // number, which may belong to another axis.
    DType T = DType::getInt(32);
    if (!Result[I].isAny())
      T = Result[I].getNumberType();
    Result[Axis] = R.getContext().getDim(*Count, T);
  }
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

// data: [..], v, begin, end, strides -> the type of data. As in TVM, the others
// only need a type.
RelationResult relay::inferStridedSet(TypeRelation &R) {
  for (unsigned I = 1; I != R.getNumOperands(); ++I)
    if (!R.getOperand(I))
      return RelationResult::Unresolved;
  if (!R.getTensor(0))
    return R.unresolved(0);
  return R.setResultLike(0);
}

// data, shape_like: [..] -> the extents of shape_like on `axes`, or on all
// common axes if `axes` is absent; data's extents on the others.
RelationResult relay::inferSliceLike(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Like = R.getTensor(1);
  const auto &A = R.getAttrs<SliceLikeAttrs>();
  unsigned CommonRank = std::min(Data->getRank(), Like->getRank());
  auto Axes = llvm::to_vector<6>(llvm::seq<unsigned>(0, CommonRank));
  if (A.hasAxes()) {
    if (A.axes().empty())
      return R.error("'axes' is empty");
    FailureOr<SmallVector<unsigned, 6>> Named =
        getAxes(R, A.axes(), Data->getRank(), "axes");
    if (failed(Named))
      return RelationResult::Failed;
    Axes = *Named;
  }
  Shape Result(Data->getShape());
  for (unsigned Axis : Axes) {
    if (Axis >= Like->getRank())
      return R.error("shape_like has no axis " + Twine(Axis));
    Dim To = Like->getDim(Axis);
    if (To.isConst() && Result[Axis].isConst() &&
        To.getInt() > Result[Axis].getInt())
      return R.error("shape_like is longer than data on axis " + Twine(Axis));
    Result[Axis] = To;
  }
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Masks and diagonals
//===----------------------------------------------------------------------===//

// data: [t, n, ..] or, with `axis` 1, [n, t, ..], valid_length: [n] -> the type
// of data.
RelationResult relay::inferSequenceMask(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Lengths = R.getTensor(1);
  int64_t Axis = R.getAttrs<SequenceMaskAttrs>().axis();
  if (Axis != 0 && Axis != 1)
    return R.error("'axis' is " + Twine(Axis) + ", neither 0 nor 1");
  if (Data->getRank() < 2 - Axis)
    return R.error("data has rank " + Twine(Data->getRank()));
  Type *Expected =
      R.getTensorType({Data->getDim(1 - Axis)}, Lengths->getDType());
  if (failed(R.setOperand(1, Expected)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

// input: [b.., rows, columns], diagonal: [b.., (count,) length] -> the type of
// input.
RelationResult relay::inferMatrixSetDiag(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Input = R.getTensor(0), *Diagonal = R.getTensor(1);
  const auto &A = R.getAttrs<MatrixSetDiagAttrs>();
  unsigned Rank = Input->getRank();
  bool Single = A.k1() == A.k2();
  if (Rank < 2)
    return R.error("input has rank " + Twine(Rank));
  if (failed(checkInt32(R, A.k1(), "k1")) ||
      failed(checkInt32(R, A.k2(), "k2")))
    return RelationResult::Failed;
  if (A.k1() > A.k2())
    return R.error("'k1' is greater than 'k2'");
  if (failed(checkRank(R, "diagonal", Diagonal, Rank - Single)))
    return RelationResult::Failed;
  for (unsigned I = 0; I + 2 < Rank; ++I)
    if (!mayEqual(Input->getDim(I), Diagonal->getDim(I)))
      return R.error("input and diagonal differ on axis " + Twine(I));
  if (!Single &&
      failed(checkDim(R, "the number of diagonals", Diagonal->getDim(Rank - 2),
                      DimMath(R.getContext()).get(A.k2() - A.k1() + 1))))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

// data: [.., rows, columns], k: scalar -> the type of data.
RelationResult relay::inferTrilu(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  if (failed(checkRank(R, "k", R.getTensor(1), 0)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

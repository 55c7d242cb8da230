//===- ReshapeRelations.cpp - Shapes of reshaped tensors ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relations of `reshape` and `reshape_like`, and their shared parts.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/ReshapeRelations.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Ops/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// The new shape
//===----------------------------------------------------------------------===//

namespace {
/// Reads a new shape entry by entry. Lengths that were copied or split off from
/// the input are excluded from the computation of the rest, `-1`.
class NewShapeReader {
public:
  NewShapeReader(TypeRelation &R, ArrayRef<Dim> Old, ArrayRef<Dim> New,
                 bool AllowZero)
      : R(R), Math(R.getContext()), Old(Old), New(New), AllowZero(AllowZero),
        IsOldUsed(Old.size()) {}

  FailureOr<Shape> read();

private:
  LogicalResult readEntry();
  LogicalResult copyOne();
  LogicalResult mergeTwo();
  LogicalResult splitOne();
  LogicalResult computeRest();

  LogicalResult fail(const Twine &Message) {
    R.error(Message + " in 'newshape'");
    return failure();
  }
  /// Returns the next length of the input.
  Dim takeOld() {
    IsOldUsed.set(Source);
    return Old[Source++];
  }
  void push(Dim D, bool FromInput) {
    Result.push_back(D);
    IsFromInput.push_back(FromInput);
  }

  TypeRelation &R;
  DimMath Math;
  ArrayRef<Dim> Old, New;
  bool AllowZero;
  unsigned Source = 0, Next = 0;
  std::optional<unsigned> Rest;
  Shape Result;
  llvm::SmallBitVector IsOldUsed, IsFromInput;
};
} // namespace

FailureOr<Shape> NewShapeReader::read() {
  while (Next != New.size())
    if (failed(readEntry()))
      return failure();
  if (Rest && failed(computeRest()))
    return failure();
  return Result;
}

LogicalResult NewShapeReader::readEntry() {
  Dim D = New[Next++];
  if (!D.isConst())
    return fail("an entry that is not constant");
  switch (D.getInt()) {
  case 0:
    if (!AllowZero)
      return copyOne();
    push(D, /*FromInput=*/false);
    ++Source;
    return success();
  case -1:
    if (Rest)
      return fail("more than one -1");
    Rest = Result.size();
    push(Dim::get(1), /*FromInput=*/false);
    ++Source;
    return success();
  case -2:
    while (Source < Old.size())
      push(takeOld(), /*FromInput=*/true);
    return success();
  case -3:
    return mergeTwo();
  case -4:
    return splitOne();
  default:
    if (D.getInt() < 0)
      return fail("unknown entry " + Twine(D.getInt()));
    push(D, /*FromInput=*/false);
    ++Source;
    return success();
  }
}

LogicalResult NewShapeReader::copyOne() {
  if (Source >= Old.size())
    return fail("0 for an axis that the input does not have");
  push(takeOld(), /*FromInput=*/true);
  return success();
}

LogicalResult NewShapeReader::mergeTwo() {
  if (Source + 1 >= Old.size())
    return fail("-3 for axes that the input does not have");
  Dim First = takeOld();
  push(Math.mul(First, takeOld()), /*FromInput=*/true);
  return success();
}

LogicalResult NewShapeReader::splitOne() {
  if (Next + 2 > New.size())
    return fail("-4 without two numbers after it");
  if (Source >= Old.size())
    return fail("-4 for an axis that the input does not have");
  Dim Whole = takeOld();
  Dim Parts[2] = {New[Next], New[Next + 1]};
  Next += 2;
  for (unsigned I : {0, 1}) {
    Dim Other = Parts[1 - I];
    if (!Parts[I].isConst(-1))
      continue;
    if (!Other.isConst() || Other.isConst(-1) || Other.isConst(0))
      return fail("-4 whose two parts cannot be inferred");
    Parts[I] = Math.floorDiv(Whole, Other);
  }
  push(Parts[0], /*FromInput=*/true);
  push(Parts[1], /*FromInput=*/true);
  return success();
}

LogicalResult NewShapeReader::computeRest() {
  Dim Size = Dim::get(1);
  for (auto [I, D] : llvm::enumerate(Old))
    if (!IsOldUsed[I])
      Size = Math.mul(Size, D);
  for (auto [I, D] : llvm::enumerate(Result)) {
    if (IsFromInput[I] || Size.isAny())
      continue;
    if (D.isConst(0))
      return fail("-1 beside 0");
    Size = simplifyDim(R.getContext(), Math.floorDiv(Size, D));
  }
  Result[*Rest] = simplifyDim(R.getContext(), Size);
  return success();
}

FailureOr<Shape> relay::inferNewShape(TypeRelation &R, ArrayRef<Dim> Old,
                                      ArrayRef<Dim> NewShape, bool AllowZero) {
  return NewShapeReader(R, Old, NewShape, AllowZero).read();
}

LogicalResult relay::checkSameSize(TypeRelation &R, ArrayRef<Dim> Old,
                                   ArrayRef<Dim> New) {
  DimMath Math(R.getContext());
  if (mayEqual(Math.product(Old), Math.product(New)))
    return success();
  R.error("shapes " + toString(Old) + " and " + toString(New) +
          " have different numbers of elements");
  return failure();
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

RelationResult relay::inferReshape(TypeRelation &R) {
  const ReshapeAttrs &A = R.getAttrs<ReshapeAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto New = inferNewShape(R, Data->getShape(), A.newshape(), A.allowzero());
  if (failed(New) || failed(checkSameSize(R, Data->getShape(), *New)))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*New, Data->getDType()));
}

/// Converts \p Position, which counts from the end if negative.
static int64_t fromFront(int64_t Position, unsigned Rank) {
  return Position < 0 ? Position + Rank : Position;
}

/// Replaces the axes [lhs_begin, lhs_end) of data by the axes [rhs_begin,
/// rhs_end) of shape_like.
RelationResult relay::inferReshapeLike(TypeRelation &R) {
  const ReshapeLikeAttrs &A = R.getAttrs<ReshapeLikeAttrs>();
  const TensorType *Data = R.getTensor(0), *Like = R.getTensor(1);
  if (!Data || !Like)
    return R.unresolved(Data ? 1 : 0);
  int64_t Rank = Data->getRank(), LikeRank = Like->getRank();
  int64_t Begin = fromFront(A.lhsBegin(), Rank);
  int64_t End = fromFront(A.lhsEnd().value_or(Rank), Rank);
  int64_t From = fromFront(A.rhsBegin(), LikeRank);
  int64_t To = fromFront(A.rhsEnd().value_or(LikeRank), LikeRank);
  // Ranges may be empty anywhere, as in TVM.
  if (Begin > Rank || End < 0)
    return R.error("'lhs_begin' and 'lhs_end' are out of range");
  if (From < To && (From < 0 || To > LikeRank))
    return R.error("'rhs_begin' and 'rhs_end' are out of range");
  Shape New(Data->getShape().take_front(std::max<int64_t>(Begin, 0)));
  for (int64_t I = From; I < To; ++I)
    New.push_back(Like->getDim(I));
  for (int64_t I = End; I < Rank; ++I)
    New.push_back(Data->getDim(I));
  if (failed(checkSameSize(R, Data->getShape(), New)))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(New, Data->getDType()));
}

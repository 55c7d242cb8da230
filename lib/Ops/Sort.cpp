//===- Sort.cpp - Sorting and searching -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Sort.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Sort.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Sort.cpp.inc"

using namespace relay;

// data: [..] -> [..].
RelationResult relay::inferSort(TypeRelation &R) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  return R.setResultLike(0);
}

// data: [..] -> [..] of the attribute's dtype.
RelationResult relay::inferArgsort(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  DType T = R.getAttrs<ArgsortAttrs>().dtype();
  return R.setResult(R.getTensorType(Data->getShape(), T));
}

RelationResult relay::setTopkResult(TypeRelation &R, const TopkAttrs &A,
                                    Dim Count) {
  const TensorType *Data = R.getTensor(0);
  FailureOr<unsigned> Axis = getAxis(R, A.axis(), Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Shape Out(Data->getShape());
  if (Count)
    Out[*Axis] = Count;
  Type *Values = R.getTensorType(Out, Data->getDType());
  Type *Indices = R.getTensorType(Out, A.dtype());
  if (A.retType() == "both")
    return R.setResult(R.getTupleType({Values, Indices}));
  if (A.retType() == "values")
    return R.setResult(Values);
  if (A.retType() == "indices")
    return R.setResult(Indices);
  return R.error("'ret_type' is \"" + A.retType() +
                 "\", not one of both, values, indices");
}

// data: [..] -> [..] with k on the axis, twice; all elements if k is less than
// 1.
RelationResult relay::inferTopk(TypeRelation &R) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  const auto &A = R.getAttrs<TopkAttrs>();
  if (!A.k())
    return R.error("'k' is missing");
  Dim Count = *A.k() < 1 ? Dim() : DimMath(R.getContext()).get(*A.k());
  return setTopkResult(R, A, Count);
}

// sorted_sequence: [n] or [.., n], values: [..] or [.., m] -> the shape of
// values.
RelationResult relay::inferSearchSorted(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Sorted = R.getTensor(0), *Values = R.getTensor(1);
  if (Sorted->isScalar())
    return R.error("sorted_sequence is a scalar");
  if (Values->isScalar())
    return R.error("values is a scalar");
  if (Sorted->getRank() > 1 &&
      failed(checkRank(R, "values", Values, Sorted->getRank())))
    return RelationResult::Failed;
  for (unsigned I = 0; I + 1 < Sorted->getRank(); ++I)
    if (!mayEqual(Sorted->getDim(I), Values->getDim(I)))
      return R.error("sorted_sequence and values differ on axis " + Twine(I));
  DType T = R.getAttrs<SearchSortedAttrs>().dtype();
  return R.setResult(R.getTensorType(Values->getShape(), T));
}

// data: [n] -> (elements: [n], positions: [n], inverse: [n], count: [1], and,
// if requested, counts: [n]); only the first `count` of each are defined.
RelationResult relay::inferUnique(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(checkRank(R, "data", Data, 1)))
    return RelationResult::Failed;
  ArrayRef<Dim> Length = Data->getShape();
  DType Int32 = DType::getInt(32);
  Type *Places = R.getTensorType(Length, Int32);
  SmallVector<Type *, 5> Fields = {R.getTensorType(Length, Data->getDType()),
                                   Places, Places,
                                   R.getTensorType({Dim::get(1)}, Int32)};
  if (R.getAttrs<UniqueAttrs>().returnCounts())
    Fields.push_back(Places);
  return R.setResult(R.getTupleType(Fields));
}

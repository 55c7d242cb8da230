//===- Elementwise.cpp - Operators element by element ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Elementwise.td, except those shared by many families
// (Relations.h).
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Elementwise.cpp.inc"

using namespace relay;

// [..] -> [..], bool.
RelationResult relay::inferPredicate(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  return R.setResult(R.getTensorType(Data->getShape(), DType::getBool()));
}

// [..] -> [..], of the attribute's dtype.
RelationResult relay::inferCast(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  DType To = R.getAttrs<CastAttrs>().dtype();
  return R.setResult(R.getTensorType(Data->getShape(), To));
}

// [..], [any shape] -> [..], of the dtype of the second.
RelationResult relay::inferCastLike(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return R.setResult(
      R.getTensorType(R.getTensor(0)->getShape(), R.getTensor(1)->getDType()));
}

// Three tensors -> their broadcast shape, of the dtype of the last two.
RelationResult relay::inferWhere(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Condition = R.getTensor(0), *X = R.getTensor(1);
  FailureOr<Type *> Choice =
      broadcastTypes(R, X, R.getTensor(2), X->getDType());
  if (failed(Choice))
    return RelationResult::Failed;
  auto *ChoiceType = cast<TensorType>(*Choice);
  std::optional<Shape> Result =
      broadcastShapes(Condition->getShape(), ChoiceType->getShape());
  if (!Result)
    return R.error("condition of shape " + toString(Condition->getShape()) +
                   " does not broadcast with " +
                   toString(ChoiceType->getShape()));
  return R.setResult(R.getTensorType(*Result, X->getDType()));
}

// data: [..], and numbers along its axes -> the type of data.
RelationResult relay::inferFixedPointMultiplyPerAxis(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return R.setResultLike(0);
}

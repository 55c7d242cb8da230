//===- Annotation.cpp - Marks for passes ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Annotation.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Annotation.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Annotation.cpp.inc"

using namespace relay;

// data: [..], not a scalar, and three scalars of float32 -> the type of data.
RelationResult relay::inferSimulatedQuantize(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (Data->isScalar())
    return R.error("data is a scalar");
  for (unsigned I : {1, 2, 3})
    if (failed(R.setOperand(I, R.getTensorType({}, DType::getFloat(32)))))
      return RelationResult::Failed;
  return R.setResultLike(0);
}

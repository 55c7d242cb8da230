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
#include "relay/Ops/Relations.h"

#include "relay/Ops/Index.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

/// Without axis: indices' shape. With one: data's shape, indices' shape without
/// its batch axes standing in place of the axis.
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
  if (Batch < 0 || Batch > Axis || Batch > int64_t(Indices->getRank()))
    return R.error("'batch_dims' is " + Twine(Batch) + ", out of range");
  Shape Out(Data->getShape().take_front(Axis));
  llvm::append_range(Out, Indices->getShape().drop_front(Batch));
  if (Axis < Rank)
    llvm::append_range(Out, Data->getShape().drop_front(Axis + 1));
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

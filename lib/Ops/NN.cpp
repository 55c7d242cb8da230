//===- NN.cpp - Neural networks -------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of NN.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/NN.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/NN.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

/// data: [.., K], weight: [units, K] -> [.., units].
RelationResult relay::inferDense(TypeRelation &R) {
  const DenseAttrs &A = R.getAttrs<DenseAttrs>();
  const TensorType *Data = R.getTensor(0), *Weight = R.getTensor(1);
  if (!Data)
    return R.unresolved(0);
  if (Data->isScalar())
    return R.error("the data is a scalar");
  if (!Weight && (R.getOperand(1) || !A.units()))
    return R.unresolved(1);
  Shape Out(Data->getShape());
  if (A.units()) {
    DType T = (Weight ? Weight : Data)->getDType();
    if (failed(R.setOperand(1, R.getTensorType({A.units(), Out.back()}, T))))
      return RelationResult::Failed;
    Out.back() = A.units();
  } else {
    if (failed(checkRank(R, "the weight", Weight, 2)))
      return RelationResult::Failed;
    Out.back() = Weight->getDim(0);
  }
  DType T = getOutDType(A.outDtype(), Data->getDType());
  return R.setResult(R.getTensorType(Out, T));
}

/// data: [.., C, ..], bias: [C] -> as data.
RelationResult relay::inferBiasAdd(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Axis = getAxis(R, R.getAttrs<BiasAddAttrs>().axis(), Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Type *Bias = R.getTensorType({Data->getDim(*Axis)}, Data->getDType());
  if (failed(R.setOperand(1, Bias)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

/// data: [.., C, ..], the others: [C] -> (as data, [C], [C]).
RelationResult relay::inferBatchNorm(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  int64_t Wanted = R.getAttrs<BatchNormAttrs>().axis();
  if (Wanted < -1)
    return R.error("'axis' is " + Twine(Wanted) + ", neither an axis nor -1");
  auto Axis = getAxis(R, Wanted, Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Type *Vector = R.getTensorType({Data->getDim(*Axis)}, Data->getDType());
  for (unsigned I = 1; I != R.getNumOperands(); ++I)
    if (failed(R.setOperand(I, Vector)))
      return RelationResult::Failed;
  Type *Normed = R.getTensorType(Data->getShape(), Data->getDType());
  return R.setResult(R.getTupleType({Normed, Vector, Vector}));
}

/// data: [..] -> (as data, mask as data).
RelationResult relay::inferDropout(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  Type *T = R.getTensorType(Data->getShape(), Data->getDType());
  return R.setResult(R.getTupleType({T, T}));
}

/// data: [N, ..] -> [N, product of the rest].
RelationResult relay::inferBatchFlatten(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (Data->isScalar())
    return R.error("the data is a scalar");
  Dim Rest = DimMath(R.getContext()).product(Data->getShape().drop_front());
  return R.setResult(
      R.getTensorType({Data->getDim(0), Rest}, Data->getDType()));
}

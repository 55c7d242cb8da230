//===- Random.cpp - Random numbers ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Random.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Random.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Random.cpp.inc"

using namespace relay;

/// Returns the type of keys, which operand 0 must have.
static FailureOr<Type *> getKeyType(TypeRelation &R) {
  Type *Key = R.getTensorType({Dim::get(10)}, DType::getUInt(64));
  if (failed(R.setOperand(0, Key)))
    return failure();
  return Key;
}

// key -> (key, bits of the attribute's shape).
RelationResult relay::inferThreefryGenerate(TypeRelation &R) {
  FailureOr<Type *> Key = getKeyType(R);
  if (failed(Key))
    return RelationResult::Failed;
  ArrayRef<Dim> Out = R.getAttrs<ThreefryGenerateAttrs>().outShape();
  return R.setResult(
      R.getTupleType({*Key, R.getTensorType(Out, DType::getUInt(64))}));
}

// key -> (key, key).
RelationResult relay::inferThreefrySplit(TypeRelation &R) {
  FailureOr<Type *> Key = getKeyType(R);
  if (failed(Key))
    return RelationResult::Failed;
  return R.setResult(R.getTupleType({*Key, *Key}));
}

/// key, two scalars of \p T -> (key, numbers of the shape \p Out).
static RelationResult inferDistribution(TypeRelation &R, ArrayRef<Dim> Out,
                                        DType T) {
  FailureOr<Type *> Key = getKeyType(R);
  if (failed(Key))
    return RelationResult::Failed;
  if (!T.isFloat(32) && !T.isFloat(64))
    return R.error("'out_dtype' is neither float32 nor float64");
  for (unsigned I : {1, 2})
    if (failed(R.setOperand(I, R.getTensorType({}, T))))
      return RelationResult::Failed;
  return R.setResult(R.getTupleType({*Key, R.getTensorType(Out, T)}));
}

RelationResult relay::inferUniform(TypeRelation &R) {
  const auto &A = R.getAttrs<UniformAttrs>();
  return inferDistribution(R, A.outShape(), A.outDtype());
}
RelationResult relay::inferNormal(TypeRelation &R) {
  const auto &A = R.getAttrs<NormalAttrs>();
  return inferDistribution(R, A.outShape(), A.outDtype());
}

// key, probs: [.., n] -> (key, [.., num_samples] of int32).
RelationResult relay::inferMultinomial(TypeRelation &R) {
  FailureOr<Type *> Key = getKeyType(R);
  if (failed(Key))
    return RelationResult::Failed;
  const TensorType *Probs = R.getTensor(1);
  if (!Probs)
    return R.unresolved(1);
  if (Probs->isScalar())
    return R.error("probs is a scalar");
  Shape Out(Probs->getShape());
  Out.back() =
      DimMath(R.getContext()).get(R.getAttrs<MultinomialAttrs>().numSamples());
  return R.setResult(
      R.getTupleType({*Key, R.getTensorType(Out, DType::getInt(32))}));
}

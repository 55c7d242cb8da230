//===- Memory.cpp - Devices and memory ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Memory.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Memory.h"
#include "relay/IR/Constant.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Memory.cpp.inc"

using namespace relay;

// func: fn (A, ..) -> B, call_args: (A, ..) -> B.
RelationResult relay::inferCallLowered(TypeRelation &R) {
  auto *Callee = dyn_cast_or_null<FuncType>(R.getOperand(0));
  if (!Callee)
    return R.unresolved(0, "a function");
  if (!Callee->getTypeParams().empty())
    return R.error("the function has type parameters");
  if (failed(R.setOperand(1, R.getTupleType(Callee->getParams()))))
    return RelationResult::Failed;
  return R.setResult(Callee->getResult());
}

/// Reports an error unless operand \p I is an int64.
static LogicalResult checkInt64(TypeRelation &R, unsigned I) {
  StringRef Name = R.getInfo().OperandNames[I];
  if (failed(checkRank(R, Name, R.getTensor(I), 0)))
    return failure();
  if (R.getTensor(I)->getDType().isInt(64))
    return success();
  R.error(Name + " is not an int64");
  return failure();
}

// size, alignment: int64, shape -> Storage.
RelationResult relay::inferAllocStorage(TypeRelation &R) {
  for (unsigned I : {0, 1, 2})
    if (!R.getTensor(I))
      return R.unresolved(I);
  if (failed(checkInt64(R, 0)) || failed(checkInt64(R, 2)))
    return RelationResult::Failed;
  return R.setResult(R.getContext().getTypeCall(StorageTypeName, {}));
}

/// Returns the shape in the constant vector \p Value.
static FailureOr<Shape> getConstantShape(TypeRelation &R, Attr Value) {
  const ConstantData *Data =
      Value.getKind() == Attr::Kind::Constant ? Value.getConstant() : nullptr;
  if (!Data || Data->getType()->getRank() != 1 ||
      !hasElementType(Data->getDType())) {
    R.error("'const_shape' is not a constant vector");
    return failure();
  }
  Shape Dims;
  for (size_t I = 0, E = Data->getNumElements(); I != E; ++I)
    Dims.push_back(DimMath(R.getContext()).get(Data->getInt(I)));
  return Dims;
}

// storage, offset, shape -> a tensor of the attribute's shape.
RelationResult relay::inferAllocTensor(TypeRelation &R) {
  const auto &A = R.getAttrs<AllocTensorAttrs>();
  Type *Storage = R.getContext().getTypeCall(StorageTypeName, {});
  if (failed(R.setOperand(0, Storage)))
    return RelationResult::Failed;
  if (!R.getTensor(1))
    return R.unresolved(1);
  if (failed(checkRank(R, "offset", R.getTensor(1), 0)))
    return RelationResult::Failed;
  if (!A.hasConstShape())
    return R.setResult(R.getTensorType(A.assertShape(), A.dtype()));
  FailureOr<Shape> Dims = getConstantShape(R, A.constShape());
  if (failed(Dims))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*Dims, A.dtype()));
}

// anything -> ().
RelationResult relay::inferKill(TypeRelation &R) {
  return R.setResult(R.getTupleType({}));
}

// data, shape -> the attribute's shape.
RelationResult relay::inferReshapeTensor(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  ArrayRef<Dim> Dims = R.getAttrs<ReshapeTensorAttrs>().newshape();
  return R.setResult(R.getTensorType(Dims, Data->getDType()));
}

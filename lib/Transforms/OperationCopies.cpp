//===- OperationCopies.cpp - Copies of operations in new bodies -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OperationCopies.h.
//
//===----------------------------------------------------------------------===//

#include "OperationCopies.h"

using namespace relay;

SmallVector<Value *, 4> relay::getNewOperands(const ValueMap &Map,
                                              const Operation &Op) {
  SmallVector<Value *, 4> Operands;
  for (const Value *V : Op.operands())
    Operands.push_back(Map.lookup(V));
  return Operands;
}

Operation *relay::copyOperation(Rewriter &R, const Operation &Op,
                                ArrayRef<Value *> Operands,
                                function_ref<Type *(Type *)> GetType) {
  Operation *New = R.createOperation(Op.getInfo(), Operands, Op.getAttrs());
  SmallVector<Type *, 2> TypeArgs;
  for (Type *Arg : Op.getWrittenTypeArgs())
    TypeArgs.push_back(GetType(Arg));
  if (!TypeArgs.empty())
    R.setTypeArgs(New, TypeArgs);
  return New;
}

Operation *relay::copyStructure(Rewriter &R, const Operation &Op,
                                const ValueMap &Map) {
  switch (Op.getCode()) {
  case OpCode::Scope:
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
  case OpCode::Alias:
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return R.createOperation(Op.getInfo(), getNewOperands(Map, Op),
                             Op.getAttrs(), Op.getNumRegions());
  default:
    return nullptr;
  }
}

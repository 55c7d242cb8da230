//===- Expression.h - Operations as TVM's expressions -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What structural equality and hash share: which operations have identity in
// TVM, and what their types are there. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_EXPRESSION_H
#define RELAY_LIB_IR_EXPRESSION_H

#include "relay/IR/Function.h"

namespace relay {

/// Uses of \p V are uses of a variable.
inline bool isVariable(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  return !Op || Op->isBound();
}

/// A node of TVM's graph: two uses of one are not a use of each of two.
inline bool isGraphNode(const Operation *Op) {
  switch (Op->getInfo().Code) {
  case OpCode::Constant:
  case OpCode::TupleGetItem:
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return false;
  case OpCode::Tuple:
    return Op->getNumOperands() != 0;
  default:
    return true;
  }
}

/// The type of a variable: as written, or else as inferred.
inline Type *getDeclaredType(const BlockArgument *Arg) {
  return Arg->getAnnotation() ? Arg->getAnnotation() : Arg->getType();
}
inline Type *getDeclaredType(const Operation *Bound) {
  return Bound->getVarAnnotation() ? Bound->getVarAnnotation()
                                   : Bound->getType();
}
/// The type of the result of a function with this signature and body.
inline Type *getDeclaredResultType(const Signature &S, const Block &Body) {
  if (S.ResultAnnotation)
    return S.ResultAnnotation;
  return Body.getResult() ? Body.getResult()->getType() : nullptr;
}

} // namespace relay

#endif // RELAY_LIB_IR_EXPRESSION_H

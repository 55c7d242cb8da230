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

/// The annotation of a variable after TVM's InferType, which writes the
/// inferred type whether there was another annotation or none.
inline Type *getTypeToCompare(const BlockArgument *Arg) {
  return Arg->getType() ? Arg->getType() : Arg->getAnnotation();
}
inline Type *getTypeToCompare(const Operation *Bound) {
  return Bound->getType() ? Bound->getType() : Bound->getVarAnnotation();
}
/// The same for the result of a function with this signature and body.
inline Type *getResultTypeToCompare(const Signature &S, const Block &Body) {
  Type *T = Body.getResult() ? Body.getResult()->getType() : nullptr;
  return T ? T : S.ResultAnnotation;
}

} // namespace relay

#endif // RELAY_LIB_IR_EXPRESSION_H

//===- Expression.h - Operations as TVM's expressions -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common parts of structural equality and hash: operations that have an
// identity in TVM, and their types there. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_EXPRESSION_H
#define RELAY_LIB_IR_EXPRESSION_H

#include "relay/IR/Function.h"

namespace relay {

/// Returns true if uses of \p V are uses of a variable.
inline bool isVariable(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  return !Op || Op->isBound();
}

/// Returns true for a node of TVM's graph, whose sharing is significant.
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

/// Returns the annotation of a variable after TVM's InferType, which writes the
/// inferred type in any case.
inline Type *getTypeToCompare(const BlockArgument *Arg) {
  return Arg->getType() ? Arg->getType() : Arg->getAnnotation();
}
inline Type *getTypeToCompare(const Operation *Bound) {
  return Bound->getType() ? Bound->getType() : Bound->getVarAnnotation();
}
/// Returns the type to compare of the result of a function with this signature
/// and body.
inline Type *getResultTypeToCompare(const Signature &S, const Block &Body) {
  Type *T = Body.getResult() ? Body.getResult()->getType() : nullptr;
  return T ? T : S.ResultAnnotation;
}

} // namespace relay

#endif // RELAY_LIB_IR_EXPRESSION_H

//===- StraightLineTyper.h - Types without unification ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: one pass in canonical order over a function in
// which each type follows from preceding ones, as in nearly every function.
// Gives up if types must be solved for or an error is found; FunctionTyper then
// types the whole function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H
#define RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H

#include "TypingContext.h"
#include "relay/IR/CompleteTyper.h"
#include "relay/IR/TypeTable.h"

namespace relay {

class StraightLineTyper final : private CompleteTyper {
public:
  explicit StraightLineTyper(TypingContext &TC);

  /// Types all values of \p F. False when that cannot be done in one pass; the
  /// types of operations are then undefined.
  bool run(Function &F);

private:
  bool runBody(Function &F);
  bool typeArguments(Block &B);
  bool visit(Operation *Op);
  /// Before the regions of \p Op.
  bool enterOperation(Operation *Op);
  /// After the regions of \p Op.
  bool leaveOperation(Operation *Op);
  bool setType(Operation *Op, Type *T);

  Type *lookup(Operation *Op);
  Type *lookupSlow(Operation *Op);
  FuncType *getTypeForCalls(const Function &F) override;

  TypingContext &TC;
  TypeTable Table;
};

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H

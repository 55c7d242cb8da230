//===- Captures.cpp - Captured values of a closure ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Captures.h.
//
//===----------------------------------------------------------------------===//

#include "Captures.h"

using namespace relay;

Captures::Captures(Operation *Fn,
                   const llvm::DenseSet<const Operation *> &EvaluatedOnce)
    : Fn(Fn), EvaluatedOnce(EvaluatedOnce) {
  walk(Fn->getRegion());
  Types.add(Fn);
}

bool Captures::enterUse(Value *V, Operation *, Block *) {
  Operation *Op = V->getDefiningOp();
  if (Op == Fn) {
    Recursive = true;
    return false;
  }
  if (Op && Op->isFloating() && (isInside(V) || !EvaluatedOnce.contains(Op)))
    return Seen.insert(Op).second;
  if (!isInside(V) && Variables.insert(V))
    Types.add(V->getType());
  return false;
}

void Captures::enterBlock(Block &B) {
  Inside.insert(&B);
  for (BlockArgument *Arg : B.getArguments())
    Types.add(Arg->getType());
}

void Captures::leave(Operation *Op) {
  Types.add(Op);
  if (!isInside(Op))
    Nodes.push_back(Op);
}

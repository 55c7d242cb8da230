//===- OperationTwins.cpp - Operations and their originals ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OperationTwins.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/OperationTwins.h"
#include "relay/IR/Walk.h"

using namespace relay;

static SmallVector<const Operation *, 0> listOperations(Function &F) {
  SmallVector<const Operation *, 0> Operations;
  walk(F, [&](Operation *Op) { Operations.push_back(Op); });
  return Operations;
}

/// The canonical order of a clone equals that of the original.
void OperationTwins::start(const Module &M, const Module &Copy) {
  Twins.clear();
  for (Function &Cloned : Copy.functions()) {
    SmallVector<const Operation *, 0> Clones = listOperations(Cloned);
    SmallVector<const Operation *, 0> Originals =
        listOperations(*M.lookupFunction(Cloned.getName()));
    assert(Clones.size() == Originals.size() && "no clone");
    for (auto [Clone, Original] : llvm::zip(Clones, Originals))
      Twins[Original] = Clone;
  }
}

/// Records that \p Op, if it is new, originates from \p From.
void OperationTwins::inherit(const Operation *Op, const Operation *From) {
  if (const Operation *Twin = lookup(From))
    Twins.try_emplace(Op, Twin);
}

void OperationTwins::notifyCloned(const Operation *From, Operation *New) {
  inherit(New, From);
}

void OperationTwins::notifyReplaced(Operation *Op, Value *New) {
  if (const Operation *NewOp = New->getDefiningOp())
    inherit(NewOp, Op);
}

void OperationTwins::notifyFunctionErased(Function &F) {
  walk(F, [this](Operation *Op) { Twins.erase(Op); });
}

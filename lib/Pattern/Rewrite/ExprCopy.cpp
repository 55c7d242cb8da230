//===- ExprCopy.cpp - Operations of an expression -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation needs its operands and all values used in its regions.
//
//===----------------------------------------------------------------------===//

#include "ExprCopy.h"
#include "relay/IR/Walk.h"

using namespace relay;

/// Calls \p Callback with each value that \p Op uses and that is defined
/// outside of its own regions.
template <typename Fn>
static void forEachOutsideUse(Operation *Op, Fn &&Callback) {
  for (Value *V : Op->operands())
    Callback(V);
  if (!Op->getNumRegions())
    return;
  llvm::DenseSet<const Block *> Inside;
  SmallVector<Value *, 16> Used;
  for (Block &Region : Op->getRegions()) {
    walkBlocks(Region, [&](Block &B) {
      Inside.insert(&B);
      Used.push_back(B.getResult());
      for (Operation &Inner : B)
        llvm::append_range(Used, Inner.operands());
    });
  }
  for (Value *V : Used)
    if (!Inside.count(V->getParentBlock()))
      Callback(V);
}

/// Returns true if \p V is a floating operation, written where it is used.
static bool isFloatingOperation(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && Op->isFloating();
}

SmallVector<Operation *, 8>
relay::collectExpression(Operation *Root,
                         function_ref<bool(Value *)> IsOutside) {
  SmallVector<Operation *, 8> Order;
  llvm::DenseSet<Operation *> Seen;
  SmallVector<std::pair<Operation *, bool>, 8> Stack = {{Root, false}};
  while (!Stack.empty()) {
    auto [Op, IsReady] = Stack.pop_back_val();
    if (IsReady) {
      Order.push_back(Op);
      continue;
    }
    if (!Seen.insert(Op).second)
      continue;
    Stack.push_back({Op, true});
    size_t First = Stack.size();
    forEachOutsideUse(Op, [&](Value *V) {
      if (isFloatingOperation(V) && !IsOutside(V))
        Stack.push_back({cast<Operation>(V), false});
    });
    std::reverse(Stack.begin() + First, Stack.end());
  }
  return Order;
}

llvm::SetVector<Value *> relay::findFreeVariables(Operation *Root) {
  llvm::SetVector<Value *> Free;
  // Variables of the regions around an operation of the list are not free.
  llvm::DenseSet<const Block *> Inside;
  auto Order = collectExpression(Root, [](Value *) { return false; });
  for (Operation *Op : Order)
    for (Block &Region : Op->getRegions())
      walkBlocks(Region, [&](Block &B) { Inside.insert(&B); });
  for (Operation *Op : Order)
    forEachOutsideUse(Op, [&](Value *V) {
      if (!isFloatingOperation(V) && !Inside.count(V->getParentBlock()))
        Free.insert(V);
    });
  return Free;
}

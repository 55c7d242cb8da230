//===- EffectOrder.cpp - Effects that a replacement keeps -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EffectOrder.h. Compares the operands of a match and of its replacement,
// but not their dependencies, so that the cost is proportional to the match.
//
//===----------------------------------------------------------------------===//

#include "EffectOrder.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"

using namespace relay;

EffectOrder::EffectOrder(Function &F) {
  std::optional<ValuePurity> Purity = findEffects(F);
  if (!Purity)
    return;
  walk(F, [&](Operation *Op) {
    if (!Purity->isEvalPure(Op))
      Effects.insert(Op);
  });
}

void EffectOrder::notifyCreated(Operation *Op) {
  if (Effects.empty())
    return;
  Parts.insert(Op);
  if (llvm::any_of(Op->operands(), [&](Value *V) { return hasEffect(V); }))
    Effects.insert(Op);
}

void EffectOrder::notifyErased(Operation *Op) {
  Effects.erase(Op);
  Parts.erase(Op);
}

/// Whether a use of \p V may evaluate something with an effect.
bool EffectOrder::hasEffect(const Value *V) const {
  auto *Op = dyn_cast_or_null<Operation>(V);
  return Op && Op->isFloating() && Effects.contains(Op);
}

/// Whether evaluating \p Op is evaluating its operands in order.
static bool isTransparent(const Operation *Op) {
  return Op->is(OpCode::Operator) || Op->is(OpCode::Tuple) ||
         Op->is(OpCode::TupleGetItem);
}

/// The operations with effects that \p From and other parts use, in the order
/// of evaluation.
EffectOrder::InputList EffectOrder::getInputs(Value *From) const {
  InputList Inputs;
  llvm::DenseSet<const Value *> Seen;
  SmallVector<Value *, 8> Stack = {From};
  while (!Stack.empty()) {
    Value *V = Stack.pop_back_val();
    if (!hasEffect(V) || !Seen.insert(V).second)
      continue;
    auto *Op = cast<Operation>(V);
    if (Parts.contains(Op) && isTransparent(Op))
      llvm::append_range(Stack, llvm::reverse(Op->operands()));
    else
      Inputs.insert(Op);
  }
  return Inputs;
}

void EffectOrder::begin(Operation *Root, ArrayRef<Operation *> Inner) {
  Parts.clear();
  Parts.insert(Root);
  Parts.insert(Inner.begin(), Inner.end());
  Before = InputList();
  for (Value *V : Root->operands())
    Before.set_union(getInputs(V));
}

Value *EffectOrder::end(Rewriter &R, Operation *Root, Value *New) {
  if (getInputs(New) == Before)
    return New;
  R.setInsertionPoint(Root);
  SmallVector<Value *, 4> Fields(Before.begin(), Before.end());
  Fields.push_back(New);
  return R.create<TupleGetItemOp>(R.create<TupleOp>(Fields), Fields.size() - 1);
}

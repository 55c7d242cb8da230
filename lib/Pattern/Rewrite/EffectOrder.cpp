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

/// Returns true if a use of \p V may evaluate an effect. A replacement uses a
/// copy of its root, which floats.
bool EffectOrder::hasEffect(const Value *V) const {
  auto *Op = dyn_cast_or_null<Operation>(V);
  return Op && (Op->isFloating() || Parts.contains(Op)) && Effects.contains(Op);
}

/// Returns true if evaluating \p Op only evaluates its operands in order.
static bool isTransparent(const Operation *Op) {
  return Op->is(OpCode::Operator) || Op->is(OpCode::Tuple) ||
         Op->is(OpCode::TupleGetItem);
}

/// Returns true if \p Op evaluates its operands and then calls a function.
static bool isFunctionCall(const Operation *Op) {
  return Op->is(OpCode::CallValue) || Op->is(OpCode::CallGlobal);
}

/// Returns the operations with effects that \p From and other parts use, and
/// the calls of functions among these parts, in the order of evaluation.
EffectOrder::InputList EffectOrder::getInputs(Value *From) const {
  InputList Inputs;
  llvm::DenseSet<const Value *> Seen;
  SmallVector<std::pair<Value *, bool>, 8> Stack = {{From, false}};
  while (!Stack.empty()) {
    auto [V, HasOperands] = Stack.pop_back_val();
    if (!HasOperands && (!hasEffect(V) || !Seen.insert(V).second))
      continue;
    auto *Op = cast<Operation>(V);
    bool IsCall = isFunctionCall(Op);
    if (HasOperands || !Parts.contains(Op) || !(IsCall || isTransparent(Op))) {
      Inputs.insert(Op);
      continue;
    }
    if (IsCall)
      Stack.push_back({V, true});
    for (Value *Operand : llvm::reverse(Op->operands()))
      Stack.push_back({Operand, false});
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

/// The calls within the match are evaluated after all arguments.
bool EffectOrder::isKeptBy(ArrayRef<Value *> Arguments, Operation *Root,
                           ArrayRef<Operation *> Inner) {
  begin(Root, Inner);
  InputList After;
  for (Value *Argument : Arguments)
    if (hasEffect(Argument))
      After.insert(cast<Operation>(Argument));
  for (Operation *Op : Before)
    if (Parts.contains(Op))
      After.insert(Op);
  return After == Before;
}

/// A call that is matched but unused in the replacement is replaced together
/// with its effect, as the root is.
Value *EffectOrder::end(Rewriter &R, Operation *Root, Value *New) {
  InputList After = getInputs(New);
  Before.remove_if([&](Operation *Op) {
    return isFunctionCall(Op) && Parts.contains(Op) && !After.contains(Op);
  });
  if (After == Before)
    return New;
  R.setInsertionPoint(Root);
  SmallVector<Value *, 4> Fields(Before.begin(), Before.end());
  Fields.push_back(New);
  return R.create<TupleGetItemOp>(R.create<TupleOp>(Fields), Fields.size() - 1);
}

//===- ConstantEvaluator.cpp - Values of constant operations --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConstantEvaluator.h.
//
//===----------------------------------------------------------------------===//

#include "ConstantEvaluator.h"
#include "ConstantCalls.h"
#include "FoldConstant.h"
#include "relay/IR/Core.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

ConstantEvaluator::ConstantEvaluator(Context &Ctx)
    : Ctx(Ctx), Work{uint64_t(1) << 30, EvaluatorOptions().LimitFlag} {}

/// Returns true if \p Op depends on the shape of its operand only.
static bool isShape(const Operation &Op) {
  return isa<ShapeOfOp, NdarraySizeOp>(&Op);
}

/// Returns \p V as an operation that may be evaluated; null if it is none.
static Operation *getComputation(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op || !Op->isFloating())
    return nullptr;
  bool MayBe = isa<TupleOp, TupleGetItemOp>(Op) ||
               (Op->is(OpCode::Operator) &&
                (isShape(*Op) || isEvaluatedForConstants(*Op)));
  return MayBe ? Op : nullptr;
}

/// Returns the tensor \p V as a constant; null if it is none.
static Attr toConstant(Context &Ctx, const RuntimeValue &V) {
  if (!V || !V.isTensor())
    return Attr();
  const Tensor &T = V.getTensor();
  return Ctx.getConstant(T.getType(Ctx), T.getBuffer());
}

/// Returns the data of \p V if it is a floating constant; null otherwise.
static const ConstantData *getFloatingData(const Value *V) {
  const ConstantData *Data = getKnownData(V);
  return Data && V->getDefiningOp()->isFloating() ? Data : nullptr;
}

RuntimeValue ConstantEvaluator::lookup(const Value *V) const {
  if (const ConstantData *Data = getFloatingData(V))
    return Tensor::get(*Data);
  auto *Op = dyn_cast<Operation>(V);
  return Op ? Known.lookup(Op) : RuntimeValue();
}

/// Returns the value of \p Op, whose operands have been visited; none if it
/// cannot be evaluated.
RuntimeValue ConstantEvaluator::compute(const Operation &Op) {
  constexpr uint64_t MaxMemory = 1 << 24;
  if (isShape(Op)) {
    std::optional<Tensor> Shape = evaluateShape(Op);
    return Shape ? RuntimeValue(std::move(*Shape)) : RuntimeValue();
  }
  SmallVector<RuntimeValue, 4> Values;
  for (const Value *V : Op.operands()) {
    Values.push_back(lookup(V));
    if (!Values.back())
      return RuntimeValue();
  }
  if (isa<TupleOp>(&Op))
    return RuntimeValue::getTuple(Values);
  if (auto Get = dyn_cast<TupleGetItemOp>(&Op))
    return Values.front().getFields()[Get.attrs().index()];
  FailureOr<RuntimeValue> Result = evaluateOperator(
      Ctx, Op.getInfo(), Op.getAttrs(), Values, MaxMemory, Work);
  return succeeded(Result) ? *Result : RuntimeValue();
}

Attr ConstantEvaluator::evaluateCall(const Operation &Op) {
  return toConstant(Ctx, compute(Op));
}

const ConstantData *ConstantEvaluator::evaluate(Value *V) {
  Operation *Root = getComputation(V);
  SmallVector<std::pair<Operation *, unsigned>, 8> Stack;
  if (Root && !Known.count(Root))
    Stack.push_back({Root, 0});
  while (!Stack.empty()) {
    auto &[Op, Next] = Stack.back();
    if (Next == Op->getNumOperands() || isShape(*Op)) {
      Known[Op] = compute(*Op);
      Stack.pop_back();
      continue;
    }
    Operation *Operand = getComputation(Op->getOperand(Next++));
    if (Operand && !Known.count(Operand))
      Stack.push_back({Operand, 0});
  }
  if (const ConstantData *Data = getFloatingData(V))
    return Data;
  Attr Result = toConstant(Ctx, lookup(V));
  return Result ? Result.getConstant() : nullptr;
}

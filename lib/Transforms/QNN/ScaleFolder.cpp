//===- ScaleFolder.cpp - Evaluation of scales -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ScaleFolder.h.
//
//===----------------------------------------------------------------------===//

#include "ScaleFolder.h"
#include "../Fold/ConstantCalls.h"
#include "../Fold/FoldConstant.h"
#include "relay/IR/Core.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

using namespace relay;

ScaleFolder::ScaleFolder(Context &Ctx)
    : Ctx(Ctx), Work{uint64_t(1) << 30, EvaluatorOptions().LimitFlag} {}

/// Returns true if \p Op depends on the shape of its operand only.
static bool isShape(const Operation &Op) {
  return isa<ShapeOfOp, NdarraySizeOp>(&Op);
}

/// Returns \p V as an operation that may be evaluated; null if it is none.
static Operation *getScaleComputation(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && Op->isFloating() && Op->is(OpCode::Operator) &&
                 (isShape(*Op) || isEvaluatedForConstants(*Op))
             ? Op
             : nullptr;
}

const ConstantData *ScaleFolder::lookup(Value *V) const {
  if (const ConstantData *Data = getKnownData(V))
    return V->getDefiningOp()->isFloating() ? Data : nullptr;
  auto *Op = dyn_cast<Operation>(V);
  return Op ? Known.lookup(Op).get() : nullptr;
}

Attr ScaleFolder::evaluateCall(const Operation &Op) {
  if (isShape(Op)) {
    std::optional<Tensor> Shape = evaluateShape(Op);
    return Shape ? Ctx.getConstant(Shape->getType(Ctx), Shape->getBuffer())
                 : Attr();
  }
  constexpr uint64_t MaxMemory = 1 << 24;
  SmallVector<RuntimeValue, 4> Values;
  for (Value *V : Op.operands()) {
    const ConstantData *Data = lookup(V);
    if (!Data)
      return Attr();
    Values.push_back(Tensor::get(*Data));
  }
  FailureOr<RuntimeValue> Result = evaluateOperator(
      Ctx, Op.getInfo(), Op.getAttrs(), Values, MaxMemory, Work);
  if (failed(Result) || !Result->isTensor())
    return Attr();
  const Tensor &T = Result->getTensor();
  return Ctx.getConstant(T.getType(Ctx), T.getBuffer());
}

const ConstantData *ScaleFolder::evaluate(Value *V) {
  Operation *Root = getScaleComputation(V);
  if (!Root)
    return lookup(V);
  SmallVector<std::pair<Operation *, unsigned>, 8> Stack;
  if (!Known.count(Root))
    Stack.push_back({Root, 0});
  while (!Stack.empty()) {
    auto &[Op, Next] = Stack.back();
    if (Next == Op->getNumOperands() || isShape(*Op)) {
      Attr Result = evaluateCall(*Op);
      Known[Op] = Result ? ConstantRef(Result) : ConstantRef();
      Stack.pop_back();
      continue;
    }
    Operation *Operand = getScaleComputation(Op->getOperand(Next++));
    if (Operand && !Known.count(Operand))
      Stack.push_back({Operand, 0});
  }
  return Known.lookup(Root).get();
}

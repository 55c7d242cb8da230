//===- ConstantCalls.cpp - Calls of constants -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConstantCalls.h.
//
//===----------------------------------------------------------------------===//

#include "ConstantCalls.h"
#include "ConstantBudget.h"
#include "relay/IR/Core.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/Memory.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

/// Returns true if operators without a computation of their own (TVM's
/// TNonComputational) are evaluated with `fold-qnn`: operators of the dialect
/// that have a canonical form. TVM legalizes qnn.conv2d_transpose only.
static bool isQnnComputation(const OpInfo &Info) {
  return Info.Name.starts_with("qnn.") &&
         &Info != &QnnConv2DTransposeOp::getInfo();
}

bool relay::isOfShapeAlone(const Operation &Op) {
  return Op.is(ShapeOfOp::getInfo()) || Op.is(VMShapeOfOp::getInfo()) ||
         Op.is(NdarraySizeOp::getInfo());
}

bool relay::isEvaluatedForConstants(const Operation &Op, bool FoldQnn) {
  if (!Op.getNumOperands() || Op.hasTrait(OpTrait::Stateful) ||
      isOfShapeAlone(Op) || Op.is(DeviceCopyOp::getInfo()))
    return false;
  return !Op.hasTrait(OpTrait::NonComputational) ||
         (FoldQnn && isQnnComputation(Op.getInfo()));
}

/// The value of \p V, a constant or a tuple of constants; none otherwise, and
/// if elements are unknown.
static RuntimeValue getConstantValue(const Value *V) {
  if (const ConstantData *Data = getKnownData(V))
    return Tensor::get(*Data);
  auto Tuple = dyn_cast<TupleOp>(V);
  if (!Tuple)
    return RuntimeValue();
  SmallVector<RuntimeValue, 8> Fields;
  for (const Value *Field : Tuple.fields()) {
    const ConstantData *Data = getKnownData(Field);
    if (!Data || cast<Operation>(Field)->isBound())
      return RuntimeValue();
    Fields.push_back(Tensor::get(*Data));
  }
  return RuntimeValue::getTuple(Fields);
}

/// As fold-constant: one evaluation takes a part of the memory there is.
static uint64_t getMaxMemory(const Context &Ctx) {
  constexpr uint64_t MaxMemory = 1 << 28;
  return std::min(MaxMemory, Ctx.getLimits().Memory / 8);
}

static WorkMeter makeWorkMeter() {
  return {uint64_t(1) << 34, EvaluatorOptions().LimitFlag};
}

/// The same as evaluateForConstants(), within limits.
static Value *evaluate(Rewriter &R, const OpInfo &Info, const Attrs *A,
                       ArrayRef<Value *> Operands, uint64_t MaxMemory,
                       WorkMeter &Work) {
  SmallVector<RuntimeValue, 4> Values;
  for (const Value *V : Operands) {
    auto *Op = dyn_cast<Operation>(V);
    Values.push_back(Op && Op->isFloating() ? getConstantValue(V)
                                            : RuntimeValue());
    if (!Values.back())
      return nullptr;
  }
  FailureOr<RuntimeValue> Result =
      evaluateOperator(R.getContext(), Info, A, Values, MaxMemory, Work);
  if (failed(Result) || !Result->isTensor())
    return nullptr;
  const Tensor &T = Result->getTensor();
  return R.constant(T.getType(R.getContext()), T.getBuffer());
}

Value *relay::evaluateForConstants(Rewriter &R, const OpInfo &Info,
                                   const Attrs *A, ArrayRef<Value *> Operands) {
  WorkMeter Work = makeWorkMeter();
  return evaluate(R, Info, A, Operands, getMaxMemory(R.getContext()), Work);
}

//===----------------------------------------------------------------------===//
// CallFolder
//===----------------------------------------------------------------------===//

/// Functions share the memory: each has a fixed part.
CallFolder::CallFolder(Function &F)
    : Room(getMaxMemory(F.getContext()) /
           std::max<size_t>(F.getModule()->getNumFunctions(), 1)),
      Work(makeWorkMeter()) {}

/// Returns true if the result of \p Op is much larger than its operands, as
/// that of `full` and of `tile` may be.
static bool isMuchLarger(const Operation &Op) {
  constexpr uint64_t MaxGrowth = 1 << 20;
  uint64_t Allowed = MaxGrowth;
  for (const Value *V : Op.operands())
    Allowed = llvm::SaturatingAdd(Allowed, getStaticBytes(V->getType()));
  return getStaticBytes(Op.getType()) > Allowed;
}

Value *CallFolder::operator()(Rewriter &R, Operation *Op) {
  if (!Op->is(OpCode::Operator) || !isEvaluatedForConstants(*Op) ||
      isMuchLarger(*Op))
    return nullptr;
  Value *Result = evaluate(R, Op->getInfo(), Op->getAttrs(),
                           SmallVector<Value *, 4>(Op->operands()), Room, Work);
  if (!Result)
    return nullptr;
  Room -= std::min(Room, getStaticBytes(Result->getType()));
  return Result;
}

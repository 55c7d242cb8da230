//===- FirstOrderMode.cpp - Gradients as straight-line code ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value gets a binding, and a binding of zeros for its gradient. The
// operations are then visited in reverse order. Each visit adds to the
// gradients of the operands, with new bindings. These bindings are in a nested
// `let`, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "Differentiator.h"
#include "GradientModes.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

namespace {

/// A value of the new body and its gradient.
struct Adjoint {
  Value *Forward = nullptr;
  Value *Gradient = nullptr;
  Type *T = nullptr;
};

class FirstOrderDifferentiator : private Differentiator {
public:
  using Differentiator::Differentiator;
  LogicalResult run();

private:
  /// A step of the computation: what computes Adjoints[Result].
  struct Step {
    Operation *Op;      ///< of the original body
    Operation *Forward; ///< of the new body, unbound
    uint32_t Result;
  };

  uint32_t addAdjoint(Value *Forward, Type *T);
  Adjoint &getAdjoint(Value *Original) {
    return Adjoints[AdjointOf.lookup(Original)];
  }
  Value *createFields(Type *T, bool Ones);
  Value *accumulate(Type *T, Value *Sum, Value *Part);

  LogicalResult differentiate(Operation *Op);
  void addStep(Operation *Op);
  LogicalResult goBack(const Step &S);
  LogicalResult goBackThroughCall(const Step &S);
  void goBackThroughTuple(const Step &S);
  void goBackThroughField(const Step &S);
  LogicalResult checkFields(const Operation *Op);
  LogicalResult goForward(ArrayRef<Operation *> Operations);
  FailureOr<Value *> createGradients();

  SmallVector<Adjoint, 0> Adjoints;
  llvm::DenseMap<const Value *, uint32_t> AdjointOf;
  SmallVector<Step, 0> Steps;
  /// The number of created fields of gradients that are tuples.
  uint64_t NumFields = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Zeros or ones of type \p T, a tensor or a tuple, field by field.
Value *FirstOrderDifferentiator::createFields(Type *T, bool Ones) {
  if (auto *Tensor = dyn_cast<TensorType>(T)) {
    if (Ones)
      return R.create<OnesOp>(Tensor->getShape(), Tensor->getDType());
    return R.create<ZerosOp>(Tensor->getShape(), Tensor->getDType());
  }
  SmallVector<Value *, 4> Fields;
  for (Type *Field : cast<TupleType>(T)->getFields())
    Fields.push_back(createFields(Field, Ones));
  NumFields += Fields.size();
  return R.create<TupleOp>(Fields);
}

uint32_t FirstOrderDifferentiator::addAdjoint(Value *Forward, Type *T) {
  Adjoint A;
  A.T = T;
  A.Forward = bind(Forward);
  if (isa<TensorType>(T))
    A.Gradient = bind(R.create<ZerosLikeOp>(A.Forward));
  else
    A.Gradient = bind(createFields(T, /*Ones=*/false));
  Adjoints.push_back(A);
  return Adjoints.size() - 1;
}

/// Binds the sum of \p Sum and \p Part, of type \p T, field by field.
Value *FirstOrderDifferentiator::accumulate(Type *T, Value *Sum, Value *Part) {
  if (isa<TensorType>(T))
    return bind(R.create<AddOp>(Sum, Part));
  SmallVector<Value *, 4> Fields;
  for (auto [I, Field] : llvm::enumerate(cast<TupleType>(T)->getFields())) {
    Value *PartField = bind(getField(Part, I));
    Value *SumField = bind(getField(Sum, I));
    Fields.push_back(accumulate(Field, SumField, PartField));
  }
  NumFields += Fields.size();
  return bind(R.create<TupleOp>(Fields));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Computes \p Op on the values of the new body.
void FirstOrderDifferentiator::addStep(Operation *Op) {
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : Op->operands())
    Operands.push_back(getAdjoint(Operand).Forward);
  R.setLoc(Op->getLoc());
  Operation *New = R.createOperation(Op->getInfo(), Operands, Op->getAttrs());
  uint32_t Result = addAdjoint(New, Op->getType());
  AdjointOf[Op] = Result;
  Steps.push_back({Op, New, Result});
}

/// Returns true if a gradient of type \p T can be initialized: with the zeros
/// of a tensor, or of the static shapes in a tuple.
static bool canBeInitialized(Type *T) {
  return consistsOfTensors(T) && (isa<TensorType>(T) || !isDynamic(T));
}

LogicalResult FirstOrderDifferentiator::differentiate(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    if (!Rules.lookup(*Op))
      return reportNoGradient(*Op, "");
    break;
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
  case OpCode::Constant:
    break;
  case OpCode::Alias:
    AdjointOf[Op] = AdjointOf.lookup(Op->getOperand(0));
    return success();
  case OpCode::Scope:
    AdjointOf[Op] = AdjointOf.lookup(Op->getRegion().getResult());
    return success();
  default:
    return reportNoGradient(*Op, "first_order");
  }
  if (!canBeInitialized(Op->getType()))
    return Ctx.emitError(
        Op->getLoc(), "no gradient of " + describeConstruct(*Op) +
                          ": expects a tensor, or a tuple of static tensors");
  addStep(Op);
  return checkFields(Op);
}

LogicalResult
FirstOrderDifferentiator::goForward(ArrayRef<Operation *> Operations) {
  for (BlockArgument *Param : F.getParams()) {
    R.setLoc(Param->getLoc());
    if (!canBeInitialized(Param->getType()))
      return Ctx.emitError(
          Param->getLoc(),
          "no gradient of '" + Param->getName() +
              "': expects a tensor, or a tuple of static tensors");
    AdjointOf[Param] = addAdjoint(Param, Param->getType());
  }
  for (Operation *Op : Operations)
    if (failed(differentiate(Op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

LogicalResult FirstOrderDifferentiator::goBackThroughCall(const Step &S) {
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : S.Op->operands())
    Operands.push_back(getAdjoint(Operand).Forward);
  GradientRequest G = {*S.Op, Operands, S.Forward, Adjoints[S.Result].Gradient};
  FailureOr<GradientList> Parts = applyRule(R, Rules.lookup(*S.Op), G);
  if (failed(Parts))
    return failure();
  for (auto [Operand, Part] : llvm::zip(S.Op->operands(), *Parts)) {
    Adjoint &A = getAdjoint(Operand);
    A.Gradient = accumulate(A.T, A.Gradient, Part);
  }
  return success();
}

void FirstOrderDifferentiator::goBackThroughTuple(const Step &S) {
  Value *Gradient = Adjoints[S.Result].Gradient;
  for (auto [I, Field] : llvm::enumerate(S.Op->operands())) {
    Adjoint &A = getAdjoint(Field);
    A.Gradient = accumulate(A.T, A.Gradient, getField(Gradient, I));
  }
}

void FirstOrderDifferentiator::goBackThroughField(const Step &S) {
  Adjoint &Tuple = getAdjoint(S.Op->getOperand(0));
  unsigned Index = TupleGetItemOp(S.Op).attrs().index();
  SmallVector<Value *, 4> Fields;
  for (auto [I, T] : llvm::enumerate(cast<TupleType>(Tuple.T)->getFields())) {
    Value *Field = getField(Tuple.Gradient, I);
    Fields.push_back(
        I == Index ? accumulate(T, Field, Adjoints[S.Result].Gradient) : Field);
  }
  NumFields += Fields.size();
  Tuple.Gradient = bind(R.create<TupleOp>(Fields));
}

/// Each projection creates the gradients of all fields, as in TVM.
LogicalResult FirstOrderDifferentiator::checkFields(const Operation *Op) {
  uint64_t Limit = Ctx.getLimits().Operations;
  if (NumFields <= Limit)
    return success();
  return Ctx.emitError(Op->getLoc(),
                       "gradients of tuples have " +
                           describeLimit(Limit, "fields", "-max-operations"));
}

LogicalResult FirstOrderDifferentiator::goBack(const Step &S) {
  R.setLoc(S.Op->getLoc());
  switch (S.Op->getCode()) {
  case OpCode::Operator:
    return goBackThroughCall(S);
  case OpCode::Tuple:
    goBackThroughTuple(S);
    return success();
  case OpCode::TupleGetItem:
    goBackThroughField(S);
    return success();
  default:
    return success();
  }
}

/// The tuple of the gradients of the parameters.
FailureOr<Value *> FirstOrderDifferentiator::createGradients() {
  Operation *Scope = R.create<ScopeOp>();
  R.setInsertionPointToEnd(Scope->getRegion());
  for (const Step &S : llvm::reverse(Steps))
    if (failed(goBack(S)) || failed(checkFields(S.Op)))
      return failure();
  SmallVector<Value *, 4> Gradients;
  for (BlockArgument *Param : F.getParams())
    Gradients.push_back(getAdjoint(Param).Gradient);
  R.setLoc(ResultLoc);
  R.setResult(Scope->getRegion(), R.create<TupleOp>(Gradients));
  R.setInsertionPointToEnd(F.getBody());
  return static_cast<Value *>(Scope);
}

LogicalResult FirstOrderDifferentiator::run() {
  if (failed(findResultType()))
    return failure();
  start();
  SmallVector<Operation *, 0> Operations;
  walk(F, [&](Operation *Op) { Operations.push_back(Op); });
  if (failed(goForward(Operations)))
    return failure();
  Adjoint &Result = getAdjoint(F.getBody().getResult());
  R.setLoc(ResultLoc);
  Result.Gradient = isa<TensorType>(Result.T)
                        ? R.create<OnesLikeOp>(Result.Forward).getOperation()
                        : createFields(Result.T, /*Ones=*/true);
  Value *Forward = Result.Forward;
  FailureOr<Value *> Gradients = createGradients();
  if (failed(Gradients))
    return failure();
  finish(Forward, *Gradients);
  return success();
}

LogicalResult
relay::differentiateFirstOrder(Function &F,
                               const OpHooks<GradientRule> &Rules) {
  return FirstOrderDifferentiator(F, Rules).run();
}

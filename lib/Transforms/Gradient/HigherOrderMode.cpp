//===- HigherOrderMode.cpp - Gradients in references ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tensor becomes a pair: the tensor, and a reference to its gradient. Each
// function gets a further parameter, a reference to the closure that propagates
// gradients from all results so far. An operation replaces that closure by one
// that adds to the gradients of its operands and then calls the previous one.
//
// The body of the function becomes a closure of pairs. The function itself
// calls it, sets the gradient of the result to ones, calls the closure that the
// body has left, and reads the gradients of the parameters.
//
//===----------------------------------------------------------------------===//

#include "BackPropagator.h"
#include "Differentiator.h"
#include "GradientModes.h"
#include "OperationCopies.h"
#include "PairNesting.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

namespace {

class HigherOrderDifferentiator : private Differentiator {
public:
  using Differentiator::Differentiator;
  LogicalResult run();

private:
  /// A block that is being copied. Propagator is the reference to the closure
  /// of the function around it.
  struct Frame {
    Block *From, *To;
    Block::iterator It, End;
    Value *Propagator;
  };

  Signature getPairSignature(const Signature &Old);

  // Values of the new body.
  Value *lookup(Value *Original) const { return Map.lookup(Original); }
  Value *createPair(Value *V);
  Operation *createPropagatorRef();

  // Copying.
  LogicalResult copyFrames();
  LogicalResult copy(Operation *Op, Value *Propagator);
  FailureOr<Operation *> createCopy(Operation *Op, Value *Propagator);
  Operation *copyConstant(Operation *Op);
  Operation *copyClosureCall(Operation *Op, Value *Propagator);
  Operation *copyClosure(Operation *Op);
  Operation *copyIf(Operation *Op, Value *Propagator);
  FailureOr<Operation *> copyCall(Operation *Op, Value *Propagator);
  void copyArguments(Block &From, Block &To);
  Value *addPropagator(Block &Body);
  void push(Block &From, Block &To, Value *Propagator) {
    Frames.push_back({&From, &To, From.begin(), From.end(), Propagator});
  }

  // The new function.
  LogicalResult checkResultAndParameters();
  FailureOr<Operation *> createBody(Operation *FirstNew);
  void startPropagation(Value *Result, Type *T);
  Value *readResult(Value *Result, Type *T);
  void createResult(Operation *Body, ArrayRef<Value *> Pairs,
                    Value *Propagator);

  ValueMap Map;
  SmallVector<Frame, 8> Frames;
};

} // namespace

Signature HigherOrderDifferentiator::getPairSignature(const Signature &Old) {
  Signature New;
  New.ResultAnnotation = getPairType(Ctx, Old.ResultAnnotation);
  New.Attributes = Old.Attributes;
  return New;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// (V, ref(zeros)).
Value *HigherOrderDifferentiator::createPair(Value *V) {
  Value *Gradient = R.create<RefCreateOp>(R.create<ZerosLikeOp>(V));
  return R.create<TupleOp>(SmallVector<Value *, 2>{V, Gradient});
}

/// A reference to `fn () -> () { () }`, bound.
Operation *HigherOrderDifferentiator::createPropagatorRef() {
  Operation *Empty = createPropagator(R);
  {
    Rewriter::InsertionGuard Guard(R);
    R.setInsertionPointToEnd(Empty->getRegion());
    R.setResult(Empty->getRegion(), R.create<TupleOp>(ArrayRef<Value *>()));
  }
  Operation *Ref = R.create<RefCreateOp>(Empty);
  R.bind(Ref, Name, getPropagatorType(Ctx));
  return Ref;
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Gives \p To the arguments of \p From, as pairs.
void HigherOrderDifferentiator::copyArguments(Block &From, Block &To) {
  for (BlockArgument *Arg : From.getArguments())
    Map[Arg] = R.addArgument(To, Arg->getName(),
                             getPairType(Ctx, Arg->getType()), Arg->getLoc());
}

/// Adds the last parameter of a function.
Value *HigherOrderDifferentiator::addPropagator(Block &Body) {
  return R.addArgument(Body, Ctx.intern("bp"), getPropagatorType(Ctx),
                       R.getLoc());
}

/// `let %x = c; (%x, ref(zeros_like(%x)))`.
Operation *HigherOrderDifferentiator::copyConstant(Operation *Op) {
  Operation *Scope = R.create<ScopeOp>();
  Block &Body = Scope->getRegion();
  R.setInsertionPointToEnd(Body);
  Operation *Constant = R.createOperation(Op->getInfo(), {}, Op->getAttrs());
  R.setResult(Body, createPair(bind(Constant)));
  return Scope;
}

/// The last argument is \p Propagator.
Operation *HigherOrderDifferentiator::copyClosureCall(Operation *Op,
                                                      Value *Propagator) {
  SmallVector<Value *, 4> Operands = getNewOperands(Map, *Op);
  Operands.push_back(Propagator);
  return copyOperation(R, *Op, Operands);
}

Operation *HigherOrderDifferentiator::copyClosure(Operation *Op) {
  Operation *New = R.create<FnOp>();
  Block &From = Op->getRegion(), &To = New->getRegion();
  R.setSignature(To, getPairSignature(Op->getSignature()));
  copyArguments(From, To);
  push(From, To, addPropagator(To));
  return New;
}

Operation *HigherOrderDifferentiator::copyIf(Operation *Op, Value *Propagator) {
  Value *Condition = getField(lookup(Op->getOperand(0)), 0);
  Operation *New = R.create<IfOp>(Condition);
  for (unsigned I = 0; I != 2; ++I)
    push(Op->getRegion(I), New->getRegion(I), Propagator);
  return New;
}

/// A nested `let` with the call and the closure that propagates its gradient.
FailureOr<Operation *> HigherOrderDifferentiator::copyCall(Operation *Op,
                                                           Value *Propagator) {
  OpHook<GradientRule> Rule = Rules.lookup(*Op);
  if (!Rule)
    return reportNoGradient(*Op, "");
  if (!isa_and_nonnull<TensorType>(Op->getType()))
    return Ctx.emitError(Op->getLoc(), "no gradient of '" + Op->getName() +
                                           "': expects a tensor as result");
  Operation *Scope = R.create<ScopeOp>();
  Block &Body = Scope->getRegion();
  R.setInsertionPointToEnd(Body);
  SmallVector<Value *, 4> Pairs, Operands;
  for (Value *Operand : Op->operands())
    Pairs.push_back(bind(lookup(Operand)));
  for (auto [Pair, Operand] : llvm::zip(Pairs, Op->operands()))
    Operands.push_back(bindTensors(R, Name, Pair, Operand->getType()));
  Value *Result =
      bind(R.createOperation(Op->getInfo(), Operands, Op->getAttrs()));
  Value *ResultPair = bind(bind(createPair(Result))); // twice, as in TVM
  Value *Previous = bind(R.create<RefReadOp>(Propagator));
  FailureOr<Operation *> Closure = createBackPropagator(
      R, Rule, {*Op, Name, Pairs, Operands, ResultPair, Previous});
  if (failed(Closure))
    return failure();
  bind(R.create<RefWriteOp>(Propagator, *Closure));
  R.setResult(Body, ResultPair);
  return Scope;
}

FailureOr<Operation *>
HigherOrderDifferentiator::createCopy(Operation *Op, Value *Propagator) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    return copyCall(Op, Propagator);
  case OpCode::Constant:
    return copyConstant(Op);
  case OpCode::CallValue:
    return copyClosureCall(Op, Propagator);
  case OpCode::Fn:
    if (!Op->getSignature().TypeParams.empty())
      return Ctx.emitError(Op->getLoc(),
                           "no gradient of a closure with type parameters");
    return copyClosure(Op);
  case OpCode::If:
    return copyIf(Op, Propagator);
  default:
    break;
  }
  Operation *New = copyStructure(R, *Op, Map);
  if (!New)
    return reportNoGradient(*Op, "higher_order");
  for (auto [From, To] : llvm::zip(Op->getRegions(), New->getRegions()))
    push(From, To, Propagator);
  return New;
}

LogicalResult HigherOrderDifferentiator::copy(Operation *Op,
                                              Value *Propagator) {
  Block &To = *Frames.back().To;
  R.setInsertionPointToEnd(To);
  R.setLoc(Op->getLoc());
  FailureOr<Operation *> New = createCopy(Op, Propagator);
  if (failed(New))
    return failure();
  if (Op->isBound())
    R.bind(*New, Op->getVarName(), getPairType(Ctx, Op->getVarAnnotation()));
  Map[Op] = *New;
  return success();
}

/// Copies the operations and the results of all frames.
LogicalResult HigherOrderDifferentiator::copyFrames() {
  while (!Frames.empty()) {
    Frame &Top = Frames.back();
    if (Top.It == Top.End) {
      R.setResult(*Top.To, lookup(Top.From->getResult()));
      Frames.pop_back();
      continue;
    }
    Operation *Op = &*Top.It++;
    if (failed(copy(Op, Top.Propagator)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The new function
//===----------------------------------------------------------------------===//

/// Reports an error unless all parameters are tensors and the result consists
/// of tensors.
LogicalResult HigherOrderDifferentiator::checkResultAndParameters() {
  for (BlockArgument *Param : F.getParams())
    if (!isa<TensorType>(Param->getType()))
      return Ctx.emitError(
          Param->getLoc(),
          "no gradient of '" + Param->getName() +
              "' in mode higher_order: expects a tensor, got " +
              toString(Param->getType()));
  Type *Result = F.getBody().getResult()->getType();
  if (consistsOfTensors(Result))
    return success();
  return Ctx.emitError(F.getLoc(), "no gradient of @" + F.getName() +
                                       ": expects a result of tensors, got " +
                                       toString(Result));
}

/// Creates the closure that computes pairs. Copies the operations of the
/// function before \p FirstNew.
FailureOr<Operation *>
HigherOrderDifferentiator::createBody(Operation *FirstNew) {
  Operation *Fn = R.create<FnOp>();
  Block &From = F.getBody(), &To = Fn->getRegion();
  Signature Old = F.getSignature();
  Old.ResultAnnotation = From.getResult()->getType();
  R.setSignature(To, getPairSignature(Old));
  copyArguments(From, To);
  push(From, To, addPropagator(To));
  Frames.back().End = FirstNew->getIterator();
  if (failed(copyFrames()))
    return failure();
  return Fn;
}

/// Sets the gradient of \p Result, pairs of type \p T, to ones. If the result
/// is a tuple, sets the first field only, as in TVM.
void HigherOrderDifferentiator::startPropagation(Value *Result, Type *T) {
  for (auto *Tuple = dyn_cast<TupleType>(T); Tuple;
       Tuple = dyn_cast<TupleType>(T)) {
    if (Tuple->getNumFields() == 0)
      return;
    T = Tuple->getField(0);
    Result = bind(getField(Result, 0));
  }
  Value *Ones = R.create<OnesLikeOp>(getField(Result, 0));
  bind(R.create<RefWriteOp>(getField(Result, 1), Ones));
}

/// The tensors of \p Result, pairs of type \p T.
Value *HigherOrderDifferentiator::readResult(Value *Result, Type *T) {
  auto *Tuple = dyn_cast<TupleType>(T);
  if (!Tuple)
    return getField(Result, 0);
  SmallVector<Value *, 4> Pairs, Fields;
  for (unsigned I = 0; I != Tuple->getNumFields(); ++I)
    Pairs.push_back(bind(getField(Result, I)));
  for (auto [Pair, Field] : llvm::zip(Pairs, Tuple->getFields()))
    Fields.push_back(readResult(Pair, Field));
  return R.create<TupleOp>(Fields);
}

/// Calls \p Body with \p Pairs and \p Propagator, and reads the gradients: the
/// result of the function.
void HigherOrderDifferentiator::createResult(Operation *Body,
                                             ArrayRef<Value *> Pairs,
                                             Value *Propagator) {
  Type *T = F.getBody().getResult()->getType();
  SmallVector<Value *, 4> Arguments(Pairs);
  Arguments.push_back(Propagator);
  R.setInsertionPointToEnd(F.getBody());
  R.setLoc(ResultLoc);
  Value *Result = bind(R.create<CallValueOp>(Body, Arguments));
  startPropagation(Result, T);
  bind(R.create<CallValueOp>(R.create<RefReadOp>(Propagator),
                             ArrayRef<Value *>()));
  Value *Tensors = readResult(Result, T);
  SmallVector<Value *, 4> Gradients;
  for (Value *Pair : Pairs)
    Gradients.push_back(R.create<RefReadOp>(getField(Pair, 1)));
  finish(Tensors, R.create<TupleOp>(Gradients));
}

LogicalResult HigherOrderDifferentiator::run() {
  if (failed(findResultType()) || failed(checkResultAndParameters()) ||
      failed(checkPairNesting(F)))
    return failure();
  start();
  R.setLoc(ResultLoc);
  Operation *Propagator = createPropagatorRef();
  SmallVector<Value *, 4> Pairs;
  for (BlockArgument *Param : F.getParams()) {
    R.setLoc(Param->getLoc());
    Pairs.push_back(bind(createPair(Param)));
  }
  R.setLoc(ResultLoc);
  Operation *FirstNew = Propagator->getOperand(0)->getDefiningOp();
  FailureOr<Operation *> Body = createBody(FirstNew);
  if (failed(Body))
    return failure();
  createResult(*Body, Pairs, Propagator);
  return success();
}

LogicalResult
relay::differentiateHigherOrder(Function &F,
                                const OpHooks<GradientRule> &Rules) {
  return HigherOrderDifferentiator(F, Rules).run();
}

//===- BackPropagator.cpp - Closures that propagate gradients -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a closure reads the gradient of the result and adds to the
// gradient of each operand. All operations are bound; those that a rule
// creates, in depth-first order. In TVM, ToANormalForm flattens a `let` for the
// read of the gradient and one for each addition. Each of them leaves an alias
// of the result at the end of the body.
//
//===----------------------------------------------------------------------===//

#include "BackPropagator.h"
#include "Differentiator.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

namespace {

/// Creates the body of one closure.
class PropagatorBody {
public:
  PropagatorBody(Rewriter &R, Block &Body, StringRef Name)
      : R(R), Body(Body), Name(Name) {
    R.setInsertionPointToEnd(Body);
  }
  LogicalResult create(OpHook<GradientRule> Rule, const PropagatedCall &Call);

private:
  Operation *bind(Operation *Op) {
    R.bind(Op, Name);
    return Op;
  }
  Operation *bindField(Value *V, unsigned I) {
    return bind(R.create<TupleGetItemOp>(V, I));
  }
  void bindTree(Value *Root);
  bool isUnbound(const Value *V) const;
  void add(Type *T, Value *Pairs, Value *Gradient);
  void finish(Value *Previous);

  Rewriter &R;
  Block &Body;
  StringRef Name;
  unsigned NumLets = 0; ///< flattened in TVM
};

} // namespace

Type *relay::getPropagatorType(Context &Ctx) {
  return Ctx.getRefType(Ctx.getFuncType({}, {}, Ctx.getTupleType({})));
}

Type *relay::getPairType(Context &Ctx, Type *T) {
  if (!T)
    return nullptr;
  if (isa<TensorType>(T))
    return Ctx.getTupleType({T, Ctx.getRefType(T)});
  Type *New =
      rebuild(Ctx, T, [&](Type *Part) { return getPairType(Ctx, Part); });
  auto *Fn = dyn_cast<FuncType>(New);
  if (!Fn)
    return New;
  SmallVector<Type *, 4> Params(Fn->getParams());
  Params.push_back(getPropagatorType(Ctx));
  return Ctx.getFuncType(Fn->getTypeParams(), Params, Fn->getResult());
}

Operation *relay::createPropagator(Rewriter &R) {
  Operation *Fn = R.create<FnOp>();
  Signature Sig;
  Sig.ResultAnnotation = R.getContext().getTupleType({});
  R.setSignature(Fn->getRegion(), std::move(Sig));
  return Fn;
}

Value *relay::bindTensors(Rewriter &R, StringRef Name, Value *Pairs, Type *T) {
  auto Bind = [&](Operation *Op) {
    R.bind(Op, Name);
    return Op;
  };
  auto *Tuple = dyn_cast<TupleType>(T);
  if (!Tuple)
    return Bind(R.create<TupleGetItemOp>(Pairs, 0));
  SmallVector<Value *, 4> Fields;
  for (auto [I, Field] : llvm::enumerate(Tuple->getFields())) {
    Value *Part = Bind(R.create<TupleGetItemOp>(Pairs, I));
    Fields.push_back(bindTensors(R, Name, Part, Field));
  }
  return Bind(R.create<TupleOp>(Fields));
}

/// Returns true if \p V is an operation of the body that has no name yet.
bool PropagatorBody::isUnbound(const Value *V) const {
  const Operation *Op = V->getDefiningOp();
  return Op && Op->isFloating() && Op->getBlock() == &Body;
}

/// Binds \p Root and the unbound operations that it depends on, operands first.
void PropagatorBody::bindTree(Value *Root) {
  struct Visit {
    Operation *Op;
    unsigned NextOperand;
  };
  SmallVector<Visit, 8> Stack;
  if (isUnbound(Root))
    Stack.push_back({Root->getDefiningOp(), 0});
  while (!Stack.empty()) {
    auto &[Op, Next] = Stack.back();
    if (Next < Op->getNumOperands()) {
      Value *Operand = Op->getOperand(Next++);
      if (isUnbound(Operand))
        Stack.push_back({Operand->getDefiningOp(), 0});
      continue;
    }
    if (Op->isFloating()) {
      R.moveToEnd(Op, Body);
      bind(Op);
    }
    Stack.pop_back();
  }
}

/// Adds \p Gradient to the gradient of \p Pairs, which are of type \p T without
/// references.
void PropagatorBody::add(Type *T, Value *Pairs, Value *Gradient) {
  if (auto *Tuple = dyn_cast<TupleType>(T)) {
    for (auto [I, Field] : llvm::enumerate(Tuple->getFields())) {
      bindTree(Gradient);
      Value *Part = bindField(Gradient, I);
      Value *PartPairs = bindField(Pairs, I);
      NumLets += 2;
      add(Field, PartPairs, Part);
    }
    return;
  }
  Operation *Sum = bind(R.create<RefReadOp>(bindField(Pairs, 1)));
  bindTree(Gradient);
  Sum = bind(R.create<AddOp>(Sum, Gradient));
  bind(R.create<RefWriteOp>(bindField(Pairs, 1), Sum));
  ++NumLets;
}

/// Calls \p Previous, whose result is that of the body.
void PropagatorBody::finish(Value *Previous) {
  Operation *Result =
      bind(R.create<CallValueOp>(Previous, ArrayRef<Value *>()));
  for (unsigned I = 0; I != NumLets; ++I)
    Result = bind(R.create<AliasOp>(Result));
  R.setResult(Body, Result);
}

LogicalResult PropagatorBody::create(OpHook<GradientRule> Rule,
                                     const PropagatedCall &Call) {
  Operation *Gradient =
      bind(R.create<RefReadOp>(bindField(Call.ResultPair, 1)));
  ++NumLets;
  Operation *Copy =
      R.createOperation(Call.Op.getInfo(), Call.Operands, Call.Op.getAttrs());
  FailureOr<GradientList> Parts =
      applyRule(R, Rule, {Call.Op, Call.Operands, Copy, Gradient});
  if (failed(Parts))
    return failure();
  for (auto [I, Part] : llvm::enumerate(*Parts))
    add(Call.Op.getOperand(I)->getType(), Call.Pairs[I], Part);
  finish(Call.Previous);
  return success();
}

FailureOr<Operation *> relay::createBackPropagator(Rewriter &R,
                                                   OpHook<GradientRule> Rule,
                                                   const PropagatedCall &Call) {
  Rewriter::InsertionGuard Guard(R);
  Operation *Fn = createPropagator(R);
  PropagatorBody Body(R, Fn->getRegion(), Call.Name);
  if (failed(Body.create(Rule, Call)))
    return failure();
  return Fn;
}

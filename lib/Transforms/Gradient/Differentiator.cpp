//===- Differentiator.cpp - Common base of the two modes ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Differentiator.h.
//
//===----------------------------------------------------------------------===//

#include "Differentiator.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Begins an error about the gradients that \p Hook has computed.
static InFlightDiagnostic reportRule(const GradientRequest &G,
                                     const OpHookEntry &Hook) {
  return G.emitError() << Hook.describe() << " computes ";
}

FailureOr<GradientList> relay::applyRule(Rewriter &R, OpHook<GradientRule> Rule,
                                         const GradientRequest &G) {
  const OpHookNode *Node;
  FailureOr<GradientList> Parts = Rule.ask(Node, R, G);
  if (failed(Parts))
    return failure();
  const OpHookEntry &Hook = *Node->Entry;
  unsigned Count = G.Op.getNumOperands();
  if (Parts->size() != Count)
    return reportRule(G, Hook) << "gradients of " << Parts->size()
                               << " operands, expected " << Count;
  for (auto [I, Part] : llvm::enumerate(*Parts)) {
    if (!Part)
      return reportRule(G, Hook) << "no gradient of operand " << I;
    Type *Found = Part->getType(), *Expected = G.Op.getOperand(I)->getType();
    if (Found && Expected && !joinTypes(R.getContext(), Found, Expected))
      return reportRule(G, Hook)
             << "a gradient of type " << toString(Found) << " for operand " << I
             << ", expected " << toString(Expected);
  }
  return Parts;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Differentiator::Differentiator(Function &F, const OpHooks<GradientRule> &Rules)
    : F(F), Ctx(F.getContext()), R(F), Rules(Rules), Name(Ctx.intern("x")),
      ResultLoc(F.getResultLoc()) {}

LogicalResult Differentiator::findResultType() {
  if (!F.getSignature().TypeParams.empty())
    return Ctx.emitError(F.getLoc(), "no gradient of @" + F.getName() +
                                         ": expects no type parameters");
  Type *Result = F.getBody().getResult()->getType();
  SmallVector<Type *, 4> Params;
  for (BlockArgument *Param : F.getParams())
    Params.push_back(Param->getType());
  if (!Result || llvm::is_contained(Params, nullptr))
    return Ctx.emitError(F.getLoc(), "no gradient of @" + F.getName() +
                                         ": expects known types");
  ResultType = Ctx.getTupleType({Result, Ctx.getTupleType(Params)});
  return success();
}

void Differentiator::start() {
  R.noteRewrite("differentiate");
  for (Operation &Op : F.getBody())
    Original.push_back(&Op);
  R.setInsertionPointToEnd(F.getBody());
}

void Differentiator::finish(Value *Result, Value *Gradients) {
  R.setResult(F.getBody(),
              R.create<TupleOp>(SmallVector<Value *, 2>{Result, Gradients}));
  if (F.getForm() != Function::Form::OpenExpression) // which declares no type
    R.setResultAnnotation(F.getBody(), ResultType);
  for (Operation *Op : llvm::reverse(Original))
    R.eraseOp(Op);
}

Operation *Differentiator::bind(Value *V) {
  Operation *Alias = R.create<AliasOp>(V);
  R.bind(Alias, Name);
  return Alias;
}

Value *Differentiator::getField(Value *V, unsigned I) {
  return R.create<TupleGetItemOp>(V, I);
}

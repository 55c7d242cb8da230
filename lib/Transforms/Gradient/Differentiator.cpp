//===- Differentiator.cpp - What both modes share -------------------------===//
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

using namespace relay;

static Location getResultLoc(Function &F) {
  Value *Result = F.getBody().getResult();
  if (const Operation *Op = Result->getDefiningOp())
    return Op->getLoc();
  return cast<BlockArgument>(Result)->getLoc();
}

Differentiator::Differentiator(Function &F, const OpHooks<GradientRule> &Rules)
    : F(F), Ctx(F.getContext()), R(F), Rules(Rules), Name(Ctx.intern("x")),
      ResultLoc(getResultLoc(F)) {}

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

//===- Calls.cpp - Calls and closures that passes make --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Calls.h.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

using namespace relay;

/// Puts \p New in place of \p Call, with the same type arguments.
static Operation *replaceCall(Rewriter &R, Operation *Call, Operation *New) {
  if (!Call->getTypeArgs().empty())
    R.setTypeArgs(New, Call->getTypeArgs());
  if (!New->getType())
    R.setType(New, Call->getType());
  R.replaceOpAndRetype(Call, New); // another callee, maybe typed further
  return New;
}

Operation *relay::replaceByCallOf(Rewriter &R, Operation *Call, Value *Callee) {
  R.setInsertionPoint(Call);
  R.setLoc(Call->getLoc());
  Attr A = CallGlobalOp(Call).attrs().attributes();
  return replaceCall(
      R, Call, R.create<CallValueOp>(Callee, Call->getOperandVector(), A));
}

Operation *relay::replaceByCallOf(Rewriter &R, Operation *Call,
                                  const Function &Callee) {
  R.setInsertionPoint(Call);
  R.setLoc(Call->getLoc());
  Attr A = CallValueOp(Call).attrs().attributes();
  auto Arguments = Call->getOperandVector();
  Arguments.erase(Arguments.begin());
  return replaceCall(R, Call,
                     R.create<CallGlobalOp>(Arguments, Callee.getName(), A));
}

Operation *relay::createClosure(Rewriter &R, const Function &F) {
  FnOp Fn = R.create<FnOp>();
  R.cloneInto(F, Fn);
  return Fn;
}

void relay::inheritLayers(Rewriter &R, Block &B, Location Call) {
  if (!Call.hasSpan())
    return;
  LocationTable &Locations = R.getContext().getLocations();
  walk(B, [&](Operation *Op) {
    R.setLocation(Op, Locations.inheritLayer(Op->getLoc(), Call));
  });
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void substitute(Context &Ctx, Signature &S, const TypeVarMap &Map) {
  S.ResultAnnotation = substituteTypeVars(Ctx, S.ResultAnnotation, Map);
}

static void substitute(Context &Ctx, BlockArgument *Arg,
                       const TypeVarMap &Map) {
  Arg->setAnnotation(substituteTypeVars(Ctx, Arg->getAnnotation(), Map));
  Arg->setTypeRaw(substituteTypeVars(Ctx, Arg->getType(), Map));
}

static void substitute(Rewriter &R, Operation *Op, const TypeVarMap &Map) {
  Context &Ctx = R.getContext();
  Op->setTypeRaw(substituteTypeVars(Ctx, Op->getType(), Map));
  if (Op->isBound())
    R.bind(Op, Op->getVarName(),
           substituteTypeVars(Ctx, Op->getVarAnnotation(), Map),
           Op->getVarVirtualDevice());
  if (!Op->getTypeArgs().empty()) {
    SmallVector<Type *, 4> Args;
    for (Type *T : Op->getTypeArgs())
      Args.push_back(substituteTypeVars(Ctx, T, Map));
    Op->setTypeArgs(*Op->getFunction(), Args);
  }
  if (Op->is(OpCode::Fn))
    substitute(Ctx, Op->getSignature(), Map);
  for (Block &Region : Op->getRegions())
    for (BlockArgument *Arg : Region.getArguments())
      substitute(Ctx, Arg, Map);
}

void relay::substituteTypes(Rewriter &R, Block &B,
                            ArrayRef<TypeVarType *> Params,
                            ArrayRef<Type *> Args) {
  TypeVarMap Map = makeTypeVarMap(Params, Args);
  walk(B, [&](Operation *Op) {
    R.modifyInPlace(Op, [&] { substitute(R, Op, Map); });
  });
}

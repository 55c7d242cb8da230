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
#include "relay/IR/Walk.h"

using namespace relay;

/// Puts \p New in place of \p Call, with the same type arguments.
static Operation *replaceCall(Rewriter &R, Operation *Call, Operation *New) {
  if (!Call->getTypeArgs().empty())
    R.setTypeArgs(New, Call->getTypeArgs(), Call->hasInferredTypeArgs());
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

void relay::copySignature(Rewriter &R, Operation *Fn, Block &Body,
                          llvm::DenseMap<const Value *, Value *> &Map) {
  Block &From = Fn->getRegion();
  for (BlockArgument *Arg : From.getArguments()) {
    BlockArgument *New = R.addArgumentLike(Body, *Arg);
    // The uses that determined the closure's type may not determine that of the
    // global.
    if (Arg->getType())
      R.setAnnotation(New, Arg->getType());
    Map[Arg] = New;
  }
  R.setSignature(Body, Fn->getSignature());
  if (Type *T = From.getResult()->getType())
    R.setResultAnnotation(Body, T);
}

void relay::inheritLayers(Rewriter &R, Block &B, Location Call) {
  if (!Call.hasSpan())
    return;
  LocationTable &Locations = R.getContext().getLocations();
  walk(B, [&](Operation *Op) {
    R.setLocation(Op, Locations.inheritLayer(Op->getLoc(), Call));
  });
}

//===- LoweringDriver.cpp - Apply hooks that replace operations -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits operations from operands to users and puts the results of hooks in
// their place.
//
//===----------------------------------------------------------------------===//

#include "LoweringDriver.h"
#include "TensorUtils.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

using namespace relay;

const TensorType *Lowering::getTensor(unsigned I) const {
  return relay::getTensor(Op->getOperand(I));
}

bool Lowering::isTyped() const {
  return Op->getType() && llvm::all_of(Op->operands(), [](const Value *V) {
           return V->getType() != nullptr;
         });
}

bool Lowering::start(Rewriter &R) {
  if (IsRefused || !R.startRewrite(Op->getName(), Op))
    IsRefused = true; // for the entries that are asked after this one
  return !IsRefused;
}

InFlightDiagnostic Lowering::emitError(const Twine &Why) const {
  return Op->getFunction()->getContext().emitError(
      Op->getLoc(), "'" + Op->getName() + "' cannot be lowered: " + Why);
}

/// Reports that \p Hook has computed \p New for \p Op, whose type is not
/// that of Op.
static LogicalResult reportLoweredType(Operation &Op, const OpHookEntry &Hook,
                                       const Value *New) {
  std::string Text =
      New->getType() ? "of type " + toString(New->getType()) : "without a type";
  return Lowering(&Op, /*T=*/nullptr)
      .emitError(Hook.describe() + " computes a value " + Text + ", expected " +
                 toString(Op.getType()));
}

FailureOr<unsigned>
relay::lowerOperations(Rewriter &R, Function &F,
                       function_ref<LoweringAnswer(Operation &)> Ask) {
  unsigned NumLowered = 0;
  bool TypesChange = false;
  auto Lower = [&](Operation *Op) {
    R.setInsertionPoint(Op);
    LoweringAnswer Answer = Ask(*Op);
    if (failed(Answer.New))
      return WalkResult::interrupt();
    Value *New = *Answer.New;
    if (!New || New == Op)
      return WalkResult::advance();
    if (!New->getType() ||
        !isLessDynamic(R.getContext(), New->getType(), Op->getType())) {
      (void)reportLoweredType(*Op, *Answer.Hook->Entry, New);
      return WalkResult::interrupt();
    }
    TypesChange |= R.replaceOpByLessDynamic(Op, New);
    ++NumLowered;
    return WalkResult::advance();
  };
  if (walk(F, Lower).wasInterrupted() || (TypesChange && failed(retype(F))))
    return failure();
  return NumLowered;
}

//===- QnnDriver.cpp - Apply the hooks of QnnLowerings.td -----------------===//
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

#include "QnnDriver.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Ops/QNN.h"
#include "relay/Transforms/QNN/QnnLowerings.h.inc"

using namespace relay;

const TensorType *QnnLowering::getTensor(unsigned I) const {
  return dyn_cast_or_null<TensorType>(Op->getOperand(I)->getType());
}

bool QnnLowering::start(Rewriter &R) {
  if (IsRefused || !R.startRewrite(Op->getName(), Op))
    IsRefused = true; // for the entries that are asked after this one
  return !IsRefused;
}

InFlightDiagnostic QnnLowering::emitError(const Twine &Why) const {
  return Op->getFunction()->getContext().emitError(
      Op->getLoc(), "'" + Op->getName() + "' cannot be lowered: " + Why);
}

/// Reports that \p Hook has computed \p New for \p Op, whose type is not
/// that of Op.
static LogicalResult reportLoweredType(const QnnLowering &Op,
                                       const OpHookEntry &Hook,
                                       const Value *New) {
  std::string Text =
      New->getType() ? "of type " + toString(New->getType()) : "without a type";
  return Op.emitError("'" + Hook.Name + "' (" + Hook.Source +
                      ") computes a value " + Text + ", expected " +
                      toString(Op.getOp()->getType()));
}

/// Returns true if \p Op is an operator on scalars, one of whose parameters
/// varies along an axis.
static bool hasVectorForScalar(const Operation &Op) {
  auto HasRank = [](const Value &V, unsigned Rank) {
    const auto *T = dyn_cast<TensorType>(V.getType());
    return T && T->getRank() == Rank;
  };
  return HasRank(Op, 0) && llvm::any_of(Op.operands(), [&](const Value *V) {
           return HasRank(*V, 1);
         });
}

FailureOr<bool> relay::canLower(const QnnLowering &Op) {
  auto IsTyped = [](const Value *V) { return V->getType() != nullptr; };
  if (!IsTyped(Op.getOp()) || !llvm::all_of(Op.getOp()->operands(), IsTyped))
    return false; // without type inference
  if (hasVectorForScalar(*Op.getOp()))
    return Op.emitError("a scalar has a vector of scales or zero points");
  return true;
}

FailureOr<unsigned>
relay::lowerQnnOperations(Rewriter &R, Function &F, const QnnSettings &Settings,
                          function_ref<QnnAnswer(QnnLowering &)> Ask) {
  unsigned NumLowered = 0;
  bool TypesChange = false;
  auto Lower = [&](Operation *Op) {
    R.setInsertionPoint(Op);
    QnnLowering Lowering(Op, Settings);
    QnnAnswer Answer = Ask(Lowering);
    if (failed(Answer.New))
      return WalkResult::interrupt();
    Value *New = *Answer.New;
    if (!New || New == Op)
      return WalkResult::advance();
    if (!New->getType() ||
        !isLessDynamic(R.getContext(), New->getType(), Op->getType())) {
      (void)reportLoweredType(Lowering, *Answer.Hook->Entry, New);
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

//===- Gradient.cpp - Differentiate an expression -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that differentiates `@main`, which is the function of a file that
// holds an expression, and the common part of the modes.
//
//===----------------------------------------------------------------------===//

#include "GradientModes.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

LogicalResult relay::reportNoGradient(const Operation &Op, StringRef Mode) {
  Context &Ctx = Op.getFunction()->getContext();
  if (Mode.empty())
    return Ctx.emitError(Op.getLoc(),
                         "operator '" + Op.getName() + "' has no gradient");
  return Ctx.emitError(Op.getLoc(), "'" + Op.getName() +
                                        "' has no gradient in mode " + Mode);
}

bool relay::consistsOfTensors(Type *T) {
  bool Result = T;
  if (T)
    walkTypes(T, [&](Type *Part) {
      Result &= isa<TensorType, TupleType>(Part);
      return Result;
    });
  return Result;
}

namespace {
class Gradient final : public GradientBase<Gradient> {
public:
  using GradientBase::GradientBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &PC) override;
};
} // namespace

/// The function of \p M to differentiate; null, with an error, if there is
/// none.
static Function *getDifferentiable(Module &M) {
  Function *Main = M.lookupFunction("main");
  if (!Main)
    M.getContext().emitError({}, "'gradient' expects a function @main");
  else if (Main->getForm() == Function::Form::OpenExpression)
    M.getContext().emitError(
        Main->getLoc(), "'gradient' expects a function, got an expression");
  else
    return Main;
  return nullptr;
}

FailureOr<PreservedAnalyses> Gradient::run(Module &M, ModuleAnalysisManager &,
                                           PassContext &PC) {
  Function *Main = getDifferentiable(M);
  if (!Main)
    return failure();
  OpHooks<GradientRule> Rules(M.getContext(), PC.getTargetKeys());
  bool IsFirstOrder = Options.Mode == GradientOptions::ModeValue::FirstOrder;
  if (failed(IsFirstOrder ? differentiateFirstOrder(*Main, Rules)
                          : differentiateHigherOrder(*Main, Rules)) ||
      failed(retype(*Main)))
    return failure();
  return preserved(true);
}

std::unique_ptr<Pass> relay::createGradientPass(GradientOptions Options) {
  return std::make_unique<Gradient>(Options);
}

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
#include "relay/Analysis/CallGraph.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

std::string relay::describeConstruct(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return ("'" + Op.getName() + "'").str();
  case OpCode::CallGlobal:
    return ("a call of '@" + getNamedGlobal(Op) + "'").str();
  case OpCode::GlobalRef:
    return ("a use of '@" + getNamedGlobal(Op) + "' as a value").str();
  case OpCode::CallValue:
    return "a call of a closure";
  case OpCode::CallConstructor:
  case OpCode::ConstructorRef:
    return "a constructor";
  case OpCode::OpRef:
    return "an operator as a value";
  case OpCode::If:
    return "`if`";
  case OpCode::Match:
    return "`match`";
  case OpCode::Fn:
    return "a closure";
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return "a reference";
  case OpCode::Tuple:
    return "a tuple";
  case OpCode::TupleGetItem:
    return "a field of a tuple";
  case OpCode::Constant:
    return "a constant";
  case OpCode::Scope:
  case OpCode::Alias:
    return "`let`";
  }
  llvm_unreachable("unknown construct");
}

/// Returns the end of the message about the missing gradient of \p Op: how the
/// user can get one.
static std::string getAdvice(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::CallGlobal:
  case OpCode::GlobalRef:
    if (getNamedFunction(Op) == Op.getFunction())
      return "";
    return ("; set the attribute Inline=1 of '@" + getNamedGlobal(Op) +
            "' and run 'inline' first")
        .str();
  case OpCode::CallValue:
  case OpCode::If:
  case OpCode::Fn:
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return "; mode higher_order of 'gradient' differentiates it";
  default:
    return "";
  }
}

LogicalResult relay::reportNoGradient(const Operation &Op, StringRef Mode) {
  Context &Ctx = Op.getFunction()->getContext();
  if (Mode.empty())
    return Ctx.emitError(Op.getLoc(),
                         "operator '" + Op.getName() + "' has no gradient");
  return Ctx.emitError(Op.getLoc(), describeConstruct(Op) +
                                        " has no gradient in mode " + Mode +
                                        getAdvice(Op));
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

/// Reports an error if another function than \p Main uses it, since the type
/// of Main changes.
static LogicalResult checkCallers(const CallGraph &Calls,
                                  const Function &Main) {
  unsigned Number = Calls.getNumber(&Main);
  for (unsigned N = 0; N != Calls.size(); ++N)
    if (N != Number && llvm::is_contained(Calls.getCallees(N), Number))
      return Main.getContext().emitError(
          Main.getLoc(),
          "no gradient of @" + Main.getName() + ": it is called by @" +
              Calls.getFunction(N).getName() + ", and its result changes");
  return success();
}

FailureOr<PreservedAnalyses> Gradient::run(Module &M, ModuleAnalysisManager &AM,
                                           PassContext &PC) {
  Function *Main = getDifferentiable(M);
  if (!Main || failed(checkCallers(AM.getResult<CallGraphAnalysis>(M), *Main)))
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

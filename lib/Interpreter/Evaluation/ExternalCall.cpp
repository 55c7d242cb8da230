//===- ExternalCall.cpp - Calls of functions of libraries -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ExternalCall.h. A library gets what kernels get: aligned tensors of types
// that have been checked.
//
//===----------------------------------------------------------------------===//

#include "ExternalCall.h"
#include "OperatorCall.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Interpreter/Evaluation/ExternalCompilers.h.inc"

using namespace relay;

ExternalFunction::~ExternalFunction() = default;

unsigned relay::getNumKernelThreads(const Context &Ctx) {
  return Ctx.isMultithreaded() ? 1 : Ctx.getNumThreads();
}

static bool isStaticTensor(Type *T) {
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  return Tensor && Tensor->isStatic() && hasElementType(Tensor->getDType());
}

static bool isTensorOrTuple(Type *T) {
  auto *Tuple = dyn_cast_or_null<TupleType>(T);
  return Tuple ? llvm::all_of(Tuple->getFields(), isStaticTensor)
               : isStaticTensor(T);
}

std::unique_ptr<ExternalFunction> relay::compileExternally(Function &F) {
  Attr Compiler = F.getAttr(FunctionAttrs::Compiler);
  if (!Compiler || !Compiler.isString())
    return nullptr;
  Context &Ctx = F.getContext();
  OpHook<ExternalCompiler> Compile =
      OpHooks<ExternalCompiler>(Ctx, Compiler.getString())
          .lookup(FnOp::getInfo());
  auto IsParam = [](BlockArgument *P) { return isTensorOrTuple(P->getType()); };
  if (!Compile || !llvm::all_of(F.getParams(), IsParam) ||
      !isTensorOrTuple(F.getResultType()))
    return nullptr;
  return Compile(F, getNumKernelThreads(Ctx));
}

FailureOr<RuntimeValue>
relay::callExternally(ExternalFunction &Code, Function &F, Location Loc,
                      const KernelCall::Environment &Env,
                      ArrayRef<RuntimeValue> Args) {
  SmallVector<RuntimeValue, 4> Aligned;
  for (auto [Param, Arg] : llvm::zip_equal(F.getParams(), Args)) {
    if (!checkValue(Arg, Param->getType()).empty())
      return RuntimeValue();
    Aligned.push_back(makeAligned(Arg, Env.Meter));
  }
  KernelCall Call(Env, FnOp::getInfo(), /*A=*/nullptr, Loc, Aligned,
                  F.getResultType());
  Call.setFunction(F.getName());
  if (failed(Call.checkOutputs()) || failed(Call.countWork(0, 0)))
    return failure();
  FailureOr<bool> HasRun = Code.run(Call);
  if (failed(HasRun))
    return failure();
  return *HasRun ? Call.takeResult() : RuntimeValue();
}

FailureOr<RuntimeValue> relay::evaluateWithin(const KernelCall &Call,
                                              const Operation &Op,
                                              ArrayRef<RuntimeValue> Operands) {
  OpHook<Kernel> Function = OpHooks<Kernel>(Call.getContext()).lookup(Op);
  return OperatorCall{Op.getInfo(), Op.getAttrs(), Op.getLoc(), &Op, Function}
      .run(Call.getEnvironment(), Operands);
}

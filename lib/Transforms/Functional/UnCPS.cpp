//===- UnCPS.cpp - Convert from continuation-passing style ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the body of `@main` into a closure, and calls that with the identity as
// continuation. The body stays in continuation-passing style.
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Converts one function.
class DirectStyle {
public:
  explicit DirectStyle(Function &F)
      : F(F), Ctx(F.getContext()), R(F), Body(F.getBody()) {}
  LogicalResult run();

private:
  LogicalResult findResult();
  Operation *moveBodyIntoClosure();
  void changeSignature();
  void createCall(Operation *Closure);

  Function &F;
  Context &Ctx;
  Rewriter R;
  Block &Body;
  Type *Result = nullptr; ///< of the continuation's parameter
  /// The closure keeps the type parameters; these are those of the function.
  TypeVarMap Vars;
};

class UnCPS final : public UnCPSBase<UnCPS> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &PC) override;
};

} // namespace

/// Finds the type of the result. Reports an error if the function does not end
/// with a continuation `fn (T) -> A`, where A, its result, is its last type
/// parameter.
LogicalResult DirectStyle::findResult() {
  const Signature &Sig = F.getSignature();
  FuncType *T = F.getType();
  auto *K = T && !T->getParams().empty()
                ? dyn_cast<FuncType>(T->getParams().back())
                : nullptr;
  if (K && K->getParams().size() == 1 && K->getTypeParams().empty() &&
      !Sig.TypeParams.empty() && T->getResult() == Sig.TypeParams.back() &&
      K->getResult() == Sig.TypeParams.back()) {
    Result = K->getParams().front();
    if (!llvm::is_contained(getFreeTypeVars(Result), Sig.TypeParams.back()))
      return success();
    return Ctx.emitError(F.getLoc(),
                         "'un-cps' expects a result without functions in "
                         "continuation-passing style, got " +
                             toString(Result));
  }
  return Ctx.emitError(F.getLoc(),
                       "'un-cps' expects a function whose last parameter is a "
                       "continuation fn (T) -> A and whose result is A, its "
                       "last type parameter; got " +
                           (T ? toString(T) : "an unknown type"));
}

/// The closure has the parameters, the signature and the operations of the
/// function.
Operation *DirectStyle::moveBodyIntoClosure() {
  SmallVector<Operation *, 0> Operations;
  for (Operation &Op : Body)
    Operations.push_back(&Op);
  R.setLoc(F.getResultLoc());
  R.setInsertionPointToEnd(Body);
  Value *Answer = Body.getResult();
  return R.createClosure([&](Operation *Fn) {
    Block &To = Fn->getRegion();
    Fn->getSignature() = F.getSignature();
    for (BlockArgument *Param : Body.getArguments()) {
      BlockArgument *New = To.addArgument(
          Param->getName(), Param->getTypeForCallers(), Param->getLoc());
      New->setTypeRaw(Param->getType());
      Param->replaceAllUsesWith(New);
      if (Answer == Param)
        Answer = New;
    }
    for (Operation *Op : Operations)
      R.moveToEndRaw(Op, To);
    To.setResultRaw(Answer);
  });
}

/// Removes the continuation and its answer, and gives the type parameters to
/// the closure.
void DirectStyle::changeSignature() {
  Signature Sig = F.getSignature();
  ArrayRef<TypeVarType *> Old = Sig.TypeParams;
  TypeParamList New;
  for (TypeVarType *Var : Old.drop_back()) {
    New.push_back(Ctx.createTypeVar(Var->getName(), Var->getVarKind()));
    Vars[Var] = New.back();
  }
  Result = substituteTypeVars(Ctx, Result, Vars);
  Vars[Old.back()] = Result;
  Sig.TypeParams = std::move(New);
  Sig.ResultAnnotation = Result;
  R.setSignature(Body, std::move(Sig));
  R.eraseArgument(Body, Body.getNumArguments() - 1);
  for (BlockArgument *Param : Body.getArguments()) {
    Type *T = substituteTypeVars(Ctx, Param->getTypeForCallers(), Vars);
    R.setAnnotation(Param, T);
    if (T != Param->getType())
      R.setType(Param, T);
  }
}

/// Calls \p Closure with the parameters and `fn (%x) { %x }`.
void DirectStyle::createCall(Operation *Closure) {
  R.setInsertionPointToEnd(Body);
  Operation *Identity = R.create<FnOp>();
  Block &To = Identity->getRegion();
  R.setResultAnnotation(To, Result);
  R.setResult(To, R.addArgument(To, Ctx.intern("x"), Result, R.getLoc()));
  SmallVector<Value *, 4> Arguments(Body.getArguments());
  Arguments.push_back(Identity);
  R.setResult(Body, R.create<CallValueOp>(Closure, Arguments));
}

LogicalResult DirectStyle::run() {
  if (failed(findResult()))
    return failure();
  R.noteRewrite("convert-from-cps");
  Operation *Closure = moveBodyIntoClosure();
  changeSignature();
  createCall(Closure);
  return retype(F);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<PreservedAnalyses> UnCPS::run(Module &M, ModuleAnalysisManager &AM,
                                        PassContext &) {
  Function *Main =
      getUnusedEntryFunction(M, "un-cps", AM.getResult<CallGraphAnalysis>(M));
  if (!Main || failed(DirectStyle(*Main).run()))
    return failure();
  return preserved(true);
}

std::unique_ptr<Pass> relay::createUnCPSPass() {
  return std::make_unique<UnCPS>();
}

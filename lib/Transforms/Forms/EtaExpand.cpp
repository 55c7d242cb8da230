//===- EtaExpand.cpp - Wrap functions and constructors in closures --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every use of a global function, calls included, and every constructor with
// fields that is used as a value becomes a use of a closure: `fn (…) { @f(…)
// }`. One closure a function and symbol. As in TVM, functions of other
// compilers are expanded too, and asking for neither kind is an error.
//
//===----------------------------------------------------------------------===//

#include "Inline/Calls.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Makes and shares the closures of one function.
class Expander {
public:
  Expander(Function &F, const EtaExpandOptions &Options)
      : F(F), Ctx(F.getContext()), R(F), Options(Options) {}

  /// Returns the number of closures created.
  unsigned run();

private:
  /// The signature of a function or a constructor to expand.
  struct Symbol {
    ArrayRef<TypeVarType *> TypeParams;
    SmallVector<Type *, 4> Params;
    Type *Result = nullptr;
    const Attrs *Attributes = nullptr;
  };

  bool isExpanded(const Operation &Op) const;
  const Constructor *getConstructor(const Operation &Op) const;
  Symbol getSymbol(const Operation &Op) const;
  Operation *getClosure(const Operation &Use);
  Operation *createClosureOf(const Operation &Use);
  Operation *createCall(const Operation &Use, ArrayRef<Value *> Arguments);
  void replaceReference(Operation *Use, Operation *Closure);

  Function &F;
  Context &Ctx;
  Rewriter R;
  const EtaExpandOptions &Options;
  /// By interned symbol: of functions, of constructors.
  llvm::DenseMap<StringRef, Operation *> Closures[2];
};

class EtaExpand final : public EtaExpandBase<EtaExpand> {
public:
  using EtaExpandBase::EtaExpandBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};

} // namespace

/// The name of the function or constructor that \p Op uses.
static StringRef getSymbolName(const Operation &Op) {
  if (auto Call = dyn_cast<CallGlobalOp>(&Op))
    return Call.attrs().callee();
  return Op.getAttrsAs<SymbolAttrs>().symbol();
}

const Constructor *Expander::getConstructor(const Operation &Op) const {
  return F.getModule()->lookupConstructor(getSymbolName(Op));
}

bool Expander::isExpanded(const Operation &Op) const {
  if (Options.ExpandGlobalVar && getNamedFunction(Op))
    return true;
  if (!Options.ExpandConstructor || !Op.is(OpCode::ConstructorRef))
    return false;
  const Constructor *C = getConstructor(Op);
  return C && !C->Fields.empty();
}

Expander::Symbol Expander::getSymbol(const Operation &Op) const {
  Symbol S;
  if (const Function *Callee = getNamedFunction(Op)) {
    S.TypeParams = Callee->getSignature().TypeParams;
    for (const BlockArgument *Param : Callee->getParams())
      S.Params.push_back(Param->getType());
    S.Result = Callee->getResultType();
    S.Attributes = Callee->getSignature().Attributes;
    return S;
  }
  const Constructor *C = getConstructor(Op);
  S.TypeParams = C->Parent->TypeParams;
  S.Params.append(C->Fields.begin(), C->Fields.end());
  S.Result = Ctx.getTypeCall(
      C->Parent->Name,
      SmallVector<Type *, 4>(S.TypeParams.begin(), S.TypeParams.end()));
  return S;
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

/// The call inside of the closure.
Operation *Expander::createCall(const Operation &Use,
                                ArrayRef<Value *> Arguments) {
  StringRef Name = getSymbolName(Use);
  if (Use.is(OpCode::ConstructorRef))
    return R.create<CallConstructorOp>(Arguments, Name);
  return R.create<CallGlobalOp>(Arguments, Name);
}

Operation *Expander::createClosureOf(const Operation &Use) {
  R.setInsertionPointToStart(F.getBody());
  R.setLoc(Use.getLoc());
  FnOp Fn = R.create<FnOp>();
  Symbol S = getSymbol(Use);
  Signature Sig;
  TypeVarMap Map;
  for (TypeVarType *Var : S.TypeParams) {
    Sig.TypeParams.push_back(
        Ctx.createTypeVar(Var->getName(), Var->getVarKind()));
    Map[Var] = Sig.TypeParams.back();
  }
  Sig.ResultAnnotation = substituteTypeVars(Ctx, S.Result, Map);
  Sig.Attributes = S.Attributes;
  SmallVector<Type *, 4> TypeArgs(Sig.TypeParams.begin(), Sig.TypeParams.end());

  Block &Body = Fn->getRegion();
  R.setSignature(Body, std::move(Sig));
  SmallVector<Value *, 4> Arguments;
  StringRef Name = Ctx.intern("eta_expand_param");
  for (Type *T : S.Params)
    Arguments.push_back(R.addArgument(
        Body, Name, substituteTypeVars(Ctx, T, Map), Use.getLoc()));
  R.setInsertionPointToEnd(Body);
  Operation *Call = createCall(Use, Arguments);
  if (!TypeArgs.empty()) {
    R.setTypeArgs(Call, TypeArgs);
    if (Type *T = inferOperationType(*Call))
      R.setType(Call, T);
  }
  R.setResult(Body, Call);
  return Fn;
}

Operation *Expander::getClosure(const Operation &Use) {
  bool IsConstructor = Use.is(OpCode::ConstructorRef);
  Operation *&Closure = Closures[IsConstructor][getSymbolName(Use)];
  if (!Closure)
    Closure = createClosureOf(Use);
  return Closure;
}

/// A `let` of the reference becomes one of the closure, which others may use.
void Expander::replaceReference(Operation *Use, Operation *Closure) {
  Value *New = Closure;
  if (Use->isBound()) {
    R.setInsertionPoint(Use);
    R.setLoc(Use->getLoc());
    New = R.create<AliasOp>(Closure).getOperation();
  }
  R.replaceOp(Use, New);
}

unsigned Expander::run() {
  SmallVector<Operation *> Uses;
  walk(F, [&](Operation *Op) {
    if (isExpanded(*Op))
      Uses.push_back(Op);
  });
  for (Operation *Use : Uses) {
    if (!R.startRewrite("expand", Use))
      continue;
    Operation *Closure = getClosure(*Use);
    if (Use->is(OpCode::CallGlobal))
      replaceByCallOf(R, Use, Closure);
    else
      replaceReference(Use, Closure);
  }
  return Closures[0].size() + Closures[1].size();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<PreservedAnalyses> EtaExpand::run(Module &M, ModuleAnalysisManager &,
                                            PassContext &) {
  if (!Options.ExpandConstructor && !Options.ExpandGlobalVar)
    return M.getContext().emitError(
        Location(), "'eta-expand' needs 'expand-constructor' or "
                    "'expand-global-var' to be set");
  unsigned NumClosures = 0;
  for (Function &F : M.functions())
    NumClosures += Expander(F, Options).run();
  NumExpanded += NumClosures;
  return preserved(NumClosures != 0);
}

std::unique_ptr<Pass> relay::createEtaExpandPass(EtaExpandOptions Options) {
  return std::make_unique<EtaExpand>(std::move(Options));
}

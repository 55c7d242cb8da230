//===- GlobalInliner.cpp - Inline functions of a module -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GlobalInliner.h. Callees are processed before their callers, so that
// copied bodies are final.
//
//===----------------------------------------------------------------------===//

#include "GlobalInliner.h"
#include "Calls.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type arguments of \p Call, as written or as its arguments tell; unknown
/// where these are not typed.
static SmallVector<Type *, 4>
getTypeArgs(const Operation &Call, const Function &Callee, Context &Ctx) {
  ArrayRef<TypeVarType *> Params = Callee.getSignature().TypeParams;
  TypeVarMap Map = makeTypeVarMap(Params, Call.getTypeArgs());
  for (auto [Param, Argument] : llvm::zip(Callee.getParams(), Call.operands()))
    if (Param->getType() && Argument->getType())
      (void)matchTypeVars(Ctx, Param->getType(), Argument->getType(), Map);
  SmallVector<Type *, 4> Args;
  for (TypeVarType *Var : Params) {
    Type *T = Map.lookup(Var);
    Args.push_back(T ? T : Ctx.getIncompleteType(0));
  }
  return Args;
}

static Type *getIfComplete(Type *T) {
  return T && !T->isIncomplete() ? T : nullptr;
}

static void dropIncompleteTypes(Operation *Op) {
  Op->setTypeRaw(getIfComplete(Op->getType()));
  if (Op->isBound())
    Op->bind(Op->getVarName(), getIfComplete(Op->getVarAnnotation()),
             Op->getVarVirtualDevice());
  if (!llvm::all_of(Op->getTypeArgs(), getIfComplete))
    Op->setTypeArgs(*Op->getFunction(), {});
  if (Op->is(OpCode::Fn))
    Op->getSignature().ResultAnnotation =
        getIfComplete(Op->getSignature().ResultAnnotation);
  for (Block &Region : Op->getRegions())
    for (BlockArgument *Arg : Region.getArguments()) {
      Arg->setAnnotation(getIfComplete(Arg->getAnnotation()));
      Arg->setTypeRaw(getIfComplete(Arg->getType()));
    }
}

/// Removes incomplete types from \p Body; inference finds them.
static void dropIncompleteTypes(Rewriter &R, Block &Body) {
  walk(Body, [&](Operation *Op) {
    R.modifyInPlace(Op, [&] { dropIncompleteTypes(Op); });
  });
}

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

/// Returns true if function \p N uses one to be inlined.
bool GlobalInliner::hasUses(unsigned N) const {
  return llvm::any_of(Graph.getCallees(N),
                      [&](unsigned Callee) { return Chosen[Callee]; });
}

/// Calls \p Visit with each use in function \p N of a function to be inlined,
/// and with the callee's number.
template <typename Fn> void GlobalInliner::forEachUse(unsigned N, Fn &&Visit) {
  walk(Graph.getFunction(N), [&](Operation *Op) {
    if (Function *Used = getNamedFunction(*Op))
      if (unsigned Callee = Graph.getNumber(Used); Chosen[Callee])
        Visit(Op, Callee);
  });
}

/// With two calls each, 40 functions would make 2^40 operations.
LogicalResult GlobalInliner::checkSizes() {
  SmallVector<uint64_t, 0> Sizes(Graph.size());
  uint64_t NumCopied = 0;
  for (unsigned N : Graph.getPostOrder()) {
    Function &F = Graph.getFunction(N);
    Sizes[N] = F.getNumOperations();
    if (!hasUses(N))
      continue;
    forEachUse(N, [&](Operation *, unsigned Callee) {
      Sizes[N] = llvm::SaturatingAdd(Sizes[N], Sizes[Callee]);
      NumCopied = llvm::SaturatingAdd(NumCopied, Sizes[Callee]);
    });
    if (uint64_t Limit = F.getContext().getLimits().Operations;
        NumCopied > Limit)
      return F.getContext().emitError(
          F.getLoc(),
          "inlining up to '@" + F.getName() + "' makes " +
              describeLimit(Limit, "operations", "-max-operations"));
  }
  return success();
}

/// Binds \p Argument of a bound call before the call.
static Operation *bindArgument(Rewriter &R, const BlockArgument &Param,
                               Value *Argument) {
  Operation *Alias = R.create<AliasOp>(Argument);
  R.bind(Alias, Param.getName(), /*Annotation=*/nullptr, Attr());
  return Alias;
}

/// Evaluates \p Arguments, in order, before \p Body.
static Operation *evaluateBefore(Rewriter &R, ArrayRef<Value *> Arguments,
                                 Operation *Body) {
  SmallVector<Value *, 4> Fields(Arguments);
  Fields.push_back(Body);
  return R.create<TupleGetItemOp>(R.create<TupleOp>(Fields), Fields.size() - 1);
}

void GlobalInliner::inlineCall(Rewriter &R, Operation *Call, Function &Callee) {
  ScopeOp Scope = R.create<ScopeOp>();
  Block &Body = Scope->getRegion();
  llvm::DenseMap<const Value *, Value *> Map;
  for (auto [Param, Argument] : llvm::zip(Callee.getParams(), Call->operands()))
    Map[Param] = Argument;
  SmallVector<Value *, 4> Evaluated;
  for (unsigned I : ArgumentsWithEffects.lookup(Call)) {
    BlockArgument *Param = Callee.getParams()[I];
    if (Call->isBound())
      Map[Param] = bindArgument(R, *Param, Call->getOperand(I));
    else
      Evaluated.push_back(Call->getOperand(I));
  }
  SmallVector<Type *, 4> TypeArgs = getTypeArgs(*Call, Callee, R.getContext());
  R.cloneInto(Callee.getBody(), Body, Map, Callee.getSignature().TypeParams,
              TypeArgs);
  if (!llvm::all_of(TypeArgs, getIfComplete))
    dropIncompleteTypes(R, Body);
  inheritLayers(R, Body, Call->getLoc());
  R.setType(Scope, Call->getType());
  R.replaceOp(Call, Evaluated.empty() ? Scope.getOperation()
                                      : evaluateBefore(R, Evaluated, Scope));
}

void GlobalInliner::replaceUse(Rewriter &R, Operation *Use, Function &Callee) {
  R.setInsertionPoint(Use);
  R.setLoc(Use->getLoc());
  if (Use->is(OpCode::GlobalRef))
    R.replaceOpAndRetype(Use, createClosure(R, Callee));
  else if (!InlinesExternal && isExternal(Callee.getSignature()))
    replaceByCallOf(R, Use, createClosure(R, Callee));
  else
    inlineCall(R, Use, Callee);
}

/// Finds the arguments in the calls \p Uses of \p F that have effects.
void GlobalInliner::noteEffects(
    Function &F, ArrayRef<std::pair<Operation *, unsigned>> Uses) {
  ArgumentsWithEffects.clear();
  if (!Calls)
    return;
  ValuePurity Values(F,
                     [&](StringRef Name) { return Calls->isCallPure(Name); });
  for (auto [Op, Callee] : Uses)
    for (auto [I, V] : llvm::enumerate(Op->operands()))
      if (!Values.isUsePure(V))
        ArgumentsWithEffects[Op].push_back(I);
}

/// Inlines into function \p N, whose callees are final. Arguments may be of
/// other types than parameters, `?` for 4.
LogicalResult GlobalInliner::runOnFunction(unsigned N) {
  SmallVector<std::pair<Operation *, unsigned>> Uses;
  forEachUse(
      N, [&](Operation *Op, unsigned Callee) { Uses.push_back({Op, Callee}); });
  Function &F = Graph.getFunction(N);
  noteEffects(F, Uses);
  Rewriter R(F);
  for (auto [Op, Callee] : Uses) {
    if (!R.startRewrite("inline", Op)) {
      Kept.set(Callee);
      continue;
    }
    replaceUse(R, Op, Graph.getFunction(Callee));
    ++NumInlined;
  }
  return retype(F);
}

/// Retypes \p F, in which only types change.
LogicalResult GlobalInliner::retypeCaller(Function &F) {
  Rewriter R(F);
  R.noteRewrite("retype");
  R.noteModified(F);
  return retype(F);
}

/// Returns true if a function that function \p N calls is of another type than
/// before.
bool GlobalInliner::hasRetypedCallees(unsigned N) const {
  return llvm::any_of(Graph.getCallees(N),
                      [&](unsigned Callee) { return Retyped.test(Callee); });
}

LogicalResult GlobalInliner::run() {
  if (failed(checkSizes()))
    return failure();
  for (unsigned N : Graph.getPostOrder()) {
    Function &F = Graph.getFunction(N);
    const Type *Before = F.getType();
    if (hasUses(N) ? failed(runOnFunction(N))
                   : hasRetypedCallees(N) && failed(retypeCaller(F)))
      return failure();
    if (F.getType() != Before)
      Retyped.set(N);
  }
  return success();
}

unsigned GlobalInliner::eraseInlined(Module &M, ArrayRef<unsigned> Numbers) {
  SmallVector<Function *> Dead;
  for (unsigned N : Numbers)
    if (Chosen[N] && !Kept[N])
      Dead.push_back(&Graph.getFunction(N));
  if (Dead.empty())
    return 0;
  Rewriter R(M);
  R.noteRewrite("erase-inlined");
  R.eraseFunctions(M, Dead);
  return Dead.size();
}

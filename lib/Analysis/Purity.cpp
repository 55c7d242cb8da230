//===- Purity.cpp - What has no effect ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two levels: values of one function, in one walk; functions of a module, until
// nothing changes. Both assume what is not computed yet, which is what is
// recursive, to be pure.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/Purity.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

AnalysisKey PurityAnalysis::Key;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What a value of type \p T does when called is no question: it is no
/// function.
static bool isFirstOrder(const Type *T) { return T && !isa<FuncType>(T); }

/// Whether a call of the operator has no effect; of one that is not declared
/// nothing is known.
static bool isPure(const OpInfo &Info) {
  return Info.isRegistered() && !Info.hasTrait(OpTrait::Stateful);
}

ValuePurity::ValuePurity(Function &F, function_ref<bool(StringRef)> IsCallPure)
    : IsCallPure(IsCallPure), Eval(F.getNumValues(), true),
      Call(F.getNumValues(), true) {
  walk(F, [&](Operation *Op) { visit(*Op); });
  BodyEval = evalOf(F.getBody());
  BodyCall = callOf(F.getBody().getResult());
}

void ValuePurity::set(const Operation &Op, bool IsEvalPure, bool IsCallPure) {
  Eval[Op.getIndex()] = IsEvalPure;
  Call[Op.getIndex()] = IsCallPure || isFirstOrder(Op.getType());
}

/// Whether looking at \p V has no effect: of what has a place of its own, none.
bool ValuePurity::evalOf(const Value *V) const {
  const Operation *Op = V->getDefiningOp();
  return !Op || Op->isBound() || Eval[Op->getIndex()];
}

bool ValuePurity::callOf(const Value *V) const {
  const Operation *Op = V->getDefiningOp();
  return Op ? Call[Op->getIndex()] : isFirstOrder(V->getType());
}

bool ValuePurity::evalOfOperands(const Operation &Op) const {
  return llvm::all_of(Op.operands(), [&](Value *V) { return evalOf(V); });
}

bool ValuePurity::evalOf(Block &B) const {
  return llvm::all_of(
             B.bindings(),
             [&](const Operation &Op) { return Eval[Op.getIndex()]; }) &&
         evalOf(B.getResult());
}

/// A function that a call returns may be one that it was given.
void ValuePurity::visitCall(const Operation &Op, bool IsCalleePure) {
  bool AllPure =
      llvm::all_of(Op.operands(), [&](Value *V) { return callOf(V); });
  set(Op, IsCalleePure && evalOfOperands(Op), IsCalleePure && AllPure);
}

void ValuePurity::visitRegions(const Operation &Op) {
  bool IsEvalPure = evalOfOperands(Op), IsCallPure = true;
  for (Block &B : Op.getRegions()) {
    IsEvalPure &= evalOf(B);
    IsCallPure &= callOf(B.getResult());
  }
  if (Op.is(OpCode::Fn)) {
    Eval[Op.getIndex()] = true;
    Call[Op.getIndex()] = IsEvalPure && IsCallPure;
    return;
  }
  set(Op, IsEvalPure, IsCallPure);
}

void ValuePurity::visit(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return visitCall(Op, isPure(Op.getInfo()));
  case OpCode::CallGlobal:
    return visitCall(Op, IsCallPure(CallGlobalOp(&Op).attrs().callee()));
  case OpCode::CallValue:
    return visitCall(Op, callOf(Op.getOperand(0)));
  case OpCode::CallConstructor:
    return visitCall(Op, true);
  case OpCode::If:
  case OpCode::Match:
  case OpCode::Fn:
  case OpCode::Scope:
    return visitRegions(Op);
  case OpCode::Alias:
    return set(Op, evalOfOperands(Op), callOf(Op.getOperand(0)));
  case OpCode::GlobalRef:
    return set(Op, true, IsCallPure(GlobalRefOp(&Op).attrs().symbol()));
  case OpCode::OpRef: {
    const OpInfo *Info =
        Op.getFunction()->getContext().lookupOp(OpRefOp(&Op).attrs().symbol());
    return set(Op, true, Info && isPure(*Info));
  }
  case OpCode::ConstructorRef:
  case OpCode::Constant:
    return set(Op, true, true);
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
  case OpCode::RefCreate:
    return set(Op, evalOfOperands(Op), false);
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return set(Op, false, false);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Functions are pure until shown not to be; a function that turns out not to
/// be makes those that were judged by it be judged again.
Purity::Purity(Module &M) {
  llvm::StringMap<llvm::SmallSetVector<Function *, 2>> JudgedBy;
  SmallVector<Function *> Worklist;
  for (Function &F : M.functions()) {
    Names.push_back(F.getName());
    if (F.getAttr(FunctionAttrs::Extern))
      continue;
    Pure.insert(F.getName());
    Worklist.push_back(&F);
  }
  while (!Worklist.empty()) {
    Function *F = Worklist.pop_back_val();
    if (!Pure.contains(F->getName()))
      continue;
    ValuePurity Values(*F, [&](StringRef Callee) {
      if (!Pure.contains(Callee))
        return false;
      JudgedBy[Callee].insert(F);
      return true;
    });
    if (Values.isBodyPure())
      continue;
    Pure.erase(F->getName());
    llvm::append_range(Worklist, JudgedBy[F->getName()]);
  }
}

void Purity::print(raw_ostream &OS) const {
  for (StringRef Name : Names)
    OS << '@' << Name << ": " << (isCallPure(Name) ? "pure" : "impure") << '\n';
}

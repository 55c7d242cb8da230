//===- Purity.cpp - Effects of expressions --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two levels: values of one function, functions of a module. Both start from
// the assumption that everything is pure and withdraw it until nothing changes,
// so that recursion is as pure as the rest of the body.
//
// One walk judges all values of a function, operands before users. Only a
// closure that calls itself has users that come before it; these are judged
// again when it turns out not to be pure.
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

/// Returns true if a value of type \p T cannot be called, since it is not a
/// function.
static bool isFirstOrder(const Type *T) { return T && !isa<FuncType>(T); }

/// Returns true if a call of the operator has no effect; of one that is not
/// declared nothing is known.
static bool isPure(const OpInfo &Info) {
  return Info.isRegistered() && !Info.hasTrait(OpTrait::Stateful);
}

ValuePurity::ValuePurity(Function &F, function_ref<bool(StringRef)> IsCallPure)
    : IsCallPure(IsCallPure), Eval(F.getNumValues(), true),
      Call(F.getNumValues(), true), Visited(F.getNumValues()),
      Hoists(F.getNumValues()) {
  walk(F, [&](Operation *Op) { update(*Op); });
  while (!Worklist.empty())
    update(*Worklist.pop_back_val());
  BodyEval = evalOf(F.getBody());
  BodyCall = callOf(F.getBody().getResult());
}

void ValuePurity::set(const Operation &Op, bool IsEvalPure, bool IsCallPure) {
  Eval[Op.getIndex()] = IsEvalPure;
  Call[Op.getIndex()] = IsCallPure || isFirstOrder(Op.getType());
}

/// Judges \p Op by the purity of its operands and regions.
void ValuePurity::update(Operation &Op) {
  uint32_t N = Op.getIndex();
  // Use test(): GCC 12 miscompiles comparisons of BitVector::reference under
  // -fsanitize=thread.
  bool WasEvalPure = Eval.test(N), WasCallPure = Call.test(N);
  if (!WasEvalPure && (!WasCallPure || isFirstOrder(Op.getType())))
    return; // nothing is assumed any more
  Visited.set(N);
  visit(Op);
  bool EvalChanges = WasEvalPure != Eval.test(N);
  bool CallChanges = WasCallPure != Call.test(N);
  if (EvalChanges && WasEvalPure && Op.isFloating())
    markRegionsAround(Op);
  if (EvalChanges || CallChanges)
    updateUsers(Op);
}

void ValuePurity::addToWorklist(Operation *Op) {
  if (Op && Visited[Op->getIndex()])
    Worklist.push_back(Op);
}

/// Judges again what depends on \p Op and has been visited before it.
void ValuePurity::updateUsers(Operation &Op) {
  if (Op.isBound())
    addToWorklist(Op.getParentOp());
  for (Use &U : Op.uses())
    addToWorklist(U.getUserOp() ? U.getUserOp()
                                : U.getUserBlock()->getParentOp());
}

/// Marks the operations between the floating \p Op, which has an effect, and
/// its uses in regions.
void ValuePurity::markRegionsAround(Operation &Op) {
  for (Use &U : Op.uses()) {
    Block *B = U.getUserOp() ? U.getUserOp()->getBlock() : U.getUserBlock();
    for (; B != Op.getBlock(); B = B->getParentBlock()) {
      Operation *Parent = B->getParentOp();
      if (Hoists[Parent->getIndex()])
        continue;
      HasHoistedEffects = true;
      Hoists.set(Parent->getIndex());
      addToWorklist(Parent);
    }
  }
}

/// Returns true if a use of \p V has no effect; a use of a bound value has
/// none.
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

/// A call may return a function that it received as an argument.
void ValuePurity::visitCall(const Operation &Op, bool IsCalleePure) {
  bool AllPure =
      llvm::all_of(Op.operands(), [&](Value *V) { return callOf(V); });
  set(Op, IsCalleePure && evalOfOperands(Op), IsCalleePure && AllPure);
}

void ValuePurity::visitFn(const Operation &Op) {
  uint32_t N = Op.getIndex();
  Block &Body = Op.getRegion();
  Eval[N] = !Hoists[N];
  Call[N] = Call[N] && !isExtern(Op.getSignature()) &&
            callOf(Body.getResult()) && evalOf(Body);
}

/// Regions are not visited again once the operation is known to be impure.
void ValuePurity::visitRegions(const Operation &Op) {
  uint32_t N = Op.getIndex();
  bool IsEvalPure = Eval[N] && evalOfOperands(Op), IsCallPure = Call[N];
  for (Block &B : Op.getRegions()) {
    IsEvalPure = IsEvalPure && evalOf(B);
    IsCallPure = IsCallPure && callOf(B.getResult());
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
  case OpCode::Fn:
    return visitFn(Op);
  case OpCode::If:
  case OpCode::Match:
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

/// Returns true if a call of \p F has no effect according to its signature: it
/// can only use references that are arguments or that it creates. Reads the
/// type alone, since another thread may be changing the body.
static bool isSealed(const Function &F) {
  if (isExtern(F.getSignature()))
    return false;
  FuncType *T = F.getType();
  return T && !mayHoldReference(T->getResult()) &&
         llvm::none_of(T->getParams(), mayHoldReference);
}

std::optional<ValuePurity> relay::findEffects(Function &F) {
  if (!F.mayHaveEffects())
    return std::nullopt;
  bool HasOperation = walk(F, [](Operation *Op) {
                        return Op->getInfo().mayHaveEffect()
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      }).wasInterrupted();
  if (!HasOperation)
    return std::nullopt;
  return ValuePurity(F, [&](StringRef Name) {
    const Function *Callee = F.getModule()->lookupFunction(Name);
    return Callee && isSealed(*Callee);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Returns true if evaluating \p Op by itself may do more than give a value. A
/// stateful operator that gives one only draws it from its state
/// (`nn.dropout`).
static bool isEffect(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return true;
  case OpCode::Operator:
    if (Op.hasTrait(OpTrait::Stateful)) {
      auto *Result = dyn_cast_or_null<TupleType>(Op.getType());
      return Result && !Result->getNumFields();
    }
    return !Op.getInfo().isRegistered();
  case OpCode::Fn:
    return isExtern(Op.getSignature());
  default:
    return false;
  }
}

/// Types are bounded in depth.
bool relay::mayHoldReference(const Type *T) {
  if (auto *Tuple = dyn_cast_or_null<TupleType>(T))
    return llvm::any_of(Tuple->getFields(), mayHoldReference);
  return !isa_and_nonnull<TensorType>(T);
}

bool relay::hasEffects(Module &M) {
  auto Find = [](Operation *Op) {
    return isEffect(*Op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return llvm::any_of(M.functions(), [&](Function &F) {
    bool MayHaveClosures = F.getNumRegions();
    return (F.mayHaveEffects() || MayHaveClosures) &&
           walk(F, Find).wasInterrupted();
  });
}

/// Functions are assumed pure until proven otherwise; functions that were
/// judged by an impure one are judged again.
Purity::Purity(Module &M) {
  llvm::StringMap<llvm::SmallSetVector<Function *, 2>> JudgedBy;
  SmallVector<Function *> Worklist;
  for (Function &F : M.functions()) {
    Names.push_back(F.getName());
    if (isExtern(F.getSignature()))
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

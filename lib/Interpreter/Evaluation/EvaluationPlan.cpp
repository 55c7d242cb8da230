//===- EvaluationPlan.cpp - Bodies as lists of instructions ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk through a body and the regions evaluated in place, in canonical
// order, which is the order of evaluation.
//
//===----------------------------------------------------------------------===//

#include "EvaluationPlan.h"
#include "Liveness.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

namespace {
/// Finds the values that the region of a closure captures. Inner closures are
/// not visited: their captures are known.
class CaptureFinder : public IRVisitor {
public:
  CaptureFinder(const Operation &Fn, Liveness::CapturesFn GetCaptures)
      : Fn(Fn), GetCaptures(GetCaptures) {
    traverse(Fn.getRegion(), *this);
  }
  void enterBlock(Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Inside.insert(Arg);
  }
  WalkResult enter(Operation *Op) {
    Inside.insert(Op);
    llvm::for_each(Op->operands(), [this](Value *V) { Used.insert(V); });
    if (!Op->is(OpCode::Fn))
      return WalkResult::advance();
    llvm::for_each(GetCaptures(*Op), [this](Value *V) { Used.insert(V); });
    return WalkResult::skip();
  }
  void leaveBlock(Block &B) { Used.insert(B.getResult()); }

  bool usesItself() const {
    return Used.contains(const_cast<Operation *>(&Fn));
  }
  SmallVector<Value *, 4> get() const {
    SmallVector<Value *, 4> Result;
    for (Value *V : Used)
      if (V != &Fn && !Inside.contains(V))
        Result.push_back(V);
    return Result;
  }

private:
  const Operation &Fn;
  Liveness::CapturesFn GetCaptures;
  llvm::DenseSet<const Value *> Inside;
  llvm::SetVector<Value *> Used;
};
} // namespace

//===----------------------------------------------------------------------===//
// EvaluationPlanBuilder
//===----------------------------------------------------------------------===//

namespace relay {

class EvaluationPlanBuilder {
public:
  EvaluationPlanBuilder(EvaluationPlanCache &Cache, EvaluationPlan &Result)
      : Cache(Cache), Result(Result) {}

  void build(Block &Body, const Operation *Fn);

private:
  using Kind = Instruction::Kind;
  /// A block under construction: a region of an operation, or the whole body.
  struct Level {
    Block *B;
    Block::iterator It;
    Slot Target; ///< slot of the result
    /// The operation before It whose regions are being planned.
    const Operation *Op = nullptr;
    unsigned NextRegion = 0;
    std::optional<size_t> LastTest = {}; ///< jumps to the next region
    SmallVector<size_t, 2> Jumps = {}; ///< jumps to the end of the last region
    bool IsTail = false; ///< the result of the block is the result of the plan
  };

  Slot getSlot(const Value *V);
  ArrayRef<Slot> getSlots(ArrayRef<Value *> Values);
  Instruction &emit(Kind K, const Operation *Op = nullptr);
  void emitOperation(Operation &Op);
  void emitCall(Instruction &I, const Operation &Op);
  void emitKernel(Instruction &I, const Operation &Op);
  void addAlias(const Value *Alias, const Value *Source);
  void addFreedSlots(Instruction &I, const Operation &Kill);
  void emitLoad(Instruction &I, RuntimeValue V);
  void emitClosure(Instruction &I, const Operation &Op);
  void enter(Block &B, Slot Target, bool IsTail);
  void leave();
  void enterRegion(Level &L);
  void finishRegions(Level &L);
  void addPatternSlots(const MatchPattern &Root);
  const EvaluationPlan &getClosure(const Operation &Fn) {
    return Cache.get(Fn);
  }

  EvaluationPlanCache &Cache;
  EvaluationPlan &Result;
  llvm::DenseMap<const Value *, Slot> Slots;
  std::vector<Level> Levels;
  const Liveness *Lives = nullptr;
  /// The variable that an alias or a scope is another name of.
  llvm::DenseMap<const Value *, const Value *> Roots;
  llvm::DenseMap<const Value *, SmallVector<Slot, 2>> AliasesOf;
};

} // namespace relay

Slot EvaluationPlanBuilder::getSlot(const Value *V) {
  return Slots.try_emplace(V, Slots.size()).first->second;
}

ArrayRef<Slot> EvaluationPlanBuilder::getSlots(ArrayRef<Value *> Values) {
  SmallVector<Slot, 8> List;
  for (Value *V : Values)
    List.push_back(getSlot(V));
  return Result.copy(List);
}

Instruction &EvaluationPlanBuilder::emit(Kind K, const Operation *Op) {
  Instruction &I = Result.Code.emplace_back();
  I.K = K;
  I.Op = Op;
  return I;
}

//===----------------------------------------------------------------------===//
// Operations without regions
//===----------------------------------------------------------------------===//

void EvaluationPlanBuilder::emitLoad(Instruction &I, RuntimeValue V) {
  I.K = Kind::Load;
  Result.Values.push_back(std::make_unique<RuntimeValue>(std::move(V)));
  I.Value = Result.Values.back().get();
}

/// Returns true if all values of the type \p T have the same shape.
static bool isStaticType(Type *T) {
  if (!T)
    return false;
  bool IsStatic = true;
  walkTypes(T, [&](Type *Part) {
    auto *Tensor = dyn_cast<TensorType>(Part);
    IsStatic &= Tensor ? Tensor->isStatic() : isa<TupleType>(Part);
    return IsStatic;
  });
  return IsStatic;
}

void EvaluationPlanBuilder::emitKernel(Instruction &I, const Operation &Op) {
  I.K = Kind::Kernel;
  I.Function = Cache.Kernels.lookup(Op).getFirst();
  if (isStaticType(Op.getType()) && llvm::all_of(Op.operands(), [](Value *V) {
        return isStaticType(V->getType());
      }))
    I.StaticType = Op.getType();
}

/// Records that \p Alias is another name of \p Source.
void EvaluationPlanBuilder::addAlias(const Value *Alias, const Value *Source) {
  const Value *Root = Roots.try_emplace(Source, Source).first->second;
  Roots[Alias] = Root;
  AliasesOf[Root].push_back(getSlot(Alias));
}

/// Adds the slots of the variable of \p Kill and of its other names.
void EvaluationPlanBuilder::addFreedSlots(Instruction &I,
                                          const Operation &Kill) {
  const Value *Root =
      Roots.try_emplace(Kill.getOperand(0), Kill.getOperand(0)).first->second;
  SmallVector<Slot, 4> Freed(AliasesOf.lookup(Root));
  Freed.push_back(getSlot(Root));
  for (Slot S : Freed)
    Result.Freed[S] = &Kill;
  llvm::append_range(Freed, I.Kills);
  I.Kills = Result.copy(Freed);
}

void EvaluationPlanBuilder::emitClosure(Instruction &I, const Operation &Op) {
  I.K = Kind::Closure;
  I.Code = &getClosure(Op);
  I.Operands = getSlots(I.Code->Captures);
}

void EvaluationPlanBuilder::emitOperation(Operation &Op) {
  Instruction &I = emit(Kind::Move, &Op);
  I.Target = getSlot(&Op);
  I.Operands = getSlots(Op.getOperandVector());
  I.Kills = getSlots(Lives->getLastUses(&Op));
  switch (Op.getCode()) {
  case OpCode::Operator:
    if (isa<KillOp>(&Op))
      addFreedSlots(I, Op);
    return emitKernel(I, Op);
  case OpCode::CallGlobal: {
    I.K = Kind::Call;
    Function *F = Cache.M->lookupFunction(CallGlobalOp(&Op).attrs().callee());
    I.Code = F ? &Cache.declare(*F) : nullptr;
    return;
  }
  case OpCode::CallValue:
    I.K = Kind::CallValue;
    return;
  case OpCode::CallConstructor:
    I.K = Kind::Construct;
    I.Constructor = Cache.M->lookupConstructor(
        CallConstructorOp(&Op).attrs().constructor());
    return;
  case OpCode::Tuple:
    I.K = Kind::Tuple;
    return;
  case OpCode::TupleGetItem:
    I.K = Kind::Project;
    I.Number = TupleGetItemOp(&Op).attrs().index();
    return;
  case OpCode::Constant: {
    const ConstantData *Data = getKnownData(&Op);
    return emitLoad(I, Data ? Tensor::get(*Data) : RuntimeValue());
  }
  case OpCode::GlobalRef: {
    Function *F = Cache.M->lookupFunction(GlobalRefOp(&Op).attrs().symbol());
    return emitLoad(I, F ? RuntimeValue::getFunction(*F) : RuntimeValue());
  }
  case OpCode::OpRef: {
    const OpInfo *Info = Cache.Ctx.lookupOp(OpRefOp(&Op).attrs().symbol());
    return emitLoad(I,
                    Info ? RuntimeValue::getOperator(*Info) : RuntimeValue());
  }
  case OpCode::ConstructorRef: {
    Constructor *C =
        Cache.M->lookupConstructor(ConstructorRefOp(&Op).attrs().symbol());
    return emitLoad(I, C ? RuntimeValue::getConstructor(*C) : RuntimeValue());
  }
  case OpCode::Fn:
    return emitClosure(I, Op);
  case OpCode::Alias:
    addAlias(&Op, Op.getOperand(0));
    return;
  case OpCode::RefCreate:
    I.K = Kind::RefCreate;
    return;
  case OpCode::RefRead:
    I.K = Kind::RefRead;
    return;
  case OpCode::RefWrite:
    I.K = Kind::RefWrite;
    return;
  case OpCode::If:
  case OpCode::Match:
  case OpCode::Scope:
    llvm_unreachable("has regions");
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static bool hasRegionsInline(const Operation &Op) {
  return Op.is(OpCode::If) || Op.is(OpCode::Match) || Op.is(OpCode::Scope);
}

void EvaluationPlanBuilder::enter(Block &B, Slot Target, bool IsTail) {
  Level &L = Levels.emplace_back(Level{&B, B.begin(), Target});
  L.IsTail = IsTail;
  ArrayRef<Value *> Unused = Lives->getUnused(&B);
  if (Unused.empty())
    return;
  // Nothing is moved; the slots are cleared.
  Instruction &I = emit(Kind::Jump);
  I.Kills = getSlots(Unused);
  I.Number = Result.Code.size();
}

/// Stores the result: returns it from the plan, or moves it to the slot of the
/// operation with the region.
void EvaluationPlanBuilder::leave() {
  Level L = std::move(Levels.back());
  Levels.pop_back();
  Slot Source = getSlot(L.B->getResult());
  if (L.IsTail && !Result.Code.empty()) {
    Instruction &Last = Result.Code.back();
    bool IsCall = Last.K == Kind::Call || Last.K == Kind::CallValue;
    Last.IsTail =
        IsCall && Last.Target == Source && Last.Op == L.B->getResult();
  }
  Instruction &I = emit(L.IsTail ? Kind::Return : Kind::Move);
  I.Target = L.Target;
  I.Operands = Result.copy(Source);
  if (Lives->isLastUse(L.B))
    I.Kills = I.Operands;
  if (Levels.empty() || L.IsTail)
    return;
  // The last region of `if` and `scope` continues with the next instruction.
  const Level &Outer = Levels.back();
  if (!Outer.LastTest && Outer.NextRegion == Outer.Op->getNumRegions())
    return;
  Levels.back().Jumps.push_back(Result.Code.size());
  emit(Kind::Jump);
}

void EvaluationPlanBuilder::addPatternSlots(const MatchPattern &Root) {
  SmallVector<const MatchPattern *, 8> Worklist = {&Root};
  while (!Worklist.empty()) {
    const MatchPattern *P = Worklist.pop_back_val();
    if (P->Variable)
      Result.PatternSlots[P->Variable] = getSlot(P->Variable);
    llvm::append_range(Worklist, P->Children);
  }
}

/// Begins the next region of the operation of \p L, with the instruction that
/// decides whether it is evaluated.
void EvaluationPlanBuilder::enterRegion(Level &L) {
  const Operation &Op = *L.Op;
  unsigned Number = L.NextRegion++;
  if (L.LastTest)
    Result.Code[*L.LastTest].Number = Result.Code.size();
  L.LastTest.reset();
  if (!Op.is(OpCode::Scope) && !(Op.is(OpCode::If) && Number == 1)) {
    L.LastTest = Result.Code.size();
    Instruction &I =
        emit(Op.is(OpCode::If) ? Kind::Branch : Kind::MatchClause, &Op);
    I.Operands = getSlots(Op.getOperand(0));
    SmallVector<Value *, 2> Ends(Lives->getLastUses(&Op));
    llvm::erase(Ends, static_cast<const Value *>(&Op));
    I.Kills = getSlots(Ends);
    if (Op.is(OpCode::Match)) {
      I.Pattern = Op.getPatterns()[Number];
      addPatternSlots(*I.Pattern);
    }
  }
  bool IsTail = L.IsTail && L.It == L.B->end() && L.B->getResult() == &Op;
  enter(Op.getRegion(Number), getSlot(&Op), IsTail);
}

void EvaluationPlanBuilder::finishRegions(Level &L) {
  if (L.Op->is(OpCode::Scope))
    addAlias(L.Op, L.Op->getRegion().getResult());
  if (L.LastTest) {
    Result.Code[*L.LastTest].Number = Result.Code.size();
    emit(Kind::NoMatch, L.Op);
  }
  for (size_t Jump : L.Jumps)
    Result.Code[Jump].Number = Result.Code.size();
  if (llvm::is_contained(Lives->getLastUses(L.Op), L.Op)) {
    Instruction &I = emit(Kind::Jump);
    I.Kills = Result.copy(getSlot(L.Op));
    I.Number = Result.Code.size();
  }
  L.Jumps.clear();
  L.LastTest.reset();
  L.NextRegion = 0;
  L.Op = nullptr;
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

void EvaluationPlanBuilder::build(Block &Body, const Operation *Fn) {
  for (BlockArgument *Arg : Body.getArguments())
    getSlot(Arg);
  Result.Params = Body.getArguments();
  auto GetCaptures = [this](const Operation &Closure) {
    return ArrayRef(getClosure(Closure).Captures);
  };
  if (Fn) {
    CaptureFinder Found(*Fn, GetCaptures);
    Result.Captures = Found.get();
    llvm::for_each(Result.Captures, [this](Value *V) { getSlot(V); });
    if (Found.usesItself())
      Result.Self = getSlot(Fn);
  }
  Liveness Last(Body, GetCaptures);
  Lives = &Last;
  enter(Body, 0, /*IsTail=*/true);
  while (!Levels.empty()) {
    Level &L = Levels.back();
    if (L.Op && L.NextRegion != L.Op->getNumRegions()) {
      enterRegion(L);
      continue;
    }
    if (L.Op)
      finishRegions(L);
    if (L.It == L.B->end()) {
      leave();
      continue;
    }
    Operation &Op = *L.It++;
    if (hasRegionsInline(Op))
      L.Op = &Op;
    else
      emitOperation(Op);
  }
  Result.NumSlots = Slots.size();
}

/// Adds the plans of inner closures before those of enclosing closures, so that
/// plans are not built recursively and each closure is visited once.
template <typename UnitT> void EvaluationPlanCache::addClosuresIn(UnitT &Unit) {
  SmallVector<Operation *, 8> Closures;
  walk(Unit, [&](FnOp Inner) { Closures.push_back(Inner); });
  NumClosuresFound += Closures.size();
  for (Operation *Closure : Closures)
    addClosure(*Closure);
}

void EvaluationPlanCache::addClosure(const Operation &Fn) {
  std::unique_ptr<EvaluationPlan> &Made = Plans[&Fn.getRegion()];
  if (Made)
    return;
  Made = std::make_unique<EvaluationPlan>();
  EvaluationPlan &P = *Made;
  P.Name =
      Fn.getVarName().empty() ? "a closure" : ("%" + Fn.getVarName()).str();
  EvaluationPlanBuilder(*this, P).build(Fn.getRegion(), &Fn);
}

const EvaluationPlan &EvaluationPlanCache::get(const Operation &Fn) {
  auto It = Plans.find(&Fn.getRegion());
  if (It != Plans.end())
    return *It->second;
  addClosuresIn(Fn.getRegion());
  addClosure(Fn);
  return *Plans[&Fn.getRegion()];
}

EvaluationPlan &EvaluationPlanCache::declare(Function &F) {
  std::unique_ptr<EvaluationPlan> &P = Plans[&F.getBody()];
  if (!P) {
    P = std::make_unique<EvaluationPlan>();
    P->Name = ("@" + F.getName()).str();
    P->Global = &F;
  }
  return *P;
}

const EvaluationPlan &EvaluationPlanCache::get(Function &F) {
  EvaluationPlan &P = declare(F);
  if (P.hasCode())
    return P;
  addClosuresIn(F);
  EvaluationPlanBuilder(*this, P).build(F.getBody(), nullptr);
  P.External = compileExternally(F);
  return P;
}

//===- LetBinder.cpp - Binding floating operations ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LetBinder.h. One walk, in which operations stay in place and the lists of
// levels grow; a block is ordered when the walk leaves it, and uses change at
// the end. Levels are a stack: the levels of an inner block are popped when the
// walk returns to the outer one.
//
//===----------------------------------------------------------------------===//

#include "LetBinder.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Pass/PassContext.h"

using namespace relay;

LetBinder::LetBinder(Function &F, const ValuePurity *Values,
                     const llvm::BitVector *Selected)
    : F(F), Values(Values), R(F), Selected(Selected), Seen(F.getNumValues()),
      Ordered(Values ? F.getNumValues() : 0), LevelOf(F.getNumValues(), None) {
  DefaultName.Text = F.getContext().intern("x");
  Items.reserve(F.getNumOperations());
}

LetBinder::Outcome LetBinder::run() {
  if (!R.startRewrite("bind"))
    return {};
  walk(F.getBody());
  settle();
  return {NumBound, NumBound || R.getNumRewrites()};
}

LetBinder::Outcome LetBinder::runOnFunctions(
    Module &M, ModuleAnalysisManager &AM, const PassContext &Ctx,
    function_ref<Outcome(Function &, const ValuePurity *)> Bind) {
  const Purity *Calls =
      hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  auto BindIn = [&](Function &F) {
    if (!Calls)
      return Bind(F, nullptr);
    ValuePurity Values(F,
                       [&](StringRef Name) { return Calls->isCallPure(Name); });
    return Bind(F, &Values);
  };
  Outcome All;
  for (const Outcome &Done : mapFunctions<Outcome>(M, Ctx, BindIn)) {
    All.NumBound += Done.NumBound;
    All.HasChanged |= Done.HasChanged;
  }
  return All;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Returns true if any order other than that of evaluation would reorder
/// effects: of the first operand of \p Op, or of values that its regions
/// capture. Decided before the first part: the walk binds the operand.
bool LetBinder::keepsOrder(const Operation *Op, unsigned N) {
  if (!Values)
    return false;
  if (N == 0 &&
      (Values->hasHoistedEffects() || !Values->isUsePure(Op->getOperand(0))))
    Ordered.set(Op->getIndex());
  return Ordered[Op->getIndex()];
}

LetBinder::Part LetBinder::getPart(Operation *Op, unsigned N) {
  unsigned NumOperands = Op->getNumOperands();
  switch (Op->getCode()) {
  case OpCode::If: // the second region, the first one, the condition
    if (keepsOrder(Op, N))
      break;
    if (N < 2)
      return {nullptr, &Op->getRegion(1 - N)};
    return N == 2 ? Part{Op->getOperand(0), nullptr} : Part();
  case OpCode::CallValue: // the callee comes last
    if (keepsOrder(Op, N))
      break;
    if (N >= NumOperands)
      return {};
    return {Op->getOperand(N + 1 < NumOperands ? N + 1 : 0), nullptr};
  case OpCode::RefWrite: // the value comes first
    if (keepsOrder(Op, N))
      break;
    return N < 2 ? Part{Op->getOperand(1 - N), nullptr} : Part();
  case OpCode::Fn:
    if (isPrimitiveFn(Op))
      return {};
    break;
  default:
    break;
  }
  return DepthFirstWalk::getPart(Op, N);
}

uint32_t LetBinder::getCurrentLevel(Block *B) const {
  if (Open.back().B == B)
    return Open.back().Current;
  return Open[OpenIndex.lookup(B)].Current;
}

/// Marks \p V; whether it is an operation without a place that the walk comes
/// to for the first time.
bool LetBinder::visit(Value *V) {
  if (Seen[V->getIndex()])
    return false;
  Seen.set(V->getIndex());
  Operation *Op = V->getDefiningOp();
  if (!Op || Op->isBound())
    return false;
  LevelOf[Op->getIndex()] = getCurrentLevel(Op->getBlock());
  Devices.enter(Op);
  return true;
}

/// Makes \p V the value of the `let` of \p From: binds V there if it is not
/// bound yet, otherwise adds an alias. Returns true if V is to be walked.
bool LetBinder::giveName(Value *V, Operation *From) {
  bool IsFirstUse = !Seen[V->getIndex()];
  if (visit(V)) {
    NamedBy[cast<Operation>(V)] = From;
    return true;
  }
  Operation *Alias = From;
  if (From->is(OpCode::Alias)) {
    R.setOperand(Alias, 0, V);
  } else {
    R.setInsertionPointToStart(*From->getBlock()); // where the walk has been
    Alias = createAlias(V);
    Name N = getName(From);
    R.bind(Alias, N.Text, N.Annotation, N.VirtualDevice);
    Replaced.push_back({From, Alias});
  }
  // The name that a recursive closure gets inside is none around it.
  bool IsInside = llvm::any_of(Open, [&](const OpenBlock &Around) {
    return Around.B->getParentOp() == V;
  });
  if (IsFirstUse && !IsInside)
    Renamed.push_back({V, Alias});
  emit(Alias, IsInside ? Open.back().Current : LevelOf[V->getIndex()]);
  return false;
}

/// The `let` that \p Op is the value of; null when there is none.
Operation *LetBinder::getNamer(Operation *Op) const {
  return Op->isBound() ? Op : NamedBy.lookup(Op);
}

bool LetBinder::enterUse(Value *V, Operation *User, Block *) {
  if (User && getFixedDevice(User))
    if (Operation *Namer = getNamer(User))
      return giveName(V, Namer);
  return visit(V);
}

/// Opens the level of a `let`.
Operation *LetBinder::enterBinding(Operation *Op) {
  uint32_t &Current = Open.back().Current;
  Current = Levels.size();
  Levels.push_back({});
  LevelOf[Op->getIndex()] = Current;
  if (!Op->is(OpCode::Alias)) {
    Devices.enter(Op);
    return Op;
  }
  Value *V = Op->getOperand(0);
  return giveName(V, Op) ? cast<Operation>(V) : nullptr;
}

void LetBinder::leave(Operation *Op) {
  if (getFixedDevice(Op))
    return Devices.leave(Op);
  if (Op->is(OpCode::Scope))
    return; // see closeScope()
  uint32_t Where = LevelOf[Op->getIndex()];
  Operation *New = annotate(Op);
  if (New == Op && Op->isBound())
    return emit(Op, Where);
  if (!Op->isBound() && !isSelected(Op))
    return;
  bind(New, getName(Op), Where);
  if (Operation *Namer = NamedBy.lookup(Op))
    Replaced.push_back({Namer, New});
}

void LetBinder::enterBlock(Block &B) {
  Devices.enterBlock(B);
  Operation *Parent = B.getParentOp();
  uint32_t Base = Levels.size();
  if (Parent && Parent->is(OpCode::Scope)) {
    Base = LevelOf[Parent->getIndex()];
  } else {
    Levels.push_back({});
    for (BlockArgument *Arg : B.getArguments())
      LevelOf[Arg->getIndex()] = Base;
  }
  OpenIndex[&B] = Open.size();
  Open.push_back({&B, Base, uint32_t(Levels.size()), Base});
}

void LetBinder::leaveBlock(Block &B) {
  OpenBlock Closed = Open.pop_back_val();
  Operation *Parent = B.getParentOp();
  if (Parent && Parent->is(OpCode::Scope))
    closeScope(Closed, Parent);
  else
    closeBody(Closed);
  Devices.leaveBlock(B);
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

/// Returns true if the floating \p Op is to be bound. Operations that are
/// always printed inline are bound only if a `let` names them.
bool LetBinder::isSelected(const Operation *Op) const {
  if (NamedBy.count(Op))
    return true;
  if (Selected && !Selected->test(Op->getIndex()))
    return false;
  return !isSymbolRef(*Op);
}

/// The name that \p Op has, or that a `let` gives it.
LetBinder::Name LetBinder::getName(const Operation *Op) const {
  if (const Operation *Namer = NamedBy.lookup(Op))
    Op = Namer;
  if (Op->isBound())
    return {Op->getVarName(), Op->getVarAnnotation(),
            Op->getVarVirtualDevice()};
  return DefaultName;
}

/// The `on_device` that \p Op gets around it, or Op itself.
Operation *LetBinder::annotate(Operation *Op) {
  Attr Device = Devices.get();
  if (!Device)
    return Op;
  R.setInsertionPointToStart(*Op->getBlock()); // where the walk has been
  R.setLoc(Op->getLoc());
  auto *New = cast<Operation>(fixOnDevice(R, Op, Device));
  if (New != Op)
    Annotated[Op] = New;
  return New;
}

void LetBinder::emit(Operation *Op, uint32_t Where) {
  uint32_t New = Items.size();
  Items.push_back({Op, None});
  Level &L = Levels[Where];
  if (L.First == None)
    L.First = New;
  else
    Items[L.Last].Next = New;
  L.Last = New;
}

void LetBinder::bind(Operation *Op, const Name &N, uint32_t Where) {
  ++NumBound;
  R.bind(Op, N.Text, N.Annotation, N.VirtualDevice);
  emit(Op, Where);
}

Operation *LetBinder::createAlias(Value *V) {
  if (Operation *Op = V->getDefiningOp())
    R.setLoc(Op->getLoc());
  return R.create<AliasOp>(V);
}

/// Binds a new alias of \p V, which is made at the end of \p B.
Operation *LetBinder::emitAlias(Value *V, Block &B, const Name &N,
                                uint32_t Where) {
  R.setInsertionPointToEnd(B);
  Operation *Alias = createAlias(V);
  bind(Alias, N, Where);
  return Alias;
}

//===----------------------------------------------------------------------===//
// Closing blocks
//===----------------------------------------------------------------------===//

/// Appends the bindings of level \p From to level \p To.
void LetBinder::append(uint32_t To, uint32_t From) {
  Level &Outer = Levels[To], Inner = Levels[From];
  if (Inner.First == None)
    return;
  if (Outer.First == None)
    Outer.First = Inner.First;
  else
    Items[Outer.Last].Next = Inner.First;
  Outer.Last = Inner.Last;
}

/// Returns true if the last `let` of \p B does nothing but name the result.
static bool namesResult(Block &B) {
  auto Alias = dyn_cast<AliasOp>(B.getResult());
  return Alias && Alias->isBound() && !B.empty() &&
         &*std::prev(B.end()) == Alias.getOperation();
}

/// Closes the levels of a block's `let`s but the first \p Kept, innermost
/// first. Where everything is bound, so is the result of each `let` expression,
/// unless it has a name already. With \p Nested each that is on a device
/// becomes a scope.
Value *LetBinder::closeLets(const OpenBlock &Closed, unsigned Kept,
                            Value *Result, bool Nested) {
  uint32_t End = std::min<size_t>(Closed.FirstLet + Kept, Levels.size());
  bool NamesResults = bindsAll() && !namesResult(*Closed.B);
  while (Levels.size() != End) {
    uint32_t Inner = Levels.size() - 1;
    uint32_t Outer = Inner == Closed.FirstLet ? Closed.Base : Inner - 1;
    if (Nested && Devices.get())
      Result = nest(*Closed.B, Inner, Result);
    else
      append(Outer, Inner);
    Levels.pop_back();
    if (NamesResults)
      Result = emitAlias(Result, *Closed.B, DefaultName, Outer);
  }
  return Result;
}

/// A scope on a device, in \p B, with the bindings of \p Level.
Value *LetBinder::nest(Block &B, uint32_t Level, Value *Result) {
  if (Levels[Level].First == None)
    return Result;
  R.setInsertionPointToEnd(B);
  Operation *Scope = R.create<ScopeOp>();
  Block &Region = Scope->getRegion();
  R.setResult(Region, Result);
  place(Region, Level);
  R.setInsertionPointToEnd(B);
  return fixOnDevice(R, Scope, Devices.get());
}

void LetBinder::closeBody(const OpenBlock &Closed) {
  Block &B = *Closed.B;
  R.setResult(B, closeLets(Closed, 0, B.getResult(), !bindsAll()));
  place(B, Closed.Base);
  Levels.pop_back();
}

/// The bindings of a scope that is bound itself go to the level around it, and
/// its name becomes that of its result. One that is not stays.
void LetBinder::closeScope(const OpenBlock &Closed, Operation *Scope) {
  Block &B = *Closed.B;
  bool Stays = !Scope->isBound() && !isSelected(Scope);
  Value *Result = closeLets(Closed, 1, B.getResult(), Stays);
  if (Levels.size() == Closed.FirstLet)
    return; // without a `let`: normalization dissolves it
  uint32_t Inner = Levels.size() - 1;
  if (Stays) {
    bool HasBindings = Levels[Inner].First != None;
    R.setResult(B, Result);
    place(B, Inner);
    Levels.pop_back();
    if (HasBindings) // normalization dissolves a scope without any
      annotate(Scope);
    return;
  }
  append(Closed.Base, Inner);
  Levels.pop_back();
  Operation *Alias = emitAlias(Result, B, getName(Scope), Closed.Base);
  Replaced.push_back({Scope, Alias});
  if (Operation *Old = NamedBy.lookup(Scope))
    Replaced.push_back({Old, Alias});
}

/// Moves the bindings of level \p Where to \p B, in this order.
void LetBinder::place(Block &B, uint32_t Where) {
  uint32_t I = Levels[Where].First;
  for (Operation &Op : B.bindings()) {
    if (I == None || Items[I].Op != &Op)
      break;
    I = Items[I].Next;
  }
  if (I == None)
    return;
  for (I = Levels[Where].First; I != None; I = Items[I].Next)
    R.moveToEnd(Items[I].Op, B);
}

/// Changes uses and erases replaced operations.
void LetBinder::settle() {
  for (auto [Op, OnDevice] : Annotated) {
    R.replaceUsesIf(Op, OnDevice,
                    [&, O = OnDevice](Use &U) { return U.getUserOp() != O; });
    if (Op->isBound())
      R.unbind(Op);
  }
  for (auto [V, Alias] : llvm::reverse(Renamed)) {
    Operation *OnDevice = Annotated.lookup(V->getDefiningOp());
    R.replaceUsesIf(OnDevice ? OnDevice : V, Alias,
                    [&, A = Alias](Use &U) { return U.getUserOp() != A; });
  }
  for (auto [Old, New] : Replaced)
    R.replaceAllUses(Old, New);
  // Outer scopes first, so that nothing moves through all of them.
  for (auto [Old, New] : llvm::reverse(Replaced)) {
    if (Old->is(OpCode::Scope)) // what floats in it
      R.inlineBlock(Old->getRegion(), *Old->getBlock(), Old, {});
    R.eraseOp(Old);
  }
}

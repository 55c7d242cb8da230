//===- Rewriter.cpp - Changing IR -----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes change IR with. Every change is counted, reported to listeners,
// and keeps types current.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Builder.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"

using namespace relay;

RewriteListener::~RewriteListener() = default;

Rewriter::Rewriter(Function &F) : Builder(F.getBody()), Default(&F) {
  if (Module *M = F.getModule())
    Listeners.append(M->getRewriteListeners().begin(),
                     M->getRewriteListeners().end());
}

Rewriter::Rewriter(Module &M)
    : Builder(M.getContext()), Listeners(M.getRewriteListeners()) {}

bool Rewriter::startRewrite(StringRef Rule, Operation *Root) {
  if (Root)
    Loc = Root->getLoc();
  if (Listeners.empty())
    return true;
  Rewrite Next = {Rule, B ? B->getFunction() : nullptr, Root};
  bool Wanted = true;
  for (RewriteListener *L : Listeners)
    Wanted &= L->shouldRewrite(Next);
  for (RewriteListener *L : Listeners)
    Wanted ? L->notifyRewrite(Next) : L->notifyRefused(Next);
  return Wanted;
}

void Rewriter::noteChange(Function *F) {
  ++NumRewrites;
  if (F || (F = Default))
    F->noteChange();
}

void Rewriter::notifyCreated(Operation *Op) {
  noteChange(Op->getFunction());
  for (RewriteListener *L : Listeners)
    L->notifyCreated(Op);
}

void Rewriter::notifyModified(Operation *Op) {
  noteChange(Op ? Op->getFunction() : nullptr);
  if (Op)
    for (RewriteListener *L : Listeners)
      L->notifyModified(Op);
}

void relay::reportErased(RewriteListener &L, Operation *Op) {
  for (Block &Region : Op->getRegions())
    walk(Region, [&](Operation *Inner) { L.notifyErased(Inner); });
  L.notifyErased(Op);
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

void Rewriter::replaceUsesIf(Value *Old, Value *New,
                             function_ref<bool(Use &)> ShouldReplace) {
  for (Use &U : llvm::make_early_inc_range(Old->uses())) {
    if (!ShouldReplace(U))
      continue;
    U.set(New);
    notifyModified(U.getUserOp());
  }
  if (New->getType() && Old->getType() && New->getType() != Old->getType())
    setType(New, New->getType());
}

void Rewriter::replaceAllUses(Value *Old, Value *New) {
  replaceUsesIf(Old, New, [](Use &) { return true; });
}

/// Whether \p U is a use by \p Op or in its regions.
static bool isWithin(const Use &U, const Operation *Op) {
  if (U.getUserOp() == Op)
    return true;
  if (!Op->getNumRegions())
    return false;
  Block *B = U.getUserOp() ? U.getUserOp()->getBlock() : U.getUserBlock();
  while (B && B->getParentOp() != Op)
    B = B->getParentBlock();
  return B;
}

void Rewriter::replaceOp(Operation *Op, Value *New) {
  assert(Op != New && "replacing an operation by itself");
  for (RewriteListener *L : Listeners)
    L->notifyReplaced(Op, New);
  Operation *NewOp = New->getDefiningOp();
  if (NewOp && !NewOp->getLoc().isKnown())
    NewOp->setLoc(Op->getLoc());
  auto IsForeign = [&](Use &U) { return !NewOp || !isWithin(U, NewOp); };
  if (!Op->isBound()) {
    replaceUsesIf(Op, New, IsForeign);
    if (Op->use_empty())
      eraseOp(Op);
    return;
  }
  // A new node takes over the place in the sequence; what has a place of its
  // own gets a further name there.
  Operation *Bound = NewOp;
  if (NewOp && NewOp->isFloating() && NewOp->use_empty()) {
    if (NewOp->getBlock())
      NewOp->getBlock()->remove(NewOp);
    Op->getBlock()->insert(Op->getIterator(), NewOp);
  } else {
    setInsertionPoint(Op);
    Bound = create<AliasOp>(New);
  }
  bindLike(Bound, Op);
  replaceUsesIf(Op, Bound, IsForeign);
  if (Op->use_empty())
    return eraseOp(Op);
  unbind(Op);
  moveBefore(Op, Bound);
}

void Rewriter::eraseOp(Operation *Op) {
  assert(
      llvm::all_of(Op->uses(), [&](const Use &U) { return isWithin(U, Op); }) &&
      "erasing a value that is used");
  noteChange(Op->getFunction());
  for (RewriteListener *L : Listeners)
    reportErased(*L, Op);
  if (B == Op->getBlock() && Point == Op->getIterator())
    ++Point;
  Op->replaceAllUsesWith(nullptr);
  Op->erase();
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

void Rewriter::notifyClone(const Operation *From, Operation *New) {
  notifyCreated(New);
  for (RewriteListener *L : Listeners)
    L->notifyCloned(From, New);
}

/// Reports the operations of \p To, which have just been copied from \p From.
void Rewriter::notifyClones(const Block &From, Block &To) {
  noteChange(To.getFunction());
  if (Listeners.empty())
    return;
  SmallVector<const Operation *, 16> Originals;
  walk(const_cast<Block &>(From),
       [&](Operation *Op) { Originals.push_back(Op); });
  auto Original = Originals.begin();
  walk(To, [&](Operation *New) { notifyClone(*Original++, New); });
}

Operation *Rewriter::clone(const Operation &Op,
                           llvm::DenseMap<const Value *, Value *> &Map) {
  Operation *New = cloneOperation(Op, getFunction(), Map);
  B->insert(Point, New);
  for (auto [From, To] : llvm::zip(Op.getRegions(), New->getRegions()))
    notifyClones(From, To);
  notifyClone(&Op, New);
  return New;
}

void Rewriter::cloneInto(const Block &From, Block &To,
                         llvm::DenseMap<const Value *, Value *> &Map) {
  cloneBlockInto(From, To, Map);
  notifyClones(From, To);
}

//===----------------------------------------------------------------------===//
// Changing in place
//===----------------------------------------------------------------------===//

void Rewriter::setOperand(Operation *Op, unsigned I, Value *V) {
  Value *Old = Op->getOperand(I);
  if (Old == V)
    return;
  Op->setOperandRaw(I, V);
  notifyModified(Op);
  // A value of the same type gives the same result type.
  if (Op->getType() && Old && Old->getType() == V->getType() &&
      !Op->getInfo().mirrorsOperand(I))
    return;
  if (Type *T = inferOperationType(*Op))
    setType(Op, T);
}

void Rewriter::setResult(Block &Where, Value *V) {
  if (Where.getResult() == V)
    return;
  Where.setResultRaw(V);
  Operation *Parent = Where.getParentOp();
  notifyModified(Parent);
  if (!Parent)
    return;
  if (Type *T = inferOperationType(*Parent))
    setType(Parent, T);
}

void Rewriter::setAttrs(Operation *Op, const Attrs *A) {
  if (Op->getAttrs() == A)
    return;
  Op->setAttrsRaw(A);
  notifyModified(Op);
  if (Type *T = inferOperationType(*Op))
    setType(Op, T);
}

void Rewriter::moveBefore(Operation *Op, Operation *Before) {
  if (Op->getBlock())
    Op->getBlock()->remove(Op);
  Before->getBlock()->insert(Before->getIterator(), Op);
  notifyModified(Op);
}

void Rewriter::moveToEnd(Operation *Op, Block &Where) {
  if (Op->getBlock())
    Op->getBlock()->remove(Op);
  Where.push_back(Op);
  notifyModified(Op);
}

void Rewriter::unbind(Operation *Op) {
  Op->unbind();
  notifyModified(Op);
}

void Rewriter::inlineBlock(Block &From, Block &To, Operation *Before,
                           ArrayRef<Value *> Arguments) {
  assert(Arguments.size() == From.getNumArguments() && "one value an argument");
  for (auto [Parameter, Argument] : llvm::zip(From.getArguments(), Arguments))
    replaceAllUses(Parameter, Argument);
  while (!From.empty()) {
    Operation *Op = &*From.begin();
    if (Before)
      moveBefore(Op, Before);
    else
      moveToEnd(Op, To);
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The operation whose type depends on what \p U's user yields or is.
static Operation *getDependent(Use &U) {
  if (Operation *Op = U.getUserOp())
    return Op;
  return U.getUserBlock()->getParentOp();
}

void Rewriter::setType(Value *V, Type *T) {
  V->setTypeRaw(T);
  if (Operation *Op = V->getDefiningOp())
    notifyModified(Op);
  // Each change of a type looks at the users once more; types only change
  // while what they are computed of does, so that this ends.
  SmallVector<Value *, 16> Worklist = {V};
  while (!Worklist.empty()) {
    for (Use &U : Worklist.pop_back_val()->uses()) {
      Operation *Dependent = getDependent(U);
      if (!Dependent)
        continue;
      Type *New = inferOperationType(*Dependent);
      if (!New || New == Dependent->getType())
        continue;
      Dependent->setTypeRaw(New);
      notifyModified(Dependent);
      Worklist.push_back(Dependent);
    }
  }
}

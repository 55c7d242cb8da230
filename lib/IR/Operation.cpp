//===- Operation.cpp - Operations and blocks ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creation, deletion and raw changes of operations and blocks. Passes use a
// Rewriter on top of this.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Constant.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Handles.h"

using namespace relay;

Attr Signature::getAttr(StringRef Key) const {
  return Attributes ? Attributes->lookup(Key) : Attr();
}

//===----------------------------------------------------------------------===//
// Value
//===----------------------------------------------------------------------===//

void Value::replaceAllUsesWith(Value *V) {
  assert(V != this && "replacing a value by itself");
  while (FirstUse)
    FirstUse->set(V);
}

std::optional<size_t> Value::countUses() const {
  size_t Count = 0;
  Use *const *Link = &FirstUse;
  for (const Use *U = FirstUse; U; U = U->Next) {
    if (U->PrevLink != Link || U->Val != this)
      return std::nullopt;
    Link = &U->Next;
    ++Count;
  }
  return Count;
}

Function *Value::getFunction() const {
  return Parent ? Parent->getFunction() : nullptr;
}

//===----------------------------------------------------------------------===//
// Operation
//===----------------------------------------------------------------------===//

/// Returns the size of the array of \p N regions, which addRegion() doubles.
static size_t getRegionCapacity(size_t N) {
  return N < 4 ? N : llvm::PowerOf2Ceil(N);
}

Operation *Operation::create(Function &F, const OpInfo &Info,
                             ArrayRef<Value *> Operands, const Attrs *A,
                             Location Loc, unsigned NumRegions) {
  IRArena &Arena = F.getArena();
  void *Memory =
      Arena.allocate(sizeof(Operation) + Operands.size() * sizeof(Use));
  auto *Op = new (Memory) Operation(Info, A, Loc, Operands.size());
  F.MayHaveEffects |= Info.mayHaveEffect();
  if (LLVM_UNLIKELY(Info.Code == OpCode::Constant))
    Op->retainConstant();
  Use *Uses = reinterpret_cast<Use *>(Op + 1);
  for (size_t I = 0, E = Operands.size(); I != E; ++I) {
    new (&Uses[I]) Use(Op);
    Uses[I].set(Operands[I]);
  }
  if (!NumRegions && !(Info.Code == OpCode::Fn))
    return Op;
  OpParts &Parts = Op->getOrCreateParts(Arena);
  Parts.Regions =
      Arena.allocateArray<Block *>(getRegionCapacity(NumRegions)).data();
  Op->createRegions(F, {Parts.Regions, NumRegions});
  Op->Extra->NumRegions = NumRegions;
  if (Info.Code == OpCode::Fn)
    Parts.Sig = new (Arena.allocate(sizeof(Signature))) Signature();
  return Op;
}

/// Returns the data of a constant; null if it has none yet.
static const ConstantData *getData(const Operation &Op) {
  Attr Value = Op.getAttrs() ? Op.getAttrsAs<ConstantAttrs>().value() : Attr();
  return Value ? Value.getConstant() : nullptr;
}

void Operation::retainConstant() const {
  if (const ConstantData *Data = getData(*this))
    Data->retain();
}

void Operation::releaseConstant() const {
  if (const ConstantData *Data = getData(*this))
    Data->release();
}

void Operation::setConstantAttrs(const Attrs *A) {
  const ConstantData *Old = getData(*this);
  Attributes = A;
  retainConstant();
  if (Old)
    Old->release();
}

/// Creates an empty region for each entry of \p Into.
void Operation::createRegions(Function &F, MutableArrayRef<Block *> Into) {
  for (Block *&B : Into) {
    B = new (F.getArena().allocate(sizeof(Block))) Block();
    B->F = &F;
    B->ParentOp = this;
  }
}

Block &Operation::addRegion() {
  Function *F = getFunction();
  if (!F && getNumRegions())
    F = getRegion().getFunction();
  assert(F && "operation in no function");
  IRArena &Arena = F->getArena();
  OpParts &Parts = getOrCreateParts(Arena);
  uint32_t N = Extra->NumRegions;
  size_t Old = getRegionCapacity(N), New = getRegionCapacity(N + 1);
  if (New != Old) {
    Block **Regions = Arena.allocateArray<Block *>(New).data();
    std::copy_n(Parts.Regions, N, Regions);
    if (N)
      Arena.recycle(Parts.Regions, Old * sizeof(Block *));
    Parts.Regions = Regions;
  }
  createRegions(*F, Parts.Regions[N]);
  ++Extra->NumRegions;
  return *Parts.Regions[N];
}

OpExtra &Operation::getOrCreateExtra(IRArena &Arena) {
  if (!Extra)
    Extra = new (Arena.allocate(sizeof(OpExtra))) OpExtra();
  return *Extra;
}

OpParts &Operation::getOrCreateParts(IRArena &Arena) {
  OpExtra &E = getOrCreateExtra(Arena);
  if (!E.Parts)
    E.Parts = new (Arena.allocate(sizeof(OpParts))) OpParts();
  return *E.Parts;
}

/// Returns the arena of the function of \p Op, found by its block or, if it is
/// in none, by its operands or regions.
static IRArena &getArena(Operation *Op) {
  if (Function *F = Op->getFunction())
    return F->getArena();
  if (Op->getNumRegions())
    return Op->getRegion().getFunction()->getArena();
  llvm_unreachable("operation in no block");
}

void Operation::bind(StringRef InternedName, Type *Annotation,
                     Attr VirtualDevice) {
  OpExtra &E = Extra ? *Extra : getOrCreateExtra(getArena(this));
  E.VarName = InternedName.data();
  E.VarNameSize = InternedName.size();
  E.VarAnnotation = Annotation;
  E.VarVirtualDevice = VirtualDevice;
  Bound = true;
}

void Operation::setTypeArgs(Function &F, ArrayRef<Type *> Args, bool Inferred) {
  OpParts &Parts = getOrCreateParts(F.getArena());
  Parts.TypeArgs = F.getArena().copy(Args);
  Parts.InferredTypeArgs = Inferred;
}

void Operation::setPatterns(ArrayRef<MatchPattern *> Patterns) {
  IRArena &Arena = getArena(this);
  getOrCreateParts(Arena).Patterns = Arena.copy(Patterns);
}

/// Drops all uses of values by \p Op and by operations in its regions, and then
/// remaining invalid uses of the values in its regions: the Verifier reports a
/// user without an operand.
static void dropAllReferences(Operation *Op,
                              SmallVectorImpl<Operation *> &All) {
  All.push_back(Op);
  for (size_t I = 0; I != All.size(); ++I) {
    for (Use &U : All[I]->getUses())
      U.set(nullptr);
    for (Block &B : All[I]->getRegions()) {
      B.setResultRaw(nullptr);
      for (Operation &Inner : B)
        All.push_back(&Inner);
    }
  }
  for (Operation *Dead : All) {
    Dead->replaceAllUsesWith(nullptr);
    for (Block &B : Dead->getRegions())
      for (BlockArgument *Arg : B.getArguments())
        Arg->replaceAllUsesWith(nullptr);
  }
}

void Operation::erase() {
  assert(use_empty() && "erasing a value that is used");
  Function *F = getFunction();
  if (Parent)
    Parent->remove(this);
  SmallVector<Operation *, 8> All;
  dropAllReferences(this, All);
  for (Operation *Op : All) {
    if (!F && Op->getNumRegions())
      F = Op->getRegion().getFunction();
    Op->destroy(F);
  }
}

void Operation::destroy(Function *F) {
  if (is(OpCode::Constant))
    releaseConstant();
  if (!F) { // It was in no block and has no regions: the arena keeps the
            // memory.
    Erased = true;
    return;
  }
  if (LLVM_UNLIKELY(HasHandle))
    F->getHandles()->erase(*this);
  OpExtra *E = Extra;
  SmallVector<Block *, 4> Regions(llvm::make_pointer_range(getRegions()));
  for (Block *B : Regions) {
    B->Ops.clear();
    B->~Block();
  }
  OpParts *Parts = E ? E->Parts : nullptr;
  if (Parts && Parts->Sig)
    Parts->Sig->~Signature();
  size_t Size = sizeof(Operation) + NumOperands * sizeof(Use);
  this->~Operation();
  IRArena &Arena = F->getArena();
  if (Parts) {
    for (Block *B : Regions)
      Arena.recycle(B, sizeof(Block));
    Arena.recycle(Parts->Regions,
                  getRegionCapacity(Regions.size()) * sizeof(Block *));
    Arena.recycle(Parts, sizeof(OpParts));
  }
  if (E)
    Arena.recycle(E, sizeof(OpExtra));
  Arena.recycle(this, Size);
}

std::string Operation::getDescription() const {
  std::string Text = getName().str();
  if (!Parent || !Loc.isKnown())
    return Text;
  llvm::raw_string_ostream OS(Text);
  OS << " at ";
  Parent->getFunction()->getContext().getDiagnostics().printLocation(OS, Loc);
  return Text;
}

//===----------------------------------------------------------------------===//
// Block
//===----------------------------------------------------------------------===//

BlockArgument *Block::addArgument(StringRef InternedName, Type *Annotation,
                                  Location Loc) {
  void *Memory = F->getArena().allocate(sizeof(BlockArgument));
  auto *Arg = new (Memory) BlockArgument(InternedName, Annotation);
  Arg->Parent = this;
  Arg->ArgNo = Arguments.size();
  Arg->Loc = Loc;
  Arguments.push_back(Arg);
  return Arg;
}

void Block::eraseArgument(unsigned I) {
  assert(Arguments[I]->use_empty() && "erasing an argument that is used");
  Arguments.erase(Arguments.begin() + I);
  for (; I != Arguments.size(); ++I)
    Arguments[I]->ArgNo = I;
}

unsigned Block::getRegionNumber() const {
  unsigned N = 0;
  while (&ParentOp->getRegion(N) != this)
    ++N;
  return N;
}

//===- Function.cpp - Global functions ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena, and properties derived from a function's signature. The canonical
// order is in Normalize.cpp, copying in Clone.cpp.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Function.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Handles.h"
#include "relay/IR/Walk.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// IRArena
//===----------------------------------------------------------------------===//

IRArena::~IRArena() {
  while (Slab *S = Slabs) {
    Slabs = S->Next;
    Ctx.giveBackSlab(S, S->Size);
  }
}

void *IRArena::allocate(size_t Bytes) {
  Bytes = llvm::alignTo<8>(Bytes);
  size_t Class = Bytes / 8;
  if (Class < NumClasses && Free[Class]) {
    FreeNode *Node = Free[Class];
    Free[Class] = Node->Next;
    return Node;
  }
  if (LLVM_LIKELY(size_t(End - Cur) >= Bytes)) {
    void *Memory = Cur;
    Cur += Bytes;
    return Memory;
  }
  return allocateSlow(Bytes);
}

/// Slabs grow by a quarter of the allocated memory, so that little of a
/// function's memory is unused.
void *IRArena::allocateSlow(size_t Bytes) {
  auto [Memory, Size] = Ctx.takeSlab(Bytes + sizeof(Slab), Total / 4);
  Slabs = new (Memory) Slab{Slabs, Size};
  Total += Size;
  char *Begin = reinterpret_cast<char *>(Slabs + 1);
  char *SlabEnd = static_cast<char *>(Memory) + Size;
  // A large request does not replace the current slab.
  if (SlabEnd - Begin - Bytes < size_t(End - Cur))
    return Begin;
  Cur = Begin + Bytes;
  End = SlabEnd;
  return Begin;
}

void IRArena::recycle(void *Memory, size_t Bytes) {
  size_t Class = llvm::alignTo<8>(Bytes) / 8;
  if (!Class || Class >= NumClasses)
    return;
  auto *Node = static_cast<FreeNode *>(Memory);
  Node->Next = Free[Class];
  Free[Class] = Node;
}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

Function::Function(Context &Ctx, StringRef InternedName, Location Loc)
    : Ctx(Ctx), Name(InternedName), Loc(Loc), Arena(Ctx) {
  Body.F = this;
}

Function::~Function() {
  if (Handles)
    Handles->clear();
  // The arena frees the memory of the operations. Parts that own other memory
  // are destroyed here: signatures of closures, argument lists of blocks, and
  // references to constant data.
  walk(*this, [](Operation *Op) {
    for (Block &B : Op->getRegions())
      B.Arguments.~SmallVector();
    if (Op->is(OpCode::Fn))
      Op->getSignature().~Signature();
    if (Op->is(OpCode::Constant))
      Op->releaseConstant();
  });
}

Type *Function::getResultType() const {
  if (Value *Result = Body.getResult())
    if (Type *T = Result->getType())
      return T;
  return Sig.ResultAnnotation;
}

Location Function::getResultLoc() const {
  const Value *Result = Body.getResult();
  if (const Operation *Op = Result->getDefiningOp())
    return Op->getLoc();
  return cast<BlockArgument>(Result)->getLoc();
}

/// Returns the type that callers see of a value of type \p Inferred with the
/// annotation \p Written: uses in the body can make it more dynamic.
static Type *getTypeForCallers(Type *Written, Type *Inferred) {
  return Written && !Written->isIncomplete() ? Written : Inferred;
}

Type *BlockArgument::getTypeForCallers() const {
  return ::getTypeForCallers(Annotation, getType());
}

FuncType *Function::computeType() const {
  SmallVector<Type *, 8> Params;
  for (BlockArgument *P : getParams()) {
    if (!P->getType())
      return nullptr;
    Params.push_back(P->getTypeForCallers());
  }
  Type *Result = getTypeForCallers(Sig.ResultAnnotation, getResultType());
  if (!Result)
    return nullptr;
  return Ctx.getFuncType(Sig.TypeParams, Params, Result);
}

bool Function::isSkippedByOptimization() const {
  return isExternal(Sig) ||
         hasNonzeroAttr(Sig, FunctionAttrs::SkipOptimization);
}

//===- Fingerprint.cpp - Detection of changed functions -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fingerprint.h. A use is represented by the number that normalize() gave
// the value.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Fingerprint.h"
#include "relay/IR/Walk.h"

using namespace relay;

namespace {
/// An order-dependent hash of added values.
class Hash {
public:
  void add(uint64_t Word) {
    State = (State ^ Word) * 0x9e3779b97f4a7c15ull;
    State ^= State >> 29;
  }
  void add(const void *P) { add(reinterpret_cast<uintptr_t>(P)); }
  void add(Attr A) { add(uint64_t(A.getOpaque())); }
  void add(StringRef Interned) {
    add(Interned.data());
    add(Interned.size());
  }
  uint64_t get() const { return State; }

private:
  uint64_t State = 0;
};

class Fingerprint : public IRVisitor, private Hash {
public:
  uint64_t run(Function &F);
  void enterBlock(Block &B);
  void leaveBlock(Block &B) { addUse(B.getResult()); }
  void enter(Operation *Op) { addOperation(*Op); }

private:
  using Hash::add;
  void addUse(const Value *V) { add(V ? V->getIndex() : ~uint64_t(0)); }

  void add(const Signature &S);
  void add(const BlockArgument &Arg);
  void addPattern(const MatchPattern *P);
  void addOperation(const Operation &Op);
  void addParts(const Operation &Op);
};
} // namespace

uint64_t Fingerprint::run(Function &F) {
  add(uint64_t(F.getForm()));
  add(F.getSignature());
  traverse(F, *this);
  return get();
}

void Fingerprint::add(const Signature &S) {
  add(S.TypeParams.size());
  for (const TypeVarType *T : S.TypeParams)
    add(T);
  add(S.ResultAnnotation);
  add(S.Attributes);
  add(S.VirtualDevice);
}

void Fingerprint::add(const BlockArgument &Arg) {
  add(Arg.getName());
  add(Arg.getType());
  add(Arg.getAnnotation());
  add(Arg.getVirtualDevice());
}

void Fingerprint::addPattern(const MatchPattern *Root) {
  SmallVector<const MatchPattern *, 8> Worklist = {Root};
  while (!Worklist.empty()) {
    const MatchPattern *P = Worklist.pop_back_val();
    add(uint64_t(P->K));
    add(P->Constructor);
    addUse(P->Variable);
    add(P->Children.size());
    Worklist.append(P->Children.begin(), P->Children.end());
  }
}

void Fingerprint::enterBlock(Block &B) {
  add(B.getNumArguments());
  for (const BlockArgument *Arg : B.getArguments())
    add(*Arg);
}

void Fingerprint::addOperation(const Operation &Op) {
  add(&Op.getInfo());
  add(Op.getAttrs());
  add(Op.getType());
  add(uint64_t(Op.getNumOperands()) << 1 | Op.isBound());
  for (const Value *V : Op.operands())
    addUse(V);
  if (Op.isBound()) {
    add(Op.getVarName());
    add(Op.getVarAnnotation());
    add(Op.getVarVirtualDevice());
  }
  for (const Type *T : Op.getTypeArgs())
    add(T);
  if (Op.getNumRegions())
    addParts(Op);
}

/// Adds the parts that only operations with regions have.
void Fingerprint::addParts(const Operation &Op) {
  add(Op.getNumRegions());
  if (Op.is(OpCode::Fn))
    add(Op.getSignature());
  if (Op.is(OpCode::Match)) {
    add(Op.isCompleteMatch());
    for (const MatchPattern *P : Op.getPatterns())
      addPattern(P);
  }
}

uint64_t relay::getFingerprint(const Function &F) {
  return Fingerprint().run(const_cast<Function &>(F));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// Hashes one operation, or a function without its operations.
class PartHash {
public:
  void add(const Operation &Op);
  void add(const Signature &S);
  void add(const Block &B);
  void addForm(const Function &F) {
    Structure.add(uint64_t(F.getForm()));
    Structure.add(F.getName());
  }
  PartFingerprint get() const { return {Structure.get(), Types.get()}; }

private:
  Hash Structure, Types;
};
} // namespace

void PartHash::add(const Signature &S) {
  Structure.add(S.Attributes);
  Structure.add(S.VirtualDevice);
  Types.add(S.ResultAnnotation);
  for (const TypeVarType *T : S.TypeParams)
    Types.add(T);
}

void PartHash::add(const Block &B) {
  Structure.add(B.getResult());
  for (const BlockArgument *Arg : B.getArguments()) {
    Structure.add(Arg);
    Structure.add(Arg->getName());
    Structure.add(Arg->getVirtualDevice());
    Structure.add(uint64_t(Arg->getLoc().getRaw()));
    Types.add(Arg->getType());
    Types.add(Arg->getAnnotation());
  }
}

void PartHash::add(const Operation &Op) {
  Structure.add(&Op.getInfo());
  Structure.add(Op.getAttrs());
  Structure.add(uint64_t(Op.getLoc().getRaw()) << 1 | Op.isBound());
  for (const Value *V : Op.operands())
    Structure.add(V);
  Types.add(Op.getType());
  if (Op.isBound()) {
    Structure.add(Op.getVarName());
    Structure.add(Op.getVarVirtualDevice());
    Types.add(Op.getVarAnnotation());
  }
  for (const Type *T : Op.getTypeArgs())
    Types.add(T);
  for (const Block &B : Op.getRegions())
    add(B);
  if (Op.is(OpCode::Fn))
    add(Op.getSignature());
  if (Op.is(OpCode::Match)) {
    Structure.add(uint64_t(Op.isCompleteMatch()));
    for (const MatchPattern *P : Op.getPatterns())
      Structure.add(P);
  }
}

PartFingerprint relay::getPartFingerprint(const Operation &Op) {
  PartHash H;
  H.add(Op);
  return H.get();
}

PartFingerprint relay::getPartFingerprint(const Function &F) {
  PartHash H;
  H.addForm(F);
  H.add(F.getSignature());
  H.add(F.getBody());
  return H.get();
}

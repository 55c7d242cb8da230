//===- StraightLineTyper.cpp - Types without unification ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over operations looks each one's type up by declaration, attributes
// and operand types; a relation runs once for each unlike operation. A million
// like operations cost one relation.
//
//===----------------------------------------------------------------------===//

#include "StraightLineTyper.h"
#include "relay/IR/TypeRelation.h"

using namespace relay;

StraightLineTyper::StraightLineTyper(TypingContext &TC)
    : TC(TC), Ctx(TC.getContext()), Table(256) {}

//===----------------------------------------------------------------------===//
// Functions and regions
//===----------------------------------------------------------------------===//

bool StraightLineTyper::run(Function &F) {
  if (!typeArguments(F.getBody()) || !runBody(F))
    return false;
  Type *Result = F.getBody().getResult()->getType();
  const Signature &Sig = F.getSignature();
  return !Sig.ResultAnnotation || Sig.ResultAnnotation == Result;
}

bool StraightLineTyper::typeArguments(Block &B) {
  for (BlockArgument *Arg : B.getArguments()) {
    Type *T = getInitialType(Arg);
    if (!T || T->isIncomplete())
      return false;
    TC.checkWritten(Arg->getLoc(), T);
    Arg->setTypeRaw(T);
  }
  return true;
}

bool StraightLineTyper::runBody(Function &F) {
  struct Frame {
    Block *B;
    Block::iterator It;
    unsigned Region;
  };
  Block &Body = F.getBody();
  SmallVector<Frame, 8> Stack = {{&Body, Body.begin(), 0}};
  while (true) {
    Frame &Top = Stack.back();
    Operation *Entered = nullptr;
    for (Block::iterator End = Top.B->end(); Top.It != End; ++Top.It) {
      Operation *Op = &*Top.It;
      if (LLVM_UNLIKELY(Op->getNumRegions())) {
        Entered = Op;
        break;
      }
      if (!visit(Op))
        return false;
    }
    if (Entered) {
      if (!enter(Entered))
        return false;
      Block &First = Entered->getRegion(0);
      Stack.push_back({&First, First.begin(), 0});
      continue;
    }
    if (Stack.size() == 1)
      return true;
    Operation *Parent = Top.B->getParentOp();
    if (unsigned Next = Top.Region + 1; Next < Parent->getNumRegions()) {
      Block &B = Parent->getRegion(Next);
      Top = {&B, B.begin(), Next};
      continue;
    }
    if (!leave(Parent))
      return false;
    Stack.pop_back();
    ++Stack.back().It;
  }
}

bool StraightLineTyper::visit(Operation *Op) {
  Type *T = lookup(Op);
  if (LLVM_UNLIKELY(!T))
    return false;
  if (LLVM_UNLIKELY(Op->isBound()))
    return setType(Op, T);
  Op->setTypeRaw(T);
  return true;
}

bool StraightLineTyper::setType(Operation *Op, Type *T) {
  Op->setTypeRaw(T);
  if (!Op->isBound())
    return true;
  return !Op->getVarAnnotation() || Op->getVarAnnotation() == T;
}

bool StraightLineTyper::enter(Operation *Op) {
  // A closure may use itself: then its type is not known yet.
  Op->setTypeRaw(nullptr);
  if (Op->is(OpCode::If))
    return Op->getOperand(0)->getType() == Ctx.getScalarType(DType::getBool());
  if (Op->is(OpCode::Fn))
    return Op->getSignature().TypeParams.empty() &&
           typeArguments(Op->getRegion());
  return Op->is(OpCode::Scope);
}

bool StraightLineTyper::leave(Operation *Op) {
  if (Op->is(OpCode::Fn))
    return leaveFn(Op);
  Type *T = Op->getRegion(0).getResult()->getType();
  for (Block &B : llvm::drop_begin(Op->getRegions()))
    if (B.getResult()->getType() != T)
      return false;
  return T && setType(Op, T);
}

bool StraightLineTyper::leaveFn(Operation *Op) {
  SmallVector<Type *, 8> Params;
  for (BlockArgument *Arg : Op->getRegion().getArguments())
    Params.push_back(Arg->getType());
  Type *Result = Op->getRegion().getResult()->getType();
  const Signature &Sig = Op->getSignature();
  if (!Result || (Sig.ResultAnnotation && Sig.ResultAnnotation != Result))
    return false;
  return setType(Op, Ctx.getFuncType({}, Params, Result));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t Hash, const void *Pointer) {
  Hash = (Hash ^ reinterpret_cast<uintptr_t>(Pointer)) * 0x9e3779b97f4a7c15ull;
  return Hash ^ Hash >> 32;
}

Type *StraightLineTyper::lookup(Operation *Op) {
  if (Op->is(OpCode::Constant))
    return Op->getAttrs()->getSlot(0).getConstant()->getType();
  Scratch.clear();
  uint64_t Hash = mix(mix(1, &Op->getInfo()), Op->getAttrs());
  for (Use &U : Op->getUses()) {
    Type *T = U->getType();
    if (LLVM_UNLIKELY(!T || T->isIncomplete()))
      return nullptr;
    Scratch.push_back(T);
    Hash = mix(Hash, T);
  }
  for (size_t I = Hash, Mask = Table.size() - 1;; ++I) {
    const Entry &E = Table[I & Mask];
    if (!E.Info)
      return lookupSlow(Op, Hash, Scratch);
    if (E.Hash == Hash && E.Info == &Op->getInfo() && E.A == Op->getAttrs() &&
        E.Operands == ArrayRef<Type *>(Scratch))
      return E.Result;
  }
}

StraightLineTyper::Entry &StraightLineTyper::findSlot(uint64_t Hash) {
  for (size_t I = Hash, Mask = Table.size() - 1;; ++I)
    if (!Table[I & Mask].Info)
      return Table[I & Mask];
}

void StraightLineTyper::grow() {
  std::vector<Entry> Old(Table.size() * 2);
  Old.swap(Table);
  for (Entry &E : Old)
    if (E.Info)
      findSlot(E.Hash) = E;
}

LLVM_ATTRIBUTE_NOINLINE Type *
StraightLineTyper::lookupSlow(Operation *Op, uint64_t Hash,
                              ArrayRef<Type *> Operands) {
  bool IsReusable = true;
  Type *T = compute(Op, Operands, IsReusable);
  if (!T || !IsReusable)
    return T;
  if (T->getDepth() > Type::MaxDepth || T->getSize() > Type::MaxSize)
    return nullptr;
  if (++NumEntries * 2 > Table.size())
    grow();
  Type **Copy = Arena.Allocate<Type *>(Operands.size());
  llvm::copy(Operands, Copy);
  findSlot(Hash) = {Hash, &Op->getInfo(), Op->getAttrs(),
                    ArrayRef(Copy, Operands.size()), T};
  return T;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// A relation that may only find the result's type: where it would change an
/// operand's, types have to be unified.
class ResultRelation final : public TypeRelation {
public:
  using TypeRelation::TypeRelation;
  bool changesOperands() const { return ChangesOperands; }

private:
  LogicalResult unify(int I, Type *T) override {
    if (I < 0)
      Result = T;
    else if (Operands[I] != T)
      ChangesOperands = true;
    return success();
  }
  bool ChangesOperands = false;
};
} // namespace

Type *StraightLineTyper::computeOperator(Operation *Op,
                                         ArrayRef<Type *> Operands,
                                         bool &IsReusable) {
  const OpInfo &Info = Op->getInfo();
  if (!Info.InferType || (!Info.hasTrait(OpTrait::Variadic) &&
                          Operands.size() != size_t(Info.NumOperands)))
    return nullptr;
  ResultRelation R(Ctx, Info, Op->getAttrs(), Operands, nullptr);
  R.setOperation(Op);
  if (Info.InferType(R) != RelationResult::Solved || R.changesOperands())
    return nullptr;
  IsReusable = !R.readsValues();
  Type *T = R.getResult();
  return T && !T->isIncomplete() ? T : nullptr;
}

Type *StraightLineTyper::computeCall(FuncType *Callee,
                                     ArrayRef<Type *> Operands) {
  if (!Callee || !Callee->getTypeParams().empty() ||
      Callee->getParams() != Operands)
    return nullptr;
  return Callee->getResult();
}

Type *StraightLineTyper::compute(Operation *Op, ArrayRef<Type *> Operands,
                                 bool &IsReusable) {
  Module &M = TC.getModule();
  switch (Op->getCode()) {
  case OpCode::Operator:
    return computeOperator(Op, Operands, IsReusable);
  case OpCode::CallGlobal: {
    Function *F = M.lookupFunction(Op->getAttr("callee").getString());
    return F ? computeCall(TC.getSignature(*F), Operands) : nullptr;
  }
  case OpCode::CallValue:
    return computeCall(dyn_cast<FuncType>(Operands[0]), Operands.drop_front());
  case OpCode::GlobalRef: {
    Function *F = M.lookupFunction(Op->getAttr("symbol").getString());
    return F ? TC.getSignature(*F) : nullptr;
  }
  default:
    return computeCore(Op, Operands);
  }
}

Type *StraightLineTyper::computeCore(Operation *Op, ArrayRef<Type *> Operands) {
  switch (Op->getCode()) {
  case OpCode::Tuple:
    return Ctx.getTupleType(Operands);
  case OpCode::TupleGetItem: {
    auto *Tuple = dyn_cast<TupleType>(Operands[0]);
    int64_t Index = Op->getAttrs()->getSlot(0).getInt();
    bool IsField = Tuple && Index >= 0 && Index < Tuple->getNumFields();
    return IsField ? Tuple->getField(Index) : nullptr;
  }
  case OpCode::Alias:
    return Operands[0];
  case OpCode::RefCreate:
    return Ctx.getRefType(Operands[0]);
  case OpCode::RefRead: {
    auto *Ref = dyn_cast<RefType>(Operands[0]);
    return Ref ? Ref->getValueType() : nullptr;
  }
  case OpCode::RefWrite: {
    auto *Ref = dyn_cast<RefType>(Operands[0]);
    bool Fits = Ref && Ref->getValueType() == Operands[1];
    return Fits ? Ctx.getTupleType({}) : nullptr;
  }
  default: // Constructors and operators as values: polymorphic.
    return nullptr;
  }
}

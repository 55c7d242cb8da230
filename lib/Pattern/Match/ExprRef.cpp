//===- ExprRef.cpp - Expressions that patterns match ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps constructs that only the IR has (scopes, aliases, references to symbols)
// to expressions.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/ExprRef.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"

using namespace relay;

/// Returns the first bound operation of \p B from \p It on, or null.
static Operation *findBinding(Block &B, Block::iterator It) {
  It = std::find_if(It, B.end(), [](Operation &Op) { return Op.isBound(); });
  return It == B.end() ? nullptr : &*It;
}

/// Returns a reference to an operator, a global function or a constructor.
ExprRef ExprRef::getReference(Operation *Op) {
  Attr Symbol = Op->getAttrs()->getSlot(SymbolAttrs::SymbolSlot);
  if (Op->is(OpCode::OpRef))
    return getOperator(
        Op->getFunction()->getContext().getOrCreateUnregisteredOp(
            Symbol.getString()));
  return ExprRef(reinterpret_cast<const void *>(Symbol.getOpaque()),
                 Op->is(OpCode::GlobalRef) ? Kind::Global : Kind::Constructor);
}

ExprRef ExprRef::getUseSlow(Value *V) {
  while (true) {
    auto *Op = dyn_cast<Operation>(V);
    if (!Op || Op->isBound())
      return ExprRef(V, Kind::Variable);
    switch (Op->getCode()) {
    case OpCode::Scope:
      if (Operation *First =
              findBinding(Op->getRegion(), Op->getRegion().begin()))
        return getLet(First);
      V = Op->getRegion().getResult();
      continue;
    case OpCode::OpRef:
    case OpCode::GlobalRef:
    case OpCode::ConstructorRef:
      return getReference(Op);
    default:
      return ExprRef(Op, Kind::Operation);
    }
  }
}

ExprRef ExprRef::getDefinition(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Alias:
    return getUse(Op->getOperand(0));
  case OpCode::Scope:
    return getBody(Op->getRegion());
  case OpCode::OpRef:
  case OpCode::GlobalRef:
  case OpCode::ConstructorRef:
    return getReference(Op);
  default:
    return ExprRef(Op, Kind::Operation);
  }
}

ExprRef ExprRef::getBody(Block &B) {
  if (Operation *First = findBinding(B, B.begin()))
    return getLet(First);
  return getUse(B.getResult());
}

ExprRef ExprRef::getLetBody() const {
  Operation *Bound = getLetOperation();
  Block &B = *Bound->getBlock();
  if (Operation *Next = findBinding(B, std::next(Bound->getIterator())))
    return getLet(Next);
  return getUse(B.getResult());
}

StringRef ExprRef::getVariableName() const {
  Value *V = getVariable();
  if (Operation *Bound = V->getDefiningOp())
    return Bound->getVarName();
  return cast<BlockArgument>(V)->getName();
}

StringRef ExprRef::getSymbol() const {
  assert(is(Kind::Global) || is(Kind::Constructor));
  return Attr::fromOpaque(Bits & ~uintptr_t(7)).getString();
}

Value *ExprRef::getValue() const {
  switch (getKind()) {
  case Kind::Operation:
  case Kind::Variable:
    return pointer<Value>();
  case Kind::Let: {
    Operation *Bound = pointer<Operation>();
    Block &B = *Bound->getBlock();
    Operation *Parent = B.getParentOp();
    bool IsOperand = Parent && Parent->is(OpCode::Scope) &&
                     findBinding(B, B.begin()) == Bound;
    return IsOperand ? Parent : B.getResult();
  }
  case Kind::Operator:
  case Kind::Global:
  case Kind::Constructor:
    return nullptr;
  }
  llvm_unreachable("unknown kind of expression");
}

Type *ExprRef::getType() const {
  Value *V = getValue();
  return V ? V->getType() : nullptr;
}

Location ExprRef::getLoc() const {
  Value *V = is(Kind::Let) ? pointer<Value>() : getValue();
  if (!V)
    return {};
  if (Operation *Op = V->getDefiningOp())
    return Op->getLoc();
  return cast<BlockArgument>(V)->getLoc();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool ExprRef::isCall() const {
  Operation *Op = getOperation();
  if (!Op)
    return false;
  switch (Op->getCode()) {
  case OpCode::Operator:
  case OpCode::CallGlobal:
  case OpCode::CallValue:
  case OpCode::CallConstructor:
    return true;
  default:
    return false;
  }
}

ExprRef ExprRef::getCallee() const {
  Operation *Op = getOperation();
  auto GetSymbol = [&](unsigned Slot, Kind K) {
    Attr Symbol = Op->getAttrs()->getSlot(Slot);
    return ExprRef(reinterpret_cast<const void *>(Symbol.getOpaque()), K);
  };
  switch (Op->getCode()) {
  case OpCode::Operator:
    return getOperator(Op->getInfo());
  case OpCode::CallGlobal:
    return GetSymbol(CallGlobalAttrs::CalleeSlot, Kind::Global);
  case OpCode::CallConstructor:
    return GetSymbol(CallConstructorAttrs::ConstructorSlot, Kind::Constructor);
  case OpCode::CallValue:
    return getUse(Op->getOperand(0));
  default:
    llvm_unreachable("no call");
  }
}

unsigned ExprRef::getNumArguments() const {
  Operation *Op = getOperation();
  return Op->getNumOperands() - Op->is(OpCode::CallValue);
}

ExprRef ExprRef::getArgument(unsigned I) const {
  Operation *Op = getOperation();
  return getUse(Op->getOperand(I + Op->is(OpCode::CallValue)));
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

unsigned ExprRef::getNumInputs() const {
  if (is(Kind::Let))
    return 1;
  Operation *Op = getOperation();
  if (!Op)
    return 0;
  switch (Op->getCode()) {
  case OpCode::CallValue:
    return Op->getNumOperands() - 1;
  case OpCode::If:
    return 3;
  case OpCode::Match:
  case OpCode::Fn:
    return Op->getNumRegions();
  default:
    return Op->getNumOperands();
  }
}

ExprRef ExprRef::getInput(unsigned I) const {
  if (is(Kind::Let))
    return getLetBody();
  Operation *Op = getOperation();
  switch (Op->getCode()) {
  case OpCode::CallValue:
    return getUse(Op->getOperand(I + 1));
  case OpCode::If:
    return I ? getBody(Op->getRegion(I - 1)) : getUse(Op->getOperand(0));
  case OpCode::Match:
  case OpCode::Fn:
    return getBody(Op->getRegion(I));
  default:
    return getUse(Op->getOperand(I));
  }
}

//===- StraightLineTyper.cpp - Types without unification ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop looks up the type of each operation by declaration, attributes and
// operand types (TypeTable.h). Only operations not in the table are typed by
// the rules.
//
//===----------------------------------------------------------------------===//

#include "StraightLineTyper.h"
#include "relay/IR/Walk.h"

using namespace relay;

StraightLineTyper::StraightLineTyper(TypingContext &TC)
    : CompleteTyper(TC.getContext(), &TC.getModule(), Unification::Equal),
      TC(TC), Table(256) {}

FuncType *StraightLineTyper::getTypeForCalls(const Function &F) {
  return TC.getSignature(F);
}

//===----------------------------------------------------------------------===//
// Functions and regions
//===----------------------------------------------------------------------===//

bool StraightLineTyper::run(Function &F) {
  if (!typeArguments(F.getBody()) || !runBody(F))
    return false;
  return checkResult(F);
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
  struct Visitor : IRVisitor {
    explicit Visitor(StraightLineTyper &Typer) : Typer(Typer) {}
    LogicalResult enter(Operation *Op) {
      return success(LLVM_LIKELY(!Op->getNumRegions()) ||
                     Typer.enterOperation(Op));
    }
    LogicalResult leave(Operation *Op) {
      return success(LLVM_LIKELY(!Op->getNumRegions())
                         ? Typer.visit(Op)
                         : Typer.leaveOperation(Op));
    }
    StraightLineTyper &Typer;
  };
  return !traverse(F, Visitor(*this)).wasInterrupted();
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

bool StraightLineTyper::enterOperation(Operation *Op) {
  // A closure may use itself: then its type is not known yet.
  Op->setTypeRaw(nullptr);
  // Patterns and type parameters are the solver's.
  if (Op->is(OpCode::Match))
    return false;
  if (Op->is(OpCode::Fn) && (!Op->getSignature().TypeParams.empty() ||
                             !typeArguments(Op->getRegion())))
    return false;
  return enter(*Op);
}

bool StraightLineTyper::leaveOperation(Operation *Op) {
  Type *T = leave(*Op);
  return T && setType(Op, T);
}

//===----------------------------------------------------------------------===//
// Operations without regions
//===----------------------------------------------------------------------===//

Type *StraightLineTyper::lookup(Operation *Op) {
  if (Op->is(OpCode::Constant))
    return ConstantOp(Op).attrs().value().getConstant()->getType();
  Table.begin(Op->getInfo(), Op->getAttrs());
  for (Use &U : Op->getUses()) {
    Type *T = U->getType();
    if (LLVM_UNLIKELY(!T || T->isIncomplete()))
      return nullptr;
    Table.add(T);
  }
  Type *Known = Table.find();
  return LLVM_LIKELY(Known) ? Known : lookupSlow(Op);
}

LLVM_ATTRIBUTE_NOINLINE Type *StraightLineTyper::lookupSlow(Operation *Op) {
  Type *T = infer(*Op);
  if (T && isReusable())
    Table.insert(T);
  return T;
}

//===- MatchKinds.cpp - Matching each kind of pattern ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of instructions of Matcher. A visit function checks an expression
// for the first time. A step function continues the frame on top; `Last` is the
// outcome of the child that it visited, or Pending at first. A step function
// visits a child as its last action, since that may push a frame and so move
// the current one.
//
//===----------------------------------------------------------------------===//

#include "ExprComparison.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Pattern/Match/Matcher.h"

using namespace relay;
using Reason = MatchFailure::Reason;

//===----------------------------------------------------------------------===//
// First visits
//===----------------------------------------------------------------------===//

Matcher::Outcome Matcher::visitNew(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  switch (I.Kind) {
  case PatternKind::Operator:
    return visitLeaf(N, E, E.getOperator() == I.Op, Reason::Operator);
  case PatternKind::Wildcard:
    if (I.NumChildren)
      return visitRecursive(N, E);
    bind(N, E);
    return Outcome::Yes;
  case PatternKind::Constant:
    return visitLeaf(N, E, E.isConstant(), Reason::Kind);
  case PatternKind::Variable: {
    StringRef Name = I.Source->getName();
    bool Matches =
        E.isVariable() && (Name.empty() || E.getVariableName() == Name);
    return visitLeaf(N, E, Matches, Reason::Kind);
  }
  case PatternKind::Expression: {
    auto *Wanted = const_cast<Value *>(I.Source->getExpression());
    return visitLeaf(N, E, isEqualExpression(Wanted, E, Identified),
                     Reason::NotEqual);
  }
  case PatternKind::Call:
    return visitCall(N, E);
  case PatternKind::Tuple:
    return visitTuple(N, E);
  case PatternKind::TupleGetItem:
    return visitProjection(N, E);
  case PatternKind::Function:
    return visitFunction(N, E);
  case PatternKind::If:
    if (!E.getOperation(OpCode::If))
      return fail(N, E, Reason::Kind);
    break;
  case PatternKind::Let:
    if (!E.getLetOperation())
      return fail(N, E, Reason::Kind);
    break;
  case PatternKind::Type:
  case PatternKind::DType:
  case PatternKind::Shape:
    return visitTyped(N, E);
  case PatternKind::Dominator:
    push(N, E).Aux = Ways.size();
    Ways.emplace_back();
    return Outcome::Pending;
  case PatternKind::Alternative:
    return visitAlternative(N, E);
  case PatternKind::Attributes:
    break;
  }
  push(N, E);
  return Outcome::Pending;
}

Matcher::Outcome Matcher::visitLeaf(uint32_t N, ExprRef E, bool Matches,
                                    Reason Why) {
  if (!Matches)
    return fail(N, E, Why);
  bind(N, E);
  return Outcome::Yes;
}

Matcher::Outcome Matcher::visitTuple(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  Operation *Op = E.getOperation(OpCode::Tuple);
  if (!Op)
    return fail(N, E, Reason::Kind);
  if (I.AnyNumber)
    return visitLeaf(N, E, true, Reason::Count);
  if (Op->getNumOperands() != I.NumChildren)
    return fail(N, E, Reason::Count);
  push(N, E);
  return Outcome::Pending;
}

Matcher::Outcome Matcher::visitProjection(uint32_t N, ExprRef E) {
  Operation *Op = E.getOperation(OpCode::TupleGetItem);
  if (!Op)
    return fail(N, E, Reason::Kind);
  std::optional<int64_t> Index = Program.getInst(N).Source->getIndex();
  if (Index && TupleGetItemOp(Op).attrs().index() != *Index)
    return fail(N, E, Reason::Index);
  push(N, E);
  return Outcome::Pending;
}

Matcher::Outcome Matcher::visitFunction(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  Operation *Op = E.getOperation(OpCode::Fn);
  if (!Op)
    return fail(N, E, Reason::Kind);
  if (!I.AnyNumber && Op->getRegion().getNumArguments() != I.NumChildren - 1)
    return fail(N, E, Reason::Count);
  push(N, E);
  return Outcome::Pending;
}

/// A redirected wildcard. If a match failed here without relevant bindings, it
/// fails again in that state.
Matcher::Outcome Matcher::visitRecursive(uint32_t N, ExprRef E) {
  bool IsClean = InPath || !isAnyBound(Program.getReach(Program.getInst(N)));
  if (IsClean && Hopeless.count(getHopelessKey(N, E)))
    return Outcome::No;
  push(N, E).IsClean = IsClean;
  return Outcome::Pending;
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

Type *Matcher::getTypeOf(ExprRef E) const {
  if (const OpInfo *Info = E.getOperator())
    return F.getContext().getOperatorType(*Info);
  if (E.getKind() != ExprRef::Kind::Global || !F.getModule())
    return E.getType();
  Function *Global = F.getModule()->lookupFunction(E.getSymbol());
  return Global ? Global->getType() : nullptr;
}

bool Matcher::isOfType(const PatternInst &I, ExprRef E) const {
  Type *T = getTypeOf(E);
  if (I.Kind == PatternKind::Type)
    return T && isSameType(T, I.Source->getType());
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  if (!Tensor)
    return false;
  return I.Kind == PatternKind::DType
             ? Tensor->getDType() == I.Source->getDType()
             : Tensor->getShape() == I.Source->getShape();
}

Matcher::Outcome Matcher::visitTyped(uint32_t N, ExprRef E) {
  if (!isOfType(Program.getInst(N), E))
    return fail(N, E, Reason::Type);
  push(N, E);
  return Outcome::Pending;
}

Matcher::Outcome Matcher::checkAttributes(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  if (!hasPatternAttrs(E))
    return fail(N, E, Reason::Kind);
  for (auto [Wanted, Value] :
       llvm::zip(I.Source->getAttributes(), Program.getWanted(I)))
    if (!isWantedAttr(E, getPatternAttr(E, Wanted.first), Value))
      return fail(N, E, Reason::Attribute, Wanted.first);
  return Outcome::Yes;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
enum CallPhase : uint8_t { AtCallee, AtArguments, AtRegroupings };
} // namespace

/// Returns true if \p E may be a regrouped form of the call \p I.
static bool mayRegroup(const PatternInst &I, ExprRef E) {
  if (!I.RegroupedOp || E.getCalledOperator() != I.RegroupedOp)
    return false;
  for (unsigned A = 0, N = E.getNumArguments(); A != N; ++A)
    if (E.getArgument(A).getCalledOperator() == I.RegroupedArgument)
      return true;
  return false;
}

Matcher::Outcome Matcher::visitCall(uint32_t N, ExprRef E) {
  if (!E.isCall())
    return fail(N, E, Reason::Kind);
  if (Program.getInst(N).Op)
    return visitDirectCall(N, E);
  push(N, E);
  return Outcome::Pending;
}

/// Returns true if the arguments of the call \p E, whose number equals that of
/// \p I, may match, in reverse order or not.
static bool mayMatchArguments(const PatternProgram &Program,
                              const PatternInst &I, ExprRef E, bool IsSwapped) {
  for (unsigned A = 0, N = I.NumChildren - 1; A != N; ++A)
    if (!Program.mayMatch(Program.getInst(Program.getChild(I, A + 1)),
                          E.getArgument(IsSwapped ? N - 1 - A : A)))
      return false;
  return true;
}

/// Matches the arguments of the call \p E against leaves, in this order.
bool Matcher::matchLeaves(const PatternInst &I, ExprRef E, bool IsSwapped) {
  size_t Mark = Trail.size();
  for (unsigned A = 0, End = I.NumChildren - 1; A != End; ++A) {
    ExprRef Argument = E.getArgument(IsSwapped ? End - 1 - A : A);
    if (visit(Program.getChild(I, A + 1), Argument) == Outcome::Yes)
      continue;
    undo(Mark);
    return false;
  }
  return true;
}

/// Matches a call without a frame, with the outcome of stepArguments().
Matcher::Outcome Matcher::visitLeafCall(uint32_t N, ExprRef E, bool IsSwapped) {
  const PatternInst &I = Program.getInst(N);
  size_t Mark = Trail.size();
  uint32_t Callee = Program.getChild(I, 0);
  if (InPath || !Counts[Callee])
    bind(Callee, E.getCallee());
  if (matchLeaves(I, E, IsSwapped) ||
      (I.Commutes && !IsSwapped && matchLeaves(I, E, /*IsSwapped=*/true))) {
    bind(N, E);
    return Outcome::Yes;
  }
  undo(Mark);
  return Outcome::No;
}

/// Matches a call of an operator that the pattern names.
Matcher::Outcome Matcher::visitDirectCall(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  if (E.getCalledOperator() != I.Op) {
    if (!mayRegroup(I, E))
      return fail(N, E, Reason::Operator);
    push(N, E).Phase = AtRegroupings;
    return Outcome::Pending;
  }
  if (!I.AnyNumber && E.getNumArguments() != I.NumChildren - 1)
    return fail(N, E, Reason::Count);
  // An explanation needs more information.
  bool IsSwapped = LLVM_LIKELY(!Failure) &&
                   !mayMatchArguments(Program, I, E, /*IsSwapped=*/false);
  if (IsSwapped &&
      !(I.Commutes && mayMatchArguments(Program, I, E, /*IsSwapped=*/true)))
    return Outcome::No;
  if (I.HasLeaves && LLVM_LIKELY(!Failure))
    return visitLeafCall(N, E, IsSwapped);
  Frame &Top = push(N, E);
  Top.Phase = AtArguments;
  Top.IsSwapped = IsSwapped;
  uint32_t Callee = Program.getChild(I, 0);
  if (InPath || !Counts[Callee])
    bind(Callee, E.getCallee());
  Top.Aux = Trail.size();
  return Outcome::Pending;
}

Matcher::Outcome Matcher::stepCall(Frame &Top, const PatternInst &I,
                                   Outcome Last) {
  if (Top.Phase == AtRegroupings)
    return stepRegrouped(Top, I, Last);
  if (Top.Phase == AtArguments)
    return stepArguments(Top, I, Last);
  if (Last == Outcome::Pending)
    Last = visit(Program.getChild(I, 0), Top.E.getCallee());
  if (Last != Outcome::Yes)
    return Last;
  if (!I.AnyNumber && Top.E.getNumArguments() != I.NumChildren - 1)
    return fail(Top.Inst, Top.E, Reason::Count);
  Top.Phase = AtArguments;
  Top.Aux = Trail.size();
  return stepArguments(Top, I, Outcome::Pending);
}

/// Matches the arguments as written and then, for a commutative call, in
/// reverse.
Matcher::Outcome Matcher::stepArguments(Frame &Top, const PatternInst &I,
                                        Outcome Last) {
  unsigned NumArguments = I.NumChildren - 1;
  while (true) {
    if (Last == Outcome::No) {
      if (!I.Commutes || Top.IsSwapped)
        return Last;
      undo(Top.Aux);
      Top.IsSwapped = true;
      Top.Next = 0;
    }
    if (Top.Next == NumArguments)
      return Outcome::Yes;
    unsigned A = Top.Next++;
    ExprRef Argument =
        Top.E.getArgument(Top.IsSwapped ? NumArguments - 1 - A : A);
    Last = visit(Program.getChild(I, A + 1), Argument);
    if (Last == Outcome::Pending)
      return Last;
  }
}

Matcher::Outcome Matcher::stepRegrouped(Frame &Top, const PatternInst &I,
                                        Outcome Last) {
  while (Last != Outcome::Yes) {
    if (Top.Next == I.NumRegroupings)
      return fail(Top.Inst, Top.E, Reason::Operator);
    Last = visit(Program.getRegroupings(I)[Top.Next++], Top.E);
    if (Last == Outcome::Pending)
      break;
  }
  return Last;
}

//===----------------------------------------------------------------------===//
// Other kinds
//===----------------------------------------------------------------------===//

/// Returns the expression that child \p C of \p I is matched against.
static ExprRef getPart(const PatternInst &I, ExprRef E, unsigned C) {
  if (I.Kind == PatternKind::Function && C != I.NumChildren - 1)
    return ExprRef::getUse(E.getOperation()->getRegion().getArgument(C));
  if (I.Kind == PatternKind::Function)
    return E.getInput(0);
  if (I.Kind != PatternKind::Let)
    return E.getInput(C);
  Operation *Bound = E.getLetOperation();
  return C == 0   ? ExprRef::getUse(Bound)
         : C == 1 ? ExprRef::getDefinition(Bound)
                  : E.getLetBody();
}

Matcher::Outcome Matcher::stepList(Frame &Top, const PatternInst &I,
                                   Outcome Last) {
  while (Last != Outcome::No && Top.Next != I.NumChildren) {
    unsigned C = Top.Next++;
    Last = visit(Program.getChild(I, C), getPart(I, Top.E, C));
    if (Last == Outcome::Pending)
      return Last;
  }
  return Last == Outcome::No ? Last : Outcome::Yes;
}

/// Simple checks need no frame. Each choice is a step: there may be as many as
/// a file of patterns contains.
Matcher::Outcome Matcher::visitAlternative(uint32_t N, ExprRef E) {
  const PatternInst &I = Program.getInst(N);
  unsigned Next = 0;
  // An explanation needs the reason why each of them fails.
  for (; LLVM_LIKELY(!Failure) && Next != I.NumChildren; ++Next) {
    uint32_t Child = Program.getChild(I, Next);
    spendSteps(1);
    if (!Program.mayMatch(Program.getInst(Child), E))
      continue;
    if (!Program.getInst(Child).isLeaf())
      break;
    if (visit(Child, E) == Outcome::Yes) {
      bind(N, E);
      return Outcome::Yes;
    }
  }
  if (Next == I.NumChildren)
    return Outcome::No;
  push(N, E).Next = Next;
  return Outcome::Pending;
}

Matcher::Outcome Matcher::stepAlternative(Frame &Top, const PatternInst &I,
                                          Outcome Last) {
  while (Last != Outcome::Yes && Top.Next != I.NumChildren) {
    spendSteps(1);
    Last = visit(Program.getChild(I, Top.Next++), Top.E);
    if (Last == Outcome::Pending)
      break;
  }
  return Last;
}

Matcher::Outcome Matcher::stepInner(Frame &Top, const PatternInst &I,
                                    Outcome Last) {
  if (Last == Outcome::Pending)
    Last = visit(Program.getChild(I, 0), Top.E);
  if (Last == Outcome::Yes && I.Kind == PatternKind::Attributes)
    return checkAttributes(Top.Inst, Top.E);
  return Last;
}

Matcher::Outcome Matcher::step(Frame &Top, Outcome Last) {
  const PatternInst &I = Program.getInst(Top.Inst);
  switch (I.Kind) {
  case PatternKind::Call:
    return stepCall(Top, I, Last);
  case PatternKind::Alternative:
    return stepAlternative(Top, I, Last);
  case PatternKind::Dominator:
    return stepDominator(Top, I, Last);
  case PatternKind::Tuple:
  case PatternKind::TupleGetItem:
  case PatternKind::Function:
  case PatternKind::If:
  case PatternKind::Let:
    return stepList(Top, I, Last);
  default:
    return stepInner(Top, I, Last);
  }
}

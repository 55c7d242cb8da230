//===- ExprComparison.cpp - Expressions against required values -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions are compared as functions of their free variables, by structural
// equality.
//
//===----------------------------------------------------------------------===//

#include "ExprComparison.h"
#include "Rewrite/ExprCopy.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Walk.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool relay::hasPatternAttrs(ExprRef E) {
  return E.getOperator() || E.getOperation(OpCode::Fn) || E.isCall();
}

/// Returns the attributes of a call whose callee is not an operator.
static Attr getAttributesOfCall(const Operation &Op) {
  if (auto Call = dyn_cast<CallValueOp>(&Op))
    return Call.attrs().attributes();
  if (auto Call = dyn_cast<CallGlobalOp>(&Op))
    return Call.attrs().attributes();
  return cast<CallConstructorOp>(&Op).attrs().attributes();
}

Attr relay::getPatternAttr(ExprRef E, StringRef Name) {
  if (const OpInfo *Info = E.getOperator())
    return Name == "TOpPattern" && Info->isRegistered()
               ? Attr(Dim::get(int32_t(Info->Fusion)))
               : Attr();
  if (Operation *Op = E.getOperation(OpCode::Fn))
    return Op->getSignature().getAttr(Name);
  if (!E.isCall())
    return {};
  Operation *Op = E.getOperation();
  if (Op->is(OpCode::Operator))
    return Op->getAttr(Name);
  Attr Attributes = getAttributesOfCall(*Op);
  return Attributes ? Attributes.getOpAttrs()->lookup(Name) : Attr();
}

/// Returns the value of an integer or a boolean.
static std::optional<int64_t> getInteger(Attr A) {
  if (A.isBool())
    return A.getBool();
  if (A.isInt())
    return A.getInt();
  return std::nullopt;
}

/// Returns a data type as written in attributes: void is the empty string.
static std::string getText(DType T) { return T.isVoid() ? "" : T.str(); }

static bool isWantedOfCall(Attr Found, Attr Wanted);

static bool isWantedList(ArrayRef<Attr> Found, ArrayRef<Attr> Wanted) {
  return Found.size() == Wanted.size() &&
         llvm::all_of(llvm::zip(Found, Wanted), [](const auto &Pair) {
           return isWantedOfCall(std::get<0>(Pair), std::get<1>(Pair));
         });
}

/// Recursion is limited by the depth of lists, which is small.
static bool isWantedOfCall(Attr Found, Attr Wanted) {
  if (!Found || Found == Wanted)
    return bool(Found);
  if (std::optional<int64_t> Number = getInteger(Found))
    return Number == getInteger(Wanted);
  if (Found.isFloat())
    return Wanted.isFloat() && Found.getFloat() == Wanted.getFloat();
  if (Found.isDType())
    return Wanted.isString() && getText(Found.getDType()) == Wanted.getString();
  return Found.isArray() && Wanted.isArray() &&
         isWantedList(Found.getArray(), Wanted.getArray());
}

bool relay::isWantedAttr(ExprRef E, Attr Found, Attr Wanted) {
  if (E.getOperation(OpCode::Fn))
    return Found && Found == Wanted;
  return isWantedOfCall(Found, Wanted);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Creates a function of \p Variables that returns a copy of \p Root, without
/// types, which may be missing in a pattern.
static std::unique_ptr<Function> makeFunctionOf(Operation *Root,
                                                ArrayRef<Value *> Variables) {
  Context &Ctx = Root->getFunction()->getContext();
  auto F = std::make_unique<Function>(Ctx, Ctx.intern("expr"));
  Block &Body = F->getBody();
  llvm::DenseMap<const Value *, Value *> Map;
  for (Value *V : Variables)
    Map[V] = Body.addArgument(Ctx.intern("v"), nullptr);
  for (Operation *Op : collectExpression(Root, [](Value *) { return false; }))
    Body.push_back(cloneOperation(*Op, *F, Map));
  Body.setResultRaw(Map.lookup(Root));
  walk(*F, [](Operation *Op) {
    Op->setTypeRaw(nullptr);
    for (Block &Region : Op->getRegions())
      for (BlockArgument *Arg : Region.getArguments())
        Arg->setTypeRaw(nullptr);
  });
  F->normalize();
  return F;
}

/// Returns true if \p R consists of floating operations of the same kinds as \p
/// L, ignoring regions. Takes time proportional to the size of L, regardless of
/// the size of R.
static bool isAlike(Operation *L, Operation *R) {
  llvm::DenseSet<Operation *> Seen;
  SmallVector<std::pair<Operation *, Operation *>, 8> Stack = {{L, R}};
  while (!Stack.empty()) {
    auto [A, B] = Stack.pop_back_val();
    if (!Seen.insert(A).second)
      continue;
    if (&A->getInfo() != &B->getInfo() ||
        A->getNumOperands() != B->getNumOperands())
      return false;
    for (auto [OfA, OfB] : llvm::zip(A->operands(), B->operands())) {
      auto *OpA = dyn_cast<Operation>(OfA), *OpB = dyn_cast<Operation>(OfB);
      bool Floats = OpA && OpA->isFloating();
      if (Floats != (OpB && OpB->isFloating()))
        return false;
      if (Floats)
        Stack.push_back({OpA, OpB});
    }
  }
  return true;
}

static bool isAnonymousConstant(const Operation *Op) {
  return getConstantData(Op)->isAnonymous();
}

bool relay::isEqualConstant(ExprRef A, ExprRef B) {
  Operation *L = A.getOperation(), *R = B.getOperation();
  // The data of constants are uniqued.
  return L && R && L->is(OpCode::Constant) && R->is(OpCode::Constant) &&
         L->getAttrs() == R->getAttrs() && !isAnonymousConstant(L);
}

bool relay::isEqualExpression(
    Value *Wanted, ExprRef E,
    const llvm::DenseMap<const Value *, Value *> &Identified) {
  auto Identify = [&](Value *V) {
    Value *Known = Identified.lookup(V);
    return Known ? Known : V;
  };
  ExprRef W = ExprRef::getUse(Wanted);
  if (Value *Variable = W.getVariable())
    W = ExprRef::getUse(Identify(Variable));
  Operation *L = W.getOperation(), *R = E.getOperation();
  if (W == E || !L || !R)
    return W == E;
  if (L->getAttrs() != R->getAttrs() || !isAlike(L, R))
    return false;
  if (L->is(OpCode::Constant))
    return !isAnonymousConstant(L);
  auto VarsL = findFreeVariables(L), VarsR = findFreeVariables(R);
  if (!llvm::equal(llvm::map_range(VarsL, Identify), VarsR))
    return false;
  auto FL = makeFunctionOf(L, VarsL.getArrayRef());
  auto FR = makeFunctionOf(R, VarsR.getArrayRef());
  return isStructurallyEqual(*FL, *FR);
}

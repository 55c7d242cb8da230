//===- CloneTest.cpp - Copies of IR ---------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cloneFrom(), cloneBlockInto(), cloneOperation(): copies are equal, complete
// and independent, and have their own type variables.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;
using namespace relay::test;

namespace {

class CloneTest : public IRTest {
protected:
  /// A function with a recursive closure, a branch, a match and attributes.
  Function *createSample();
  /// `def @poly[A](%x: A)` that binds a closure `fn [B](%y: B) -> (A, B)`, with
  /// a type in its attributes, and returns it.
  Function *createPolymorphic();

  /// Returns true if a variable of \p Vars occurs anywhere in \p F.
  bool mentions(Function &F, ArrayRef<TypeVarType *> Vars);
};

/// \p Root is a type, or the types in an attribute.
static bool mentionsVar(Type *Root, ArrayRef<TypeVarType *> Vars) {
  bool Found = false;
  walkTypes(Root, [&](Type *T) {
    Found |= llvm::is_contained(Vars, dyn_cast<TypeVarType>(T));
    if (auto *Func = dyn_cast<FuncType>(T))
      for (TypeVarType *Param : Func->getTypeParams())
        Found |= llvm::is_contained(Vars, Param);
    return true;
  });
  return Found;
}

static bool mentionsVar(const Signature &S, ArrayRef<TypeVarType *> Vars) {
  Attr Noted = S.Attributes ? S.getAttr("noted") : Attr();
  return mentionsVar(S.ResultAnnotation, Vars) ||
         (Noted && mentionsVar(Noted.getArray()[0].getType(), Vars)) ||
         llvm::any_of(S.TypeParams, [&](TypeVarType *Param) {
           return llvm::is_contained(Vars, Param);
         });
}

bool CloneTest::mentions(Function &F, ArrayRef<TypeVarType *> Vars) {
  bool Found = mentionsVar(F.getSignature(), Vars);
  walkBlocks(F.getBody(), [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Found |= mentionsVar(Arg->getType(), Vars) ||
               mentionsVar(Arg->getAnnotation(), Vars);
  });
  walk(F, [&](Operation *Op) {
    Found |= mentionsVar(Op->getType(), Vars);
    if (Op->isBound())
      Found |= mentionsVar(Op->getVarAnnotation(), Vars);
    for (Type *Arg : Op->getTypeArgs())
      Found |= mentionsVar(Arg, Vars);
    if (Op->is(OpCode::Fn))
      Found |= mentionsVar(Op->getSignature(), Vars);
  });
  return Found;
}

Function *CloneTest::createPolymorphic() {
  Function *F = createFunction("poly");
  TypeVarType *A = Ctx.createTypeVar("A"), *V = Ctx.createTypeVar("B");
  Type *Pair = Ctx.getTupleType({A, V}), *Whole = Ctx.getFuncType({V}, V, Pair);
  F->getSignature().TypeParams = {A};
  F->getSignature().ResultAnnotation = Whole;
  Block &B = F->getBody();
  BlockArgument *X = param(F, "x", A);
  X->setTypeRaw(A);
  Operation *Closure = fn(B);
  Closure->getSignature().TypeParams = {V};
  Closure->getSignature().ResultAnnotation = Pair;
  Closure->getSignature().Attributes = Ctx.getDictAttrs(
      {{Ctx.getString("noted"), Ctx.getArray(Ctx.getTypeAttr(Whole))}});
  Block &Body = Closure->getRegion();
  BlockArgument *Y = Body.addArgument(Ctx.intern("y"), V);
  Y->setTypeRaw(V);
  Operation *Inner = tuple(Body, {X, Y});
  Inner->setTypeRaw(Pair);
  Body.setResultRaw(Inner);
  Closure->setTypeRaw(Whole);
  Closure->bind(Ctx.intern("f"), Whole);
  Operation *Call =
      make(B, "relay.call", {Closure, X}, getAttrs("relay.call", Attr()));
  Call->setTypeArgs(*F, ArrayRef<Type *>(A));
  Call->setTypeRaw(Ctx.getTupleType({A, A}));
  B.setResultRaw(let(Call, "r"));
  F->getSignature().ResultAnnotation = Call->getType();
  F->normalize();
  return F;
}

Function *CloneTest::createSample() {
  Function *F = createFunction("sample");
  Block &B = F->getBody();
  BlockArgument *X = param(F, "x");
  X->setVirtualDevice(Ctx.getString("cpu"));
  F->getSignature().Attributes =
      Ctx.getDictAttrs({{Ctx.getString("Primitive"), Ctx.getInt(1)}});
  F->getSignature().ResultAnnotation = Vector;
  Operation *Closure = let(fn(B), "f");
  Block &Body = Closure->getRegion();
  Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
  Closure->getSignature().ResultAnnotation = Vector;
  Body.setResultRaw(make(Body, "relay.call", {Closure, neg(Body, Y)},
                         getAttrs("relay.call", Attr())));
  Operation *Match = make(B, "relay.match", X, nullptr, 1);
  Block &Clause = Match->getRegion();
  BlockArgument *V = Clause.addArgument(Ctx.intern("v"), nullptr);
  auto *P = new (F->getArena().allocate(sizeof(MatchPattern))) MatchPattern();
  P->K = MatchPattern::Kind::Var;
  P->Variable = V;
  Match->setPatterns(P);
  Match->setCompleteMatch(false);
  Clause.setResultRaw(neg(Clause, V));
  Operation *Call =
      make(B, "relay.call", {Closure, Match}, getAttrs("relay.call", Attr()));
  Call->setTypeArgs(*F, ArrayRef<Type *>(Vector));
  B.setResultRaw(Call);
  F->normalize();
  return F;
}

TEST_F(CloneTest, WholeFunction) {
  Function *F = createSample();
  auto Copy = std::make_unique<Function>(Ctx, Ctx.intern("copy"));
  Copy->cloneFrom(*F);
  EXPECT_FALSE(Copy->normalize());
  EXPECT_EQ(verifyText(*Copy, /*AllowUndefined=*/true), "");
  Difference D;
  EXPECT_TRUE(isStructurallyEqual(*F, *Copy, {}, &D)) << D.Reason;
  EXPECT_EQ(getStructuralHash(*F), getStructuralHash(*Copy));
  EXPECT_EQ(Copy->getParams()[0]->getVirtualDevice(), Ctx.getString("cpu"));
  EXPECT_EQ(Copy->getNumOperations(), F->getNumOperations());
  walk(*Copy, [&](Operation *Op) {
    EXPECT_EQ(Op->getFunction(), Copy.get());
    for (Value *V : Op->operands())
      EXPECT_EQ(V->getFunction(), Copy.get());
  });
  // Changing the copy leaves the original unchanged.
  uint64_t Hash = getStructuralHash(*F);
  Copy->getBody().setResultRaw(Copy->getParams()[0]);
  Copy->normalize();
  EXPECT_EQ(getStructuralHash(*F), Hash);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(CloneTest, BlockIntoAnotherFunction) {
  Function *F = createFunction("f"), *G = createFunction("g");
  Value *X = param(F, "x"), *Y = param(G, "y");
  Block &B = F->getBody();
  B.setResultRaw(add(B, let(neg(B, X), "a"), X));
  llvm::DenseMap<const Value *, Value *> Map = {{X, Y}};
  cloneBlockInto(B, G->getBody(), Map);
  EXPECT_EQ(order(G->getBody()), "%a test.add");
  EXPECT_EQ(Map.lookup(B.getResult()), G->getBody().getResult());
  EXPECT_EQ(X->getNumUses(), 2u);
  EXPECT_EQ(Y->getNumUses(), 2u);
  G->normalize();
  EXPECT_EQ(verifyText(*G), "");
}

TEST_F(CloneTest, SingleOperation) {
  Function *F = createFunction("f"), *G = createFunction("g");
  Value *X = param(F, "x"), *Y = param(G, "y");
  Operation *Op = neg(F->getBody(), X);
  Op->setLoc(Location::fromOffset(9));
  llvm::DenseMap<const Value *, Value *> Map = {{X, Y}};
  Operation *Copy = cloneOperation(*Op, *G, Map);
  EXPECT_EQ(Copy->getBlock(), nullptr);
  EXPECT_EQ(Copy->getOperand(0), Y);
  EXPECT_EQ(Copy->getType(), Vector);
  EXPECT_EQ(Copy->getLoc(), Location::fromOffset(9));
  EXPECT_EQ(Map.lookup(Op), Copy);
  G->getBody().push_back(Copy);
}

//===----------------------------------------------------------------------===//
// Type parameters
//===----------------------------------------------------------------------===//

/// Returns the type parameters of \p F and of its closure `%f`.
static SmallVector<TypeVarType *, 2> getTypeVars(Function &F) {
  SmallVector<TypeVarType *, 2> Vars;
  llvm::append_range(Vars, F.getSignature().TypeParams);
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::Fn))
      llvm::append_range(Vars, Op->getSignature().TypeParams);
  });
  return Vars;
}

TEST_F(CloneTest, FunctionsHaveTheirOwnTypeVariables) {
  Function *F = createPolymorphic();
  M.setTyped(true);
  EXPECT_EQ(verifyText(*F), "");
  SmallVector<TypeVarType *, 2> Vars = getTypeVars(*F);
  Function *G = createFunction("g"), *H = createFunction("h");
  G->cloneFrom(*F);
  H->cloneFrom(*G);
  for (Function *Copy : {G, H}) {
    Copy->normalize();
    EXPECT_EQ(verifyText(*Copy), "");
    EXPECT_FALSE(mentions(*Copy, Vars));
    Difference D;
    EXPECT_TRUE(isStructurallyEqual(*F, *Copy, {}, &D)) << D.Reason;
    EXPECT_EQ(getStructuralHash(*F), getStructuralHash(*Copy));
    ASSERT_EQ(getTypeVars(*Copy).size(), 2u);
    EXPECT_EQ(getTypeVars(*Copy)[0]->getName(), "A");
    EXPECT_EQ(getTypeVars(*Copy)[1]->getName(), "B");
  }
  EXPECT_FALSE(mentions(*H, getTypeVars(*G)));
  EXPECT_TRUE(mentions(*F, Vars));
}

TEST_F(CloneTest, ClosuresHaveTheirOwnTypeVariables) {
  Function *F = createPolymorphic();
  TypeVarType *A = getTypeVars(*F)[0], *V = getTypeVars(*F)[1];
  Operation *Closure = &*F->getBody().begin();
  ASSERT_TRUE(Closure->is(OpCode::Fn));
  Rewriter R(*F);
  R.setInsertionPoint(F->getBody().getResult()->getDefiningOp());
  llvm::DenseMap<const Value *, Value *> Map;
  Operation *Copy = R.clone(*Closure, Map);
  TypeVarType *Own = Copy->getSignature().TypeParams[0];
  EXPECT_NE(Own, V);
  Type *Pair = Ctx.getTupleType({A, Own});
  Type *Whole = Ctx.getFuncType({Own}, Own, Pair);
  EXPECT_EQ(Copy->getType(), Whole);
  EXPECT_EQ(Copy->getSignature().ResultAnnotation, Pair);
  EXPECT_EQ(Copy->getSignature().getAttr("noted").getArray()[0].getType(),
            Whole);
  Block &Body = Copy->getRegion();
  EXPECT_EQ(Body.getArguments()[0]->getType(), Own);
  EXPECT_EQ(Body.getArguments()[0]->getAnnotation(), Own);
  EXPECT_EQ(Body.getResult()->getType(), Pair);
}

TEST_F(CloneTest, TypeArgumentsTakeThePlaceOfTypeParameters) {
  Function *F = createPolymorphic(), *G = createFunction("g");
  SmallVector<TypeVarType *, 2> Vars = getTypeVars(*F);
  llvm::DenseMap<const Value *, Value *> Map = {
      {F->getParams()[0], param(G, "x")}};
  cloneBlockInto(F->getBody(), G->getBody(), Map, Vars[0], Vector);
  G->normalize();
  M.setTyped(true);
  EXPECT_EQ(verifyText(*G), "");
  EXPECT_FALSE(mentions(*G, Vars));
  EXPECT_EQ(G->getBody().getResult()->getType(),
            Ctx.getTupleType({Vector, Vector}));
}

TEST_F(CloneTest, FunctionIntoClosure) {
  Function *F = createPolymorphic(), *G = createFunction("g");
  Rewriter R(*G);
  R.setInsertionPointToEnd(G->getBody());
  Operation *Fn = fn(G->getBody());
  R.cloneInto(*F, Fn);
  G->getBody().setResultRaw(Fn);
  G->normalize();
  M.setTyped(true);
  EXPECT_EQ(verifyText(*G), "");
  EXPECT_FALSE(mentions(*G, getTypeVars(*F)));
  TypeVarType *Own = Fn->getSignature().TypeParams[0];
  EXPECT_EQ(Fn->getType(),
            Ctx.getFuncType({Own}, Own, Ctx.getTupleType({Own, Own})));
}

TEST_F(CloneTest, ModulesShareNoTypeVariables) {
  Function *F = createPolymorphic(), *User = createFunction("user");
  Operation *Ref = make(User->getBody(), "relay.global", {},
                        getAttrs("relay.global", Ctx.getString("poly")));
  Ref->setTypeRaw(F->getType());
  User->getBody().setResultRaw(Ref);
  M.normalize();
  std::unique_ptr<Module> Copy = M.clone();
  for (Function &Each : Copy->functions())
    EXPECT_FALSE(mentions(Each, getTypeVars(*F)));
  Function *CopiedUser = Copy->lookupFunction("user");
  EXPECT_EQ(CopiedUser->getBody().getResult()->getType(),
            Copy->lookupFunction("poly")->getType());
  EXPECT_TRUE(isStructurallyEqual(*User, *CopiedUser));
}

TEST_F(CloneTest, ModulesKeepTheirProperties) {
  createFunction("f");
  createFunction("g");
  M.setAttributes(Ctx.getDictAttrs({{Ctx.getString("a"), Ctx.getInt(1)}}));
  for (bool IsTyped : {false, true}) {
    M.setTyped(IsTyped);
    std::unique_ptr<Module> Copy =
        M.clone([](const Function &F) { return F.getName() == "g"; });
    EXPECT_EQ(Copy->isTyped(), IsTyped);
    EXPECT_EQ(Copy->getAttributes(), M.getAttributes());
    EXPECT_EQ(Copy->getNumFunctions(), 1u);
    EXPECT_TRUE(Copy->lookupFunction("g"));
  }
}

TEST_F(CloneTest, CopiesUseVariablesAgain) {
  Function *F = createPolymorphic();
  auto CopyAndErase = [&] {
    Function *Copy = createFunction("copy");
    Copy->cloneFrom(*F);
    Rewriter R(*Copy);
    llvm::DenseMap<const Value *, Value *> Map;
    R.setInsertionPointToEnd(Copy->getBody());
    R.eraseOp(R.clone(*Copy->getBody().begin(), Map));
    M.eraseFunction(Copy);
  };
  CopyAndErase();
  size_t Memory = Ctx.getUniquedMemory();
  for (unsigned I = 0; I != 1000; ++I)
    CopyAndErase();
  EXPECT_EQ(Ctx.getUniquedMemory(), Memory);
}

} // namespace

//===- CloneTest.cpp - Copies of IR ---------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cloneFrom(), cloneBlockInto(), cloneOperation(): copies are equal, whole and
// independent.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class CloneTest : public IRTest {
protected:
  /// A function with a recursive closure, a branch, a match and attributes.
  Function *createSample();
};

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
  // Changing the copy leaves the original as it is.
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

} // namespace

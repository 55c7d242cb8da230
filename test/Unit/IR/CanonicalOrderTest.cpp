//===- CanonicalOrderTest.cpp - Recognizing the canonical order -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions numberOrderedBody() numbers. NormalizeTest.cpp tests the
// order itself, which is the same if a function is not recognized.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/IR/CanonicalOrder.h"
#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class CanonicalOrderTest : public IRTest {
protected:
  CanonicalOrderTest()
      : F(createFunction()), B(F->getBody()), X(param(F, "x")),
        Condition(param(F, "c", Ctx.getScalarType(DType::getBool()))) {}

  bool isRecognized() { return numberOrderedBody(*F).has_value(); }
  /// Returns an `if` whose branches yield \p Then and \p Else.
  Operation *makeIf(Value *Then, Value *Else) {
    Operation *If = IRTest::makeIf(B, Condition);
    If->getRegion(0).setResultRaw(Then);
    If->getRegion(1).setResultRaw(Else);
    return If;
  }

  Function *F;
  Block &B;
  Value *X, *Condition;
};

TEST_F(CanonicalOrderTest, Floating) {
  Operation *First = neg(B, X), *Second = neg(B, First);
  Operation *Bound = let(neg(B, Second), "a");
  Operation *Last = add(B, Bound, First);
  B.setResultRaw(Last);
  std::optional<OrderedBody> Ordered = numberOrderedBody(*F);
  ASSERT_TRUE(Ordered);
  EXPECT_EQ(First->getIndex(), 2u);
  EXPECT_EQ(Last->getIndex(), 5u);
  EXPECT_EQ(Ordered->NumValues, 6u);
  EXPECT_EQ(Ordered->NumOperations, 4u);
  EXPECT_EQ(Ordered->NumBindings, 1u);
  EXPECT_EQ(Ordered->NumRegions, 0u);
}

TEST_F(CanonicalOrderTest, Regions) {
  Operation *Outer = neg(B, X), *If = makeIf(Outer, nullptr);
  Block &Else = If->getRegion(1);
  Else.setResultRaw(add(Else, neg(Else, X), Outer));
  B.setResultRaw(add(B, If, Outer));
  EXPECT_TRUE(isRecognized());
}

/// The walk comes to the second operand after the first one.
TEST_F(CanonicalOrderTest, OperandsInAnotherOrder) {
  Operation *Second = neg(B, X), *First = neg(B, X);
  Operation *Sum = add(B, First, Second);
  B.setResultRaw(Sum);
  EXPECT_FALSE(isRecognized());
  Sum->setOperandRaw(0, Second);
  Sum->setOperandRaw(1, First);
  EXPECT_TRUE(isRecognized());
}

/// The same if there is an operation with regions before.
TEST_F(CanonicalOrderTest, OperandsInAnotherOrderAfterRegions) {
  Operation *If = let(makeIf(X, X), "a");
  Operation *Second = neg(B, If), *First = neg(B, If);
  B.setResultRaw(add(B, First, Second));
  EXPECT_FALSE(isRecognized());
}

TEST_F(CanonicalOrderTest, Unused) {
  neg(B, X);
  B.setResultRaw(X);
  EXPECT_FALSE(isRecognized());
}

/// An operation that only one region uses belongs there.
TEST_F(CanonicalOrderTest, UsedInOneRegion) {
  Operation *Outer = neg(B, X);
  B.setResultRaw(makeIf(Outer, X));
  EXPECT_FALSE(isRecognized());
}

/// A bound operation stays where it is.
TEST_F(CanonicalOrderTest, BoundUsedInOneRegion) {
  Operation *Outer = let(neg(B, X), "a");
  B.setResultRaw(makeIf(Outer, X));
  EXPECT_TRUE(isRecognized());
}

/// A use outside of the block of the operation.
TEST_F(CanonicalOrderTest, UsedOutsideOfItsRegion) {
  Operation *If = makeIf(X, X);
  Block &Then = If->getRegion(0);
  Operation *Inner = neg(Then, X);
  Then.setResultRaw(Inner);
  B.setResultRaw(add(B, If, Inner));
  EXPECT_FALSE(isRecognized());
}

TEST_F(CanonicalOrderTest, UsedBeforeItsBinding) {
  Operation *User = let(neg(B, X), "a"), *Later = let(neg(B, X), "b");
  B.setResultRaw(User);
  EXPECT_TRUE(isRecognized());
  User->setOperandRaw(0, Later);
  EXPECT_FALSE(isRecognized());
}

/// An operand of another function whose number is one of this function's, or
/// none.
TEST_F(CanonicalOrderTest, ForeignOperand) {
  Function *Other = createFunction("other");
  Operation *Foreign = let(neg(Other->getBody(), param(Other, "y")), "b");
  Operation *Own = let(neg(B, X), "a");
  B.setResultRaw(let(add(B, Own, Foreign), "c"));
  for (uint32_t Number : {0, 2, 3, 100}) {
    Foreign->setIndex(Number);
    EXPECT_FALSE(isRecognized()) << Number;
  }
}

TEST_F(CanonicalOrderTest, RecursiveClosure) {
  Operation *Closure = let(fn(B), "f");
  Block &Body = Closure->getRegion();
  Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
  Operation *Call = let(
      make(Body, "relay.call", {X, Y}, getAttrs("relay.call", Attr())), "a");
  Body.setResultRaw(Call);
  B.setResultRaw(Closure);
  EXPECT_TRUE(isRecognized());
  Call->setOperandRaw(0, Closure);
  EXPECT_FALSE(isRecognized());
}

} // namespace

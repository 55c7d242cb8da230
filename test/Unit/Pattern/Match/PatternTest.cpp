//===- PatternTest.cpp - Construction of patterns -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes that functions and operators create, and their lifetimes.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/Pattern.h"
#include "relay/IR/Context.h"
#include "relay/Ops/Conv.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

TEST(PatternTest, Leaves) {
  Pattern Op = isOp<Conv2DOp>();
  EXPECT_TRUE(Op->is(PatternKind::Operator));
  EXPECT_EQ(Op->getName(), "nn.conv2d");
  EXPECT_TRUE(wildcard()->is(PatternKind::Wildcard));
  EXPECT_TRUE(isConstant()->is(PatternKind::Constant));
  Pattern Var = isVar("x").as("input");
  EXPECT_TRUE(Var->is(PatternKind::Variable));
  EXPECT_EQ(Var->getName(), "x");
  EXPECT_EQ(Var->getLabel(), "input");
}

TEST(PatternTest, Calls) {
  Pattern A = wildcard(), B = isConstant();
  Pattern Call = isOp("nn.conv2d")(A, B);
  EXPECT_TRUE(Call->is(PatternKind::Call));
  EXPECT_EQ(Call->getChild(0).getName(), "nn.conv2d");
  EXPECT_EQ(Call->getList()[0], &A.getNode());
  EXPECT_EQ(Call->getList()[1], &B.getNode());
  EXPECT_FALSE(Call->hasAnyNumber());
  EXPECT_TRUE(isOp("zeros")()->getList().empty());
  EXPECT_TRUE(isOp("zeros")(AnyNumber)->hasAnyNumber());
}

TEST(PatternTest, Operators) {
  Pattern A = wildcard(), B = wildcard();
  std::pair<Pattern, StringRef> Cases[] = {{A + B, "add"},
                                           {A - B, "subtract"},
                                           {A * B, "multiply"},
                                           {A / B, "divide"}};
  for (auto &[P, Name] : Cases) {
    EXPECT_EQ(P->getChild(0).getName(), Name);
    EXPECT_EQ(P->getList()[0], &A.getNode());
    EXPECT_EQ(P->getList()[1], &B.getNode());
  }
  Pattern Either = A | B;
  EXPECT_TRUE(Either->is(PatternKind::Alternative));
  EXPECT_EQ(&Either->getChild(1), &B.getNode());
}

TEST(PatternTest, OptionalSharesTheNode) {
  Pattern A = isOp("nn.relu")(wildcard());
  Pattern P = A.optional([](Pattern X) { return isOp("tanh")(X); });
  EXPECT_EQ(&P->getChild(0), &A.getNode());
  EXPECT_EQ(P->getChild(1).getList()[0], &A.getNode());
}

TEST(PatternTest, Structures) {
  Pattern A = wildcard(), B = wildcard(), C = wildcard();
  Pattern Tuple = isTuple({A, B});
  EXPECT_EQ(Tuple->getList().size(), 2u);
  EXPECT_TRUE(isTuple(AnyNumber)->hasAnyNumber());
  EXPECT_EQ(isTupleGetItem(Tuple, 1)->getIndex(), 1);
  EXPECT_EQ(isTupleGetItem(Tuple)->getIndex(), std::nullopt);
  Pattern Fn = isFn({A, B}, C);
  EXPECT_EQ(Fn->getList().size(), 2u);
  EXPECT_EQ(&Fn->getChild(2), &C.getNode());
  EXPECT_TRUE(isIf(A, B, C)->is(PatternKind::If));
  EXPECT_TRUE(isLet(A, B, C)->is(PatternKind::Let));
  Pattern Dom = C.dominates(A, B);
  EXPECT_EQ(&Dom->getChild(0), &A.getNode());
  EXPECT_EQ(&Dom->getChild(1), &B.getNode());
  EXPECT_EQ(&Dom->getChild(2), &C.getNode());
  EXPECT_TRUE(C.dominates(A)->getChild(1).is(PatternKind::Wildcard));
}

TEST(PatternTest, Constraints) {
  Context Ctx;
  Pattern A = wildcard();
  EXPECT_EQ(A.hasShape({10, 10})->getShape()[1], Dim::get(10));
  EXPECT_EQ(A.hasDType(DType::getFloat(16))->getDType(), DType::getFloat(16));
  Type *Scalar = Ctx.getScalarType(DType::getFloat(32));
  EXPECT_EQ(A.hasType(Scalar)->getType(), Scalar);
  Pattern Conv = A.hasAttr("kernel_size", {3, 3}).hasAttr("groups", 1);
  EXPECT_EQ(Conv->getAttributes()[0].first, "groups");
  EXPECT_EQ(Conv->getAttributes()[0].second.get(Ctx), Ctx.getInt(1));
  EXPECT_EQ(Conv->getChild(0).getAttributes()[0].second.get(Ctx),
            Ctx.getIntArray({3, 3}));
  EXPECT_EQ(AttrLiteral("NCHW").get(Ctx), Ctx.getString("NCHW"));
  EXPECT_EQ(AttrLiteral({}).get(Ctx), Ctx.getArray(ArrayRef<Attr>()));
}

/// A handle to a part keeps everything that the part refers to. A cycle is
/// destroyed with its last handle.
TEST(PatternTest, Lifetime) {
  Pattern Wild = wildcard();
  {
    Pattern Chain = isOp("cast")(Wild) | isOp("nn.dense")(AnyNumber);
    Wild.redirectTo(Chain);
  }
  EXPECT_TRUE(Wild->getChild(0).is(PatternKind::Alternative));
  EXPECT_EQ(Wild->getChild(0).getChild(0).getList()[0], &Wild.getNode());
}

} // namespace

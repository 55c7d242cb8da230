//===- DimTest.cpp - Equality and joins of dimensions ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// provablyEqual() and joinDims(), which inference decides with.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypeUtils.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class DimTest : public testing::Test {
protected:
  Dim var(StringRef Name) {
    return Ctx.createDimVar(Name, DType::getInt(32), false);
  }
  Dim add(Dim L, Dim R) { return Ctx.getDimExpr(DimOp::Add, L, R); }
  Dim sub(Dim L, Dim R) { return Ctx.getDimExpr(DimOp::Sub, L, R); }
  Dim mul(Dim L, Dim R) { return Ctx.getDimExpr(DimOp::Mul, L, R); }

  Context Ctx;
};

TEST_F(DimTest, ConstantsAreEqualByValue) {
  EXPECT_TRUE(provablyEqual(Dim::get(3), Dim::get(3)));
  EXPECT_TRUE(provablyEqual(Dim::get(3), Ctx.getDim(3, DType::getInt(64))));
  EXPECT_FALSE(provablyEqual(Dim::get(3), Dim::get(4)));
}

TEST_F(DimTest, AnyIsEqualToNothing) {
  EXPECT_FALSE(provablyEqual(Dim::getAny(), Dim::getAny()));
  EXPECT_FALSE(provablyEqual(Dim::getAny(), Dim::get(1)));
}

TEST_F(DimTest, VariablesAreEqualByIdentity) {
  Dim N = var("n");
  EXPECT_TRUE(provablyEqual(N, N));
  EXPECT_FALSE(provablyEqual(N, var("n")));
  EXPECT_FALSE(provablyEqual(N, Dim::get(1)));
}

TEST_F(DimTest, SumsAreEqualInAnyOrder) {
  Dim N = var("n"), M = var("m");
  EXPECT_TRUE(provablyEqual(add(N, M), add(M, N)));
  EXPECT_TRUE(provablyEqual(add(N, N), mul(Dim::get(2), N)));
  EXPECT_TRUE(provablyEqual(sub(add(N, Dim::get(3)), N), Dim::get(3)));
  EXPECT_TRUE(provablyEqual(mul(add(N, M), Dim::get(2)),
                            add(mul(N, Dim::get(2)), add(M, M))));
  EXPECT_FALSE(provablyEqual(add(N, M), add(N, N)));
  EXPECT_FALSE(provablyEqual(sub(N, M), sub(M, N)));
}

TEST_F(DimTest, DivisionIsOpaque) {
  Dim N = var("n");
  Dim Half = Ctx.getDimExpr(DimOp::FloorDiv, N, Dim::get(2));
  EXPECT_TRUE(provablyEqual(Half, Half));
  EXPECT_FALSE(provablyEqual(add(Half, Half), N));
}

TEST_F(DimTest, LargeSumsEnd) {
  Dim Sum = var("n");
  for (int I = 0; I != 100000; ++I)
    Sum = add(Sum, var("m"));
  EXPECT_TRUE(provablyEqual(Sum, Sum));
  EXPECT_FALSE(provablyEqual(Sum, add(Sum, Dim::get(1))));
}

TEST_F(DimTest, OverflowIsNotEquality) {
  Dim N = var("n");
  Dim Large = Ctx.getDim(int64_t(1) << 60, DType::getInt(64));
  EXPECT_FALSE(provablyEqual(mul(mul(N, Large), Dim::get(16)), Dim::get(0)));
}

TEST_F(DimTest, Joins) {
  Dim N = var("n"), M = var("m");
  EXPECT_EQ(joinDims(Dim::get(3), Dim::get(3)), Dim::get(3));
  EXPECT_FALSE(joinDims(Dim::get(3), Dim::get(4)));
  EXPECT_TRUE(joinDims(Dim::getAny(), Dim::get(4)).isAny());
  EXPECT_EQ(joinDims(N, Dim::get(4)), Dim::get(4));
  EXPECT_FALSE(joinDims(N, M));
  // Of two widths the right one's, as in TVM.
  Dim Wide = Ctx.getDim(3, DType::getInt(64));
  EXPECT_EQ(joinDims(Wide, Dim::get(3)), Dim::get(3));
  EXPECT_EQ(joinDims(Dim::get(3), Wide), Wide);
}

TEST_F(DimTest, JoinsRememberVariables) {
  DimVarMap Bindings;
  Dim N = var("n");
  EXPECT_EQ(joinDims(N, Dim::get(4), &Bindings), Dim::get(4));
  EXPECT_FALSE(joinDims(N, Dim::get(5), &Bindings));
  EXPECT_EQ(joinDims(N, N, &Bindings), Dim::get(4));
}

} // namespace

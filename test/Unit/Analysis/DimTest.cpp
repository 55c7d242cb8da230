//===- DimTest.cpp - Equality and joins of dimensions ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// provablyEqual() and joinDims(), which type inference uses, and folding of
// arithmetic on dimensions.
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

  Dim get(DimOp Op, Dim L, Dim R) { return Ctx.getDimExpr(Op, L, R); }
  Dim wide(int64_t Value) { return Ctx.getDim(Value, DType::getInt(64)); }
  static std::string text(Dim D) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printDim(OS, D);
    return Text;
  }
  std::string simplified(Dim D) { return text(simplifyDim(Ctx, D)); }

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

TEST_F(DimTest, ConstantsFold) {
  auto Fold = [&](DimOp Op, int64_t L, int64_t R) {
    return text(get(Op, wide(L), wide(R)));
  };
  EXPECT_EQ(Fold(DimOp::Add, 3, -5), "-2i64");
  EXPECT_EQ(Fold(DimOp::Sub, 3, -5), "8i64");
  EXPECT_EQ(Fold(DimOp::Mul, 3, -5), "-15i64");
  EXPECT_EQ(Fold(DimOp::Min, 3, -5), "-5i64");
  EXPECT_EQ(Fold(DimOp::Max, 3, -5), "3i64");
  // Rounded towards zero, and down. The remainders have the sign of the
  // dividend and of the divisor.
  struct {
    int64_t L, R;
    const char *Div, *Mod, *FloorDiv, *FloorMod;
  } Divisions[] = {
      {7, 2, "3i64", "1i64", "3i64", "1i64"},
      {-7, 2, "-3i64", "-1i64", "-4i64", "1i64"},
      {7, -2, "-3i64", "1i64", "-4i64", "-1i64"},
      {-7, -2, "3i64", "-1i64", "3i64", "-1i64"},
      {-6, 2, "-3i64", "0i64", "-3i64", "0i64"},
      {0, -2, "0i64", "0i64", "0i64", "0i64"},
  };
  for (auto [L, R, Div, Mod, FloorDiv, FloorMod] : Divisions) {
    EXPECT_EQ(Fold(DimOp::Div, L, R), Div) << L << ' ' << R;
    EXPECT_EQ(Fold(DimOp::Mod, L, R), Mod) << L << ' ' << R;
    EXPECT_EQ(Fold(DimOp::FloorDiv, L, R), FloorDiv) << L << ' ' << R;
    EXPECT_EQ(Fold(DimOp::FloorMod, L, R), FloorMod) << L << ' ' << R;
  }
}

TEST_F(DimTest, WhatOverflowsDoesNotFold) {
  constexpr int64_t Least = std::numeric_limits<int64_t>::min(),
                    Most = std::numeric_limits<int64_t>::max();
  auto Folds = [&](DimOp Op, int64_t L, int64_t R) {
    return get(Op, wide(L), wide(R)).isConst();
  };
  EXPECT_TRUE(Folds(DimOp::Add, Most - 1, 1));
  EXPECT_FALSE(Folds(DimOp::Add, Most, 1));
  EXPECT_TRUE(Folds(DimOp::Sub, Least + 1, 1));
  EXPECT_FALSE(Folds(DimOp::Sub, Least, 1));
  EXPECT_FALSE(Folds(DimOp::Mul, Most, 2));
  for (DimOp Op : {DimOp::Div, DimOp::Mod, DimOp::FloorDiv, DimOp::FloorMod}) {
    EXPECT_FALSE(Folds(Op, 2, 0));
    EXPECT_FALSE(Folds(Op, Least, -1));
    EXPECT_TRUE(Folds(Op, Least, 1));
    EXPECT_TRUE(Folds(Op, Least + 1, -1));
  }
}

TEST_F(DimTest, NeutralAndAbsorbingSides) {
  Dim N = var("n"), Zero = Dim::get(0), One = Dim::get(1);
  EXPECT_EQ(text(add(N, Zero)), "n");
  EXPECT_EQ(text(add(Zero, N)), "n");
  EXPECT_EQ(text(sub(N, Zero)), "n");
  EXPECT_EQ(text(sub(Zero, N)), "(0 - n)");
  EXPECT_EQ(text(mul(N, One)), "n");
  EXPECT_EQ(text(mul(One, N)), "n");
  EXPECT_EQ(text(mul(N, Zero)), "0");
  EXPECT_EQ(text(mul(Zero, N)), "0");
  EXPECT_EQ(text(get(DimOp::Div, N, One)), "n");
  EXPECT_EQ(text(get(DimOp::FloorDiv, N, One)), "n");
  EXPECT_EQ(text(get(DimOp::Mod, N, One)), "(n%1)");
  EXPECT_EQ(text(get(DimOp::Min, N, N)), "n");
  EXPECT_EQ(text(get(DimOp::Max, N, N)), "n");
  EXPECT_EQ(text(get(DimOp::Max, N, One)), "Max(n, 1)");
  EXPECT_TRUE(get(DimOp::Min, N, Dim::getAny()).isAny());
  EXPECT_TRUE(add(Dim::getAny(), Zero).isAny());
}

TEST_F(DimTest, Casts) {
  Dim N = var("n");
  DType Int32 = DType::getInt(32), Int64 = DType::getInt(64);
  EXPECT_EQ(Ctx.getDimExpr(DimOp::Cast, {N}, Int32), N);
  EXPECT_EQ(text(Ctx.getDimExpr(DimOp::Cast, {N}, Int64)), "Cast(n)");
  EXPECT_EQ(Ctx.getDimExpr(DimOp::Cast, {Dim::get(3)}, Int64), wide(3));
  EXPECT_EQ(get(DimOp::Add, N, wide(1)).getNumberType(), Int64);
  EXPECT_EQ(get(DimOp::Add, wide(1), N).getNumberType(), Int64);
  EXPECT_EQ(get(DimOp::Add, N, Dim::get(1)).getNumberType(), Int32);
}

TEST_F(DimTest, Printing) {
  Dim N = var("n"), M = var("m");
  EXPECT_EQ(text(get(DimOp::Div, add(N, M), sub(N, M))), "((n + m)/(n - m))");
  EXPECT_EQ(text(get(DimOp::Mod, mul(N, M), Dim::get(3))), "((n*m)%3)");
  EXPECT_EQ(text(get(DimOp::FloorMod, N, M)), "FloorMod(n, m)");
  EXPECT_EQ(text(Dim::getAny()), "?");
  EXPECT_EQ(text(Dim()), "<none>");
}

TEST_F(DimTest, SumsSimplify) {
  Dim N = var("n"), M = var("m"), Two = Dim::get(2), Six = Dim::get(6);
  EXPECT_EQ(simplified(N), "n");
  EXPECT_EQ(simplified(mul(mul(N, Dim::get(3)), Dim::get(4))), "(n*12)");
  EXPECT_EQ(simplified(add(sub(N, Dim::get(3)), Dim::get(1))), "(n - 2)");
  EXPECT_EQ(simplified(sub(sub(N, N), Dim::get(3))), "-3");
  EXPECT_EQ(simplified(sub(N, N)), "0");
  EXPECT_EQ(simplified(sub(M, add(N, N))), "(m - (n*2))");
  EXPECT_EQ(simplified(sub(sub(M, N), M)), "(0 - n)");
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, mul(N, Six), Two)), "(n*3)");
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, add(mul(N, Six), Two), Two)),
            "((n*3) + 1)");
  // Remainders of a factor and of the constant; a divisor that is not positive.
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, mul(N, Dim::get(3)), Two)),
            "FloorDiv((n*3), 2)");
  EXPECT_EQ(
      simplified(get(DimOp::FloorDiv, add(mul(N, Six), Dim::get(1)), Two)),
      "FloorDiv(((n*6) + 1), 2)");
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, mul(N, Six), Dim::get(-2))),
            "FloorDiv((n*6), -2)");
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, mul(N, Six), Dim::get(0))),
            "FloorDiv((n*6), 0)");
  EXPECT_EQ(simplified(get(DimOp::FloorDiv, mul(N, Six), M)),
            "FloorDiv((n*6), m)");
}

TEST_F(DimTest, Joins) {
  Dim N = var("n"), M = var("m");
  EXPECT_EQ(joinDims(Dim::get(3), Dim::get(3)), Dim::get(3));
  EXPECT_FALSE(joinDims(Dim::get(3), Dim::get(4)));
  EXPECT_TRUE(joinDims(Dim::getAny(), Dim::get(4)).isAny());
  EXPECT_EQ(joinDims(N, Dim::get(4)), Dim::get(4));
  EXPECT_FALSE(joinDims(N, M));
  // If widths differ, the width of the right operand, as in TVM.
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

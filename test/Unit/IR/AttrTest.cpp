//===- AttrTest.cpp - Attribute values and dimensions ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniquing of Attr and Dim: only equal values are equal words.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include <limits>

using namespace relay;
using namespace relay::test;

namespace {

class AttrTest : public IRTest {};

TEST_F(AttrTest, IntegersByValueAndType) {
  EXPECT_EQ(Ctx.getInt(5), Ctx.getInt(5));
  EXPECT_NE(Ctx.getInt(5), Ctx.getInt(6));
  EXPECT_NE(Ctx.getInt(5), Ctx.getInt(5, DType::getInt(64)));
  EXPECT_NE(Ctx.getInt(5), Ctx.getInt(5, DType::getInt(8)));
  EXPECT_EQ(Ctx.getInt(5, DType::getInt(8)), Ctx.getInt(5, DType::getInt(8)));
}

TEST_F(AttrTest, IntegersKeepTheirValue) {
  constexpr int64_t Min = std::numeric_limits<int64_t>::min();
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  for (int64_t Value : {int64_t(0), int64_t(-1), int64_t(1) << 60,
                        -(int64_t(1) << 60), (int64_t(1) << 60) - 1, Min, Max})
    for (unsigned Bits : {16, 32, 64}) {
      Attr A = Ctx.getInt(Value, DType::getInt(Bits));
      EXPECT_TRUE(A.isInt());
      EXPECT_TRUE(A.isDim());
      EXPECT_EQ(A.getInt(), Value);
      EXPECT_EQ(A.getNumberType(), DType::getInt(Bits));
      EXPECT_EQ(A, Ctx.getInt(Value, DType::getInt(Bits)));
    }
}

TEST_F(AttrTest, NoneBoolAndDType) {
  EXPECT_FALSE(Attr());
  EXPECT_EQ(Attr().getKind(), Attr::Kind::None);
  EXPECT_TRUE(Attr::getBool(false));
  EXPECT_NE(Attr::getBool(false), Attr::getBool(true));
  EXPECT_TRUE(Attr::getBool(true).getBool());
  EXPECT_NE(Attr::getBool(true), Ctx.getInt(1));
  Attr T = Attr::get(DType(DType::Float, 16, 4));
  EXPECT_EQ(T.getKind(), Attr::Kind::DType);
  EXPECT_EQ(T.getDType(), DType(DType::Float, 16, 4));
  EXPECT_EQ(Attr::get(DType::getVoid()).getDType(), DType::getVoid());
  EXPECT_TRUE(Attr::get(DType::getVoid()));
}

TEST_F(AttrTest, FloatsByBits) {
  EXPECT_EQ(Ctx.getFloat(0.1), Ctx.getFloat(0.1));
  EXPECT_NE(Ctx.getFloat(0.0), Ctx.getFloat(-0.0));
  EXPECT_NE(Ctx.getFloat(0.1), Ctx.getFloat(0.1, DType::getFloat(64)));
  double NaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Ctx.getFloat(NaN), Ctx.getFloat(NaN));
  EXPECT_EQ(Ctx.getFloat(1e300).getFloat(), 1e300);
}

TEST_F(AttrTest, StringsAreInterned) {
  std::string Text = "NCHW";
  EXPECT_EQ(Ctx.intern(Text).data(), Ctx.intern("NCHW").data());
  EXPECT_NE(Ctx.intern(Text).data(), Text.data());
  EXPECT_EQ(Ctx.lookupInterned("NCHW").data(), Ctx.intern(Text).data());
  EXPECT_EQ(Ctx.lookupInterned("not interned").data(), nullptr);
  EXPECT_EQ(Ctx.getString("a"), Ctx.getString("a"));
  EXPECT_NE(Ctx.getString("a"), Ctx.getString(StringRef("a\0", 2)));
  EXPECT_EQ(Ctx.getString(StringRef("a\0", 2)).getString().size(), 2u);
}

TEST_F(AttrTest, Composites) {
  Attr A = Ctx.getInt(1), B = Ctx.getString("b");
  EXPECT_EQ(Ctx.getArray({A, B}), Ctx.getArray({A, B}));
  EXPECT_NE(Ctx.getArray({A, B}), Ctx.getArray({B, A}));
  EXPECT_TRUE(Ctx.getArray(ArrayRef<Attr>()));
  EXPECT_EQ(Ctx.getIntArray({1, 2}).getArray()[1], Ctx.getInt(2));
  Attr Dict = Ctx.getDict({{B, A}});
  EXPECT_EQ(Dict, Ctx.getDict({{B, A}}));
  EXPECT_EQ(Dict.lookup("b"), A);
  EXPECT_FALSE(Dict.lookup("c"));
  Attr Object = Ctx.getObject("VirtualDevice", {{B, A}});
  EXPECT_NE(Object, Dict);
  EXPECT_NE(Object, Ctx.getObject("Target", {{B, A}}));
  EXPECT_EQ(Object.getTypeKey(), "VirtualDevice");
  EXPECT_EQ(Object.lookup("b"), A);
  EXPECT_EQ(Ctx.getTypeAttr(Vector).getType(), Vector);
}

TEST_F(AttrTest, ConstantsByTypeAndContent) {
  char Bytes[4] = {1, 2, 3, 4};
  TensorType *Int8 = Ctx.getTensorType(ArrayRef<int64_t>{4}, DType::getInt(8));
  TensorType *UInt8 =
      Ctx.getTensorType(ArrayRef<int64_t>{4}, DType::getUInt(8));
  Attr A = Ctx.getConstant(Int8, Bytes);
  EXPECT_NE(A.getConstant()->getBytes().data(), Bytes);
  EXPECT_EQ(A, Ctx.getConstant(Int8, Bytes));
  EXPECT_NE(A, Ctx.getConstant(UInt8, Bytes));
  EXPECT_EQ(A.getConstant()->getHash(),
            Ctx.getConstant(UInt8, Bytes).getConstant()->getHash());
  Bytes[3] = 5;
  EXPECT_NE(A, Ctx.getConstant(Int8, Bytes));
  EXPECT_EQ(A.getConstant()->getBytes()[3], 4);
}

TEST_F(AttrTest, ManyConstantsStayUnique) {
  TensorType *T = Ctx.getTensorType(ArrayRef<int64_t>{16}, DType::getInt(32));
  SmallVector<Attr> All;
  for (int Round = 0; Round != 2; ++Round)
    for (int I = 0; I != 2000; ++I) {
      int32_t Elements[16] = {0, 0, 0, I};
      Attr A = Ctx.getConstant(
          T, ArrayRef(reinterpret_cast<const char *>(Elements), 64));
      if (Round == 0)
        All.push_back(A);
      else
        EXPECT_EQ(A, All[I]);
    }
}

TEST_F(AttrTest, ScalarConstants) {
  auto Read = [](Attr A) { return A.getConstant()->getDouble(); };
  EXPECT_EQ(Read(Ctx.getScalarConstant(DType::getFloat(16), 0.1)),
            0.0999755859375);
  EXPECT_EQ(Read(Ctx.getScalarConstant(DType::getBFloat16(), 1.00390625)), 1.0);
  EXPECT_EQ(Read(Ctx.getScalarConstant(DType::getInt(8), int64_t(300))), 44);
  EXPECT_EQ(Read(Ctx.getScalarConstant(DType::getUInt(8), int64_t(255))), 255);
  EXPECT_EQ(Read(Ctx.getScalarConstant(DType::getBool(), int64_t(7))), 1);
}

TEST_F(AttrTest, DimensionsHaveIdentityOrValue) {
  EXPECT_EQ(Dim::get(3), Ctx.getDim(3));
  EXPECT_EQ(Dim::get(-3).getInt(), -3);
  EXPECT_NE(Ctx.getDim(3), Ctx.getDim(3, DType::getInt(64)));
  EXPECT_TRUE(Dim::getAny().isAny());
  EXPECT_FALSE(Dim::getAny().isConst());
  Dim N = Ctx.createDimVar("n", DType::getInt(32), /*SizeVar=*/false);
  Dim Other = Ctx.createDimVar("n", DType::getInt(32), /*SizeVar=*/true);
  EXPECT_NE(N, Other);
  EXPECT_TRUE(N.isVar());
  EXPECT_EQ(N.getVarName(), "n");
  EXPECT_TRUE(Other.isSizeVar());
}

TEST_F(AttrTest, DimensionArithmetic) {
  Dim N = Ctx.createDimVar("n", DType::getInt(32), /*SizeVar=*/false);
  Dim Two = Ctx.getDim(2);
  Dim Product = Ctx.getDimExpr(DimOp::Mul, N, Two);
  EXPECT_EQ(Product, Ctx.getDimExpr(DimOp::Mul, N, Two));
  EXPECT_NE(Product, Ctx.getDimExpr(DimOp::Mul, Two, N));
  EXPECT_EQ(Product.getOp(), DimOp::Mul);
  EXPECT_EQ(Product.getOperands()[0], N);
  EXPECT_EQ(Ctx.getDimExpr(DimOp::Add, Two, Ctx.getDim(3)), Ctx.getDim(5));
  EXPECT_EQ(Ctx.getDimExpr(DimOp::Mul, N, Ctx.getDim(1)), N);
  EXPECT_TRUE(Ctx.getDimExpr(DimOp::Add, N, Dim::getAny()).isAny());
  EXPECT_EQ(Ctx.getDimExpr(DimOp::FloorDiv, Ctx.getDim(-7), Two),
            Ctx.getDim(-4));
  EXPECT_EQ(Ctx.getDimExpr(DimOp::FloorMod, Ctx.getDim(-7), Two),
            Ctx.getDim(1));
  EXPECT_EQ(Ctx.getDimExpr(DimOp::Div, Ctx.getDim(-7), Two), Ctx.getDim(-3));
  // Expressions that cannot be computed remain unchanged.
  EXPECT_TRUE(Ctx.getDimExpr(DimOp::FloorDiv, Two, Ctx.getDim(0)).isExpr());
}

TEST_F(AttrTest, DimKeys) {
  llvm::DenseMap<Dim, int> Map;
  Dim N = Ctx.createDimVar("n", DType::getInt(32), false);
  int Next = 0;
  for (Dim D : {Dim(), Dim::getAny(), Dim::get(0), Dim::get(-1), N})
    Map[D] = Next++;
  EXPECT_EQ(Map.size(), 5u);
  EXPECT_EQ(Map.lookup(Dim::get(-1)), 3);
  EXPECT_EQ(Map.lookup(N), 4);
  EXPECT_FALSE(Map.contains(Ctx.createDimVar("n", DType::getInt(32), false)));
}

TEST_F(AttrTest, DTypeText) {
  for (StringRef Text :
       {"float32", "bool", "int8x4", "bfloat16", "uint64", "handle", "void"}) {
    std::optional<DType> T = DType::parse(Text);
    ASSERT_TRUE(T) << Text.str();
    EXPECT_EQ(T->str(), Text);
    EXPECT_EQ(DType::fromRaw(T->getRaw()), *T);
  }
  EXPECT_EQ(DType::parse(""), DType::getVoid());
  for (StringRef Text : {"float", "int99999", "int8x", "float32x0", "x8"})
    EXPECT_FALSE(DType::parse(Text)) << Text.str();
  EXPECT_EQ(DType::getBool().getByteSize(), 1u);
  EXPECT_EQ(DType(DType::Int, 8, 4).getByteSize(), 4u);
}

} // namespace

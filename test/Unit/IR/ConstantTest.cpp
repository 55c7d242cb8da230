//===- ConstantTest.cpp - Tensor data, elements, lifetimes ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Constant.h"
#include "TestIR.h"
#include "relay/IR/Core.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class ConstantTest : public ::testing::Test {
protected:
  TensorType *getType(ArrayRef<int64_t> Shape, DType T) {
    return Ctx.getTensorType(Shape, T);
  }
  template <typename T>
  const ConstantData *get(DType Ty, ArrayRef<T> Elements) {
    TensorBuffer Buffer = TensorBuffer::copy(
        ArrayRef(reinterpret_cast<const char *>(Elements.data()),
                 Elements.size() * sizeof(T)));
    return Ctx
        .getConstant(getType({int64_t(Elements.size())}, Ty), std::move(Buffer))
        .getConstant();
  }

  Context Ctx;
};

TEST_F(ConstantTest, BuffersAreAlignedAndShared) {
  TensorBuffer Buffer = TensorBuffer::allocate(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(Buffer.getBytes().data()) %
                TensorBuffer::Alignment,
            0u);
  Buffer.getMutableBytes()[99] = 7;
  TensorBuffer Copy = Buffer;
  Buffer = TensorBuffer();
  EXPECT_EQ(Buffer.size(), 0u);
  EXPECT_EQ(Copy.getBytes()[99], 7);
  EXPECT_FALSE(Copy.isMapped());
}

TEST_F(ConstantTest, ABufferIsTakenOverWithoutACopy) {
  TensorBuffer Buffer = TensorBuffer::allocateZeros(16);
  const char *Bytes = Buffer.getBytes().data();
  TensorType *T = getType({4}, DType::getFloat(32));
  const ConstantData *Data = Ctx.getConstant(T, Buffer).getConstant();
  EXPECT_EQ(Data->getBytes().data(), Bytes);
  // Equal contents, created again, are the first data.
  EXPECT_EQ(Ctx.getConstant(T, TensorBuffer::allocateZeros(16)).getConstant(),
            Data);
}

TEST_F(ConstantTest, OpaqueConstantsHaveATypeAndNoElements) {
  TensorType *T = getType({4}, DType::getFloat(32));
  auto Get = [&](std::optional<uint32_t> Index, StringRef Hash) {
    return Ctx.getOpaqueConstant(T, {Index, Hash}).getConstant();
  };
  EXPECT_FALSE(Ctx.hasOpaqueConstants());
  const ConstantData *First = Get(0, "");
  EXPECT_TRUE(Ctx.hasOpaqueConstants());
  EXPECT_TRUE(First->isOpaque());
  EXPECT_FALSE(First->isReleased());
  EXPECT_EQ(First->getType(), T);
  EXPECT_EQ(First->getNumElements(), 4u);
  EXPECT_EQ(First->getBuffer().size(), 0u);
  EXPECT_FALSE(First->isSplat());
  EXPECT_EQ(First->getSplat<double>(), std::nullopt);
  EXPECT_EQ(First->describeMissingData(),
            "the data of `meta[relay.Constant][0]` is not in the text");
  // Uniqued by type, index and hash.
  EXPECT_EQ(Get(0, ""), First);
  EXPECT_NE(Get(1, ""), First);
  EXPECT_NE(Get(std::nullopt, ""), First);
  EXPECT_NE(Get(0, "ab"), First);
  EXPECT_NE(Ctx.getOpaqueConstant(getType({2}, DType::getFloat(32)), {0, ""})
                .getConstant(),
            First);
  EXPECT_EQ(Get(std::nullopt, "ab")->describeMissingData(),
            "the data of a constant of type Tensor[(4), float32], sha256:ab, "
            "is not in the text");
  // Only those without index and hash may differ from themselves.
  EXPECT_FALSE(First->isAnonymous());
  EXPECT_FALSE(Get(std::nullopt, "ab")->isAnonymous());
  EXPECT_TRUE(Get(std::nullopt, "")->isAnonymous());
}

TEST_F(ConstantTest, MappedBytesStayInTheFile) {
  std::shared_ptr<const llvm::MemoryBuffer> File =
      llvm::MemoryBuffer::getMemBufferCopy(StringRef("x\1\0\0\0\2\0\0\0", 9));
  const char *Begin = File->getBufferStart() + 1;
  TensorBuffer Buffer = TensorBuffer::map(File, ArrayRef(Begin, 8));
  File.reset(); // the buffer keeps it
  const ConstantData *Data =
      Ctx.getConstant(getType({2}, DType::getInt(32)), std::move(Buffer))
          .getConstant();
  EXPECT_EQ(Data->getBytes().data(), Begin);
  EXPECT_TRUE(Data->getBuffer().isMapped());
  EXPECT_EQ(Data->getView<int32_t>()[1], 2); // not aligned
}

TEST_F(ConstantTest, ViewsReadElements) {
  float Elements[] = {1.5f, -2, 0.25f};
  const ConstantData *Data =
      get(DType::getFloat(32), ArrayRef<float>(Elements));
  TensorView<float> View = Data->getView<float>();
  EXPECT_EQ(View.size(), 3u);
  EXPECT_TRUE(llvm::equal(View.elements(), Elements));
  EXPECT_EQ(Data->getDouble(2), 0.25);
  EXPECT_EQ(Data->getInt(1), -2);
}

template <typename T> static std::string nameOf(T) {
  if (std::is_same_v<T, Half>)
    return "half";
  if (std::is_same_v<T, BFloat>)
    return "bfloat";
  if (std::is_same_v<T, bool>)
    return "bool";
  std::string Kind = std::is_floating_point_v<T> ? "float"
                     : std::is_signed_v<T>       ? "int"
                                                 : "uint";
  return Kind + std::to_string(sizeof(T) * 8);
}

TEST_F(ConstantTest, DispatchKnowsEachDataType) {
  auto Name = [](StringRef Text) {
    std::string Result = "none";
    bool Known = dispatchDType(*DType::parse(Text),
                               [&](auto Element) { Result = nameOf(Element); });
    EXPECT_EQ(Known, Result != "none") << Text.str();
    return Result;
  };
  for (const char *Same : {"bool", "int8", "int16", "int32", "int64", "uint8",
                           "uint16", "uint32", "uint64", "float32", "float64"})
    EXPECT_EQ(Name(Same), Same);
  EXPECT_EQ(Name("float16"), "half");
  EXPECT_EQ(Name("bfloat16"), "bfloat");
  EXPECT_EQ(Name("int4"), "int8");
  EXPECT_EQ(Name("uint2"), "uint8");
  for (const char *Unknown : {"int24", "int8x4", "handle", "float8"})
    EXPECT_EQ(Name(Unknown), "none");
}

TEST_F(ConstantTest, NumbersBecomeElementsAsStated) {
  EXPECT_EQ(toElement<int8_t>(int64_t(300)), 44);
  EXPECT_EQ(toElement<int32_t>(-1.9), -1);
  EXPECT_EQ(toElement<int64_t>(1e300), 9223372036854774784);
  EXPECT_EQ(toElement<int64_t>(-1e300), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(toElement<int32_t>(std::nan("")), 0);
  EXPECT_EQ(toElement<bool>(int64_t(7)), true);
  EXPECT_EQ(toElement<bool>(0.5), false);
  EXPECT_EQ(toElement<float>(0.1), 0.1f);
  EXPECT_EQ(toElement<Half>(65520.0).Bits, 0x7c00);       // infinity
  EXPECT_EQ(toElement<Half>(1.0 + 0x1p-11).Bits, 0x3c00); // ties to even
  EXPECT_EQ(toElement<BFloat>(1.0).Bits, 0x3f80);
  EXPECT_EQ(toDouble(Half{0x0001}), 0x1p-24);
  EXPECT_EQ(toInt(toElement<BFloat>(-3.0)), -3);
}

TEST_F(ConstantTest, ExactConversions) {
  EXPECT_EQ(toExact<int8_t>(127), 127);
  EXPECT_EQ(toExact<int8_t>(128), std::nullopt);
  EXPECT_EQ(toExact<uint64_t>(-1), std::nullopt);
  EXPECT_EQ(toExact<int64_t>(uint64_t(1) << 63), std::nullopt);
  EXPECT_EQ(toExact<int32_t>(2147483648.0), std::nullopt);
  EXPECT_EQ(toExact<int32_t>(-2147483648.0), INT32_MIN);
  EXPECT_EQ(toExact<int32_t>(0.5), std::nullopt);
  EXPECT_EQ(toExact<int32_t>(std::nan("")), std::nullopt);
  EXPECT_EQ(toExact<float>(16777217), std::nullopt);
  EXPECT_EQ(toExact<float>(0.1), std::nullopt);
  EXPECT_EQ(toExact<double>(std::numeric_limits<int64_t>::max()), std::nullopt);
  EXPECT_EQ(toExact<double>(Half{0x3e00}), 1.5);
  EXPECT_TRUE(std::isnan(*toExact<float>(std::nan(""))));
}

TEST_F(ConstantTest, SplatsAndScalars) {
  int32_t Same[] = {3, 3, 3}, Other[] = {3, 3, 4};
  const ConstantData *Splat = get(DType::getInt(32), ArrayRef<int32_t>(Same));
  EXPECT_TRUE(Splat->isSplat());
  EXPECT_EQ(Splat->getSplat<int64_t>(), 3);
  EXPECT_EQ(Splat->getSplat<double>(), 3.0);
  EXPECT_EQ(Splat->getScalar<int64_t>(), std::nullopt); // rank 1
  EXPECT_FALSE(get(DType::getInt(32), ArrayRef<int32_t>(Other))->isSplat());
  EXPECT_FALSE(get(DType::getInt(32), ArrayRef<int32_t>())->isSplat());
  const ConstantData *Scalar =
      Ctx.getScalarConstant(DType::getFloat(32), 0.5).getConstant();
  EXPECT_EQ(Scalar->getScalar<float>(), 0.5f);
  EXPECT_EQ(Scalar->getScalar<int64_t>(), std::nullopt);
  EXPECT_EQ(makeSplat(DType::getUInt(8), 3, 255.0).getBytes(),
            ArrayRef<char>({'\xff', '\xff', '\xff'}));
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

class ConstantLifeTest : public ConstantTest {
protected:
  static constexpr int64_t Size = 1000;
  Attr makeData() {
    return Ctx.getConstant(getType({Size}, DType::getInt(8)),
                           makeSplat(DType::getInt(8), Size, int64_t(5)));
  }
  Operation *makeConstant(Function &F, Attr Data) {
    return Operation::create(F, ConstantOp::getInfo(), {},
                             ConstantAttrs::get(Ctx, Data), {});
  }
  size_t getMemory() {
    Ctx.releaseUnusedConstants();
    return Ctx.getConstantMemory();
  }
};

TEST_F(ConstantLifeTest, GoesWithItsLastOperation) {
  Module M(Ctx);
  Function *F = M.createFunction("f");
  Attr Data = makeData();
  EXPECT_EQ(getMemory(), size_t(Size)); // never held
  Operation *A = makeConstant(*F, Data), *B = makeConstant(*F, Data);
  F->getBody().push_back(A);
  F->getBody().push_back(B);
  A->erase();
  EXPECT_EQ(getMemory(), size_t(Size));
  B->setAttrsRaw(ConstantAttrs::get(
      Ctx, Ctx.getScalarConstant(DType::getInt(8), int64_t(1))));
  EXPECT_EQ(getMemory(), 1u);
  EXPECT_TRUE(Data.getConstant()->isReleased());
  // Equal data, created again, are the same attribute.
  EXPECT_EQ(makeData(), Data);
  EXPECT_EQ(Data.getConstant()->getInt(Size - 1), 5);
}

TEST_F(ConstantLifeTest, StaysUntilUnusedOnesAreReleased) {
  Module M(Ctx);
  Function *F = M.createFunction("f");
  Operation *Op = makeConstant(*F, makeData());
  F->getBody().push_back(Op);
  Attr Data = ConstantOp(Op).attrs().value();
  Op->erase();
  // A pass may put the data into another operation.
  Operation *New = makeConstant(*F, Data);
  F->getBody().push_back(New);
  EXPECT_EQ(getMemory(), size_t(Size));
  EXPECT_EQ(Data.getConstant()->getInt(), 5);
}

TEST_F(ConstantLifeTest, GoesWithItsModule) {
  {
    Module M(Ctx);
    Function *F = M.createFunction("f");
    F->getBody().push_back(makeConstant(*F, makeData()));
    EXPECT_EQ(getMemory(), size_t(Size));
  }
  EXPECT_EQ(Ctx.getConstantMemory(), 0u);
}

TEST_F(ConstantLifeTest, StaysWithAReference) {
  ConstantRef Ref;
  {
    Module M(Ctx);
    Function *F = M.createFunction("f");
    Attr Data = makeData();
    F->getBody().push_back(makeConstant(*F, Data));
    Ref = ConstantRef(Data);
  }
  EXPECT_EQ(getMemory(), size_t(Size));
  EXPECT_EQ(Ref->getInt(), 5);
  Ref = ConstantRef();
  EXPECT_EQ(getMemory(), 0u);
}

TEST_F(ConstantLifeTest, StaysInAnotherAttribute) {
  {
    Module M(Ctx);
    Function *F = M.createFunction("f");
    Attr Data = makeData();
    F->getBody().push_back(makeConstant(*F, Data));
    Ctx.getArray(ArrayRef<Attr>(Data));
  }
  EXPECT_EQ(getMemory(), size_t(Size));
}

} // namespace

//===- NumbersTest.cpp - Elements of any data type as numbers -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers and writers convert as load() and store() do, for each data type and
// step, and use elements in place if they have a number type already.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Numbers.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

constexpr DType AllTypes[] = {
    DType::getBool(),    DType::getInt(8),     DType::getInt(16),
    DType::getInt(32),   DType::getInt(64),    DType::getUInt(8),
    DType::getUInt(16),  DType::getUInt(32),   DType::getUInt(64),
    DType::getFloat(16), DType::getBFloat16(), DType::getFloat(32),
    DType::getFloat(64)};

const double Values[] = {
    0,     1,   -1,   2.5,    -0.5, 127.5,   255,     -300,     65504,     1e6,
    -1e10, 3e9, 1e19, -1e300, 1e40, 0x1p-24, 1.0 / 3, INFINITY, -INFINITY, NAN};

/// Returns a tensor of \p T with the values above.
Tensor makeValues(DType T) {
  int64_t Count = std::size(Values);
  Tensor Result = Tensor::allocate(T, {Count});
  dispatchDType(T, [&](auto Zero) {
    using E = decltype(Zero);
    for (int64_t I = 0; I != Count; ++I)
      Result.getMutableElements<E>()[I] = store<E>(Values[I]);
  });
  return Result;
}

std::string getBits(const Tensor &T) {
  return std::string(T.getBytes().begin(), T.getBytes().end());
}

TEST(NumbersTest, TypesOfNumbers) {
  EXPECT_EQ(getNumberType(DType::getBool()), DType::getUInt(64));
  EXPECT_EQ(getNumberType(DType::getUInt(16)), DType::getUInt(64));
  EXPECT_EQ(getNumberType(DType::getInt(8)), DType::getInt(64));
  EXPECT_EQ(getNumberType(DType::getFloat(16)), DType::getFloat(32));
  EXPECT_EQ(getNumberType(DType::getBFloat16()), DType::getFloat(32));
  EXPECT_EQ(getNumberType(DType::getFloat(64)), DType::getFloat(64));
  EXPECT_TRUE(getNumberType(DType(DType::Float, 32, 4)).isVoid());
}

template <typename N> void checkReader(DType T) {
  Tensor Data = makeValues(T);
  ElementReader<N> Reader(Data);
  dispatchDType(T, [&](auto Zero) {
    using E = decltype(Zero);
    ArrayRef<E> Elements = Data.getElements<E>();
    for (int64_t Step : {0, 1, 3, -2}) {
      int64_t First = Step < 0 ? 9 : 1;
      N Buffer[4];
      const N *Numbers = Reader.read(First, Step, 4, Buffer);
      for (int64_t I = 0; I != 4; ++I) {
        N Expected = store<N>(load(Elements[First + I * Step]));
        EXPECT_EQ(std::memcmp(&Numbers[I], &Expected, sizeof(N)), 0)
            << T.str() << " " << Values[First + I * Step];
      }
    }
    for (size_t I = 0; I != Elements.size(); ++I) {
      N Number = Reader[I], Expected = store<N>(load(Elements[I]));
      EXPECT_EQ(std::memcmp(&Number, &Expected, sizeof(N)), 0)
          << T.str() << " " << Values[I];
    }
  });
}

template <typename N> void checkWriter(DType T) {
  constexpr int64_t Step = 2, First = 1;
  N Numbers[std::size(Values)];
  for (auto [I, Value] : llvm::enumerate(Values))
    Numbers[I] = store<N>(Value);
  int64_t Count = std::size(Values);
  Tensor Out = Tensor::allocate(T, {First + Count * Step});
  std::fill_n(Out.getMutableBytes().begin(), Out.getByteSize(), 0);
  ElementWriter<N>(Out).write(First, Count, Numbers, Step);
  dispatchDType(T, [&](auto Zero) {
    using E = decltype(Zero);
    for (int64_t I = 0; I != Count; ++I) {
      E Expected = store<E>(Numbers[I]);
      E Found = Out.getElements<E>()[First + I * Step];
      EXPECT_EQ(std::memcmp(&Found, &Expected, sizeof(E)), 0)
          << T.str() << " " << Values[I];
    }
  });
}

TEST(NumbersTest, ReadersConvert) {
  for (DType T : AllTypes) {
    checkReader<int64_t>(T);
    checkReader<uint64_t>(T);
    checkReader<float>(T);
    checkReader<double>(T);
  }
}

TEST(NumbersTest, WritersConvert) {
  for (DType T : AllTypes) {
    checkWriter<int64_t>(T);
    checkWriter<uint64_t>(T);
    checkWriter<float>(T);
    checkWriter<double>(T);
  }
}

TEST(NumbersTest, NumbersAreUsedInPlace) {
  Tensor Floats = makeValues(DType::getFloat(32));
  const float *Elements = Floats.getElements<float>().data();
  float Buffer[2];
  EXPECT_EQ(ElementReader<float>(Floats).read(3, 1, 2, Buffer), Elements + 3);
  EXPECT_EQ(ElementReader<float>(Floats).read(3, 2, 2, Buffer), Buffer);
  EXPECT_EQ(ElementWriter<float>(Floats).getPlace(3, Buffer), Elements + 3);
  // The signedness of integers does not matter.
  Tensor Integers = makeValues(DType::getInt(64));
  uint64_t Places[2];
  EXPECT_NE(ElementReader<uint64_t>(Integers).read(0, 1, 2, Places), Places);
  EXPECT_EQ(ElementReader<float>(Integers).read(0, 1, 2, Buffer), Buffer);
}

/// Every pair of data types, with a single rounding.
TEST(NumbersTest, CastsRoundOnce) {
  for (DType From : AllTypes)
    for (DType To : AllTypes) {
      Tensor Data = makeValues(From);
      Tensor Found = Tensor::allocate(To, Data.getShape());
      castElements(Data, Found, 0, Data.getNumElements());
      Tensor Expected = Tensor::allocate(To, Data.getShape());
      dispatchDType(From, [&](auto FromZero) {
        dispatchDType(To, [&](auto ToZero) {
          using E = decltype(FromZero);
          using R = decltype(ToZero);
          for (int64_t I = 0; I != Data.getNumElements(); ++I)
            Expected.getMutableElements<R>()[I] =
                store<R>(load(Data.getElements<E>()[I]));
        });
      });
      EXPECT_EQ(getBits(Found), getBits(Expected))
          << From.str() << " to " << To.str();
    }
}

TEST(NumbersTest, RoundingOfSteps) {
  EXPECT_EQ(ElementRounding<double>(DType::getFloat(16))(1 + 0x1p-11), 1);
  EXPECT_EQ(ElementRounding<double>(DType::getFloat(16))(65520), INFINITY);
  EXPECT_EQ(ElementRounding<float>(DType::getBFloat16())(1.0f + 0x1p-9f), 1);
  EXPECT_EQ(ElementRounding<double>(DType::getFloat(32))(1 + 0x1p-25), 1);
  EXPECT_EQ(ElementRounding<double>(DType::getFloat(64))(1 + 0x1p-25),
            1 + 0x1p-25);
  EXPECT_EQ(ElementRounding<int64_t>(DType::getInt(8))(200), -56);
  EXPECT_EQ(ElementRounding<uint64_t>(DType::getUInt(8))(-1), 255u);
  EXPECT_EQ(ElementRounding<uint64_t>(DType::getBool())(2), 0u);
  EXPECT_EQ(ElementRounding<int64_t>(DType::getInt(64))(INT64_MIN), INT64_MIN);
}

TEST(NumbersTest, Limits) {
  using Signed = std::pair<int64_t, int64_t>;
  using Unsigned = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(getIntegerLimits<int64_t>(DType::getInt(8)), Signed(-128, 127));
  EXPECT_EQ(getIntegerLimits<int64_t>(DType::getInt(64)),
            Signed(INT64_MIN, INT64_MAX));
  EXPECT_EQ(getIntegerLimits<uint64_t>(DType::getUInt(32)),
            Unsigned(0, UINT32_MAX));
  EXPECT_EQ(getIntegerLimits<uint64_t>(DType::getBool()), Unsigned(0, 1));
}

TEST(NumbersTest, RangesLongerThanABlock) {
  int64_t Count = 2 * BlockSize + 3;
  Tensor Data = Tensor::allocate(DType::getInt(16), {Count});
  for (int64_t I = 0; I != Count; ++I)
    Data.getMutableElements<int16_t>()[I] = I;
  Tensor Out = Tensor::allocate(DType::getInt(32), {Count});
  std::fill_n(Out.getMutableElements<int32_t>().begin(), Count, -1);
  SmallVector<std::pair<int64_t, int64_t>> Blocks;
  mapRange(ElementReader<int64_t>(Data), ElementWriter<int64_t>(Out), 1, Count,
           [&](const int64_t *X, int64_t *Place, int64_t Begin, int64_t Size) {
             Blocks.push_back({Begin, Size});
             for (int64_t I = 0; I != Size; ++I)
               Place[I] = X[I] * 2;
           });
  for (int64_t I = 0; I != Count; ++I)
    EXPECT_EQ(Out.getElements<int32_t>()[I], I == 0 ? -1 : 2 * I);
  decltype(Blocks) Expected = {
      {1, BlockSize}, {1 + BlockSize, BlockSize}, {1 + 2 * BlockSize, 2}};
  EXPECT_EQ(Blocks, Expected);
}

} // namespace

//===- NarrowFloatTest.cpp - Floats of 16 bits ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of float16 and bfloat16, compared with APFloat's.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/NarrowFloat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

template <typename E> const llvm::fltSemantics &getFormat() {
  return std::is_same_v<E, Half> ? llvm::APFloat::IEEEhalf()
                                 : llvm::APFloat::BFloat();
}

template <typename E> double read(unsigned Bits) {
  llvm::APFloat Value(getFormat<E>(), llvm::APInt(16, Bits));
  bool LosesInfo;
  Value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &LosesInfo);
  return Value.convertToDouble();
}

template <typename E> uint16_t write(double Value) {
  llvm::APFloat Result(Value);
  bool LosesInfo;
  Result.convert(getFormat<E>(), llvm::APFloat::rmNearestTiesToEven,
                 &LosesInfo);
  return Result.bitcastToAPInt().getZExtValue();
}

template <typename E> void checkAllNarrow() {
  for (unsigned Bits = 0; Bits != 1 << 16; ++Bits) {
    E Value = {uint16_t(Bits)};
    float Fast = toFloat(Value);
    double Exact = read<E>(Bits);
    if (std::isnan(Exact)) {
      EXPECT_TRUE(std::isnan(Fast)) << Bits;
      EXPECT_EQ(fromFloat<E>(Fast).Bits, write<E>(Exact)) << Bits;
      continue;
    }
    EXPECT_EQ(double(Fast), Exact) << Bits;
    EXPECT_EQ(std::signbit(Fast), std::signbit(Exact)) << Bits;
    EXPECT_EQ(fromFloat<E>(Fast).Bits, Bits);
  }
}

TEST(NarrowFloatTest, NarrowFloatsToFloatAndBack) {
  checkAllNarrow<Half>();
  checkAllNarrow<BFloat>();
}

/// Checks bit patterns spread over all floats.
template <typename E> void checkRounding() {
  for (uint64_t I = 0; I < uint64_t(1) << 32; I += 65519) {
    float Value = llvm::bit_cast<float>(uint32_t(I));
    if (std::isnan(Value))
      continue;
    EXPECT_EQ(fromFloat<E>(Value).Bits, write<E>(Value)) << I;
    // A double that would become a tie if it were first rounded to float.
    double Near = double(Value) * (1 + 0x1p-40);
    EXPECT_EQ(roundToNarrow<E>(Near).Bits, write<E>(Near)) << I;
  }
}

TEST(NarrowFloatTest, RoundsToNearestEvenOnce) {
  checkRounding<Half>();
  checkRounding<BFloat>();
}

TEST(NarrowFloatTest, TiesOfHalf) {
  EXPECT_EQ(fromFloat<Half>(1 + 0x1p-11f).Bits, 0x3c00);
  EXPECT_EQ(fromFloat<Half>(1 + 0x3p-11f).Bits, 0x3c02);
  EXPECT_EQ(roundToNarrow<Half>(1 + 0x1p-11 + 0x1p-40).Bits, 0x3c01);
  EXPECT_EQ(roundToNarrow<Half>(1 + 0x1p-11 - 0x1p-40).Bits, 0x3c00);
  EXPECT_EQ(fromFloat<Half>(65519).Bits, 0x7bff);
  EXPECT_EQ(fromFloat<Half>(65520).Bits, 0x7c00);
  EXPECT_EQ(fromFloat<Half>(0x1p-25f).Bits, 0);
  EXPECT_EQ(fromFloat<Half>(0x3p-26f).Bits, 1);
}

} // namespace

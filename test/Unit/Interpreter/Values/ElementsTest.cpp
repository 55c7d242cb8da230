//===- ElementsTest.cpp - Arithmetic of tensor elements -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of the narrow floats against those by APFloat, and of floats to
// integers.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Elements.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

template <typename E> void checkAllNarrow() {
  for (unsigned Bits = 0; Bits != 1 << 16; ++Bits) {
    E Value = {uint16_t(Bits)};
    float Fast = toFloat(Value);
    double Exact = toDouble(Value);
    if (std::isnan(Exact)) {
      EXPECT_TRUE(std::isnan(Fast)) << Bits;
      EXPECT_TRUE(std::isnan(toDouble(fromFloat<E>(Fast)))) << Bits;
      continue;
    }
    EXPECT_EQ(double(Fast), Exact) << Bits;
    EXPECT_EQ(std::signbit(Fast), std::signbit(Exact)) << Bits;
    EXPECT_EQ(fromFloat<E>(Fast).Bits, Bits);
  }
}

TEST(ElementsTest, NarrowFloatsToFloatAndBack) {
  checkAllNarrow<Half>();
  checkAllNarrow<BFloat>();
}

/// Bits spread over all floats.
template <typename E> void checkRounding() {
  for (uint64_t I = 0; I < uint64_t(1) << 32; I += 65519) {
    float Value = llvm::bit_cast<float>(uint32_t(I));
    if (std::isnan(Value))
      continue;
    EXPECT_EQ(fromFloat<E>(Value).Bits, toElement<E>(double(Value)).Bits) << I;
    // A double that a rounding to float would move onto a tie.
    double Near = double(Value) * (1 + 0x1p-40);
    EXPECT_EQ(roundToNarrow<E>(Near).Bits, toElement<E>(Near).Bits) << I;
  }
}

TEST(ElementsTest, RoundsToNearestEvenOnce) {
  checkRounding<Half>();
  checkRounding<BFloat>();
}

TEST(ElementsTest, TiesOfHalf) {
  EXPECT_EQ(fromFloat<Half>(1 + 0x1p-11f).Bits, 0x3c00);
  EXPECT_EQ(fromFloat<Half>(1 + 0x3p-11f).Bits, 0x3c02);
  EXPECT_EQ(roundToNarrow<Half>(1 + 0x1p-11 + 0x1p-40).Bits, 0x3c01);
  EXPECT_EQ(roundToNarrow<Half>(1 + 0x1p-11 - 0x1p-40).Bits, 0x3c00);
  EXPECT_EQ(fromFloat<Half>(65519).Bits, 0x7bff);
  EXPECT_EQ(fromFloat<Half>(65520).Bits, 0x7c00);
  EXPECT_EQ(fromFloat<Half>(0x1p-25f).Bits, 0);
  EXPECT_EQ(fromFloat<Half>(0x3p-26f).Bits, 1);
}

TEST(ElementsTest, FloatsToIntegers) {
  EXPECT_EQ(store<int8_t>(1.9f), 1);
  EXPECT_EQ(store<int8_t>(-1.9f), -1);
  EXPECT_EQ(store<int8_t>(300.7f), 44);
  EXPECT_EQ(store<uint8_t>(-1.0f), 255);
  EXPECT_EQ(store<int32_t>(std::nan("")), 0);
  EXPECT_EQ(store<int64_t>(1e30), INT64_MAX - 1023);
  EXPECT_EQ(store<uint64_t>(1e19), 10000000000000000000u);
  EXPECT_EQ(store<uint64_t>(1e30), UINT64_MAX);
  EXPECT_TRUE(store<bool>(0.1f));
  EXPECT_FALSE(store<bool>(std::nanf("")));
}

TEST(ElementsTest, IntegersWrap) {
  EXPECT_EQ(Wrapping<int8_t>::add(127, 1), -128);
  EXPECT_EQ(Wrapping<uint16_t>::multiply(65535, 65535), 1);
  EXPECT_EQ(Wrapping<int64_t>::subtract(INT64_MIN, 1), INT64_MAX);
  EXPECT_EQ(Wrapping<bool>::add(true, true), false);
}

} // namespace

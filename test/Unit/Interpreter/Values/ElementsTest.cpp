//===- ElementsTest.cpp - Arithmetic of tensor elements -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of the narrow floats, compared with APFloat's, and of floats to
// integers.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Elements.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

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

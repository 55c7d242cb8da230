//===- LiteralsTest.cpp - Numbers and strings as text ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace relay;

static std::string floatText(double Value, unsigned Bits) {
  char Buffer[MaxNumberLength];
  return std::string(Buffer, writeFloat(Buffer, Value, Bits));
}
static std::string intText(int64_t Value) {
  char Buffer[MaxNumberLength];
  return std::string(Buffer, writeInteger(Buffer, Value));
}

/// Returns the value of \p Text with a suffix, or the error.
static std::string read(StringRef Text, bool Negative = false) {
  NumberLiteral N;
  std::string Error = readNumber(Text, Negative, N);
  if (!Error.empty())
    return Error;
  std::string Type = " " + N.Ty.str();
  return N.IsFloat
             ? floatText(N.getFloat(N.Ty.getBits()), N.Ty.getBits()) + Type
             : intText(N.Int) + Type;
}

TEST(Literals, WriteIntegers) {
  EXPECT_EQ(intText(0), "0");
  EXPECT_EQ(intText(-7), "-7");
  EXPECT_EQ(intText(10), "10");
  EXPECT_EQ(intText(123456789), "123456789");
  EXPECT_EQ(intText(std::numeric_limits<int64_t>::max()),
            "9223372036854775807");
  EXPECT_EQ(intText(std::numeric_limits<int64_t>::min()),
            "-9223372036854775808");
  char Buffer[MaxNumberLength];
  EXPECT_EQ(std::string(Buffer, writeUnsigned(Buffer, ~uint64_t(0))),
            "18446744073709551615");
}

TEST(Literals, WriteFloats) {
  EXPECT_EQ(floatText(0, 32), "0");
  EXPECT_EQ(floatText(-0.0, 32), "-0");
  EXPECT_EQ(floatText(2, 32), "2");
  EXPECT_EQ(floatText(0.1f, 32), "0.1");
  EXPECT_EQ(floatText(0.1f, 64), "0.10000000149011612");
  EXPECT_EQ(floatText(1.0 / 3, 64), "0.3333333333333333");
  EXPECT_EQ(floatText(1e-4f, 32), "0.0001");
  EXPECT_EQ(floatText(1e-5f, 32), "1e-05");
  EXPECT_EQ(floatText(123456, 32), "123456");
  EXPECT_EQ(floatText(100000, 32), "100000");
  EXPECT_EQ(floatText(1000000, 32), "1e+06");
  EXPECT_EQ(floatText(1234567, 32), "1.234567e+06");
  EXPECT_EQ(floatText(12345.678f, 32), "12345.678");
  EXPECT_EQ(floatText(1e300, 64), "1e+300");
  EXPECT_EQ(floatText(std::numeric_limits<float>::denorm_min(), 32), "1e-45");
  // TVM does not accept the shortest digits, 3.4028235e+38.
  EXPECT_EQ(floatText(std::numeric_limits<float>::max(), 32), "3.4028234e+38");
  EXPECT_EQ(floatText(-INFINITY, 32), "-inf");
  EXPECT_EQ(floatText(NAN, 16), "nan");
  EXPECT_EQ(floatText(0.0999755859375, 16), "0.1");
}

/// Every half, and random floats and doubles, read back unchanged.
TEST(Literals, FloatsRoundTrip) {
  auto RoundTrips = [](double Value, unsigned Bits) {
    std::string Text = floatText(Value, Bits);
    NumberLiteral N;
    bool Negative = Text[0] == '-';
    StringRef Digits = StringRef(Text).drop_front(Negative);
    std::string Suffix = Bits == 32 ? "f" : "f" + std::to_string(Bits);
    EXPECT_EQ(readNumber((Digits + Suffix).str(), Negative, N), "") << Text;
    // The literal has a slice of the text.
    std::string Token = (Digits + Suffix).str();
    readNumber(Token, Negative, N);
    double Back = N.getFloat(Bits);
    return std::memcmp(&Back, &Value, sizeof(double)) == 0;
  };
  for (unsigned I = 0; I != 0x10000; ++I) {
    llvm::APFloat Half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, I));
    if (Half.isFinite()) {
      ASSERT_TRUE(RoundTrips(Half.convertToDouble(), 16)) << I;
    }
  }
  std::mt19937_64 Random(1);
  for (unsigned I = 0; I != 20000; ++I) {
    uint64_t Bits = Random();
    uint32_t HalfBits = uint32_t(Bits);
    double Double;
    float Float;
    std::memcpy(&Double, &Bits, sizeof(Double));
    std::memcpy(&Float, &HalfBits, sizeof(Float));
    if (std::isfinite(Double)) {
      ASSERT_TRUE(RoundTrips(Double, 64)) << Double;
    }
    if (std::isfinite(Float)) {
      ASSERT_TRUE(RoundTrips(Float, 32)) << Float;
    }
  }
}

TEST(Literals, ReadNumbers) {
  EXPECT_EQ(read("5"), "5 int32");
  EXPECT_EQ(read("2147483648"), "2147483648 int64");
  EXPECT_EQ(read("2147483648", true), "-2147483648 int32");
  EXPECT_EQ(read("9223372036854775808", true), "-9223372036854775808 int64");
  EXPECT_EQ(read("3i16"), "3 int16");
  EXPECT_EQ(read("3f"), "3 float32");
  EXPECT_EQ(read("1e5f"), "100000 float32");
  EXPECT_EQ(read("1E-3f64", true), "-0.001 float64");
  EXPECT_EQ(read("0.1f16"), "0.1 float16");
  // Rounded once, not through a double.
  EXPECT_EQ(read("1.000000059604644775390625001f"), "1.0000001 float32");
  EXPECT_EQ(read("1e-400f64"), "0 float64");
}

TEST(Literals, ReadNumberErrors) {
  EXPECT_EQ(read("9223372036854775808"),
            "`9223372036854775808` does not fit int64");
  EXPECT_EQ(read("32769i16", true), "`-32769` does not fit int16");
  EXPECT_EQ(read("1e39f"), "`1e39` does not fit float32");
  EXPECT_EQ(read("1.5"), "a float has a suffix: `1.5f`");
  EXPECT_EQ(read("1e5"), "a float has a suffix: `1e5f`");
  EXPECT_EQ(read("1u8"), "unknown suffix `u8` of a number");
  EXPECT_EQ(read("1.5i32"), "unknown suffix `i32` of a float");
  EXPECT_EQ(read("1f128"), "unknown suffix `f128` of a number");
  EXPECT_EQ(read("0x10"), "unknown suffix `x10` of a number");
  EXPECT_EQ(read(std::string(2000, '1') + "f"),
            "a number of more than a thousand digits");
}

TEST(Literals, ReadNonFinite) {
  NumberLiteral N;
  ASSERT_TRUE(readNonFinite("inff", true, N));
  EXPECT_EQ(N.getFloat(32), -INFINITY);
  ASSERT_TRUE(readNonFinite("nanf16", false, N));
  EXPECT_TRUE(std::isnan(N.getFloat(16)));
  EXPECT_EQ(N.Ty, DType::getFloat(16));
  for (StringRef Bad : {"inf", "nan", "inff8", "infinity", "naf", "i"})
    EXPECT_FALSE(readNonFinite(Bad, false, N)) << Bad.str();
}

TEST(Literals, DoubleSuffix) {
  EXPECT_EQ(getDoubleSuffix(0.1), "f");
  EXPECT_EQ(getDoubleSuffix(0), "f");
  EXPECT_EQ(getDoubleSuffix(-INFINITY), "f");
  EXPECT_EQ(getDoubleSuffix(1e39), "f64");
  EXPECT_EQ(getDoubleSuffix(-1e-300), "f64");
}

TEST(Literals, Strings) {
  auto Write = [](StringRef Text) {
    llvm::SmallVector<char, 32> Out;
    writeString(Out, Text);
    return std::string(Out.begin(), Out.end());
  };
  EXPECT_EQ(Write("a b"), "\"a b\"");
  EXPECT_EQ(Write("\"\\\n\t\r\x01\x7f"), "\"\\\"\\\\\\n\\t\\r\\x01\\x7F\"");
  EXPECT_EQ(Write("caf\xc3\xa9"), "\"caf\xc3\xa9\"");
  EXPECT_EQ(readString("\"a\\n\\\"\\\\\\x41\\101\\'\""), "a\n\"\\AA'");
  // TVM reads no escapes: other sequences remain unchanged.
  EXPECT_EQ(readString("\"\\w \\x \\\""), "\\w \\x \\");
  EXPECT_FALSE(hasEscapes("\"a\""));
  std::string All;
  for (unsigned C = 0; C != 256; ++C)
    All += char(C);
  EXPECT_EQ(readString(Write(All)), All);
}

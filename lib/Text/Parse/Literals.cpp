//===- Literals.cpp - Numbers and strings as text -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversion of literals. std::to_chars and std::from_chars are exact and
// shortest for float and double; half goes through APFloat.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>

using namespace relay;

//===----------------------------------------------------------------------===//
// Reading numbers
//===----------------------------------------------------------------------===//

template <typename T>
static bool readWithFromChars(StringRef Digits, double &Out) {
  T Value;
  auto [End, Error] = std::from_chars(Digits.begin(), Digits.end(), Value);
  Out = Value;
  return Error == std::errc() && End == Digits.end();
}

static double readWithAPFloat(StringRef Digits, unsigned Bits) {
  const llvm::fltSemantics &Semantics = Bits == 16 ? llvm::APFloat::IEEEhalf()
                                        : Bits == 32
                                            ? llvm::APFloat::IEEEsingle()
                                            : llvm::APFloat::IEEEdouble();
  llvm::APFloat Value(Semantics);
  auto Status =
      Value.convertFromString(Digits, llvm::APFloat::rmNearestTiesToEven);
  if (!Status) {
    llvm::consumeError(Status.takeError());
    return 0;
  }
  return Value.convertToDouble();
}

double NumberLiteral::getFloat(unsigned Bits) const {
  if (!IsFloat)
    return double(Int);
  double Value = 0;
  if (Digits == "inf")
    Value = std::numeric_limits<double>::infinity();
  else if (Digits == "nan")
    Value = std::numeric_limits<double>::quiet_NaN();
  else if (!(Bits == 64   ? readWithFromChars<double>(Digits, Value)
             : Bits == 32 ? readWithFromChars<float>(Digits, Value)
                          : false))
    Value = readWithAPFloat(Digits, Bits);
  return Negative ? -Value : Value;
}

static std::optional<unsigned> readFloatSuffix(StringRef Suffix) {
  return llvm::StringSwitch<std::optional<unsigned>>(Suffix)
      .Cases("f", "f32", 32)
      .Case("f16", 16)
      .Case("f64", 64)
      .Default(std::nullopt);
}

static std::string readFloat(StringRef Digits, unsigned Bits, bool Negative,
                             NumberLiteral &Out) {
  Out.IsFloat = true;
  Out.Ty = DType::getFloat(Bits);
  Out.Digits = Digits;
  Out.Negative = Negative;
  if (std::isinf(Out.getFloat(Bits)))
    return ("`" + Digits + "` does not fit " + Out.Ty.str()).str();
  return "";
}

static std::string readInteger(StringRef Digits, unsigned Bits, bool Negative,
                               NumberLiteral &Out) {
  uint64_t Magnitude;
  bool TooBig = Digits.getAsInteger(10, Magnitude);
  auto Fits = [&](unsigned B) {
    return !TooBig &&
           Magnitude <= (uint64_t(1) << (B - 1)) - (Negative ? 0 : 1);
  };
  if (!Bits)
    Bits = Fits(32) ? 32 : 64;
  Out.Ty = DType::getInt(Bits);
  if (!Fits(Bits))
    return ((Negative ? "`-" : "`") + Digits + "` does not fit " + Out.Ty.str())
        .str();
  Out.Int = Negative ? int64_t(0 - Magnitude) : int64_t(Magnitude);
  return "";
}

std::string relay::readNumber(StringRef Text, bool Negative,
                              NumberLiteral &Out) {
  Out = NumberLiteral();
  if (Text.size() > 1000)
    return "a number of more than a thousand digits";
  // The lexer puts all characters after digits, point and exponent into the
  // suffix.
  size_t Length =
      Text.find_if_not([](char C) { return llvm::isDigit(C) || C == '.'; });
  StringRef Whole = Text.take_front(Length);
  StringRef Suffix = Text.drop_front(Whole.size());
  bool Fraction = Whole.contains('.');
  if (Suffix.starts_with_insensitive("e")) {
    size_t End = Suffix.find_first_not_of("0123456789", 2);
    StringRef Exponent = Suffix.take_front(End);
    if (llvm::isDigit(Exponent.empty() ? 0 : Exponent.back())) {
      Whole = Text.take_front(Whole.size() + Exponent.size());
      Suffix = Suffix.drop_front(Exponent.size());
      Fraction = true;
    }
  }
  if (std::optional<unsigned> Bits = readFloatSuffix(Suffix))
    return readFloat(Whole, *Bits, Negative, Out);
  if (Fraction)
    return Suffix.empty()
               ? ("a float has a suffix: `" + Whole + "f`").str()
               : ("unknown suffix `" + Suffix + "` of a float").str();
  unsigned Bits = llvm::StringSwitch<unsigned>(Suffix)
                      .Case("i16", 16)
                      .Case("i32", 32)
                      .Case("i64", 64)
                      .Default(0);
  if (!Bits && !Suffix.empty())
    return ("unknown suffix `" + Suffix + "` of a number").str();
  return readInteger(Whole, Bits, Negative, Out);
}

bool relay::readNonFinite(StringRef Text, bool Negative, NumberLiteral &Out) {
  StringRef Digits = Text.take_front(3);
  if (Digits != "inf" && Digits != "nan")
    return false;
  std::optional<unsigned> Bits = readFloatSuffix(Text.drop_front(3));
  if (!Bits)
    return false;
  Out = NumberLiteral();
  Out.IsFloat = true;
  Out.Ty = DType::getFloat(*Bits);
  Out.Digits = Digits;
  Out.Negative = Negative;
  return true;
}

//===----------------------------------------------------------------------===//
// Writing numbers
//===----------------------------------------------------------------------===//

char *relay::writeUnsigned(char *Out, uint64_t Value) {
  static constexpr char Pairs[] = "0001020304050607080910111213141516171819"
                                  "2021222324252627282930313233343536373839"
                                  "4041424344454647484950515253545556575859"
                                  "6061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";
  char Digits[20];
  char *P = std::end(Digits);
  for (; Value >= 100; Value /= 100)
    std::memcpy(P -= 2, &Pairs[Value % 100 * 2], 2);
  if (Value >= 10)
    std::memcpy(P -= 2, &Pairs[Value * 2], 2);
  else
    *--P = char('0' + Value);
  size_t Length = std::end(Digits) - P;
  std::memcpy(Out, P, Length);
  return Out + Length;
}

char *relay::writeInteger(char *Out, int64_t Value) {
  if (Value >= 0)
    return writeUnsigned(Out, Value);
  *Out = '-';
  return writeUnsigned(Out + 1, -uint64_t(Value));
}

/// Returns the shortest digits, and the decimal exponent, that read back as the
/// positive \p Value: "15" and -2 for 0.015.
static StringRef getShortestDigits(double Value, unsigned Bits, char *Buffer,
                                   int &Exponent) {
  char Text[32];
  char *End = nullptr;
  if (Bits == 64) {
    End = std::to_chars(Text, std::end(Text), Value,
                        std::chars_format::scientific)
              .ptr;
  } else if (Bits == 32 && Value == std::numeric_limits<float>::max()) {
    // TVM compares the value as a double and rejects …35e+38.
    Exponent = 38;
    return "34028234";
  } else if (Bits == 32) {
    End = std::to_chars(Text, std::end(Text), float(Value),
                        std::chars_format::scientific)
              .ptr;
  } else {
    // Five digits distinguish any two halves.
    for (int Precision = 0; Precision != 5; ++Precision) {
      End = std::to_chars(Text, std::end(Text), Value,
                          std::chars_format::scientific, Precision)
                .ptr;
      if (readWithAPFloat(StringRef(Text, End - Text), 16) == Value)
        break;
    }
  }
  auto [Mantissa, Power] = StringRef(Text, End - Text).split('e');
  Power.consume_front("+");
  Power.getAsInteger(10, Exponent);
  char *Out = Buffer;
  for (char C : Mantissa)
    if (C != '.')
      *Out++ = C;
  return StringRef(Buffer, Out - Buffer);
}

static char *append(char *Out, StringRef Text) {
  std::memcpy(Out, Text.data(), Text.size());
  return Out + Text.size();
}

static char *writeScientific(char *Out, StringRef Digits, int Exponent) {
  *Out++ = Digits[0];
  if (Digits.size() > 1) {
    *Out++ = '.';
    Out = append(Out, Digits.drop_front());
  }
  *Out++ = 'e';
  *Out++ = Exponent < 0 ? '-' : '+';
  if (std::abs(Exponent) < 10)
    *Out++ = '0';
  return writeUnsigned(Out, std::abs(Exponent));
}

static char *writeFixed(char *Out, StringRef Digits, int Exponent) {
  if (Exponent < 0) {
    Out = append(Out, "0.");
    for (int I = -1; I != Exponent; --I)
      *Out++ = '0';
    return append(Out, Digits);
  }
  size_t Whole = Exponent + 1;
  Out = append(Out, Digits.take_front(Whole));
  for (size_t I = Digits.size(); I < Whole; ++I)
    *Out++ = '0';
  if (Digits.size() <= Whole)
    return Out;
  *Out++ = '.';
  return append(Out, Digits.drop_front(Whole));
}

char *relay::writeFloat(char *Out, double Value, unsigned Bits) {
  if (std::signbit(Value))
    *Out++ = '-';
  Value = std::fabs(Value);
  if (std::isnan(Value))
    return append(Out, "nan");
  if (std::isinf(Value))
    return append(Out, "inf");
  if (Value == 0) {
    *Out++ = '0';
    return Out;
  }
  char Buffer[32] = {};
  int Exponent = 0;
  StringRef Digits = getShortestDigits(Value, Bits, Buffer, Exponent);
  // The layout of printf's %g, which TVM prints with.
  if (Exponent < -4 || Exponent > 5)
    return writeScientific(Out, Digits, Exponent);
  return writeFixed(Out, Digits, Exponent);
}

StringRef relay::getDoubleSuffix(double Value) {
  double Magnitude = std::fabs(Value);
  bool Fits = !(Magnitude > std::numeric_limits<float>::max()) &&
              !(Magnitude < std::numeric_limits<float>::min());
  return Fits || Magnitude == 0 || std::isinf(Value) ? "f" : "f64";
}

std::optional<StringRef> relay::getScalarSuffix(DType T) {
  if (T.getLanes() != 1)
    return std::nullopt;
  if (T.isInt())
    switch (T.getBits()) {
    case 16:
      return "i16";
    case 32:
      return "";
    case 64:
      return "i64";
    }
  if (T.isFloat())
    switch (T.getBits()) {
    case 16:
      return "f16";
    case 32:
      return "f";
    case 64:
      return "f64";
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// Reads the number of an escape from \p Text: at most \p MaxDigits digits of
/// base \p Base.
static char readCode(StringRef &Text, unsigned MaxDigits, unsigned Base) {
  unsigned Code = 0;
  for (unsigned I = 0; I != MaxDigits && !Text.empty(); ++I) {
    unsigned Digit = llvm::hexDigitValue(Text.front());
    if (Digit >= Base)
      break;
    Code = Code * Base + Digit;
    Text = Text.drop_front();
  }
  return char(Code);
}

/// Reads an escape after its backslash.
static char readEscape(StringRef &Text) {
  char C = Text.front();
  if (C >= '0' && C <= '7')
    return readCode(Text, 3, 8);
  Text = Text.drop_front();
  switch (C) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case 'x':
    return readCode(Text, 2, 16);
  default:
    return C;
  }
}

static bool startsEscape(StringRef Text) {
  if (Text.starts_with("x"))
    return Text.size() > 1 && llvm::isHexDigit(Text[1]);
  return !Text.empty() && StringRef("nrt\\\"'01234567").contains(Text.front());
}

std::string relay::readString(StringRef Token) {
  StringRef Text = Token.drop_front().drop_back();
  std::string Result;
  Result.reserve(Text.size());
  while (!Text.empty()) {
    char C = Text.front();
    Text = Text.drop_front();
    bool Escape = C == '\\' && startsEscape(Text);
    Result += Escape ? readEscape(Text) : C;
  }
  return Result;
}

void relay::writeString(SmallVectorImpl<char> &Out, StringRef Text) {
  Out.push_back('"');
  for (char C : Text) {
    StringRef Named = C == '"'    ? "\\\""
                      : C == '\\' ? "\\\\"
                      : C == '\n' ? "\\n"
                      : C == '\t' ? "\\t"
                      : C == '\r' ? "\\r"
                                  : "";
    if (!Named.empty()) {
      Out.append(Named.begin(), Named.end());
    } else if (uint8_t(C) < 0x20 || C == 0x7f) {
      char Code[] = {'\\', 'x', llvm::hexdigit(uint8_t(C) >> 4),
                     llvm::hexdigit(C & 15)};
      Out.append(std::begin(Code), std::end(Code));
    } else {
      Out.push_back(C);
    }
  }
  Out.push_back('"');
}

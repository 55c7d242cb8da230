//===- Literals.h - Numbers and strings as text -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of literals, both ways: `3i64`, `1e-05f`, `"a\n"`. Floats are
// written with the fewest digits that read back as the same value, laid out as
// TVM lays them out (six digits or fewer look exactly as there).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_LITERALS_H
#define RELAY_TEXT_PARSE_LITERALS_H

#include "relay/IR/DType.h"

namespace relay {

/// The contents of a number token. A float keeps its digits, which are rounded
/// to the type of the value.
struct NumberLiteral {
  DType Ty;
  bool IsFloat = false;
  int64_t Int = 0;
  StringRef Digits; ///< without sign and suffix
  bool Negative = false;

  /// The value rounded once to a float of \p Bits (16, 32, 64).
  double getFloat(unsigned Bits = 64) const;
};

/// Reads \p Text, a Number token, after a `-` if \p Negative. An integer
/// without suffix is an int32, or an int64 if it does not fit. Returns an error
/// message on failure, "" otherwise.
std::string readNumber(StringRef Text, bool Negative, NumberLiteral &Out);

/// Reads `inff`, `nanf16`, …; false when \p Text is something else.
bool readNonFinite(StringRef Text, bool Negative, NumberLiteral &Out);

/// The value of \p Token, quotes included. Escapes: `
///  \t \r \\ \" \'`, `\xHH`, octal; any other backslash is literal.
std::string readString(StringRef Token);
/// Returns true if \p Token holds escapes, so that its value is not its text.
inline bool hasEscapes(StringRef Token) { return Token.contains('\\'); }

/// Appends \p Text in quotes. Bytes above 127 stay as they are.
void writeString(SmallVectorImpl<char> &Out, StringRef Text);

constexpr unsigned MaxNumberLength = 48;
/// Writes \p Value at \p Out and returns the end.
char *writeUnsigned(char *Out, uint64_t Value);
char *writeInteger(char *Out, int64_t Value);
/// Writes \p Value, a float of \p Bits, without suffix: `0.1`, `1e-05`, `inf`.
char *writeFloat(char *Out, double Value, unsigned Bits);

/// The suffix of an attribute that is a double: `f`, as in TVM, except for
/// values that no float is near.
StringRef getDoubleSuffix(double Value);

/// The suffix of a scalar constant of \p T: `f16`, `i64`, "" for int32. None
/// when constants of that type are not written inline.
std::optional<StringRef> getScalarSuffix(DType T);

} // namespace relay

#endif // RELAY_TEXT_PARSE_LITERALS_H

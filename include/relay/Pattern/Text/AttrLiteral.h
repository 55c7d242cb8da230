//===- AttrLiteral.h - Attribute values in patterns -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value that a pattern requires of an attribute. It belongs to no Context,
// so that patterns can be written without one: `hasAttr("kernel_size", {3,
// 3})`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_TEXT_ATTRLITERAL_H
#define RELAY_PATTERN_TEXT_ATTRLITERAL_H

#include "relay/IR/Attr.h"
#include <string>
#include <variant>
#include <vector>

namespace relay {

class AttrLiteral {
public:
  using List = std::vector<AttrLiteral>;

  AttrLiteral(bool Value) : Value(Value) {}
  AttrLiteral(int Value) : Value(Number<int64_t>{Value, DType::getInt(32)}) {}
  AttrLiteral(int64_t Value, DType T = DType::getInt(64))
      : Value(Number<int64_t>{Value, T}) {}
  AttrLiteral(double Value, DType T = DType::getFloat(32))
      : Value(Number<double>{Value, T}) {}
  AttrLiteral(StringRef Text) : Value(Text.str()) {}
  AttrLiteral(const char *Text) : Value(std::string(Text)) {}
  AttrLiteral(List Elements) : Value(std::move(Elements)) {}
  AttrLiteral(std::initializer_list<AttrLiteral> Elements)
      : Value(List(Elements)) {}

  /// Returns the value as an attribute of \p Ctx.
  Attr get(Context &Ctx) const;
  /// Prints it as in Relay text: `[3, 3]`, `0.1f`, `"NCHW"`, `True`.
  void print(raw_ostream &OS) const;
  /// Returns true if both have the same type and print alike, ignoring signs of
  /// zeros.
  friend bool operator==(const AttrLiteral &A, const AttrLiteral &B) {
    return A.Value == B.Value;
  }

private:
  template <typename T> struct Number {
    T Value;
    DType Type;

    bool operator==(const Number &Other) const {
      return Value == Other.Value && Type == Other.Type;
    }
  };
  std::variant<bool, Number<int64_t>, Number<double>, std::string, List> Value;
};

} // namespace relay

#endif // RELAY_PATTERN_TEXT_ATTRLITERAL_H

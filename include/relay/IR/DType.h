//===- DType.h - Element types ----------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data type of a tensor's elements: code, bits and lanes, as in TVM. `bool`
// is an unsigned integer of one bit. No tensor shapes here: see Type.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_DTYPE_H
#define RELAY_IR_DTYPE_H

#include "relay/Support/LLVM.h"
#include <optional>
#include <string>

namespace relay {

class DType {
public:
  enum Code : uint8_t {
    Int = 0,
    UInt = 1,
    Float = 2,
    Handle = 3,
    BFloat = 4,
    /// `custom[name]32`; the name is Context's (Context::getCustomTypeName).
    Custom = 129
  };

  constexpr DType() = default; // void
  constexpr DType(Code C, uint8_t Bits, uint16_t Lanes = 1, uint16_t Id = 0)
      : TypeCode(C), Bits(Bits), Lanes(Lanes), CustomId(Id) {}

  static constexpr DType getBool() { return DType(UInt, 1); }
  static constexpr DType getInt(unsigned Bits) { return DType(Int, Bits); }
  static constexpr DType getUInt(unsigned Bits) { return DType(UInt, Bits); }
  static constexpr DType getFloat(unsigned Bits) { return DType(Float, Bits); }
  static constexpr DType getBFloat16() { return DType(BFloat, 16); }
  static constexpr DType getVoid() { return DType(Handle, 0, 0); }

  Code getCode() const { return TypeCode; }
  unsigned getBits() const { return Bits; }
  unsigned getLanes() const { return Lanes; }
  unsigned getCustomId() const { return CustomId; }
  bool isVoid() const { return TypeCode == Handle && Bits == 0; }
  bool isBool() const { return TypeCode == UInt && Bits == 1; }
  bool isInt() const { return TypeCode == Int; }
  bool isUInt() const { return TypeCode == UInt; }
  bool isFloat() const { return TypeCode == Float; }
  bool isBFloat() const { return TypeCode == BFloat; }
  /// Returns true for floats of any format, bfloat16 included.
  bool isAnyFloat() const { return isFloat() || isBFloat(); }
  bool isInt(unsigned B) const { return isInt() && Bits == B; }
  bool isUInt(unsigned B) const { return isUInt() && Bits == B; }
  bool isFloat(unsigned B) const { return isFloat() && Bits == B; }
  /// Returns true if programs have elements of it: not `float33` or `int7`,
  /// which text may name.
  bool isCommon() const;
  /// Bytes of one element in memory (bool takes one).
  unsigned getByteSize() const { return (Bits * Lanes + 7) / 8; }

  /// All of it in 48 bits; fromRaw() is the inverse.
  uint64_t getRaw() const {
    return uint64_t(TypeCode) | uint64_t(Bits) << 8 | uint64_t(Lanes) << 16 |
           uint64_t(CustomId) << 32;
  }
  static DType fromRaw(uint64_t Raw) {
    return DType(Code(Raw & 255), Raw >> 8 & 255, Raw >> 16 & 0xffff,
                 Raw >> 32 & 0xffff);
  }
  bool operator==(DType O) const { return getRaw() == O.getRaw(); }
  bool operator!=(DType O) const { return getRaw() != O.getRaw(); }

  /// Parses `float32`, `bool`, `int8x4`, `bfloat16`, `handle`, `void`; not
  /// `custom[…]`, which needs a Context.
  static std::optional<DType> parse(StringRef Text);
  /// Prints what parse() reads; custom types as `custom[<id>]bits`.
  void print(raw_ostream &OS) const;
  std::string str() const;

private:
  Code TypeCode = Handle;
  uint8_t Bits = 0;
  uint16_t Lanes = 0;
  uint16_t CustomId = 0;
};

inline raw_ostream &operator<<(raw_ostream &OS, DType T) {
  T.print(OS);
  return OS;
}

} // namespace relay

#endif // RELAY_IR_DTYPE_H

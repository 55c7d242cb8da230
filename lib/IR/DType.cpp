//===- DType.cpp - Element types ------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing and printing of data types.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/DType.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

std::optional<DType> DType::parse(StringRef Text) {
  if (Text == "bool")
    return getBool();
  if (Text == "void" || Text.empty())
    return getVoid();
  if (Text == "handle")
    return DType(Handle, 64);
  DType Result;
  if (Text.consume_front("int"))
    Result.TypeCode = Int;
  else if (Text.consume_front("uint"))
    Result.TypeCode = UInt;
  else if (Text.consume_front("float"))
    Result.TypeCode = Float;
  else if (Text.consume_front("bfloat"))
    Result.TypeCode = BFloat;
  else
    return std::nullopt;
  unsigned Bits = 0, Lanes = 1;
  if (Text.consumeInteger(10, Bits) || Bits == 0 || Bits > 255)
    return std::nullopt;
  if (Text.consume_front("x") &&
      (Text.consumeInteger(10, Lanes) || Lanes == 0 || Lanes > 0xffff))
    return std::nullopt;
  if (!Text.empty())
    return std::nullopt;
  Result.Bits = Bits;
  Result.Lanes = Lanes;
  return Result;
}

bool DType::isCommon() const {
  switch (TypeCode) {
  case Int:
  case UInt:
    return Bits <= 64 && llvm::isPowerOf2_32(Bits);
  case Float:
    return Bits >= 8 && Bits <= 64 && llvm::isPowerOf2_32(Bits);
  case BFloat:
    return Bits == 16;
  case Handle:
  case Custom:
    return true;
  }
  llvm_unreachable("unknown kind of data type");
}

void DType::print(raw_ostream &OS) const {
  if (isVoid()) {
    OS << "void";
    return;
  }
  if (isBool() && Lanes == 1) {
    OS << "bool";
    return;
  }
  switch (TypeCode) {
  case Int:
    OS << "int";
    break;
  case UInt:
    OS << "uint";
    break;
  case Float:
    OS << "float";
    break;
  case BFloat:
    OS << "bfloat";
    break;
  case Handle:
    OS << "handle";
    return;
  case Custom:
    OS << "custom[" << CustomId << ']';
    break;
  }
  OS << unsigned(Bits);
  if (Lanes != 1)
    OS << 'x' << Lanes;
}

std::string DType::str() const {
  std::string Text;
  llvm::raw_string_ostream(Text) << *this;
  return Text;
}

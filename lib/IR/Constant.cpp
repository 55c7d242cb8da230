//===- Constant.cpp - Elements of tensor data -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between bytes and numbers. APFloat does the narrow floats.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Constant.h"
#include "relay/IR/Type.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <cmath>
#include <cstring>

using namespace relay;

static const llvm::fltSemantics &getSemantics(DType T) {
  if (T.isBFloat())
    return llvm::APFloat::BFloat();
  switch (T.getBits()) {
  case 16:
    return llvm::APFloat::IEEEhalf();
  case 32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static bool isFloating(DType T) { return T.isFloat() || T.isBFloat(); }

static uint64_t readBits(DType T, const char *Bytes, size_t I) {
  uint64_t Raw = 0;
  size_t Size = std::min(T.getByteSize(), 8u);
  std::memcpy(&Raw, Bytes + I * T.getByteSize(), Size);
  return Raw;
}

static void writeBits(DType T, char *Bytes, uint64_t Raw, size_t I) {
  size_t Size = std::min(T.getByteSize(), 8u);
  std::memcpy(Bytes + I * T.getByteSize(), &Raw, Size);
}

int64_t relay::readInt(DType T, const char *Bytes, size_t I) {
  if (isFloating(T))
    return int64_t(readDouble(T, Bytes, I));
  uint64_t Raw = readBits(T, Bytes, I);
  unsigned Bits = std::min(T.getByteSize(), 8u) * 8;
  if (T.isInt() && Bits && Bits < 64)
    return int64_t(Raw << (64 - Bits)) >> (64 - Bits);
  return Raw;
}

double relay::readDouble(DType T, const char *Bytes, size_t I) {
  if (!isFloating(T)) {
    int64_t Value = readInt(T, Bytes, I);
    return T.isUInt() ? double(uint64_t(Value)) : double(Value);
  }
  llvm::APFloat Value(getSemantics(T), llvm::APInt(T.getBits() == 16   ? 16
                                                   : T.getBits() == 32 ? 32
                                                                       : 64,
                                                   readBits(T, Bytes, I)));
  bool LosesInfo;
  Value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &LosesInfo);
  return Value.convertToDouble();
}

void relay::writeInt(DType T, char *Bytes, int64_t Value, size_t I) {
  if (isFloating(T))
    return writeDouble(T, Bytes, double(Value), I);
  writeBits(T, Bytes, T.isBool() ? Value != 0 : Value, I);
}

void relay::writeDouble(DType T, char *Bytes, double Value, size_t I) {
  if (!isFloating(T)) {
    // Out of range is undefined in C++; saturate.
    double Clamped = std::isnan(Value) ? 0
                     : Value >= 9223372036854775807.0
                         ? 9223372036854774784.0
                         : std::max(Value, -9223372036854775808.0);
    return writeInt(T, Bytes, int64_t(Clamped), I);
  }
  llvm::APFloat Result(Value);
  bool LosesInfo;
  Result.convert(getSemantics(T), llvm::APFloat::rmNearestTiesToEven,
                 &LosesInfo);
  writeBits(T, Bytes, Result.bitcastToAPInt().getZExtValue(), I);
}

size_t relay::getNumElements(const ConstantData &C) {
  return C.Ty->getNumElements().value_or(0);
}

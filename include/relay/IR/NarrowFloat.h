//===- NarrowFloat.h - Floats of 16 bits ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// float16 and bfloat16 as they are stored, and their conversions, which are the
// same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_NARROWFLOAT_H
#define RELAY_IR_NARROWFLOAT_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace relay {

/// IEEE 754 binary16, as stored.
struct Half {
  uint16_t Bits = 0;
};
/// The upper half of an IEEE 754 binary32, as stored.
struct BFloat {
  uint16_t Bits = 0;
};

/// Exact.
inline float toFloat(BFloat Value) {
  return llvm::bit_cast<float>(uint32_t(Value.Bits) << 16);
}
inline float toFloat(Half Value) {
  uint32_t Sign = uint32_t(Value.Bits & 0x8000) << 16;
  uint32_t Rest = uint32_t(Value.Bits & 0x7fff) << 13;
  if (Rest >= 0x0f800000) // infinite, or NaN, which becomes quiet
    Rest |= 0x7f800000 | (Rest > 0x0f800000 ? 0x400000 : 0);
  else if (Rest >= 0x00800000)
    Rest += uint32_t(127 - 15) << 23;
  else // 2^-24 times an integer
    Rest = llvm::bit_cast<uint32_t>(float(Value.Bits & 0x7fff) * 0x1p-24f);
  return llvm::bit_cast<float>(Sign | Rest);
}

/// Rounded to nearest even.
template <typename E> E fromFloat(float Value);
template <> inline BFloat fromFloat<BFloat>(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  if ((Bits & 0x7fffffff) > 0x7f800000) // NaN
    return {uint16_t(Bits >> 16 | 0x40)};
  return {uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16)};
}
template <> inline Half fromFloat<Half>(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  uint16_t Sign = Bits >> 16 & 0x8000;
  Bits &= 0x7fffffff;
  if (Bits > 0x7f800000) // NaN
    return {uint16_t(Sign | 0x7e00 | (Bits >> 13 & 0x3ff))};
  if (Bits >= 0x477ff000) // rounds to infinity
    return {uint16_t(Sign | 0x7c00)};
  if (Bits < 0x38800000) { // rounds to a multiple of 2^-24
    // The addition rounds: 0.5 has the unit 2^-24.
    float Sum = llvm::bit_cast<float>(Bits) + 0.5f;
    return {uint16_t(Sign | (llvm::bit_cast<uint32_t>(Sum) & 0x7fff))};
  }
  Bits += 0xfff + (Bits >> 13 & 1) - (uint32_t(127 - 15) << 23);
  return {uint16_t(Sign | Bits >> 13)};
}

/// The narrow float nearest to \p Value, rounded once.
template <typename E> E roundToNarrow(double Value) {
  // Rounding to odd keeps the information for the second rounding.
  float Nearest = float(Value);
  if (double(Nearest) != Value && !std::isnan(Value) && !std::isinf(Nearest)) {
    uint32_t Bits = llvm::bit_cast<uint32_t>(Nearest);
    if (std::abs(double(Nearest)) > std::abs(Value))
      --Bits;
    Nearest = llvm::bit_cast<float>(Bits | 1);
  }
  return fromFloat<E>(Nearest);
}

} // namespace relay

#endif // RELAY_IR_NARROWFLOAT_H

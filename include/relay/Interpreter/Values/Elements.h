//===- Elements.h - Arithmetic of tensor elements ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types in which kernels compute with elements, and the conversions between
// them. Results are the same on every machine: there is no fused multiply-add,
// and functions of float32 are computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_ELEMENTS_H
#define RELAY_INTERPRETER_VALUES_ELEMENTS_H

#include "relay/IR/Constant.h"
#include "llvm/ADT/bit.h"

namespace relay {

/// float16 and bfloat16, which C++ cannot compute with.
template <typename E>
constexpr bool IsNarrowFloat =
    std::is_same_v<E, Half> || std::is_same_v<E, BFloat>;
template <typename E>
constexpr bool IsFloat = std::is_floating_point_v<E> || IsNarrowFloat<E>;

/// In which type an operation on E is computed, before it is rounded to E:
/// float for the narrow floats, else E itself.
template <typename E>
using ComputeType = std::conditional_t<IsNarrowFloat<E>, float, E>;
/// As toDouble() and toElement(), for the many elements of tensors.
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
inline float toFloat(float Value) { return Value; }

/// Rounded to nearest even.
template <typename E> E fromFloat(float Value);
template <> inline float fromFloat<float>(float Value) { return Value; }
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

/// An element as the type that is computed with.
template <typename E> ComputeType<E> load(E Value) {
  if constexpr (IsNarrowFloat<E>)
    return toFloat(Value);
  else
    return Value;
}

/// An element from a result of any arithmetic type: floats are rounded once, to
/// nearest even; integers keep their low bits; a bool is whether it is not 0.
/// A float becomes an integer as by convertFloat().
template <typename E, typename R> E store(R Value);

/// Converts a float to an integer as TVM's code does, truncated towards zero.
/// Values outside of the type are undefined in TVM; here they are clamped to
/// int64 (to E, for 64 bits) and truncated to the low bits, and NaN is 0, also
/// for bool.
template <typename E> E convertFloat(double Value) {
  if constexpr (std::is_same_v<E, bool>)
    return Value < 0 || Value > 0;
  else if constexpr (std::is_same_v<E, uint64_t>)
    return Value >= 0x1p63 ? (Value < 0x1p64 ? uint64_t(Value) : UINT64_MAX)
                           : uint64_t(truncateToInt64(Value));
  else
    return E(truncateToInt64(Value));
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

template <typename E, typename R> E store(R Value) {
  if constexpr (IsNarrowFloat<E> && std::is_same_v<R, float>)
    return fromFloat<E>(Value);
  else if constexpr (IsNarrowFloat<E>)
    return roundToNarrow<E>(double(Value));
  else if constexpr (std::is_integral_v<E> && std::is_floating_point_v<R>)
    return convertFloat<E>(Value);
  else if constexpr (std::is_same_v<E, bool>)
    return Value != R(0);
  else
    return E(Value);
}

/// Sums, differences and products of integers, which wrap around; bool has one
/// bit.
template <typename E> struct Wrapping {
  static_assert(std::is_integral_v<E>);
  using Unsigned = std::conditional_t<sizeof(E) == 8, uint64_t, uint32_t>;
  static E wrap(Unsigned Value) {
    return std::is_same_v<E, bool> ? E(Value & 1) : E(Value);
  }
  static E add(E L, E R) { return wrap(Unsigned(L) + Unsigned(R)); }
  static E subtract(E L, E R) { return wrap(Unsigned(L) - Unsigned(R)); }
  static E multiply(E L, E R) { return wrap(Unsigned(L) * Unsigned(R)); }
};

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_ELEMENTS_H

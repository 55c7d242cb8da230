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

namespace relay {

/// True for float16 and bfloat16, which C++ cannot compute with.
template <typename E>
constexpr bool IsNarrowFloat =
    std::is_same_v<E, Half> || std::is_same_v<E, BFloat>;
template <typename E>
constexpr bool IsFloat = std::is_floating_point_v<E> || IsNarrowFloat<E>;

/// The type in which an operation on E is computed before it is rounded to E:
/// float for the narrow floats, otherwise E itself.
template <typename E>
using ComputeType = std::conditional_t<IsNarrowFloat<E>, float, E>;
inline float toFloat(float Value) { return Value; }

template <> inline float fromFloat<float>(float Value) { return Value; }

/// Converts an element to its ComputeType.
template <typename E> ComputeType<E> load(E Value) {
  if constexpr (IsNarrowFloat<E>)
    return toFloat(Value);
  else
    return Value;
}

/// Converts a result of any arithmetic type to an element: floats are rounded
/// once, to nearest even; integers keep their low bits; a bool is true unless
/// the result is 0. A float becomes an integer as by convertFloat().
template <typename E, typename R> E store(R Value);

/// Converts a float to an integer as TVM's code does, truncated towards zero.
/// TVM leaves values outside of the type undefined; here they are clamped to
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

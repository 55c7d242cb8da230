//===- RequantizeMode.h - Methods of changes of scale -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The method of changes of scale of quantized numbers: the quotient of the
// scales as a fixed-point number, the rounding, and the type of the
// computation. Shared by the kernels of Ops/QNN.td and the passes that lower
// these operators.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_REQUANTIZEMODE_H
#define RELAY_OPS_REQUANTIZEMODE_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace relay {

/// Significand * 2^(Shift - 31), where the significand is in (-2^31, 2^31).
struct FixedPoint {
  int32_t Significand = 0;
  int Shift = 0;

  /// Returns the finite \p Value rounded to 31 bits.
  static FixedPoint get(double Value);
};

/// The direction in which halves are rounded.
enum class HalfRounding : uint8_t {
  Upward,   ///< the larger one
  ToNearest ///< the one away from zero
};

/// The method of a change of scale: the rounding, and the type of the
/// computation.
struct RequantizeMode {
  enum class Compute : uint8_t { Int64, Float32, Float64 };

  HalfRounding Rounding = HalfRounding::Upward;
  Compute In = Compute::Int64;
  /// True if floats are rounded by casts to integers and back, as for targets
  /// without SSE4.1; numbers beyond these integers then wrap around.
  bool RoundsByCasts = true;

  /// Reads TVM's `UPWARD` and `TONEAREST`; none for other texts.
  static std::optional<HalfRounding> parseRounding(StringRef Text);
  /// Reads `int64`, `float32` and `float64`; none for other texts.
  static std::optional<Compute> parseCompute(StringRef Text);
};

} // namespace relay

#endif // RELAY_OPS_REQUANTIZEMODE_H

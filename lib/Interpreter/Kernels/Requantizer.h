//===- Requantizer.h - Conversion between scales ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers that represent real numbers by a scale and a zero point, for the
// kernels of Ops/QNN.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_REQUANTIZER_H
#define RELAY_LIB_INTERPRETER_KERNELS_REQUANTIZER_H

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/RequantizeMode.h"

namespace relay {

/// The largest shift of a product in 64 bits. TVM leaves larger ones undefined.
constexpr int64_t MaxProductShift = 63;

/// Returns \p X times 2^LeftShift * Significand * 2^-RightShift, rounded, in 64
/// bits as in TVM. RightShift is not 0.
inline int32_t multiplyShifted(int32_t X, int64_t Significand, int LeftShift,
                               int RightShift,
                               HalfRounding Rounding = HalfRounding::Upward) {
  uint64_t Product =
      (uint64_t(int64_t(X)) << LeftShift) * uint64_t(Significand);
  uint64_t Half = uint64_t(1) << (RightShift - 1);
  if (Rounding == HalfRounding::ToNearest && int64_t(Product) < 0)
    --Half;
  return int32_t(int64_t(Product + Half) >> RightShift);
}

/// Returns \p X times \p F, rounded; 0 for a shift that is out of range.
inline int32_t
multiplyFixedPoint(int32_t X, FixedPoint F,
                   HalfRounding Rounding = HalfRounding::Upward) {
  int LeftShift = std::max(F.Shift, 0), RightShift = 31 - std::min(F.Shift, 0);
  if (LeftShift > MaxProductShift || RightShift > MaxProductShift)
    return 0;
  return multiplyShifted(X, F.Significand, LeftShift, RightShift, Rounding);
}

/// The tensor as [Outer, Channels, Inner]: parameters are by channel.
struct ChannelView {
  int64_t Outer = 1, Channels = 1, Inner = 1;

  /// Returns the view with the channels along \p Axis of \p Shape.
  static ChannelView get(ArrayRef<int64_t> Shape, unsigned Axis);
  /// Returns the view with a single channel.
  static ChannelView getWhole(int64_t NumElements) {
    return {NumElements, 1, 1};
  }
};

/// Fills \p Out from \p Data, which has the same number of elements, in
/// parallel: \p F computes \p Count results from as many numbers of one channel
/// of \p View.
template <typename R, typename N>
void mapChannels(
    const KernelCall &Call, const Tensor &Data, const ChannelView &View,
    Tensor &Out,
    function_ref<void(const N *X, R *Results, int64_t Count, int64_t Channel)>
        F);

/// Returns the view of \p Data that matches the operands \p Params, scalars or
/// vectors: one channel if all are scalars, otherwise the channels along \p
/// Axis. Reports an invalid axis and vectors of another length.
FailureOr<ChannelView> getChannels(const KernelCall &Call, const Tensor &Data,
                                   int64_t Axis, ArrayRef<unsigned> Params);

/// Returns the element of operand \p I for \p Channel.
inline double getScale(const KernelCall &Call, unsigned I, int64_t Channel) {
  const Tensor &T = Call.getInput(I);
  return T.getDouble(T.getNumElements() == 1 ? 0 : Channel);
}
inline int32_t getZeroPoint(const KernelCall &Call, unsigned I,
                            int64_t Channel) {
  const Tensor &T = Call.getInput(I);
  return int32_t(T.getInt(T.getNumElements() == 1 ? 0 : Channel));
}

/// Reports an error unless elements of \p T are integers, bool excluded.
LogicalResult checkQuantized(const KernelCall &Call, DType T);

/// Clamps int32 to the integers of a data type, and floats likewise: NaN
/// becomes the largest.
class Saturation {
public:
  explicit Saturation(DType T);

  int64_t operator()(int32_t Value) const {
    return std::min<int64_t>(std::max<int64_t>(Value, Min), Max);
  }
  int64_t truncate(float Value) const {
    float Upper = Value < FloatMax ? Value : FloatMax;
    return truncateToInt64(Upper > FloatMin ? Upper : FloatMin);
  }

private:
  int64_t Min, Max; ///< of int32 that fit the type
  float FloatMin, FloatMax;
};

/// Converts integers from one scale and zero point to another, as TVM's
/// `qnn.requantize` on a CPU.
class Requantizer {
public:
  /// Returns a conversion from operands \p Scale and \p ZeroPoint to operands
  /// \p OutScale and \p OutZeroPoint, which are scalars, for \p NumChannels
  /// channels, by the method of the environment or \p M. Reports scales whose
  /// quotient is not finite.
  static FailureOr<Requantizer> get(const KernelCall &Call, unsigned Scale,
                                    unsigned ZeroPoint, unsigned OutScale,
                                    unsigned OutZeroPoint,
                                    int64_t NumChannels = 1);
  static FailureOr<Requantizer> get(const KernelCall &Call, unsigned Scale,
                                    unsigned ZeroPoint, unsigned OutScale,
                                    unsigned OutZeroPoint, int64_t NumChannels,
                                    RequantizeMode M);

  Requantizer(int32_t OutZeroPoint, RequantizeMode M)
      : M(M), OutZeroPoint(OutZeroPoint) {}
  /// Adds the next channel with its zero point and the quotient of its scale
  /// and the result's. Reports a quotient that is not finite.
  LogicalResult addChannel(const KernelCall &Call, float Scale,
                           int32_t ZeroPoint, float OutScale);
  /// Lets apply() keep integers whose scale and zero point are the result's:
  /// floats do not represent all of int32.
  void keepEqual() { KeepsEqual = true; }

  /// Returns \p X in the result's scale, with its zero point, before clamping
  /// to the result's type.
  int32_t apply(int64_t X, int64_t Channel = 0) const {
    using Compute = RequantizeMode::Compute;
    const Parameters &P = Channels[Channel];
    if (KeepsEqual && P.Ratio == 1 && P.ZeroPoint == OutZeroPoint)
      return int32_t(X);
    if (M.In == Compute::Float32)
      return applyFloats<float>(float(X), float(P.Ratio), P);
    if (M.In == Compute::Float64)
      return applyFloats<double>(double(X), P.Ratio, P);
    using W = Wrapping<int32_t>;
    int32_t Product = multiplyFixedPoint(W::subtract(int32_t(X), P.ZeroPoint),
                                         P.Factor, M.Rounding);
    return W::add(OutZeroPoint, Product);
  }

private:
  struct Parameters {
    int32_t ZeroPoint;
    FixedPoint Factor;
    double Ratio;
  };
  template <typename F>
  int32_t applyFloats(F X, F Ratio, const Parameters &P) const {
    F Scaled = (X - F(P.ZeroPoint)) * Ratio + F(OutZeroPoint);
    double Rounded = roundHalf<F>(Scaled);
    // As cast does; TVM leaves values beyond int32 to the machine.
    return int32_t(truncateToInt64(Rounded));
  }
  /// Rounds as M selects.
  template <typename F> F roundHalf(F Value) const {
    if (!std::isfinite(Value))
      return Value;
    if (M.RoundsByCasts)
      return roundByCasts(Value);
    if (M.Rounding == HalfRounding::ToNearest)
      return std::round(Value);
    return std::floor(Value + F(0.5));
  }

  /// Rounds like the operations that qnn-canonicalize creates.
  template <typename F> F roundByCasts(F Value) const {
    auto Truncate = [](F X) {
      using Integer = std::conditional_t<sizeof(F) == 4, int32_t, int64_t>;
      return F(Integer(truncateToInt64(X)));
    };
    if (M.Rounding == HalfRounding::ToNearest) {
      F Sign = Value < 0 ? F(-1) : F(1);
      return Truncate((Value + F(0.5) * Sign) * Sign) * Sign;
    }
    F Sum = Value + F(0.5), Truncated = Truncate(Sum);
    return Sum == Truncated || Sum >= 0 ? Truncated : Truncated - F(1);
  }

  RequantizeMode M;
  int32_t OutZeroPoint;
  bool KeepsEqual = false;
  SmallVector<Parameters, 1> Channels;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_REQUANTIZER_H

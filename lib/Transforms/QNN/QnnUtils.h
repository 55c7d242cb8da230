//===- QnnUtils.h - Parts of lowered quantized operators --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the lowerings: constant scales and zero points, vectors along an
// axis, saturation, changes of scale, and features of targets.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_QNN_QNNUTILS_H
#define RELAY_LIB_TRANSFORMS_QNN_QNNUTILS_H

#include "Padding.h"
#include "TargetFeatures.h"
#include "TensorUtils.h"
#include "relay/Transforms/QNN/QnnLowering.h"

namespace relay {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Returns the value of \p V if it is a constant scalar of int32, else none. As
/// in TVM, a variable of a `let` is not a constant.
std::optional<int32_t> getZeroPoint(const Value *V);
inline bool isZeroPointOf(const Value *V, int32_t Number) {
  return getZeroPoint(V) == Number;
}
/// Returns true if \p L and \p R are constant scalars with the same bits.
bool areSameScalars(const Value *L, const Value *R);

/// \p Number in messages: `0.5`, `1e-10`, `nan`.
std::string formatNumber(double Number);

/// Constant scales: one number, or one for each channel.
struct Scales {
  SmallVector<float, 4> Numbers;
  bool IsVector = false;

  /// Returns true if both are one number and have the same bits.
  bool isSameScalar(const Scales &Other) const;
};

/// Reads the constant \p V, \p Name of \p Op. Reports an error unless it is a
/// constant of finite numbers that are not negative.
FailureOr<Scales> readScales(const QnnLowering &Op, const Value *V,
                             const Twine &Name);
/// Reads the constant \p V, the scale of the result, named \p Name. Reports an
/// error unless it is one number greater than 0.
FailureOr<Scales> readResultScale(const QnnLowering &Op, const Value *V,
                                  const Twine &Name);

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Like expandAlongAxis(), but also makes vectors of scalars. As in TVM, except
/// for tensors without dimensions.
Value *reshapeAlongAxis(Builder &B, Value *V, int64_t Axis, int64_t Rank);
/// \p V clamped to the numbers of \p T, an integer type, and converted to it.
Value *saturate(Builder &B, Value *V, DType T);

//===----------------------------------------------------------------------===//
// Changes of scale
//===----------------------------------------------------------------------===//

/// A change of scale: scale and zero point of a tensor of integers, and of the
/// result.
struct ScaleChange {
  Scales From, To;
  Value *FromZeroPoint = nullptr; ///< null for 0
  Value *ToZeroPoint = nullptr;
  /// True if scale and zero point stay the same; the other fields are not set.
  bool IsIdentity = false;
  int64_t Axis = -1; ///< of vectors
  DType Result = DType::getInt(32);
  RequantizeMode Mode = {};
  /// The shape of the constants by which products are rounded, broadcast to
  /// the tensor; that of the tensor if it is null.
  const TensorType *RoundingShape = nullptr;
};

/// Reads the change of scale from \p From, \p FromName of \p Op, to \p To, the
/// `output_scale`.
FailureOr<ScaleChange> readScaleChange(const QnnLowering &Op, Value *From,
                                       Value *FromZeroPoint, Value *To,
                                       Value *ToZeroPoint,
                                       const Twine &FromName);
/// Like readScaleChange(), but also recognizes identities, whose scales may be
/// any constants.
FailureOr<ScaleChange> readChangeOrIdentity(const QnnLowering &Op, Value *From,
                                            Value *FromZeroPoint, Value *To,
                                            Value *ToZeroPoint,
                                            const Twine &FromName);

/// \p Value as the factor of a fixed_point_multiply; 0 if it would shift by 64
/// bits or more, which TVM leaves undefined.
FixedPoint getUpwardFactor(double Value);

/// \p Data, a tensor of integers, in another scale: the lowering of
/// qnn.requantize.
Value *changeScale(Builder &B, const QnnLowering &Op, Value *Data,
                   const ScaleChange &C);
/// Like changeScale(), but creates only a cast if \p C is an identity.
Value *changeScaleOrCast(Builder &B, const QnnLowering &Op, Value *Data,
                         const ScaleChange &C);

/// \p V, floats, rounded to integers, by operations of its own type.
/// Uses `floor` and `round` if \p HasRounding.
Value *roundFloats(Builder &B, Value *V, HalfRounding Rounding,
                   bool HasRounding);

/// The lowering of qnn.dequantize to float32.
Value *dequantize(Builder &B, Value *Data, Value *Scale, Value *ZeroPoint,
                  int64_t Axis);
/// The lowering of qnn.quantize to \p T.
Value *quantize(Builder &B, Value *Data, Value *Scale, Value *ZeroPoint,
                int64_t Axis, DType T);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_QNN_QNNUTILS_H

//===- ScaleAxis.h - Scales along axes of tensors ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of the hooks of ScaleAxis.td. A scale multiplies a
// tensor along its channels: along one axis, or with a blocked layout along the
// axis and its blocks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SCALE_SCALEAXIS_H
#define RELAY_TRANSFORMS_SCALE_SCALEAXIS_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// The scales of a tensor that can be folded.
struct ScaleRequest {
  /// The axes along which a scale varies, ascending; empty for no request.
  SmallVector<unsigned, 2> Axes;
  /// True if the elements of a scale must not be negative.
  bool MustBePositive = false;
  /// True if values are divided by the scale.
  bool IsDivisor = false;

  explicit operator bool() const { return !Axes.empty(); }
};

/// A request for the scale of operand Index.
struct OperandRequest {
  unsigned Index = 0;
  ScaleRequest Request;
};

/// A factor, with one dimension for each of Axes of the scaled tensor.
struct AxisScale {
  Value *Factor = nullptr;
  SmallVector<unsigned, 2> Axes;
  Location Loc; ///< of the multiplication
};

/// A value and the scale by which it is to be multiplied, if there is one.
struct ScaledValue {
  ScaledValue() = default;
  ScaledValue(Value *V, AxisScale Scale = {}) : V(V), Scale(Scale) {}

  Value *V = nullptr;
  AxisScale Scale;
};

/// The argument of ForwardScaleRule: an operation that requested a scale of
/// operand Index, which is Operand times its scale. The rule creates the
/// operation of V, and returns its result with the scale that it has passed on.
struct ForwardScale {
  const Operation &Op;
  unsigned Index;
  ScaledValue Operand;

  /// The operands of Op with that of Index replaced by Operand.V.
  SmallVector<Value *, 2> getOperands() const;
};

/// The argument of BackwardScaleRule: an operation whose result is to be
/// multiplied by Scale. A rule sets operands to new values, or passes the scale
/// on to operands that requested it.
class BackwardScale {
public:
  BackwardScale(const Operation &Op, AxisScale Scale,
                SmallVector<ScaleRequest, 2> Requests);

  const Operation &getOp() const { return *Op; }
  const AxisScale &getScale() const { return Scale; }
  /// The requests of the operands, possibly none.
  ArrayRef<ScaleRequest> getRequests() const { return Requests; }

  Value *getOperand(unsigned I) const { return Operands[I]; }
  void setOperand(unsigned I, Value *V) { Operands[I] = V; }
  /// Multiplies operand \p I, which requested the scale, by Scale.
  void passOn(unsigned I) { PassedOn.push_back(I); }

  ArrayRef<Value *> getOperands() const { return Operands; }
  ArrayRef<unsigned> getPassedOn() const { return PassedOn; }

private:
  const Operation *Op;
  AxisScale Scale;
  SmallVector<ScaleRequest, 2> Requests;
  SmallVector<Value *, 2> Operands;
  SmallVector<unsigned, 2> PassedOn;
};

} // namespace relay

#include "relay/Transforms/Scale/ScaleAxis.h.inc"

#endif // RELAY_TRANSFORMS_SCALE_SCALEAXIS_H

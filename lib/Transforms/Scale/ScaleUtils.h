//===- ScaleUtils.h - Factors along axes ---------------------- -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the passes and the hooks of ScaleAxis.td: which operand of a
// multiplication is a scale along axes, and the shapes that a factor takes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_SCALE_SCALEUTILS_H
#define RELAY_LIB_TRANSFORMS_SCALE_SCALEUTILS_H

#include "TensorUtils.h"
#include "relay/Transforms/Scale/ScaleAxis.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// Creates \p Op with operands of other values, but of the same types.
Operation *recreate(Builder &B, const Operation &Op,
                    ArrayRef<Value *> Operands);

/// Returns true if \p V broadcasts to \p Data along \p Axes only: it has the
/// extents of Data along them, and other dimensions, if any, have length 1.
bool isAlongAxes(const TensorType *Data, const TensorType *V,
                 ArrayRef<unsigned> Axes);

/// Returns true if \p Product, a multiplication, multiplies operand \p Data by
/// a scale, its other operand, that \p Request accepts.
bool isScaled(const Operation &Product, unsigned Data,
              const ScaleRequest &Request);
/// Creates the scale of such a product by squeezing or repeating its operand.
AxisScale createScale(Builder &B, const Operation &Product, unsigned Data,
                      const ScaleRequest &Request);

/// The operands of multiplications whose evaluation has an effect. They cannot
/// become scales, which are evaluated elsewhere.
class FixedScales {
public:
  explicit FixedScales(Function &F);

  bool contains(const Operation &Product, unsigned Operand) const {
    return Fixed.contains({&Product, Operand});
  }

private:
  llvm::DenseSet<std::pair<const Operation *, unsigned>> Fixed;
};

/// Returns true if a factor for \p Axes of a tensor of type \p T can be
/// created by alignFactor().
bool canAlignFactor(const TensorType *T, ArrayRef<unsigned> Axes);
/// Returns \p Factor with dimensions of length 1, so that it broadcasts to the
/// type \p T along \p Axes.
Value *alignFactor(Builder &B, Value *Factor, const TensorType *T,
                   ArrayRef<unsigned> Axes);
/// Returns \p V times \p Factor along \p Axes.
Value *multiplyAlong(Builder &B, Value *V, Value *Factor,
                     ArrayRef<unsigned> Axes);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_SCALE_SCALEUTILS_H

//===- GradientUtils.h - Parts of gradients ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What rules of several families create.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTUTILS_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTUTILS_H

#include "TensorUtils.h"
#include "relay/Transforms/Gradient/Gradient.h"

namespace relay {

/// Tensors of zeros or ones, of the type of \p V.
Value *zerosLike(Rewriter &R, Value *V);
Value *onesLike(Rewriter &R, Value *V);

/// \p First, and zeros for all further operands.
GradientList withZeros(Rewriter &R, const GradientRequest &G, Value *First);

/// \p First and \p Second, summed to the shapes of the first two operands.
GradientList collapseBoth(Rewriter &R, const GradientRequest &G, Value *First,
                          Value *Second);

/// The scalar \p Number of the data type of the first operand. Reports an error
/// if that is not a tensor of numbers.
FailureOr<Value *> getScalarOfData(Rewriter &R, const GradientRequest &G,
                                   double Number);

/// The vector of int32 with the limits or strides \p List of a slice. Numbers
/// outside of int32 become the nearest ones.
Value *createLimitVector(Rewriter &R, ArrayRef<int64_t> List);

/// The extent of the first dimension of \p V, int32.
Value *createLength(Rewriter &R, Value *V);

/// The extent of dimension \p I of \p T. Reports an error if it is not known.
FailureOr<int64_t> getStaticExtent(const GradientRequest &G,
                                   const TensorType *T, unsigned I);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTUTILS_H

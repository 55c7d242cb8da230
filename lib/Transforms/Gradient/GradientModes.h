//===- GradientModes.h - Differentiation of functions -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two modes of gradient. A function of (a, b, ...) with the result r
// becomes a function of the same parameters with the result (r, (da, db, ...)),
// where da is the gradient of the sum of the elements of r with respect to a.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTMODES_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTMODES_H

#include "relay/IR/OpHooks.h"
#include "relay/Transforms/Gradient/Gradient.h"

namespace relay {

/// Replaces the body of \p F by straight-line code: the operations of F, then
/// the gradients in reverse order. Supports operators, tuples, constants and
/// `let`. Reports an error, and may leave F changed, if something has no
/// gradient.
LogicalResult differentiateFirstOrder(Function &F,
                                      const OpHooks<GradientRule> &Rules);

/// Replaces the body of \p F by code that keeps the gradient of each value in a
/// reference and chains closures that update these. Supports closures,
/// branches and references too; the result can be differentiated again as far
/// as its operators have gradients. Otherwise like differentiateFirstOrder().
LogicalResult differentiateHigherOrder(Function &F,
                                       const OpHooks<GradientRule> &Rules);

/// Reports that the operator \p Op has no gradient or, if \p Mode is not empty,
/// that this mode does not support it.
LogicalResult reportNoGradient(const Operation &Op, StringRef Mode);

/// Returns how messages call \p Op: "a closure", "'nn.relu'".
std::string describeConstruct(const Operation &Op);

/// Returns true if \p T is a tensor, or a tuple of such types.
bool consistsOfTensors(Type *T);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_GRADIENTMODES_H

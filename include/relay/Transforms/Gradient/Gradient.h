//===- Gradient.h - Gradients of operators ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument and the result of the hooks GradientRule of Gradients.td, and
// the hooks themselves.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_GRADIENT_GRADIENT_H
#define RELAY_TRANSFORMS_GRADIENT_GRADIENT_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// The argument of GradientRule: a call of an operator whose gradients are
/// requested.
struct GradientRequest {
  /// The call in the original function: its attributes and types.
  const Operation &Op;
  /// The operands with which the call is computed. Their types may be unknown
  /// yet; getOperandType() is known.
  ArrayRef<Value *> Operands;
  /// The same call of Operands.
  Value *Result;
  /// The gradient of the result, of the type of the result.
  Value *Gradient;

  /// The type of operand \p I, a tensor; null if it is not known to be one.
  const TensorType *getOperandType(unsigned I) const;
  /// Reports an error at the call, which names the operator.
  InFlightDiagnostic emitError() const;
};

/// The result of GradientRule: the gradient of each operand, of the type of the
/// operand.
using GradientList = SmallVector<Value *, 3>;

} // namespace relay

#include "relay/Transforms/Gradient/Gradients.h.inc"

#endif // RELAY_TRANSFORMS_GRADIENT_GRADIENT_H

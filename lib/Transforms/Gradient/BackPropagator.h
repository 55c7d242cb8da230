//===- BackPropagator.h - Closures that propagate gradients -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closures of mode higher_order. A pair is a tensor with the reference to
// its gradient.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_BACKPROPAGATOR_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_BACKPROPAGATOR_H

#include "relay/IR/OpHooks.h"
#include "relay/Transforms/Gradient/Gradient.h"

namespace relay {

/// A call of an operator in a function of pairs.
struct PropagatedCall {
  const Operation &Op;        ///< the call in the original function
  StringRef Name;             ///< of bindings, interned
  ArrayRef<Value *> Pairs;    ///< for each operand the pairs
  ArrayRef<Value *> Operands; ///< for each operand the tensors
  Value *ResultPair;
  Value *Previous; ///< the closure to call at the end
};

/// `ref(fn () -> ())`.
Type *getPropagatorType(Context &Ctx);
/// \p T with each tensor replaced by a pair, and with a further parameter of
/// getPropagatorType() for each function. Null if T is null.
Type *getPairType(Context &Ctx, Type *T);

/// Creates `fn () -> ()` with an empty region.
Operation *createPropagator(Rewriter &R);

/// Creates the closure that adds to the gradients of the operands of \p Call,
/// by \p Rule, and calls Call.Previous. Its body is in A-normal form, and ends
/// with a chain of aliases, as in TVM.
FailureOr<Operation *> createBackPropagator(Rewriter &R,
                                            OpHook<GradientRule> Rule,
                                            const PropagatedCall &Call);

/// Binds the tensors of \p Pairs, which are of type \p T without references.
Value *bindTensors(Rewriter &R, StringRef Name, Value *Pairs, Type *T);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_BACKPROPAGATOR_H

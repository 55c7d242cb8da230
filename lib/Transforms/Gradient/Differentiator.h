//===- Differentiator.h - Common base of the two modes ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of the classes that differentiate a function. They create the new
// body after the original operations, which are erased at the end.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_DIFFERENTIATOR_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_DIFFERENTIATOR_H

#include "relay/IR/OpHooks.h"
#include "relay/Transforms/Gradient/Gradient.h"

namespace relay {

/// Calls \p Rule, and reports an error unless it returns one value for each
/// operand, of the type of the operand as far as both types are known.
FailureOr<GradientList> applyRule(Rewriter &R, OpHook<GradientRule> Rule,
                                  const GradientRequest &G);

class Differentiator {
public:
  Differentiator(Function &F, const OpHooks<GradientRule> &Rules);

protected:
  /// Determines the type of the result, (result, (parameters...)). Reports an
  /// error if a type is not known.
  LogicalResult findResultType();
  /// Announces the rewrite. Existing operations become the original ones.
  void start();
  /// Makes (\p Result, \p Gradients) the result, and erases the original
  /// operations.
  void finish(Value *Result, Value *Gradients);

  /// Binds an alias of \p V.
  Operation *bind(Value *V);
  Value *getField(Value *V, unsigned I);

  Function &F;
  Context &Ctx;
  Rewriter R;
  const OpHooks<GradientRule> &Rules;
  const StringRef Name;     ///< of the bindings
  const Location ResultLoc; ///< of the original result

private:
  TupleType *ResultType = nullptr;
  SmallVector<Operation *, 0> Original;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_DIFFERENTIATOR_H

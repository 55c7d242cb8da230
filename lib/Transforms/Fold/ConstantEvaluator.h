//===- ConstantEvaluator.h - Values of constant operations ---- -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates operations that depend on constants and static shapes only, without
// changing the function. Each operation is evaluated once.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FOLD_CONSTANTEVALUATOR_H
#define RELAY_LIB_TRANSFORMS_FOLD_CONSTANTEVALUATOR_H

#include "relay/IR/Constant.h"
#include "relay/IR/Operation.h"
#include "relay/Interpreter/Kernels/Kernel.h"
#include "relay/Interpreter/Values/RuntimeValue.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class ConstantEvaluator {
public:
  explicit ConstantEvaluator(Context &Ctx);

  /// The value of \p V; null if it depends on more than constants, or if it
  /// cannot be evaluated. \p V is an operation of the function; see clear().
  const ConstantData *evaluate(Value *V);
  /// The value of \p Op, whose operands are constants; null if there is none.
  /// Does not remember it.
  Attr evaluateCall(const Operation &Op);
  /// Forgets the value of \p Op, before it is erased.
  void forget(const Operation *Op) { Known.erase(Op); }
  /// Forgets everything, before operations are erased.
  void clear() { Known.clear(); }

private:
  RuntimeValue lookup(const Value *V) const;
  RuntimeValue compute(const Operation &Op);

  Context &Ctx;
  WorkMeter Work;
  /// No value for operations that cannot be evaluated.
  llvm::DenseMap<const Operation *, RuntimeValue> Known;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FOLD_CONSTANTEVALUATOR_H

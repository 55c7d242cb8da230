//===- ConstantCalls.h - Calls of constants ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates calls of operators with constant operands. FoldConstant evaluates
// all calls of a function, within a budget; these functions are for passes that
// create such calls.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FOLD_CONSTANTCALLS_H
#define RELAY_LIB_TRANSFORMS_FOLD_CONSTANTCALLS_H

#include "relay/IR/Rewriter.h"
#include "relay/Interpreter/Kernels/Kernel.h"

namespace relay {

/// Returns true if the shape of its operand determines the result of \p Op.
bool isOfShapeAlone(const Operation &Op);

/// Returns true if a call like \p Op, an operator, may be evaluated where its
/// operands are constants: its result depends on them only, and not on their
/// shapes alone. \p FoldQnn allows the operators of the QNN dialect.
bool isEvaluatedForConstants(const Operation &Op, bool FoldQnn = false);

/// The result of a call of \p Info with \p Operands, as a constant. Null if an
/// operand is neither a constant nor a tuple of constants, if there is no
/// kernel, or if the result is not a tensor or needs too much memory or work.
Value *evaluateForConstants(Rewriter &R, const OpInfo &Info, const Attrs *A,
                            ArrayRef<Value *> Operands);

/// Folds calls that rules make in one function (RewriteOptions::Fold). All of
/// them together make constants of a part of the memory that there is, and do
/// as much work as fold-constant does.
class CallFolder {
public:
  explicit CallFolder(Function &F);

  /// A constant in place of \p Op, which is typed. Null where there is none,
  /// where it would be over a megabyte larger than the operands, and beyond the
  /// limits.
  Value *operator()(Rewriter &R, Operation *Op);

private:
  uint64_t Room; ///< bytes
  WorkMeter Work;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FOLD_CONSTANTCALLS_H

//===- OperationCopies.h - Copies of operations in new bodies ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For passes that build a new body operation by operation, with values of other
// types.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_OPERATIONCOPIES_H
#define RELAY_LIB_TRANSFORMS_OPERATIONCOPIES_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// Maps the values of the original body to those of the new one.
using ValueMap = llvm::DenseMap<const Value *, Value *>;

/// Returns the values of the new body for the operands of \p Op.
SmallVector<Value *, 4> getNewOperands(const ValueMap &Map,
                                       const Operation &Op);

/// Creates a copy of \p Op, which has no regions, with \p Operands. \p GetType
/// converts the type arguments that are written.
Operation *copyOperation(
    Rewriter &R, const Operation &Op, ArrayRef<Value *> Operands,
    function_ref<Type *(Type *)> GetType = [](Type *T) { return T; });

/// Creates a copy of a tuple, a projection, an alias, an operation on a
/// reference, or a nested `let`, whose region stays empty. Returns null for
/// other operations.
Operation *copyStructure(Rewriter &R, const Operation &Op, const ValueMap &Map);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_OPERATIONCOPIES_H

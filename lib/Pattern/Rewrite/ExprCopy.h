//===- ExprCopy.h - Operations of an expression -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating operations of an expression, for copies of it, and its free
// variables. Private to the library Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_REWRITE_EXPRCOPY_H
#define RELAY_LIB_PATTERN_REWRITE_EXPRCOPY_H

#include "relay/Pattern/Match/ExprRef.h"
#include "llvm/ADT/SetVector.h"

namespace relay {

/// Returns the floating operations that \p Root needs, operands before users
/// and Root last. Operations in their regions are not listed. The search ends
/// at variables and at values for which \p IsOutside returns true.
SmallVector<Operation *, 8>
collectExpression(Operation *Root, function_ref<bool(Value *)> IsOutside);

/// Returns the variables that \p Root uses and does not bind, in the order of
/// their first use.
llvm::SetVector<Value *> findFreeVariables(Operation *Root);

} // namespace relay

#endif // RELAY_LIB_PATTERN_REWRITE_EXPRCOPY_H

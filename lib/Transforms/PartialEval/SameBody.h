//===- SameBody.h - Comparison of a new body --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether a new body of a function is the same as the present one.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_SAMEBODY_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_SAMEBODY_H

#include "relay/IR/Operation.h"

namespace relay {

/// Returns true if \p New with the result \p NewResult, which uses the
/// arguments of the function's body \p Old, has the same operations in the same
/// order, under the same names and of the same types. Iterative. Returns false
/// if a closure has type parameters.
bool isSameBody(Block &Old, Block &New, Value *NewResult);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_SAMEBODY_H

//===- CanonicalOrder.h - Recognizing the canonical order -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether numbers are those that normalize() would give, without its
// depth-first walk. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_CANONICALORDER_H
#define RELAY_LIB_IR_CANONICALORDER_H

#include "relay/IR/Function.h"

namespace relay {

/// The first operation found whose number is not its place in the depth-first
/// post-order of \p F; null when the order is canonical. \p ByNumber holds the
/// operation of each number, null for those of arguments. Operands are there,
/// and numbered below their users, but for a closure used in itself.
Operation *findMisplaced(Function &F, ArrayRef<Operation *> ByNumber);

} // namespace relay

#endif // RELAY_LIB_IR_CANONICALORDER_H

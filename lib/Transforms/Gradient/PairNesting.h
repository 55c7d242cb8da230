//===- PairNesting.h - Nesting of functions of pairs ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In mode higher_order, each call of an operator becomes a nested `let`. If the
// call has no name, that `let` is inside the one of its only user, so that a
// chain of such calls nests as deeply as it is long.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_PAIRNESTING_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_PAIRNESTING_H

#include "relay/IR/Function.h"

namespace relay {

/// Reports an error if the gradient of \p F in mode higher_order would nest
/// more deeply than text may.
LogicalResult checkPairNesting(Function &F);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_PAIRNESTING_H

//===- FoldConstant.h - Folding as a function ----------------- -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fold-constant for passes that fold as one of their steps.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FOLD_FOLDCONSTANT_H
#define RELAY_LIB_TRANSFORMS_FOLD_FOLDCONSTANT_H

#include "ConstantBudget.h"
#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Statistics of foldConstants().
struct FoldingCounts {
  unsigned NumEvaluated = 0, NumBranches = 0;
};

/// Does what fold-constant does with \p F, which is in canonical order. Returns
/// true if it has changed F; types are then up to date.
FailureOr<bool> foldConstants(Function &F, const ConstantBudget &Budget,
                              bool FoldQnn, FoldingCounts &Counts);

/// Returns the value of \p Op, a shape_of or an ndarray_size whose operand has
/// a static shape; none if it has none.
std::optional<Tensor> evaluateShape(const Operation &Op);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FOLD_FOLDCONSTANT_H

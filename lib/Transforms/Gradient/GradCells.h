//===- GradCells.h - Tensors that are known to be zeros or ones -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type `GradCell[T]` and its functions, as TVM names them. A cell is
//
//   Raw(x)    the value x,
//   One(f)    ones, which the closure f creates,
//   Zero(f)   zeros, which the closure f creates.
//
// @FromGradCell returns the value of a cell. @AddGradCell and @MultiplyGradCell
// take a function and two cells of equal shapes; they call the function only if
// neither cell determines the result.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_GRADIENT_GRADCELLS_H
#define RELAY_LIB_TRANSFORMS_GRADIENT_GRADCELLS_H

#include "relay/IR/Rewriter.h"

namespace relay {

struct GradCells {
  static constexpr StringLiteral Type = "GradCell";
  static constexpr StringLiteral Raw = "Raw", One = "One", Zero = "Zero";
  static constexpr StringLiteral From = "FromGradCell", Add = "AddGradCell",
                                 Multiply = "MultiplyGradCell";
};

/// `GradCell[T]`.
relay::Type *getGradCellType(Context &Ctx, relay::Type *T);

/// Returns true if \p Op calls or uses a constructor or a function of cells.
bool usesGradCells(const Operation &Op);

/// Reports an error if \p M has another type, constructor or function of one of
/// the names.
LogicalResult checkGradCells(Module &M);

/// Adds what \p M lacks of the type and the functions, with the types that
/// inference gives.
LogicalResult addGradCells(Rewriter &R, Module &M);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_GRADIENT_GRADCELLS_H

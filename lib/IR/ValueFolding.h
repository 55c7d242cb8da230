//===- ValueFolding.h - Reading and folding of values -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_VALUEFOLDING_H
#define RELAY_LIB_IR_VALUEFOLDING_H

#include "relay/IR/Attrs.h"

namespace relay {

/// Returns the value of the declared default of \p Field; none if the field is
/// required.
Attr readDefaultValue(Context &Ctx, const AttrField &Field);

/// Folds \p Op of \p Operands without arithmetic to a constant, one of the
/// operands, or `?`. Returns null if it must remain an expression.
Dim foldDimExpr(DimOp Op, ArrayRef<Dim> Operands, DType T, Context &Ctx);

} // namespace relay

#endif // RELAY_LIB_IR_VALUEFOLDING_H

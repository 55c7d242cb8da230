//===- StaticForm.h - Operators with constant shapes ---------- -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of the hooks of StaticForms.td, which
// dynamic-to-static calls.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_FOLD_STATICFORM_H
#define RELAY_TRANSFORMS_FOLD_STATICFORM_H

#include "relay/IR/Constant.h"
#include "relay/IR/Operation.h"

namespace relay {

/// Returns the constant that an operand computes; null if there is none.
using ConstantLookup = function_ref<const ConstantData *(Value *)>;

/// The operator that computes the same if operands are constants.
struct StaticFormInfo {
  /// The operand Index, whose numbers become the attribute Field, or which
  /// stays an operand if Field is empty.
  struct Operand {
    unsigned Index;
    StringRef Field;
  };

  const OpInfo &(*getInfo)();
  SmallVector<Operand, 3> Operands;
};

/// An operator to create.
struct StaticOp {
  const OpInfo *Info = nullptr; ///< null if there is none
  SmallVector<Value *, 4> Operands;
  const Attrs *Attributes = nullptr;
};

} // namespace relay

#include "relay/Transforms/Fold/StaticForms.h.inc"

#endif // RELAY_TRANSFORMS_FOLD_STATICFORM_H

//===- LayoutInference.h - Layouts of operands and results ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the hooks of Layouts.td are asked and answer. A hook LayoutInference is
// asked twice about an operation: which layouts its operands and results have
// as it stands, where some are known; and then what it needs to mean the same
// where its operands have come to other layouts: layouts of operands and
// results, and attributes. A hook LayoutConversion says what an operation is
// in the layouts that a user wishes for.
//
// Operands are counted flat: a tuple of two tensors is two of them. A layout
// that is not known is null; an answer with one says that nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H
#define RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H

#include "relay/IR/Operation.h"
#include "relay/Ops/Layout.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

/// A layout of a LayoutPool, which lives as long as that; null: not known.
using LayoutRef = const Layout *;

/// Layouts, each once, so that equal ones are one object.
class LayoutPool {
public:
  /// Null when \p Text is no layout.
  LayoutRef get(StringRef Text);
  /// Null when \p Axes are none; the layout of a scalar when they are empty.
  LayoutRef get(ArrayRef<Layout::Axis> Axes);
  LayoutRef getScalar() { return get(ArrayRef<Layout::Axis>()); }

private:
  llvm::StringMap<Layout> Layouts;
};

/// What a LayoutInference hook is asked.
struct LayoutQuery {
  Context &Ctx;
  LayoutPool &Pool;
  /// The operation as it stands. Its operands and results have the layouts
  /// before any change; their types tell the shapes in these.
  const Operation &Op;
  /// The attributes to go by: those of Op, or of what it is converted to. Null
  /// where the operator has none; else of the operator that the hook is of.
  const Attrs *Attributes;
  /// The types of the operands of Op, flat; each may be null.
  ArrayRef<Type *> Types;
  /// The layouts of the operands of Op: in the first question those that are
  /// known, in the second for the others what the first was answered.
  ArrayRef<LayoutRef> Old;
  /// The layouts that the operands have come to, all known; in the first
  /// question empty.
  ArrayRef<LayoutRef> New;

  bool isFirst() const { return New.empty(); }
  /// The layout of operand \p I that the answer has to start from.
  LayoutRef get(unsigned I) const { return isFirst() ? Old[I] : New[I]; }
  /// Null when operand \p I is not known to be a tensor.
  const TensorType *getTensor(unsigned I) const {
    return dyn_cast_or_null<TensorType>(Types[I]);
  }
  /// Whether the axes of operand \p I are those of its old layout.
  bool isLaidOut(unsigned I) const {
    const TensorType *T = getTensor(I);
    return T && Old[I] && T->getRank() == Old[I]->getRank();
  }
};

/// The answer. The attributes are null where they stay as they are.
struct LayoutAnswer {
  LayoutAnswer() = default;
  LayoutAnswer(ArrayRef<LayoutRef> Inputs, ArrayRef<LayoutRef> Outputs,
               const Attrs *Attributes = nullptr)
      : Inputs(Inputs), Outputs(Outputs), Attributes(Attributes) {}
  /// Nothing is known.
  static LayoutAnswer unknown() { return {}; }
  bool isKnown() const {
    return !Outputs.empty() &&
           llvm::all_of(Inputs, [](LayoutRef L) { return L; }) &&
           llvm::all_of(Outputs, [](LayoutRef L) { return L; });
  }

  SmallVector<LayoutRef, 4> Inputs;
  SmallVector<LayoutRef, 2> Outputs;
  const Attrs *Attributes = nullptr;
};

/// What a LayoutConversion hook makes of an operation.
struct ConvertedOp {
  const OpInfo *Info;
  const Attrs *Attributes;
};

} // namespace relay

#endif // RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H

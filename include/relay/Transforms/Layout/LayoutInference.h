//===- LayoutInference.h - Layouts of operands and results ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of the hooks of Layouts.td. LayoutInference takes a
// LayoutQuery: an operation as it stands, with the layouts of operands that are
// known. LayoutPropagation takes a LayoutChange: the same operation, whose
// operands have come to other layouts. LayoutConversion returns an operation in
// the layouts that a user requests.
//
// Operands are counted flat: a tuple of two tensors is two of them. A layout
// that is not known is null; an answer with one says that nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H
#define RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H

#include "relay/IR/Rewriter.h"
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

/// The argument of LayoutInference.
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
  /// The layouts of the operands of Op; null where they are not known.
  ArrayRef<LayoutRef> Old;

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

/// The argument of LayoutPropagation. Old is known of each operand.
struct LayoutChange : LayoutQuery {
  /// The layouts that the operands have come to, all known.
  ArrayRef<LayoutRef> New;
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

/// The result of LayoutConversion.
struct ConvertedOp {
  const OpInfo *Info;
  const Attrs *Attributes;
  /// As many as the operation has, none of them a tuple; empty if they stay. An
  /// operand that the hook has created is in the layout that the new operator
  /// takes.
  SmallVector<Value *, 2> Operands = {};
  /// Whether the hook has created operations, and so announced the rewrite.
  /// Set by the caller.
  bool IsAnnounced = false;
};

} // namespace relay

#endif // RELAY_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H

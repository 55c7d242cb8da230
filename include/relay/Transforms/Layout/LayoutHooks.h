//===- LayoutHooks.h - Arguments and results of layout hooks ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of the hooks of Layouts.td. LayoutInference takes a
// LayoutQuery: an operation with the known layouts of its operands.
// LayoutPropagation takes a LayoutChange: the same operation, whose operands
// have moved to other layouts. LayoutConversion returns an operation in the
// layouts that a user requests.
//
// Operands are flattened: a tuple of two tensors counts as two operands. An
// unknown layout is null; an answer with an unknown layout means that nothing
// is known.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LAYOUT_LAYOUTHOOKS_H
#define RELAY_TRANSFORMS_LAYOUT_LAYOUTHOOKS_H

#include "relay/IR/Rewriter.h"
#include "relay/Ops/Layout.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

class Target;

/// A layout of a LayoutPool, which owns it; null if unknown.
using LayoutRef = const Layout *;

/// Uniqued layouts: equal layouts are one object.
class LayoutPool {
public:
  /// Returns null if \p Text is not a layout.
  LayoutRef get(StringRef Text);
  /// Returns null if \p Axes are not a layout, and the layout of a scalar if
  /// they are empty.
  LayoutRef get(ArrayRef<Layout::Axis> Axes);
  LayoutRef getScalar() { return get(ArrayRef<Layout::Axis>()); }

private:
  llvm::StringMap<Layout> Layouts;
};

/// The argument of LayoutInference.
struct LayoutQuery {
  Context &Ctx;
  LayoutPool &Pool;
  /// The operation with its original operands and results, whose layouts are
  /// those before any change; their types give the shapes in these layouts.
  const Operation &Op;
  /// The attributes to use: those of Op, or of the operator that it is
  /// converted to. Null if the operator has none; otherwise they belong to the
  /// operator of the hook.
  const Attrs *Attributes;
  /// The types of the operands of Op, flat; each may be null.
  ArrayRef<Type *> Types;
  /// The layouts of the operands of Op; null if unknown.
  ArrayRef<LayoutRef> Old;

  /// Returns null if operand \p I is not known to be a tensor.
  const TensorType *getTensor(unsigned I) const {
    return dyn_cast_or_null<TensorType>(Types[I]);
  }
  /// Returns true if operand \p I has the axes of its old layout.
  bool isLaidOut(unsigned I) const {
    const TensorType *T = getTensor(I);
    return T && Old[I] && T->getRank() == Old[I]->getRank();
  }
};

/// The argument of LayoutPropagation. Old is known for each operand.
struct LayoutChange : LayoutQuery {
  /// The new layouts of the operands, all known.
  ArrayRef<LayoutRef> New;
};

/// The answer of a hook. The attributes are null if they do not change.
struct LayoutAnswer {
  LayoutAnswer() = default;
  LayoutAnswer(ArrayRef<LayoutRef> Inputs, ArrayRef<LayoutRef> Outputs,
               const Attrs *Attributes = nullptr)
      : Inputs(Inputs), Outputs(Outputs), Attributes(Attributes) {}
  /// Returns an answer without any layout.
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

/// The result of LayoutConversion; without an operator if the entry has no
/// opinion.
struct ConvertedOp {
  explicit operator bool() const { return Info; }

  const OpInfo *Info = nullptr;
  const Attrs *Attributes = nullptr;
  /// The new operands, as many as the operation has, none of them a tuple;
  /// empty if they do not change. An operand that the hook creates has the
  /// layout that the new operator expects, and its own operands keep their
  /// original layouts. The hook creates no layout transforms: the caller
  /// converts the operands to the layouts that LayoutInference returns for the
  /// new operator.
  SmallVector<Value *, 2> Operands = {};
  /// Set by the caller if the hook has created operations, and thereby
  /// announced the rewrite.
  bool IsAnnounced = false;
};

} // namespace relay

#endif // RELAY_TRANSFORMS_LAYOUT_LAYOUTHOOKS_H

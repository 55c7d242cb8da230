//===- LayoutTransforms.h - Values in other layouts -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the operations that bring a value from one layout to another, once for
// each value and pair of layouts, behind the value, so that all uses share
// them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H

#include "relay/IR/Rewriter.h"
#include "relay/Transforms/Layout/LayoutInference.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class LayoutTransforms {
public:
  explicit LayoutTransforms(Rewriter &R) : R(R) {}

  /// \p V, laid out by \p From, in the layout \p To. Null when that cannot be:
  /// the layouts have other axes, or an axis has no whole number of blocks. A
  /// value of fewer axes gets those that it lacks in front; where it has but
  /// one element and was there before the pass, it stays as it is, since it
  /// broadcasts in any layout.
  Value *transform(Value *V, LayoutRef From, LayoutRef To);

  /// Whether a value of type \p OldType in the layout \p Old may be one of
  /// \p NewType in the layout \p New.
  static bool mayBecome(Context &Ctx, Type *OldType, const Layout &Old,
                        Type *NewType, const Layout &New);

  /// Notes that TVM would have made \p V anew, whether or not it is the same:
  /// then it does not know its type, and takes it for one of many elements.
  void noteMade(Value *V) { Made.insert(V); }
  bool isMade(Value *V) const;

  /// Sets the insertion point behind \p V, where all that use it may stand.
  void setInsertionPointBehind(Value *V);
  uint64_t getNumMade() const { return NumMade; }

private:
  Value *make(Value *V, const Layout &From, const Layout &To);

  Rewriter &R;
  llvm::DenseMap<std::pair<Value *, std::pair<LayoutRef, LayoutRef>>, Value *>
      Memo;
  llvm::DenseSet<Value *> Made;
  uint64_t NumMade = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H

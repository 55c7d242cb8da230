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

  /// The type of transform(V, From, To) for a \p V of type \p T; null when it
  /// gives null. \p IsMade is isMade(V), where there is a V.
  Type *getType(Type *T, bool IsMade, LayoutRef From, LayoutRef To);

  /// Whether a value of type \p OldType in the layout \p Old may be one of
  /// \p NewType in the layout \p New.
  bool mayBecome(Type *OldType, LayoutRef Old, Type *NewType, LayoutRef New);

  /// Notes that TVM would have made \p V anew, whether or not it is the same:
  /// then it does not know its type, and takes it for one of many elements.
  void noteMade(Value *V) { Made.insert(V); }
  bool isMade(Value *V) const;

  /// Sets the insertion point behind \p V, where all that use it may stand.
  void setInsertionPointBehind(Value *V);
  uint64_t getNumMade() const { return NumMade; }

private:
  /// The steps that bring a value from one layout to another.
  struct Steps {
    bool Exist = false;        ///< else the value cannot be brought there
    bool Stays = false;        ///< the value stays as it is
    unsigned NumNew = 0;       ///< axes of length 1 that are added in front
    Layout Source;             ///< the layout after that
    SmallVector<Dim, 6> Shape; ///< of the result
  };
  using LayoutPair = std::pair<LayoutRef, LayoutRef>;

  const Steps &getSteps(Type *T, bool IsMade, LayoutRef From, LayoutRef To);
  Value *make(Value *V, LayoutRef From, LayoutRef To);

  Rewriter &R;
  llvm::DenseMap<std::pair<Value *, LayoutPair>, Value *> Memo;
  /// By type and whether the value is made.
  llvm::DenseMap<std::pair<std::pair<Type *, unsigned>, LayoutPair>, Steps>
      KnownSteps;
  llvm::DenseSet<Value *> Made;
  uint64_t NumMade = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H

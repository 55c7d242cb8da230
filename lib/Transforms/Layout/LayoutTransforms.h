//===- LayoutTransforms.h - Transforms of values to layouts -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the operations that transform a value from one layout to another.
// They are created once for each value and pair of layouts, directly after the
// value, so that all uses share them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H

#include "relay/IR/Rewriter.h"
#include "relay/Transforms/Layout/LayoutHooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class LayoutTransforms {
public:
  explicit LayoutTransforms(Rewriter &R) : R(R) {}

  /// Returns \p V, whose layout is \p From, in the layout \p To. Returns null
  /// if the layouts have different axes or an axis is not divisible into
  /// blocks. Missing axes are added before the first of a value of lower rank;
  /// a value with a single element that existed before the pass is returned
  /// unchanged, since it broadcasts in any layout.
  Value *transform(Value *V, LayoutRef From, LayoutRef To);

  /// Returns the type of transform(V, From, To) for a \p V of type \p T; null
  /// if that returns null. \p IsMade is isMade(V), if V exists.
  Type *getType(Type *T, bool IsMade, LayoutRef From, LayoutRef To);

  /// Returns true if a value of type \p OldType in the layout \p Old may become
  /// a value of type \p NewType in the layout \p New.
  bool mayBecome(Type *OldType, LayoutRef Old, Type *NewType, LayoutRef New);

  /// Records that TVM would have created \p V anew, even if it is unchanged
  /// here. TVM does not know the type of such a value and treats it as having
  /// many elements.
  void noteMade(Value *V) { Made.insert(V); }
  bool isMade(Value *V) const;

  uint64_t getNumMade() const { return NumMade; }

private:
  /// The steps that transform a value from one layout to another.
  struct Steps {
    bool Exist = false;        ///< false if the transformation is impossible
    bool Stays = false;        ///< the value is returned unchanged
    unsigned NumNew = 0;       ///< number of axes of length 1 added in front
    Layout Source;             ///< the layout after adding these axes
    SmallVector<Dim, 6> Shape; ///< of the result
  };
  using LayoutPair = std::pair<LayoutRef, LayoutRef>;

  const Steps &getSteps(Type *T, bool IsMade, LayoutRef From, LayoutRef To);
  Value *make(Value *V, LayoutRef From, LayoutRef To);

  Rewriter &R;
  llvm::DenseMap<std::pair<Value *, LayoutPair>, Value *> Memo;
  /// The key is the type, isMade() and the layouts.
  llvm::DenseMap<std::pair<std::pair<Type *, unsigned>, LayoutPair>, Steps>
      KnownSteps;
  llvm::DenseSet<Value *> Made;
  uint64_t NumMade = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTTRANSFORMS_H

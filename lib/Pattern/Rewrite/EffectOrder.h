//===- EffectOrder.h - Effects that a replacement keeps ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A replacement may use its inputs in another order than the match did, or drop
// some. If such inputs have effects, a tuple that is evaluated with the
// replacement keeps them and their order:
//
//   (%x, @f(%r)).0  =>  (@f(%r), %x).1
//
// A partition, whose call evaluates all its arguments first, is refused
// instead.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_REWRITE_EFFECTORDER_H
#define RELAY_LIB_PATTERN_REWRITE_EFFECTORDER_H

#include "relay/IR/Rewriter.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace relay {

class EffectOrder final : public RewriteListener {
public:
  /// Analyzes the normalized \p F; add it to the listeners of the Rewriter.
  explicit EffectOrder(Function &F);

  /// Returns true if an operation of the function has an effect. Otherwise the
  /// other members need not be called.
  bool hasEffects() const { return !Effects.empty(); }
  /// Returns true if a call with \p Arguments evaluates the effects that \p
  /// Root depends on in the same order as Root and \p Inner do.
  bool isKeptBy(ArrayRef<Value *> Arguments, Operation *Root,
                ArrayRef<Operation *> Inner);
  /// Begins the replacement of \p Root, which also evaluates \p Inner.
  void begin(Operation *Root, ArrayRef<Operation *> Inner);
  /// Returns the replacement of the root for \p New; may be New itself.
  Value *end(Rewriter &R, Operation *Root, Value *New);

  // Overrides of RewriteListener.
  void notifyCreated(Operation *Op) override;
  void notifyErased(Operation *Op) override;

private:
  using InputList = llvm::SmallSetVector<Operation *, 4>;

  bool hasEffect(const Value *V) const;
  InputList getInputs(Value *From) const;

  /// Operations whose evaluation has an effect.
  llvm::DenseSet<const Operation *> Effects;
  /// Operations of the match and of its replacement.
  llvm::DenseSet<const Operation *> Parts;
  InputList Before;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_REWRITE_EFFECTORDER_H

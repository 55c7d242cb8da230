//===- GlobalInliner.h - Inline functions of a module -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the uses of chosen global functions: calls by bodies, other uses by
// closures. Arguments with effects are evaluated before the body, in their
// order, by `let`s or in a tuple with it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_GLOBALINLINER_H
#define RELAY_LIB_TRANSFORMS_INLINE_GLOBALINLINER_H

#include "relay/Analysis/CallGraph.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Rewriter.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

class GlobalInliner {
public:
  /// \p Chosen has the numbers of the functions to inline, none of which is
  /// recursive. \p Calls is null where nothing has an effect. Calls of external
  /// functions become calls of closures unless \p InlinesExternal.
  GlobalInliner(const CallGraph &Graph, const Purity *Calls,
                llvm::BitVector Chosen, bool InlinesExternal)
      : Graph(Graph), Calls(Calls), Chosen(std::move(Chosen)),
        InlinesExternal(InlinesExternal), Kept(Graph.size()),
        Retyped(Graph.size()) {}

  LogicalResult run();
  /// Erases the chosen functions \p Numbers that no use has kept. Returns how
  /// many there were.
  unsigned eraseInlined(Module &M, ArrayRef<unsigned> Numbers);
  uint64_t getNumInlined() const { return NumInlined; }

private:
  bool hasUses(unsigned N) const;
  template <typename Fn> void forEachUse(unsigned N, Fn &&Visit);
  LogicalResult checkSizes();
  LogicalResult runOnFunction(unsigned N);
  LogicalResult retypeCaller(Function &F);
  bool hasRetypedCallees(unsigned N) const;
  void noteEffects(Function &F,
                   ArrayRef<std::pair<Operation *, unsigned>> Uses);
  void replaceUse(Rewriter &R, Operation *Use, Function &Callee);
  void inlineCall(Rewriter &R, Operation *Call, Function &Callee);

  const CallGraph &Graph;
  const Purity *Calls;
  llvm::BitVector Chosen;
  bool InlinesExternal;
  /// Calls in the current function, and the arguments of each that have
  /// effects.
  llvm::DenseMap<const Operation *, SmallVector<unsigned, 2>>
      ArgumentsWithEffects;
  llvm::BitVector Kept;    ///< functions of which a use has been left
  llvm::BitVector Retyped; ///< functions whose type has changed
  uint64_t NumInlined = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_GLOBALINLINER_H

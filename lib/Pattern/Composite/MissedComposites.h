//===- MissedComposites.h - Why operations make no composite ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remarks `no-composite`: one for each operation that no composite covers
// although it has the operator of a pattern's root. Of all patterns, the remark
// explains the first whose match was refused, or else the one that matched
// farthest. Private to the library Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_COMPOSITE_MISSEDCOMPOSITES_H
#define RELAY_LIB_PATTERN_COMPOSITE_MISSEDCOMPOSITES_H

#include "relay/IR/RewriteListener.h"
#include "relay/Pattern/Composite/Composites.h"

namespace relay {

class MissedComposites final : public RewriteListener {
public:
  /// Listens to \p R until it is destroyed.
  MissedComposites(Function &F, Rewriter &R, const CompositeTable &Table);
  ~MissedComposites() override;

  /// Notes that the match of entry \p I at \p Root becomes no composite.
  void noteRefusal(unsigned I, Operation *Root, StringRef Why) {
    Refused.try_emplace(Root, Refusal{I, Why.str()});
  }
  /// Emits the remarks. The function must be normalized.
  void emitRemarks();

  void notifyErased(Operation *Op) override { Refused.erase(Op); }

private:
  /// A match that was refused.
  struct Refusal {
    unsigned Entry;
    std::string Why;
  };

  void emitRemark(Operation *Op);
  void explainMismatch(Operation *Op);
  void emit(Operation *Op, unsigned Entry, StringRef Why);

  Function &F;
  Rewriter &R;
  const CompositeTable &Table;
  /// By root: the first refusal.
  llvm::DenseMap<const Operation *, Refusal> Refused;
  /// Matches in the final function.
  std::optional<Matcher> Match;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_COMPOSITE_MISSEDCOMPOSITES_H

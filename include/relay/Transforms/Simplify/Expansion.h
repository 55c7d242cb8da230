//===- Expansion.h - Operators as compositions ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument of the hooks Expansion, which simplify-inference calls, and the
// hooks themselves.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_EXPANSION_H
#define RELAY_TRANSFORMS_SIMPLIFY_EXPANSION_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// One result of an operation, which a hook Expansion computes by other
/// operations.
class ExpandedResult {
public:
  /// Result \p Index of \p Op. \p Root yields it: Op itself, or the projection
  /// of a tuple that Op yields.
  ExpandedResult(Operation *Op, unsigned Index, Operation *Root)
      : Op(Op), Root(Root), Index(Index) {}

  Operation *getOp() const { return Op; }
  /// The number of the field, or 0 if the operation yields no tuple.
  unsigned getIndex() const { return Index; }

  /// Announces the rewrite. Returns false if a listener refuses: then the hook
  /// must not create anything and returns null. Operations that are created
  /// from here on have the location of the operation.
  [[nodiscard]] bool start(Rewriter &R);

private:
  Operation *Op, *Root;
  unsigned Index;
  bool IsRefused = false;
};

} // namespace relay

#include "relay/Transforms/Simplify/Expansions.h.inc"

#endif // RELAY_TRANSFORMS_SIMPLIFY_EXPANSION_H

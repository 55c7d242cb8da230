//===- Lowering.h - An operation that a hook replaces -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument of the hooks of legalize, qnn-legalize and qnn-canonicalize.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LOWERING_H
#define RELAY_TRANSFORMS_LOWERING_H

#include "relay/IR/Rewriter.h"

namespace relay {

class Target;

/// An operation that a hook lowers.
class Lowering {
public:
  Lowering(Operation *Op, const Target *T) : Op(Op), T(T) {}

  Operation *getOp() const { return Op; }
  /// Null if there is none.
  const Target *getTarget() const { return T; }
  /// The type of operand \p I; null if it is not known to be a tensor.
  const TensorType *getTensor(unsigned I) const;
  /// Returns true if the types of the operation and its operands are known.
  bool isTyped() const;

  /// Announces the rewrite. Returns false if a listener refuses: then the hook
  /// must not create anything and returns null. Operations that are created
  /// from here on have the location of the operation.
  [[nodiscard]] bool start(Rewriter &R);

  /// Reports that the operation cannot be lowered, and \p Why.
  InFlightDiagnostic emitError(const Twine &Why) const;

private:
  Operation *Op;
  const Target *T;
  bool IsRefused = false;
};

} // namespace relay

#endif // RELAY_TRANSFORMS_LOWERING_H

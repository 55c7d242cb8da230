//===- Captures.h - Captured values of a closure ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that a closure's region uses but does not contain: variables,
// graph nodes, type parameters. Found by one walk over the region and the nodes
// around it. Nodes that are evaluated once, before the closure is created,
// count as variables.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_CAPTURES_H
#define RELAY_LIB_TRANSFORMS_INLINE_CAPTURES_H

#include "Forms/DepthFirstWalk.h"
#include "relay/IR/FreeTypeVars.h"

namespace relay {

class Captures final : DepthFirstWalk {
public:
  /// \p EvaluatedOnce has the floating operations that have effects or return
  /// references.
  Captures(Operation *Fn,
           const llvm::DenseSet<const Operation *> &EvaluatedOnce);

  /// Arguments, bound operations and operations that are evaluated once, in the
  /// order of their first uses.
  ArrayRef<Value *> getVariables() const { return Variables.getArrayRef(); }
  /// Other floating operations, operands before users.
  ArrayRef<Operation *> getNodes() const { return Nodes; }
  /// The closure uses itself.
  bool isRecursive() const { return Recursive; }
  /// Type parameters mentioned in the types of all of these.
  SmallVector<TypeVarType *, 2> getTypeVars() const { return Types.get(); }

private:
  bool isInside(const Value *V) const {
    return Inside.contains(V->getParentBlock());
  }
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *User, Block *Where) override;
  void leave(Operation *Op) override;
  void enterBlock(Block &B) override;

  Operation *Fn;
  const llvm::DenseSet<const Operation *> &EvaluatedOnce;
  bool Recursive = false;
  llvm::DenseSet<const Block *> Inside;
  llvm::DenseSet<const Operation *> Seen;
  llvm::SmallSetVector<Value *, 4> Variables;
  SmallVector<Operation *, 4> Nodes;
  FreeTypeVars Types;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_CAPTURES_H

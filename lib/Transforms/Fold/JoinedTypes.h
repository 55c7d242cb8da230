//===- JoinedTypes.h - Types that must stay dynamic -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the operations of a function whose dynamic types cannot become static
// one by one. Inference unifies the types of branches, of the values that a
// reference holds, and of arguments of polymorphic and local functions. If one
// of them became static and another became static with a different shape, the
// function would no longer have types.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FOLD_JOINEDTYPES_H
#define RELAY_LIB_TRANSFORMS_FOLD_JOINEDTYPES_H

#include "relay/IR/Function.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class JoinedTypes {
public:
  /// Visits each operation of \p F, whose types are known, at most twice.
  explicit JoinedTypes(Function &F);

  /// Returns true if the dynamic type of \p Op is unified with another type, or
  /// if a type that is unified depends on it.
  bool contains(const Operation *Op) const { return Joined.contains(Op); }

private:
  void addJoins(const Operation &Op);
  void add(Value *V);
  void addSources(const Operation &Op);

  llvm::DenseSet<const Operation *> Joined;
  SmallVector<const Operation *, 16> Worklist;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FOLD_JOINEDTYPES_H

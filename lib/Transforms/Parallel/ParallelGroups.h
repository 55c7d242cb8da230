//===- ParallelGroups.h - Calls of an operator on the same data -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds calls of one operator on the same data that may become one call, and
// the elementwise operations that follow each of them alike:
//
//   x -> conv2d -> add -> relu     a branch
//   x -> conv2d -> add -> tanh     another; the group has two levels, of
//                                  conv2d and add
//
// The derived rules of a pass choose the calls to combine, and the operands
// allowed for the operations after them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELGROUPS_H
#define RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELGROUPS_H

#include "relay/IR/Module.h"

namespace relay {

/// Branches that start with calls of one operator on the same data.
struct ParallelGroup {
  /// The operations at one place of all branches, in the order of branches.
  struct Level {
    SmallVector<Operation *, 4> Ops;
    /// Which operand is the operation of the level before; 0 at level 0.
    unsigned Parent = 0;
  };
  /// At level 0 the calls of the operator.
  SmallVector<Level, 2> Levels;

  ArrayRef<Operation *> getCalls() const { return Levels.front().Ops; }
  ArrayRef<Operation *> getLastOps() const { return Levels.back().Ops; }
  unsigned getNumBranches() const { return getCalls().size(); }
};

/// The rules of a pass that combines groups of calls.
class ParallelRules {
public:
  virtual ~ParallelRules();

  /// The operator whose calls are combined.
  virtual const OpInfo &getOp() const = 0;
  /// Returns true if TVM would look for calls to combine with \p Call.
  virtual bool isCandidate(const Operation *) const { return true; }
  /// The properties common to combined calls other than the data and the block:
  /// attributes and the type of the weight, without parts that may differ. The
  /// first is null if the call is not combined.
  using Key = std::pair<const Attrs *, Type *>;
  virtual Key getKey(const Operation *Call) const = 0;
  /// Returns true if operand \p I of \p A and of \p B, which have the types \p
  /// TypeA and \p TypeB, may be combined. \p Parent is the number of the
  /// operand that the branch leads through, \p G the group up to there.
  virtual bool areCompatible(const ParallelGroup &G, const Operation *A,
                             const Operation *B, unsigned I,
                             unsigned Parent) const = 0;
};

/// The groups of at least \p MinBranches branches in \p F, which is normalized,
/// in the order of their first calls. Groups are disjoint, and contain no
/// operations with effects.
SmallVector<ParallelGroup, 0> findParallelGroups(Function &F,
                                                 const ParallelRules &Rules,
                                                 unsigned MinBranches);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELGROUPS_H

//===- AnnotatedRegions.h - Regions between annotations ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The regions of a function that `annotation.compiler_begin` and
// `annotation.compiler_end` mark for a compiler: the operations that are
// connected by operands without passing through an annotation. Operations
// outside of regions run on the host.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATEDREGIONS_H
#define RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATEDREGIONS_H

#include "relay/IR/Function.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

/// The compiler that the annotation \p Op names; empty for other operations.
StringRef getAnnotatedCompiler(const Operation &Op);
bool isCompilerBegin(const Value *V);
bool isCompilerEnd(const Value *V);

/// The number of no region.
inline constexpr unsigned NoRegion = ~0u;

/// Numbers of regions that are merged into others.
class MergedNumbers {
public:
  unsigned size() const { return Parents.size(); }
  /// Adds the next number.
  unsigned add() {
    Parents.push_back(Parents.size());
    return Parents.back();
  }
  /// Merges \p From into \p Into; neither has been merged into another.
  void merge(unsigned From, unsigned Into) { Parents[From] = Into; }
  /// Returns the number that \p N has been merged into, or N.
  unsigned find(unsigned N) const {
    while (Parents[N] != N)
      N = Parents[N] = Parents[Parents[N]];
    return N;
  }

private:
  mutable SmallVector<unsigned, 0> Parents; ///< shortened by find()
};

class AnnotatedRegions {
public:
  /// The operations of a region, depth first from the result.
  struct Region {
    StringRef Compiler;
    SmallVector<Operation *, 4> Begins;
    SmallVector<Operation *, 4> Members; ///< without annotations
    SmallVector<Operation *, 2> Ends;
  };

  /// Finds the regions of the normalized \p F. As in TVM, each begin takes a
  /// number, depth first from the result, and a region has the number of the
  /// first operand of its first operation.
  explicit AnnotatedRegions(Function &F);
  /// Returns true if the function has an annotation.
  bool isAnnotated() const { return IsAnnotated; }

  /// Returns the number of the region of \p V, which was in the function from
  /// the beginning, or NoRegion; also for null.
  unsigned lookup(const Value *V) const;
  const Region &get(unsigned N) const { return Regions[N]; }
  /// The numbers of all regions, in ascending order.
  ArrayRef<unsigned> getNumbers() const { return Numbers; }
  /// One more than the largest number.
  unsigned size() const { return Regions.size(); }

  /// Reports operations whose annotations are inconsistent: an end outside of
  /// a region or of another compiler, a value that enters or leaves a region
  /// without an annotation.
  LogicalResult check() const;

private:
  /// Visits the operations in TVM's order.
  class Order;

  void add(Operation &Op);
  unsigned joinOperands(const Operation &Op);
  LogicalResult checkInputs(const Operation &Op, unsigned N) const;
  LogicalResult checkUses(const Operation &Op, unsigned N) const;
  LogicalResult checkOperation(const Operation &Op) const;

  Function &F;
  bool IsAnnotated;
  MergedNumbers Merged;
  /// By the index of a value. Hashed addresses of a large function collide.
  SmallVector<unsigned, 0> NumberOf;
  SmallVector<Region, 0> Regions;
  SmallVector<unsigned, 0> Numbers;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATEDREGIONS_H

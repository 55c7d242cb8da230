//===- ParallelCombiner.h - Make one call of parallel ones ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges calls of an operator on the same data into one call, and each level of
// elementwise operations after them into one, and extracts the results of the
// branches. The passes combine-parallel-* derive the parts specific to their
// operator.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELCOMBINER_H
#define RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELCOMBINER_H

#include "ParallelGroups.h"
#include "relay/IR/Rewriter.h"
#include "relay/Pass/Pass.h"

namespace relay {

class ParallelCombiner : public ParallelRules {
public:
  explicit ParallelCombiner(Function &F) : F(F), R(F) {
    R.keepResultAnnotations(); // callers rely on the type of the result
  }

  /// Combines the groups of at least \p MinBranches branches. Fails after a
  /// diagnostic where the function cannot be typed any more.
  LogicalResult combine(unsigned MinBranches);
  uint64_t getNumGroups() const { return NumGroups; }
  uint64_t getNumCalls() const { return NumCalls; }
  bool hasChanged() const { return R.getNumRewrites() != 0; }

protected:
  /// Makes the call that the calls of \p G become.
  virtual Operation *combineCalls(const ParallelGroup &G) = 0;
  /// Creates the operand \p I of the combination of level \p L of \p G.
  virtual Value *combineOperands(const ParallelGroup &G, unsigned L,
                                 unsigned I) = 0;
  /// Returns true if the results of all branches of \p G at the level \p L can
  /// be taken out of a value of type \p Combined.
  virtual bool holdsResults(const ParallelGroup &G, unsigned L,
                            TensorType *Combined) = 0;
  /// Makes what takes the result of each branch of \p G, which ends at the
  /// level \p L, out of \p Combined, in their order; \p SetLoc is called before
  /// each with its number.
  virtual SmallVector<Value *, 4>
  takeResults(const ParallelGroup &G, unsigned L, Operation *Combined,
              function_ref<void(unsigned)> SetLoc) = 0;

  /// Operand \p I of each operation of the level \p L of \p G.
  static SmallVector<Value *, 4> getOperands(const ParallelGroup &G, unsigned L,
                                             unsigned I);
  /// The type of a result that findParallelGroups() has looked at.
  static TensorType *getTensorType(const Value *V) {
    return cast<TensorType>(V->getType());
  }

  Function &F;
  Rewriter R;

private:
  void combine(const ParallelGroup &G);
  Operation *combineLevel(const ParallelGroup &G, unsigned L,
                          Operation *Previous);
  void setLocOf(ArrayRef<Operation *> Ops);

  uint64_t NumGroups = 0, NumCalls = 0;
  bool TypesChange = false;
};

/// Combines operands by concatenation along an axis, on which branches may have
/// different extents.
class ConcatenatingCombiner : public ParallelCombiner {
public:
  using ParallelCombiner::ParallelCombiner;

protected:
  /// The axis along which the results of level \p L of \p G are concatenated.
  virtual unsigned getAxis(const ParallelGroup &G, unsigned L) const = 0;
  /// Results are sliced along the axes before this one.
  virtual unsigned getNumSliced(const ParallelGroup &G, unsigned L) const {
    return getAxis(G, L) + 1;
  }

  bool holdsResults(const ParallelGroup &G, unsigned L,
                    TensorType *Combined) override;
  SmallVector<Value *, 4>
  takeResults(const ParallelGroup &G, unsigned L, Operation *Combined,
              function_ref<void(unsigned)> SetLoc) override;

  /// Extent of the axis in the results of the calls of \p G, of each branch.
  SmallVector<int64_t, 4> getExtents(const ParallelGroup &G) const;
  /// The sum of them.
  int64_t getExtent(const ParallelGroup &G) const;
  Operation *concatenate(ArrayRef<Value *> Values, int64_t Axis);
};

/// Returns true if values of types \p A and \p B are surely equal in all
/// extents but that of \p Axis, and these are known.
bool canConcatenate(TensorType *A, TensorType *B, unsigned Axis);

/// \p T with the dimension \p Axis taken for 0, so that types that differ in
/// it become one.
TensorType *withoutAxis(Context &Ctx, TensorType *T, unsigned Axis);

/// The common part of the passes, on the generated base class of each.
template <typename BaseT> class ParallelPass : public BaseT {
protected:
  using BaseT::BaseT;

  FailureOr<PreservedAnalyses> combine(ParallelCombiner &&Combiner) {
    if (failed(Combiner.combine(this->Options.MinNumBranches)))
      return failure();
    this->NumGroups += Combiner.getNumGroups();
    this->NumCalls += Combiner.getNumCalls();
    return this->preserved(Combiner.hasChanged());
  }
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARALLEL_PARALLELCOMBINER_H

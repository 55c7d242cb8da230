//===- Liveness.h - Last uses of values in a body ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the last uses of values in the body of a function or closure, on each
// path through the regions of `if` and `match`. An inner closure counts as one
// use of each value that it captures.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_LIVENESS_H
#define RELAY_LIB_INTERPRETER_EVALUATION_LIVENESS_H

#include "relay/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace relay {

class Liveness {
public:
  using CapturesFn = function_ref<ArrayRef<Value *>(const Operation &Fn)>;
  /// \p GetCaptures returns the captures of a closure in the body, without the
  /// closure itself.
  Liveness(Block &Body, CapturesFn GetCaptures);

  /// Returns the operands of \p Op, and Op itself, that are not used after Op.
  ArrayRef<Value *> getLastUses(const Operation *Op) const {
    return find(AfterOperation, Op);
  }
  /// Returns outer values that are not used after \p B is entered, and unused
  /// arguments of B.
  ArrayRef<Value *> getUnused(const Block *B) const { return find(AtEntry, B); }
  /// Returns true if the result of \p B is not used after B.
  bool isLastUse(const Block *B) const { return LastResults.contains(B); }

private:
  using ValueList = SmallVector<Value *, 2>;
  /// A block on the path of the backward walk.
  struct Level {
    Block *B;
    Block::OpList::reverse_iterator It;
    size_t NumBefore; ///< size of Trail at the begin of the block
    /// The next region of the operation at It, and the values used by its
    /// previous regions.
    unsigned NextRegion = 0;
    std::vector<ValueList> Used = {};
  };

  template <typename KeyT>
  static ArrayRef<Value *> find(const llvm::DenseMap<KeyT, ValueList> &Lists,
                                KeyT Key) {
    auto It = Lists.find(Key);
    return It == Lists.end() ? ArrayRef<Value *>() : ArrayRef(It->second);
  }
  void enter(Block &B);
  void leave();
  void visitOperands(Operation &Op);
  void finishRegions(Operation &Op);
  /// Returns true if this is the last use of \p V, which is live from here
  /// backwards.
  bool use(Value *V);

  CapturesFn GetCaptures;
  std::vector<Level> Levels;
  llvm::DenseSet<Value *> Live;
  std::vector<Value *> Trail; ///< values in the order in which they became live
  llvm::DenseMap<const Operation *, ValueList> AfterOperation;
  llvm::DenseMap<const Block *, ValueList> AtEntry;
  llvm::DenseSet<const Block *> LastResults;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_LIVENESS_H

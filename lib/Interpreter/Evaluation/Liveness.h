//===- Liveness.h - Last uses of a body's values ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the values of a function's or closure's body are used last, on each
// path through the regions of `if` and `match`. Closures inside count as one
// use of what they capture.
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
  /// \p GetCaptures tells what a closure in the body captures, itself not.
  Liveness(Block &Body, CapturesFn GetCaptures);

  /// Values that nothing uses after \p Op, which uses or is them.
  ArrayRef<Value *> getLastUses(const Operation *Op) const {
    return find(AfterOperation, Op);
  }
  /// Values from around \p B that nothing uses when it has been entered, and
  /// arguments of it that nothing uses at all.
  ArrayRef<Value *> getUnused(const Block *B) const { return find(AtEntry, B); }
  /// Whether nothing uses the result of \p B after B.
  bool isLastUse(const Block *B) const { return LastResults.contains(B); }

private:
  using ValueList = SmallVector<Value *, 2>;
  /// A block on the way backward.
  struct Level {
    Block *B;
    Block::OpList::reverse_iterator It;
    size_t NumBefore; ///< of Trail, when the block began
    /// Of the operation at It: which of its regions comes next, and what the
    /// regions before it use.
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
  /// Whether this is the last use of \p V, which is live from here on.
  bool use(Value *V);

  CapturesFn GetCaptures;
  std::vector<Level> Levels;
  llvm::DenseSet<Value *> Live;
  std::vector<Value *> Trail; ///< what became live, in order
  llvm::DenseMap<const Operation *, ValueList> AfterOperation;
  llvm::DenseMap<const Block *, ValueList> AtEntry;
  llvm::DenseSet<const Block *> LastResults;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_LIVENESS_H

//===- DepthFirstWalk.h - Walks the reachable operations --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of visits that some results of TVM depend on: depth first through
// operands and regions, on an explicit stack. A derived class chooses the edges
// and their order, and processes the operations.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FORMS_DEPTHFIRSTWALK_H
#define RELAY_LIB_TRANSFORMS_FORMS_DEPTHFIRSTWALK_H

#include "relay/IR/Function.h"

namespace relay {

class DepthFirstWalk {
public:
  virtual ~DepthFirstWalk() = default;

protected:
  /// Walks the bindings of \p Root in sequence, then its result.
  void walk(Block &Root);
  /// Walks \p Root alone.
  void walk(Operation *Root);

  /// The next step from an operation: an operand, a region, or neither.
  struct Part {
    Value *Operand = nullptr;
    Block *Region = nullptr;
  };
  /// Part \p N of \p Op; here operands in their order, then regions.
  virtual Part getPart(Operation *Op, unsigned N);

  /// Comes to the bound \p Op in sequence. \returns the operation to walk,
  /// which may be its operand, or null.
  virtual Operation *enterBinding(Operation *Op) = 0;
  /// Comes to a use of \p V, by \p User or, if that is null, as the result of
  /// \p Where. \returns whether to walk V, which then is an operation.
  virtual bool enterUse(Value *V, Operation *User, Block *Where) = 0;
  /// All parts of \p Op have been walked.
  virtual void leave(Operation *Op) = 0;
  virtual void enterBlock(Block &) {}
  virtual void leaveBlock(Block &) {}

private:
  /// A level of the walk: an operation, or a block of bindings.
  struct Frame {
    Operation *Op; // null: a block
    Block *B;
    Block::iterator It; // block: the next binding
    unsigned Next;      // operation: the next part; block: 1 at its end
  };
  void push(Operation *Op) { Stack.push_back({Op, nullptr, {}, 0}); }
  void push(Block &B);
  void run();
  void stepOperation(Frame &Top);
  void stepBlock(Frame &Top);

  SmallVector<Frame, 16> Stack;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FORMS_DEPTHFIRSTWALK_H

//===- OperationTwins.h - Operations and their twins in a copy --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tracks the operations of a module while passes change it, so that each can be
// compared with its twin in an earlier copy of the module. A changed operation
// keeps its twin; its replacement and its copies inherit the twin.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_OPERATIONTWINS_H
#define RELAY_INSTRUMENTATION_CHECKS_OPERATIONTWINS_H

#include "relay/IR/RewriteListener.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class OperationTwins final : public RewriteListener {
public:
  /// Starts again with the functions of \p Copy, a clone of some functions of
  /// \p M. Both must be normalized.
  void start(const Module &M, const Module &Copy);
  /// Returns the twin of \p Op, of the module, in the copy; null if \p Op is
  /// new.
  const Operation *lookup(const Operation *Op) const {
    return Twins.lookup(Op);
  }

  void clear() { Twins.clear(); }

  void notifyCreated(Operation *Op) override { Twins.erase(Op); }
  void notifyCloned(const Operation *From, Operation *New) override;
  void notifyReplaced(Operation *Op, Value *New) override;
  void notifyErased(Operation *Op) override { Twins.erase(Op); }
  void notifyFunctionErased(Function &F) override;

private:
  void inherit(const Operation *Op, const Operation *From);

  llvm::DenseMap<const Operation *, const Operation *> Twins;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_OPERATIONTWINS_H

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
#include "relay/Interpreter/Values/Tensor.h"
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

  /// An operation of the copy whose floats are computed by integers in the
  /// module.
  struct QuantizedTwin {
    const Operation *Old;
    /// The integers; null if they have been erased.
    const Value *New;
    /// Constants, or parameters of the function after the pass. Both are unset
    /// for other values.
    Tensor ScaleData, ZeroPointData;
    const Value *Scale, *ZeroPoint;
    int64_t Axis;
    bool IsApproximate;
    /// The number of the region, which is converted as a whole.
    unsigned Region;
  };
  /// Returns the operations that were quantized, operands before users.
  ArrayRef<QuantizedTwin> getQuantized() const { return Quantized; }

  void clear();

  void notifyCreated(Operation *Op) override { Twins.erase(Op); }
  void notifyCloned(const Operation *From, Operation *New) override;
  void notifyReplaced(Operation *Op, Value *New) override;
  void notifyQuantized(ArrayRef<QuantizedOperation> Region) override;
  void notifyErased(Operation *Op) override;
  void notifyFunctionErased(Function &F) override;

private:
  void inherit(const Operation *Op, const Operation *From);

  llvm::DenseMap<const Operation *, const Operation *> Twins;
  std::vector<QuantizedTwin> Quantized;
  /// Positions in Quantized by their integers.
  llvm::DenseMap<const Value *, SmallVector<size_t, 1>> QuantizedBy;
  unsigned NumRegions = 0;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_OPERATIONTWINS_H

//===- Handles.h - References to IR that may have gone ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// References to operations and functions that may be erased during the life of
// the reference: for scripts and tables of tools. A handle to an erased object
// reports it, even if its memory is reused.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_HANDLES_H
#define RELAY_IR_HANDLES_H

#include "relay/IR/Function.h"

namespace relay {

/// The operations of one function that have handles. The function creates it
/// for the first handle; handles hold it. It is not locked: changes to the
/// function, and new handles, belong to the function's thread.
class HandleTable {
public:
  explicit HandleTable(Function &F) : F(&F) {}
  HandleTable(const HandleTable &) = delete;

  /// Null when the function has gone.
  Function *getFunction() const { return F; }
  /// The number of operations that handles have been made for and that are
  /// still there.
  size_t size() const { return Numbers.size(); }

private:
  friend class Function;
  friend class Operation;
  friend class OperationHandle;

  /// The operation with a number, and the number of its predecessors.
  struct Entry {
    Operation *Op;
    uint32_t Generation;
  };

  /// The number of \p Op, which gets one if it has none.
  uint32_t getNumber(Operation &Op);
  /// \p Op goes.
  void erase(const Operation &Op);
  /// The function goes.
  void clear() { F = nullptr; }

  Function *F;
  std::vector<Entry> Entries;
  SmallVector<uint32_t, 0> Free;
  llvm::DenseMap<const Operation *, uint32_t> Numbers;
};

/// A reference to an operation, or to none. Handles to one operation are equal.
class OperationHandle {
public:
  OperationHandle() = default;
  /// \p Op is in a block.
  explicit OperationHandle(Operation &Op);

  /// The operation; null when it has been erased, or there was none.
  Operation *get() const;
  /// The operation, or an error that says that it has been erased.
  llvm::Expected<Operation *> getOrError() const;
  bool operator==(const OperationHandle &O) const {
    return Table == O.Table && Number == O.Number && Generation == O.Generation;
  }
  bool operator!=(const OperationHandle &O) const { return !(*this == O); }

private:
  std::shared_ptr<HandleTable> Table;
  uint32_t Number = 0, Generation = 0;
};

/// A reference to a function, or to none.
class FunctionHandle {
public:
  FunctionHandle() = default;
  explicit FunctionHandle(Function &F) : Table(F.getHandles()) {}

  /// The function; null when it has been erased, or there was none.
  Function *get() const { return Table ? Table->getFunction() : nullptr; }
  llvm::Expected<Function *> getOrError() const;
  bool operator==(const FunctionHandle &O) const { return Table == O.Table; }
  bool operator!=(const FunctionHandle &O) const { return Table != O.Table; }

private:
  std::shared_ptr<HandleTable> Table;
};

} // namespace relay

#endif // RELAY_IR_HANDLES_H

//===- FunctionChanges.h - Functions that passes change ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Determines the functions that a pass changed, from the counts of Rewriters.
// These functions must be normalized. Private to the library Pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_FUNCTIONCHANGES_H
#define RELAY_LIB_PASS_FUNCTIONCHANGES_H

#include "relay/IR/Module.h"

namespace relay {

/// The state of a module before a pass.
class FunctionChanges {
public:
  explicit FunctionChanges(Module &M);

  /// Returns the functions that have changed since or are new, in order.
  /// Returns all functions if a pass reports a change (\p SaysChanged) that no
  /// Rewriter made.
  SmallVector<Function *, 1> take(Module &M, bool SaysChanged) const;

private:
  struct State {
    uint64_t Serial, Version;
  };
  std::vector<State> States; // in the order of serials
  uint64_t NumModuleChanges;
};

} // namespace relay

#endif // RELAY_LIB_PASS_FUNCTIONCHANGES_H

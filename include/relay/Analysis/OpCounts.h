//===- OpCounts.h - How many operations of each kind ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the operations of a function or of a module: calls of each operator,
// and each construct of the language. Regions count too; a shared operation
// counts once.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_OPCOUNTS_H
#define RELAY_ANALYSIS_OPCOUNTS_H

#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class OpCounts {
public:
  OpCounts() = default;
  explicit OpCounts(Function &F);

  OpCounts &operator+=(const OpCounts &O);

  /// The number of operations of \p Info.
  uint64_t lookup(const OpInfo &Info) const { return Counts.lookup(&Info); }
  uint64_t getNumOperations() const { return NumOperations; }
  /// Calls of operators.
  uint64_t getNumOperatorCalls() const { return NumOperatorCalls; }

  using Entry = std::pair<const OpInfo *, uint64_t>;
  /// Return the operators, or the constructs of the language, that occur, by
  /// name.
  SmallVector<Entry, 0> getOperators() const { return getSorted(true); }
  SmallVector<Entry, 0> getConstructs() const { return getSorted(false); }

  using Change = std::pair<const OpInfo *, int64_t>;
  /// The differences to \p Before, by name.
  SmallVector<Change, 0> getChanges(const OpCounts &Before) const;

  /// The sums and a line an operator: `  2  nn.conv2d`.
  void print(raw_ostream &OS) const;

private:
  SmallVector<Entry, 0> getSorted(bool Operators) const;

  llvm::DenseMap<const OpInfo *, uint64_t> Counts;
  uint64_t NumOperations = 0, NumOperatorCalls = 0;
};

/// The counts of a function. The counts of a module are sums over its
/// functions.
struct OpCountsAnalysis {
  using Result = OpCounts;
  static AnalysisKey Key;
  static StringRef name() { return "OpCountsAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &) { return OpCounts(F); }
  Result run(Module &M, ModuleAnalysisManager &AM);
};

} // namespace relay

#endif // RELAY_ANALYSIS_OPCOUNTS_H

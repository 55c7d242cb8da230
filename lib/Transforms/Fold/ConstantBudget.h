//===- ConstantBudget.h - Limits the size of new constants ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides half of -max-memory, minus the constants of a module, among its
// functions, before any of them is folded. The budget of a function thus
// depends on the module alone, and not on the progress of threads.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FOLD_CONSTANTBUDGET_H
#define RELAY_LIB_TRANSFORMS_FOLD_CONSTANTBUDGET_H

#include "relay/IR/Function.h"
#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <mutex>

namespace relay {

/// The bytes of a tensor, or of the tensors of a tuple; dynamic types count as
/// 0.
uint64_t getStaticBytes(const Type *T);

class ConstantBudget {
public:
  ConstantBudget() = default;
  /// In module order each of \p Functions gets what its constants may come to
  /// by the types of the calls on them, as long as there is some; what remains
  /// is divided equally, for results of dynamic types.
  explicit ConstantBudget(ArrayRef<Function *> Functions);

  /// The bytes of constants that may be made in \p F; no limit if nothing was
  /// said of it.
  uint64_t get(const Function &F) const;

  /// To be held while \p Op is evaluated: evaluations that may take much of
  /// -max-memory wait for each other, so that threads take no more than one.
  std::unique_lock<std::mutex> lockEvaluation(const Operation &Op) const;

private:
  /// Null where memory is not limited.
  std::unique_ptr<std::mutex> LargeEvaluations;
  llvm::DenseMap<const Function *, uint64_t> Bytes;
};

/// The budget of the functions that passes see, computed before FoldConstant.
struct ConstantBudgetAnalysis {
  using Result = ConstantBudget;
  static AnalysisKey Key;
  static StringRef name() { return "ConstantBudgetAnalysis"; }
  Result run(Module &M, ModuleAnalysisManager &AM);
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FOLD_CONSTANTBUDGET_H

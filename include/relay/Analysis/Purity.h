//===- Purity.h - What has no effect ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether evaluating an expression can be left out. References have effects,
// stateful operators have, and so has whatever cannot be told: calls of
// function-typed parameters, fields and contents of references, and of external
// functions. Recursion is assumed to end, as in TVM.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_PURITY_H
#define RELAY_ANALYSIS_PURITY_H

#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace relay {

/// Which functions of a module have no effect when they are called.
class Purity {
public:
  explicit Purity(Module &M);

  /// Whether a call of the function \p Name has no effect.
  bool isCallPure(StringRef Name) const { return Pure.contains(Name); }
  /// A line a function: `@main: pure`.
  void print(raw_ostream &OS) const;

private:
  std::vector<StringRef> Names; // in the module's order
  llvm::StringSet<> Pure;
};

/// What evaluating each value of a normalized function does.
class ValuePurity {
public:
  /// Calls of globals are as \p IsCallPure says.
  ValuePurity(Function &F, function_ref<bool(StringRef)> IsCallPure);

  /// Whether evaluating \p Op has no effect, nor what hangs from it: floating
  /// operands, regions.
  bool isEvalPure(const Operation *Op) const { return Eval[Op->getIndex()]; }
  /// Whether evaluating and then calling the function's body has none.
  bool isBodyPure() const { return BodyEval && BodyCall; }

private:
  void visit(const Operation &Op);
  void set(const Operation &Op, bool IsEvalPure, bool IsCallPure);
  bool evalOf(const Value *V) const;
  bool callOf(const Value *V) const;
  bool evalOfOperands(const Operation &Op) const;
  bool evalOf(Block &B) const;
  void visitCall(const Operation &Op, bool IsCalleePure);
  void visitRegions(const Operation &Op);

  function_ref<bool(StringRef)> IsCallPure;
  /// By Value::getIndex(): evaluating it has no effect; calling it has none.
  llvm::BitVector Eval, Call;
  bool BodyEval, BodyCall;
};

struct PurityAnalysis {
  using Result = Purity;
  static AnalysisKey Key;
  static StringRef name() { return "PurityAnalysis"; }
  Result run(Module &M, ModuleAnalysisManager &) { return Purity(M); }
};

} // namespace relay

#endif // RELAY_ANALYSIS_PURITY_H

//===- Purity.h - Effects of expressions ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Determines whether the evaluation of an expression can be omitted, repeated
// or moved past the effects of others. Reading and writing references has
// effects, stateful operators have, and so has everything unknown: calls of
// function-typed parameters, fields and contents of references, and of
// functions with the attribute Extern. Recursion is assumed to end, as in TVM.
// docs/Language.md, "Evaluation", defines the order of effects.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_PURITY_H
#define RELAY_ANALYSIS_PURITY_H

#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace relay {

/// Which functions of a module have no effect when they are called.
class Purity {
public:
  explicit Purity(Module &M);

  /// Returns true if a call of the function \p Name has no effect.
  bool isCallPure(StringRef Name) const { return Pure.contains(Name); }
  /// Prints one line per function: `@main: pure`.
  void print(raw_ostream &OS) const;

private:
  std::vector<StringRef> Names; // in the module's order
  llvm::StringSet<> Pure;
};

/// Whether evaluating a value of a normalized function has effects, and whether
/// calling it has.
class ValuePurity {
public:
  /// \p IsCallPure returns true if a call of a global function has no effect.
  ValuePurity(Function &F, function_ref<bool(StringRef)> IsCallPure);

  /// Returns true if evaluating \p Op, its floating operands and its regions
  /// has no effect.
  bool isEvalPure(const Operation *Op) const { return Eval[Op->getIndex()]; }
  /// Returns true if a use of \p V has no effect. Arguments and bound
  /// operations have been evaluated before their uses.
  bool isUsePure(const Value *V) const { return evalOf(V); }
  /// Returns true if calling the value of \p Op has no effect.
  bool isCallPure(const Operation *Op) const { return Call[Op->getIndex()]; }
  /// Returns true if a region of \p Op uses a floating operation outside of Op
  /// that has an effect: it is evaluated before Op when that is its first use.
  bool hoistsEffects(const Operation *Op) const {
    return Hoists[Op->getIndex()];
  }
  /// Returns true if the bound \p Op may become floating. In a scope that
  /// hoists effects, it may not: without its `let`s the scope would disappear,
  /// and with it the order of these effects.
  bool mayUnbind(const Operation *Op) const {
    return isEvalPure(Op) && !isInHoistingScope(Op);
  }
  bool isInHoistingScope(const Operation *Op) const {
    const Operation *Parent = Op->getParentOp();
    return Parent && Parent->is(OpCode::Scope) && hoistsEffects(Parent);
  }
  /// Returns true if hoistsEffects() is true for any operation.
  bool hasHoistedEffects() const { return HasHoistedEffects; }
  /// Returns true if evaluating and then calling the function's body has no
  /// effect.
  bool isBodyPure() const { return BodyEval && BodyCall; }

private:
  void update(Operation &Op);
  void addToWorklist(Operation *Op);
  void updateUsers(Operation &Op);
  void markRegionsAround(Operation &Op);
  void visit(const Operation &Op);
  void set(const Operation &Op, bool IsEvalPure, bool IsCallPure);
  bool evalOf(const Value *V) const;
  bool callOf(const Value *V) const;
  bool evalOfOperands(const Operation &Op) const;
  bool evalOf(Block &B) const;
  void visitCall(const Operation &Op, bool IsCalleePure);
  void visitFn(const Operation &Op);
  void visitRegions(const Operation &Op);

  function_ref<bool(StringRef)> IsCallPure;
  /// By Value::getIndex(): evaluating it has no effect; calling it has none.
  llvm::BitVector Eval, Call;
  /// By Value::getIndex(): judged at least once; see hoistsEffects().
  llvm::BitVector Visited, Hoists;
  SmallVector<Operation *, 0> Worklist;
  bool HasHoistedEffects = false;
  bool BodyEval, BodyCall;
};

/// Returns the purity of the values of the normalized \p F; none if nothing in
/// \p F may have an effect. It is for function passes, which know only the
/// signatures of other functions: a call of a function may have an effect if
/// its arguments or its result are not only tensors.
std::optional<ValuePurity> findEffects(Function &F);

/// Returns true if something in \p M has an effect or may have one, such as a
/// closure with the attribute Extern. If nothing has, calls of unknown closures
/// and of functions with that attribute have no effect either, as in TVM.
bool hasEffects(Module &M);

/// Returns true if a value of type \p T may be or contain a reference, so that
/// two evaluations of an expression of this type differ.
bool mayHoldReference(const Type *T);

struct PurityAnalysis {
  using Result = Purity;
  static AnalysisKey Key;
  static StringRef name() { return "PurityAnalysis"; }
  Result run(Module &M, ModuleAnalysisManager &) { return Purity(M); }
};

} // namespace relay

#endif // RELAY_ANALYSIS_PURITY_H

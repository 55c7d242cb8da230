//===- DifferenceFinder.h - The first operation that differs ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the operation at which the evaluation of a function diverges from its
// evaluation before a pass. If the pass may round differently, an unchanged
// operation whose operands agree within the tolerance amplifies their
// difference: `ceil` near an integer, `divide` near 0. The same applies to
// `max` and `min` whose operand contains the same elements, among them NaN, in
// another order: as in TVM, the result depends on the elements after the last
// NaN. The pass is not blamed for an amplified difference or its consequences.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H
#define RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H

#include "ResultComparison.h"

namespace relay {

/// Records the values of operations and of parameters.
class ValueRecorder final : public EvaluationListener {
public:
  void afterOperation(const Operation &Op, const RuntimeValue &V) override {
    record(Op, V);
  }
  void afterBinding(const BlockArgument &Bound,
                    const RuntimeValue &V) override {
    record(Bound, V);
  }
  /// Returns all values of \p Of in order; none if there were too many.
  ArrayRef<RuntimeValue> getValues(const Value *Of) const;

private:
  void record(const Value &Of, const RuntimeValue &V);

  static constexpr size_t MaxValues = 64;
  llvm::DenseMap<const Value *, SmallVector<RuntimeValue, 1>> Values;
  llvm::DenseSet<const Value *> Overflown;
};

/// Listens to the evaluation of a function with \p Params after the pass,
/// together with \p After.
class DifferenceFinder final : public EvaluationListener {
public:
  DifferenceFinder(const ValueRecorder &Before, const ValueRecorder &After,
                   ArrayRef<BlockArgument *> Params,
                   const OperationTwins &Twins, const PassTolerance &T)
      : Before(Before), After(After), Params(Params), Twins(Twins), T(T) {}

  void afterOperation(const Operation &Op, const RuntimeValue &V) override;

  /// Returns the first operation whose value differs from all values of the
  /// same operation before, except for operations that amplify a difference and
  /// their users; null if there is none.
  const Operation *getFirst() const { return First; }
  const ResultDifference &getDifference() const { return Difference; }
  /// Returns the first operation that amplifies a difference; null if there is
  /// none.
  const Operation *getAmplifier() const { return Amplifier; }

private:
  std::optional<ResultDifference> compare(const Operation *Twin, StringRef Name,
                                          const RuntimeValue &V) const;
  void noteAmplifier(const Operation &Op);
  bool follows(const Operation &Op) const;
  bool amplifies(const Operation &Op, const Operation &Twin) const;
  bool agree(const Value *Old, const Value *New) const;
  bool reordersNaN(const Operation &Op, const Operation *Twin) const;

  const ValueRecorder &Before, &After;
  ArrayRef<BlockArgument *> Params;
  const OperationTwins &Twins;
  const PassTolerance &T;
  const Operation *First = nullptr, *Amplifier = nullptr;
  ResultDifference Difference;
  /// Operations that amplify a difference, and values computed from them.
  llvm::DenseSet<const Value *> Amplified;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H

//===- DifferenceFinder.h - The first operation that differs ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the operation at which the evaluation of a function parts from that of
// what it was before a pass. Where the pass may round differently, an operation
// that is as it was, and whose operands agree within the tolerance, amplifies
// their difference: `ceil` near a whole number, `divide` near 0. So do `max`
// and `min` whose operand holds the same elements in another order, NaN among
// them: as in TVM, the result depends on the elements after the last NaN. That
// is not the fault of the pass, and neither is what follows from it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H
#define RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H

#include "ResultComparison.h"

namespace relay {

/// Keeps what operations evaluate to, and what parameters are bound to.
class ValueRecorder final : public EvaluationListener {
public:
  void afterOperation(const Operation &Op, const RuntimeValue &V) override {
    record(Op, V);
  }
  void afterBinding(const BlockArgument &Bound,
                    const RuntimeValue &V) override {
    record(Bound, V);
  }
  /// All that \p Of was, in order; none if that were too many.
  ArrayRef<RuntimeValue> getValues(const Value *Of) const;

private:
  void record(const Value &Of, const RuntimeValue &V);

  static constexpr size_t MaxValues = 64;
  llvm::DenseMap<const Value *, SmallVector<RuntimeValue, 1>> Values;
  llvm::DenseSet<const Value *> Overflown;
};

/// Listens to the evaluation of a function of \p Params after the pass, behind
/// \p After.
class DifferenceFinder final : public EvaluationListener {
public:
  DifferenceFinder(const ValueRecorder &Before, const ValueRecorder &After,
                   ArrayRef<BlockArgument *> Params,
                   const OperationTwins &Twins, const PassTolerance &T)
      : Before(Before), After(After), Params(Params), Twins(Twins), T(T) {}

  void afterOperation(const Operation &Op, const RuntimeValue &V) override;

  /// The first operation whose value is none that the same operation had
  /// before, but for those that amplify a difference and what follows from
  /// them; null if there is none.
  const Operation *getFirst() const { return First; }
  const ResultDifference &getDifference() const { return Difference; }
  /// The first operation that amplifies a difference; null if there is none.
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
  /// What amplifies a difference, and what is computed from that.
  llvm::DenseSet<const Value *> Amplified;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_DIFFERENCEFINDER_H

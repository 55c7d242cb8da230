//===- ReferenceFollower.h - Integers in place of floats --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a pass that computes floats by integers (WithinSteps), operation by
// operation: the integers of an operation may differ by some steps from those
// that quantize the result of the float operation, applied to the floats that
// the integers of its operands represent. So rounding and saturation of one
// operation do not count against its users. Each region begins with the values
// before the pass; the rest of the function is compared exactly.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_REFERENCEFOLLOWER_H
#define RELAY_INSTRUMENTATION_CHECKS_REFERENCEFOLLOWER_H

#include "relay/Instrumentation/Checks/FunctionComparison.h"

namespace relay {

/// Listens to the evaluation of a function before the pass, and then after it.
class ReferenceFollower final : public EvaluationListener {
public:
  /// \p Twins maps operations of \p After to operations before the pass.
  ReferenceFollower(Function &After, const OperationTwins &Twins,
                    unsigned Steps);

  /// Forgets all values. Called before an evaluation before the pass.
  void restart();
  /// Compares the integers of the last two evaluations. Returns the first
  /// operation after the pass that differs by more than the steps, or null.
  /// \p E evaluates operations before the pass.
  const Operation *findDifference(Evaluator &E, ResultDifference &Difference);

  /// Values of operations that replace others become those before the pass.
  void substitute(const Operation &Op, RuntimeValue &V) override;
  void afterBinding(const BlockArgument &Bound, const RuntimeValue &V) override;

private:
  using Entry = OperationTwins::QuantizedTwin;

  Tensor getValue(const Value *V) const;
  Tensor getScale(const Entry &Of) const {
    return Of.ScaleData ? Of.ScaleData : getValue(Of.Scale);
  }
  Tensor getZeroPoint(const Entry &Of) const {
    return Of.ZeroPointData ? Of.ZeroPointData : getValue(Of.ZeroPoint);
  }
  Tensor getIntegers(const Entry &Of) const;
  Tensor getFloats(const Entry &Of) const;
  RuntimeValue resolve(const Value *Old, unsigned Region) const;
  RuntimeValue compute(Evaluator &E, const Entry &Of) const;
  std::optional<ResultDifference> compare(const Entry &Of,
                                          const Tensor &Floats) const;

  const OperationTwins &Twins;
  const unsigned Steps;
  /// From replacing operations to replaced ones.
  llvm::DenseMap<const Operation *, const Operation *> Replaced;
  /// The entry of an operation before the pass in a region.
  llvm::DenseMap<std::pair<const Value *, unsigned>, const Entry *> Entries;
  /// The integers with which regions begin.
  llvm::DenseSet<std::pair<const Value *, unsigned>> Inputs;
  /// All values of operations of regions, of both functions, in order, after
  /// substitution.
  llvm::DenseMap<const Value *, SmallVector<RuntimeValue, 1>> Values;
  /// All values that replacing operations computed, before substitution.
  llvm::DenseMap<const Operation *, SmallVector<RuntimeValue, 1>> Computed;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_REFERENCEFOLLOWER_H

//===- TensorDifference.h - How far two tensors are apart -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares tensors, and values that contain tensors, element by element:
// reports the elements beyond a tolerance and the size of the error. Callers
// decide the consequences.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_COMPARE_TENSORDIFFERENCE_H
#define RELAY_INTERPRETER_COMPARE_TENSORDIFFERENCE_H

#include "relay/Interpreter/Values/RuntimeValue.h"
#include <limits>

namespace relay {

/// The allowed error of an element: |actual - expected| <= Absolute + Relative
/// * |expected|. 0 and 0 require equality.
struct Tolerance {
  double Relative = 0, Absolute = 0;
  /// Where NaN or an infinity is expected, anything is within the tolerance.
  bool OfFinite = false;
};

/// The distance between the elements of two tensors. NaN is equal to NaN, and
/// an infinity to the same infinity; all other values are infinitely far from
/// them.
struct TensorDifference {
  /// True if data type and shape are the same.
  bool SameType = false;
  /// True if the elements are compared: the shape is the same and the data type
  /// too, or both are floats, which are compared as numbers then. If not, what
  /// follows says nothing.
  bool IsCompared = false;
  int64_t NumElements = 0;
  /// How many elements are beyond the tolerance.
  int64_t NumBeyond = 0;
  /// The largest |actual - expected|.
  double MaxAbsolute = 0;
  /// The largest |actual - expected| / |expected| where expected is not 0.
  double MaxRelative = 0;
  /// The largest number of steps from one representable number to the next, of
  /// the data type; of the narrower one, if the two are different floats.
  uint64_t MaxUlp = 0;
  /// The ratio of the squares of expected elements and of errors, in dB.
  /// Infinite if all elements are equal, minus infinity if an error is
  /// infinite.
  double SignalToNoise = std::numeric_limits<double>::infinity();
  /// Row-major index of the first element beyond the tolerance, and of the one
  /// with the largest |actual - expected|, the first of several, if not all are
  /// equal.
  std::optional<int64_t> FirstBeyond, Worst;

  /// Returns true if the types are the same and no element is beyond the
  /// tolerance.
  bool agrees() const { return SameType && IsCompared && NumBeyond == 0; }
};

/// The tensors have element types (hasElementType()), and need not be aligned.
TensorDifference compareTensors(const Tensor &Expected, const Tensor &Actual,
                                Tolerance T = {});

/// `max absolute error 0.5, max relative error 0.25, 12 ulp, SNR 6.02 dB`; `no
/// difference` where all elements are equal.
void printDifference(raw_ostream &OS, const TensorDifference &D);

/// `[0, 3, 2]`: element \p Index, row-major, of \p Shape.
std::string describeIndex(ArrayRef<int64_t> Shape, int64_t Index);

/// How two values, or parts of them, compare.
struct ValueDifference {
  enum class Kind : uint8_t {
    Tensors,     ///< two tensors: see Elements
    Structure,   ///< they have different structure: see Reason
    NotCompared, ///< functions: see Reason
    Overflow     ///< what is beyond MaxComparedValues: see Reason
  };
  Kind K;
  /// The path to the part: `.1.0` is field 0 of field 1; empty for the values
  /// themselves. In a long path, `.[12]` abbreviates the first 12 steps.
  std::string Path;
  /// `a tuple of 2 fields instead of a tensor`: actual, then expected.
  std::string Reason;
  TensorDifference Elements;
  /// The compared parts, while the values live.
  const RuntimeValue *Expected, *Actual;

  bool isCompared() const { return K == Kind::Tensors || K == Kind::Structure; }
  bool agrees() const { return K == Kind::Tensors && Elements.agrees(); }
};

/// Pairs of tensors, tuples, data and references that compareValues() looks
/// into.
constexpr size_t MaxComparedValues = 1 << 18;

/// Tells \p Report about each pair of tensors in \p Expected and \p Actual, in
/// depth-first order, and about parts of different structure. Tuples, values of
/// algebraic data types (by the names of constructors) and the contents of
/// references are looked into. Each pair is looked at once, though several ways
/// lead there. Functions that have names agree when the names do, and are not
/// reported then; of others nothing is known but that they are not compared.
void compareValues(const RuntimeValue &Expected, const RuntimeValue &Actual,
                   Tolerance T,
                   function_ref<void(const ValueDifference &)> Report);

} // namespace relay

#endif // RELAY_INTERPRETER_COMPARE_TENSORDIFFERENCE_H

//===- TensorDifference.h - Distance of two tensors -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares tensors, and values that contain tensors, element by element.
// Reports the elements beyond a tolerance and the size of the error. Callers
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
  /// If true, any element is within the tolerance where NaN or an infinity is
  /// expected.
  bool OfFinite = false;
  /// True if elements that become NaN or infinite agree: the data type may have
  /// a smaller range.
  bool MayOverflow = false;
};

/// The distance between the elements of two tensors. NaN is equal to NaN, and
/// an infinity to the same infinity; all other values are infinitely far from
/// them.
struct TensorDifference {
  /// True if data type and shape are the same.
  bool SameType = false;
  /// True if the elements are compared: the shapes are equal, and the data
  /// types are equal or both floats, which are then compared as numbers.
  /// Otherwise the members below are meaningless.
  bool IsCompared = false;
  int64_t NumElements = 0;
  /// The number of elements beyond the tolerance.
  int64_t NumBeyond = 0;
  /// The largest |actual - expected|.
  double MaxAbsolute = 0;
  /// The largest |actual - expected| / |expected| where expected is not 0.
  double MaxRelative = 0;
  /// The largest number of steps between representable numbers of the data
  /// type; of the narrower type, if the two are different floats.
  uint64_t MaxUlp = 0;
  /// The ratio of the sum of squares of expected elements to that of errors, in
  /// dB. Infinite if all elements are equal, minus infinity if an error is
  /// infinite.
  double SignalToNoise = std::numeric_limits<double>::infinity();
  /// Row-major index of the first element beyond the tolerance, and of the
  /// first element with the largest |actual - expected|, unless all are equal.
  std::optional<int64_t> FirstBeyond, Worst;

  /// Returns true if the types are equal and no element is beyond the
  /// tolerance.
  bool agrees() const { return SameType && IsCompared && NumBeyond == 0; }
};

/// The tensors must have element types (hasElementType()), but need not be
/// aligned.
TensorDifference compareTensors(const Tensor &Expected, const Tensor &Actual,
                                Tolerance T = {});

/// Prints `max absolute error 0.5, max relative error 0.25, 12 ulp, SNR 6.02
/// dB`; `no difference` if all elements are equal.
void printDifference(raw_ostream &OS, const TensorDifference &D);

/// Returns `[0, 3, 2]` for element \p Index, row-major, of \p Shape.
std::string describeIndex(ArrayRef<int64_t> Shape, int64_t Index);

/// The result of comparing two values, or parts of them.
struct ValueDifference {
  enum class Kind : uint8_t {
    Tensors,     ///< two tensors: see Elements
    Structure,   ///< they have different structure: see Reason
    NotCompared, ///< functions: see Reason
    Overflow     ///< values beyond MaxComparedValues: see Reason
  };
  Kind K;
  /// The path to the part: `.1.0` is field 0 of field 1; empty for the values
  /// themselves. A long path abbreviates its first 12 steps as `.[12]`.
  std::string Path;
  /// The actual structure, then the expected one: `a tuple of 2 fields instead
  /// of a tensor`.
  std::string Reason;
  TensorDifference Elements;
  /// The compared parts; valid while the values live.
  const RuntimeValue *Expected, *Actual;

  bool isCompared() const { return K == Kind::Tensors || K == Kind::Structure; }
  bool agrees() const { return K == Kind::Tensors && Elements.agrees(); }
};

/// The maximal number of pairs of tensors, tuples, data and references that
/// compareValues() visits.
constexpr size_t MaxComparedValues = 1 << 18;

/// Calls \p Report for each pair of tensors in \p Expected and \p Actual, in
/// depth-first order, and for parts of different structure. Visits tuples,
/// values of algebraic data types (matched by the names of constructors) and
/// the contents of references. Visits each pair once, even if several paths
/// lead to it. Functions with names are equal if their names are, and are then
/// not reported; other functions are reported as not compared.
void compareValues(const RuntimeValue &Expected, const RuntimeValue &Actual,
                   Tolerance T,
                   function_ref<void(const ValueDifference &)> Report);

} // namespace relay

#endif // RELAY_INTERPRETER_COMPARE_TENSORDIFFERENCE_H

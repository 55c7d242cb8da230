//===- ResultMatching.h - Matching results of two runs ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records the results of operators in a run, without the values, and matches
// the records of two runs: of a model, and of the same model after passes, from
// another frontend or with other data types.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H
#define RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H

#include "RunListeners.h"

namespace relay {

/// The result of an operator, or a field of it. The strings live as long as the
/// Context.
struct ResultRecord {
  StringRef Operator, Let, Layer; ///< empty if unknown or missing
  /// The name in a file of -dump-values if nothing else is known: the layer,
  /// the let or the operator.
  StringRef Label;
  uint64_t Number = 0; ///< of the operator, in order of execution
  std::optional<unsigned> Field;
  TensorType *Type = nullptr;
  Location Loc; ///< of the call; unknown for values from files

  uint64_t getByteSize() const;
};

/// How two results were matched.
enum class MatchKind : uint8_t {
  Layer,     ///< the same operator of the same layer
  Let,       ///< the same operator, bound to the same name
  Label,     ///< the name of the file
  LastOf,    ///< the last result of the layer
  Structure, ///< the same operator in the same place of the sequence
};
StringRef toString(MatchKind K);

/// The indices of two matched results.
struct ResultMatch {
  size_t Model, Reference;
  MatchKind K;
};

/// Matches \p Model and \p Reference, in the order of Model.
///
/// 1. Results with the same name (layer, let or label) and operator are matched
///    in order, if both sides have equally many.
/// 2. The last results of layers without a match are matched.
/// 3. The remaining results are matched by their positions in common parts of
///    the two sequences of operators.
std::vector<ResultMatch> matchResults(ArrayRef<ResultRecord> Model,
                                      ArrayRef<ResultRecord> Reference);

/// Returns true if elements of the types \p L and \p R can be compared: the
/// data types are equal or both floats, and the shapes are equal except for the
/// order of axes and axes of extent 1. Data in blocked layouts cannot be
/// compared.
bool areComparable(const TensorType *L, const TensorType *R);

/// Records the results of a run, up to the maximum number.
class RecordListener final : public ResultListener {
public:
  static constexpr size_t MaxRecords = 1'000'000;

  using ResultListener::ResultListener;
  ArrayRef<ResultRecord> getRecords() const { return Records; }
  /// Returns true if there were more results than the maximum.
  bool isFull() const { return IsFull; }

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  std::vector<ResultRecord> Records;
  bool IsFull = false;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H

//===- ResultMatching.h - Which results of two runs belong together -*- C++
//-*-==//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records what the operators of a run gave, without the values, and matches the
// records of two runs: of a model and of what passes, another frontend or other
// data types made of it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H
#define RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H

#include "RunListeners.h"

namespace relay {

/// The result of an operator, or a field of it. Strings live as long as the
/// Context.
struct ResultRecord {
  StringRef Operator, Let, Layer; ///< empty: not known, or there is none
  /// The name in a file of -dump-values, where nothing else is known: of the
  /// layer, the let or the operator.
  StringRef Label;
  uint64_t Number = 0; ///< of the operator, in order of execution
  std::optional<unsigned> Field;
  TensorType *Type = nullptr;
  Location Loc; ///< of the call; unknown for what a file holds

  uint64_t getByteSize() const;
};

/// How results were matched.
enum class MatchKind : uint8_t {
  Layer,     ///< the same operator of the same layer
  Let,       ///< the same operator, bound to the same name
  Label,     ///< the name of the file
  LastOf,    ///< the last result of the layer
  Structure, ///< the same operator in the same place of the sequence
};
StringRef toString(MatchKind K);

/// Two results that belong together, by their indices.
struct ResultMatch {
  size_t Model, Reference;
  MatchKind K;
};

/// Matches \p Model and \p Reference, in the order of Model.
///
/// What has a name, by layer, let or label, is matched with what has the same
/// name and operator, if there are as many in both; the first with the first.
/// Then the last results of layers in which nothing is matched yet; at last
/// what stands in the same places of both sequences of operators, as far as
/// these are the same.
std::vector<ResultMatch> matchResults(ArrayRef<ResultRecord> Model,
                                      ArrayRef<ResultRecord> Reference);

/// Whether elements of the types \p L and \p R can be compared: the data types
/// are the same or both floats, and the shapes are the same but for the order
/// of axes and axes of extent 1. Data of blocked layouts cannot.
bool areComparable(const TensorType *L, const TensorType *R);

/// Records the results of a run, as many as are matched.
class RecordListener final : public ResultListener {
public:
  static constexpr size_t MaxRecords = 1'000'000;

  using ResultListener::ResultListener;
  ArrayRef<ResultRecord> getRecords() const { return Records; }
  /// Whether there were more results than are matched.
  bool isFull() const { return IsFull; }

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  std::vector<ResultRecord> Records;
  bool IsFull = false;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RESULTMATCHING_H

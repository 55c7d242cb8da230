//===- FirstDifference.h - Comparison of results of two runs ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares matched results of operators, in the order in which a model computes
// them, and keeps the first difference.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_FIRSTDIFFERENCE_H
#define RELAY_LIB_DRIVER_RUN_FIRSTDIFFERENCE_H

#include "ResultMatching.h"
#include "RunComparison.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class FirstDifference {
public:
  /// The records must outlive the object.
  FirstDifference(const RunComparisonFlags &Flags, Context &Ctx,
                  ArrayRef<ResultRecord> Model,
                  ArrayRef<ResultRecord> Reference);

  /// Returns the next matches that can be compared, whose values take at most
  /// \p Budget bytes, but at least one match; none after the last.
  ArrayRef<ResultMatch> takePart(uint64_t Budget);
  /// Returns the size of the values of \p Part in the reference.
  uint64_t getByteSize(ArrayRef<ResultMatch> Part) const;

  void compare(const ResultMatch &M, const Tensor &Expected,
               const Tensor &Actual);
  bool hasDifference() const { return !FirstText.empty(); }
  uint64_t getNumCompared() const { return NumCompared; }
  /// Returns the number of matched results, including those that cannot be
  /// compared.
  uint64_t getNumMatched() const { return NumMatched; }
  /// Prints the first difference and the number of compared results.
  void print(raw_ostream &OS) const;

private:
  std::string describe(const ResultRecord &R) const;

  const RunComparisonFlags &Flags;
  Context &Ctx;
  ArrayRef<ResultRecord> Model, Reference;
  std::vector<ResultMatch> Matches; ///< only comparable results
  size_t NextMatch = 0;
  uint64_t NumCompared = 0, NumMatched = 0;
  std::string FirstText; ///< the description of the first difference
};

/// Keeps the values of the reference that \p Part needs.
class KeepListener final : public ResultListener {
public:
  KeepListener(Context &Ctx, ArrayRef<ResultMatch> Part);
  /// Returns result \p I and stops keeping it.
  llvm::Expected<Tensor> take(size_t I);

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  size_t NextResult = 0;
  llvm::DenseMap<size_t, Tensor> Kept; ///< by index; null until computed
};

/// Compares the results of a model with \p Part, until a result differs.
class CompareListener final : public ResultListener {
public:
  using LoadFn = std::function<llvm::Expected<Tensor>(size_t Reference)>;
  CompareListener(Context &Ctx, FirstDifference &Results,
                  ArrayRef<ResultMatch> Part, LoadFn Load)
      : ResultListener(Ctx), Results(Results), Rest(Part),
        Load(std::move(Load)) {}
  /// Returns the error of a value that could not be loaded; success if there
  /// was none.
  llvm::Error takeError();

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  FirstDifference &Results;
  ArrayRef<ResultMatch> Rest;
  LoadFn Load;
  size_t NextResult = 0;
  std::string Problem;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_FIRSTDIFFERENCE_H

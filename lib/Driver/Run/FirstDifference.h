//===- FirstDifference.h - Results of two runs, compared ---------*- C++ --===//
//-*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the results of operators that belong together, in the order in which
// a model computes them, and keeps the first that differs.
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
  /// The records outlive the object.
  FirstDifference(const RunComparisonFlags &Flags, Context &Ctx,
                  ArrayRef<ResultRecord> Model,
                  ArrayRef<ResultRecord> Reference);

  /// The next matches that can be compared, whose values take \p Budget bytes
  /// at most, but at least one; none after the last.
  ArrayRef<ResultMatch> takePart(uint64_t Budget);
  /// What the values of \p Part take in the reference.
  uint64_t getByteSize(ArrayRef<ResultMatch> Part) const;

  void compare(const ResultMatch &M, const Tensor &Expected,
               const Tensor &Actual);
  bool hasDifference() const { return !FirstText.empty(); }
  uint64_t getNumCompared() const { return NumCompared; }
  /// How many have a match, which may not be compared.
  uint64_t getNumMatched() const { return NumMatched; }
  /// Which is the first that differs, and what has been compared.
  void print(raw_ostream &OS) const;

private:
  std::string describe(const ResultRecord &R) const;

  const RunComparisonFlags &Flags;
  Context &Ctx;
  ArrayRef<ResultRecord> Model, Reference;
  std::vector<ResultMatch> Matches; ///< those that can be compared
  size_t NextMatch = 0;
  uint64_t NumCompared = 0, NumMatched = 0;
  std::string FirstText; ///< about the first that differs
};

/// Keeps what \p Part needs of the reference.
class KeepListener final : public ResultListener {
public:
  KeepListener(Context &Ctx, ArrayRef<ResultMatch> Part);
  /// Result \p I, which is not kept any longer.
  llvm::Expected<Tensor> take(size_t I);

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  size_t NextResult = 0;
  llvm::DenseMap<size_t, Tensor> Kept; ///< by index; of no tensor until then
};

/// Compares what a model computes with \p Part, until something differs.
class CompareListener final : public ResultListener {
public:
  using LoadFn = std::function<llvm::Expected<Tensor>(size_t Reference)>;
  CompareListener(Context &Ctx, FirstDifference &Results,
                  ArrayRef<ResultMatch> Part, LoadFn Load)
      : ResultListener(Ctx), Results(Results), Rest(Part),
        Load(std::move(Load)) {}
  /// Why a value could not be loaded; success if all could.
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

//===- RunComparison.h - Two evaluations side by side --------------*- C++
//-*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -compare and -compare-values: how far the results of a model are from those
// of another one, or from values that have been dumped, and at which operation
// the two part.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RUNCOMPARISON_H
#define RELAY_LIB_DRIVER_RUN_RUNCOMPARISON_H

#include "RunModel.h"
#include "relay/Interpreter/Compare/TensorDifference.h"

namespace relay {

struct RunComparisonFlags : FlagGroup {
  explicit RunComparisonFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Comparison") {}

  /// An error if a value has the wrong form, or does not go with others.
  llvm::Error check(StringRef Model) const;
  bool isGiven() const { return Reference.isGiven() || Values.isGiven(); }
  /// What is allowed between elements of the type \p T. Integers are exact
  /// unless a tolerance is given.
  Tolerance getTolerance(DType T) const;

  Flag<std::string> Reference{*this, "-compare",
                              "Compare the outputs with those of this model, "
                              "and say which operation is "
                              "the first that differs",
                              flag::ValueName{"file"}};
  Flag<std::string> Values{
      *this, "-compare-values",
      "Compare the results of operators with the .npy files of this directory, "
      "which -dump-values wrote",
      flag::ValueName{"directory"}};
  Flag<unsigned> Seeds{
      *this,
      "-compare-seeds",
      "Compare for random inputs of this many seeds (default 3)",
      flag::Init{3u},
      flag::ValueName{"number"},
      flag::Positive(),
      flag::NeedsTrust()};
  Flag<double> Relative{
      *this, "-rtol",
      "Relative error that is allowed (default 1e-4, of integers 0)",
      flag::Init{1e-4}, flag::ValueName{"ratio"}};
  Flag<double> Absolute{
      *this, "-atol",
      "Absolute error that is allowed besides (default 1e-5, of integers 0)",
      flag::Init{1e-5}, flag::ValueName{"number"}};
};

/// Compares \p Model, which has been read, with \p Reference, which is read now
/// if the flags say so, and writes a report. Returns the exit status: 0 within
/// the tolerance, 1 beyond, 2 after an error.
int compareRuns(const RunComparisonFlags &Flags, RunModel &Model,
                RunModel &Reference);

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNCOMPARISON_H

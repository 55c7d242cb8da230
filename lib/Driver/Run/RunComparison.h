//===- RunComparison.h - Comparison of two evaluations ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -compare and -compare-values: compares the results of a model with those of
// another model, or with dumped values, and finds the first operation that
// differs.
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

  /// Returns an error if a value is invalid or contradicts another flag.
  llvm::Error check(StringRef Model) const;
  bool isGiven() const { return Reference.isGiven() || Values.isGiven(); }
  /// Returns the tolerance for elements of type \p T. Integers must be equal
  /// unless a tolerance is given.
  Tolerance getTolerance(DType T) const;

  Flag<std::string> Reference{*this, "-compare",
                              "Compare the outputs with those of this model "
                              "and report the first operation that differs",
                              flag::ValueName{"file"}};
  Flag<std::string> Values{*this, "-compare-values",
                           "Compare the results of operators with the .npy "
                           "files that -dump-values wrote to this directory",
                           flag::ValueName{"directory"}};
  Flag<unsigned> Seeds{
      *this,
      "-compare-seeds",
      "Compare on random inputs of this many seeds (default 3)",
      flag::Init{3u},
      flag::ValueName{"number"},
      flag::Positive(),
      flag::NeedsTrust()};
  Flag<double> Relative{*this, "-rtol",
                        "Relative tolerance (default 1e-4, for integers 0)",
                        flag::Init{1e-4}, flag::ValueName{"ratio"}};
  Flag<double> Absolute{*this, "-atol",
                        "Absolute tolerance, added to the relative one "
                        "(default 1e-5, for integers 0)",
                        flag::Init{1e-5}, flag::ValueName{"number"}};
};

/// Compares \p Model, which has been read, with \p Reference, which is read
/// here if the flags request it, and prints a report. Returns the exit status:
/// 0 within the tolerance, 1 beyond it, 2 after an error.
int compareRuns(const RunComparisonFlags &Flags, RunModel &Model,
                RunModel &Reference);

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNCOMPARISON_H

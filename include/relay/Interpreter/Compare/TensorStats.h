//===- TensorStats.h - Summary of the elements of a tensor ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The statistics in traces, which help to find wrong tensors.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_COMPARE_TENSORSTATS_H
#define RELAY_INTERPRETER_COMPARE_TENSORSTATS_H

#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Statistics of the elements that are not NaN, as doubles.
struct TensorStats {
  int64_t NumElements = 0;
  int64_t NumNans = 0;
  double Min = 0, Max = 0, Mean = 0;
};

TensorStats getStats(const Tensor &T);
/// Prints ` min=0 max=2.5 mean=1 nan=0`, with six digits.
void printStats(raw_ostream &OS, const TensorStats &S);

} // namespace relay

#endif // RELAY_INTERPRETER_COMPARE_TENSORSTATS_H

//===- ResultComparison.h - Values before and after a pass ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what was computed before a pass with what is computed after it,
// within the tolerance that the pass declares.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H
#define RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H

#include "relay/Instrumentation/Checks/FunctionComparison.h"

namespace relay {

/// How two values compare.
struct ResultComparison {
  /// The first part that differs; none if all agree.
  std::optional<ResultDifference> First;
  bool HasSameTypes = true;
  unsigned NumCompared = 0; ///< tensors
  /// Why a part was not compared; empty if none was left out.
  std::string LeftOut;
};

/// Compares two values, which texts call \p What.
ResultComparison compareParts(const RuntimeValue &Old, const RuntimeValue &New,
                              StringRef What, const PassTolerance &T);

/// Returns true if \p New holds the elements of \p Old, in any order, within
/// the tolerance \p T, and NaN is one of them.
bool areReorderedWithNaN(const Tensor &Old, const Tensor &New,
                         const PassTolerance &T);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H

//===- ResultComparison.h - Values before and after a pass ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the values computed before and after a pass, within the tolerance
// that the pass declares.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H
#define RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H

#include "relay/Instrumentation/Checks/FunctionComparison.h"

namespace relay {

/// The result of a comparison of two values.
struct ResultComparison {
  /// The first part that differs; none if all parts agree.
  std::optional<ResultDifference> First;
  bool HasSameTypes = true;
  unsigned NumCompared = 0; ///< number of tensors
  /// Why a part was not compared; empty if all were.
  std::string LeftOut;
};

/// Compares two values, called \p What in texts.
ResultComparison compareParts(const RuntimeValue &Old, const RuntimeValue &New,
                              StringRef What, const PassTolerance &T);

/// Returns true if \p New contains the elements of \p Old in any order, within
/// the tolerance \p T, including NaN.
bool areReorderedWithNaN(const Tensor &Old, const Tensor &New,
                         const PassTolerance &T);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_RESULTCOMPARISON_H

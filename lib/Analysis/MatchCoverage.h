//===- MatchCoverage.h - Whether clauses cover all values -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: the check that a `match` (not a `match?`) handles
// every value.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_MATCHCOVERAGE_H
#define RELAY_LIB_ANALYSIS_MATCHCOVERAGE_H

#include "relay/IR/Module.h"
#include <optional>

namespace relay {

/// A value, written as a pattern, that no pattern of \p Clauses matches; none
/// when they match all values, or when there are too many cases to tell.
std::optional<std::string> findUnmatchedCase(const Module &M,
                                             ArrayRef<MatchPattern *> Clauses);

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_MATCHCOVERAGE_H

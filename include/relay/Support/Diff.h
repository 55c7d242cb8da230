//===- Diff.h - Differences between sequences -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes which elements to remove from one sequence, and which to insert, to
// obtain another: Myers' algorithm in linear space. The result is minimal,
// except for sequences with thousands of differences, where speed is preferred.
// The caller defines the elements and prints the differences; this file also
// groups them into hunks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_DIFF_H
#define RELAY_SUPPORT_DIFF_H

#include "relay/Support/LLVM.h"
#include <tuple>

namespace relay {

/// Elements [LeftBegin, LeftEnd) of the left sequence that are replaced by
/// elements [RightBegin, RightEnd) of the right one. One of them may be empty.
struct DiffRange {
  size_t LeftBegin, LeftEnd, RightBegin, RightEnd;

  bool operator==(const DiffRange &O) const {
    return std::tuple(LeftBegin, LeftEnd, RightBegin, RightEnd) ==
           std::tuple(O.LeftBegin, O.LeftEnd, O.RightBegin, O.RightEnd);
  }
};

/// Returns the differences in ascending order; the sequences are equal between,
/// before and after them. Elements are small numbers that identify the compared
/// objects.
SmallVector<DiffRange, 0> diffSequences(ArrayRef<unsigned> Left,
                                        ArrayRef<unsigned> Right);

/// Adjacent differences that are shown together.
struct DiffHunkRange {
  /// The range from the first to the last difference, with context around them.
  DiffRange Whole;
  /// The differences, with the same elements between them.
  ArrayRef<DiffRange> Differences;
};

/// Groups \p Differences, in ascending order, of two sequences; the left one
/// has \p LeftSize elements. Each hunk has up to \p Context elements before and
/// after it. Hunks neither touch nor overlap. They refer to Differences.
SmallVector<DiffHunkRange, 0> groupIntoHunks(ArrayRef<DiffRange> Differences,
                                             size_t LeftSize,
                                             size_t Context = 3);

} // namespace relay

#endif // RELAY_SUPPORT_DIFF_H

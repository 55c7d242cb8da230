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

/// Elements [LeftBegin, LeftEnd) of the left sequence stand where the right has
/// [RightBegin, RightEnd). One of them may be empty.
struct DiffRange {
  size_t LeftBegin, LeftEnd, RightBegin, RightEnd;

  bool operator==(const DiffRange &O) const {
    return std::tuple(LeftBegin, LeftEnd, RightBegin, RightEnd) ==
           std::tuple(O.LeftBegin, O.LeftEnd, O.RightBegin, O.RightEnd);
  }
};

/// The differences in ascending order; the sequences are equal between, before
/// and after them. Elements are small numbers that identify the compared
/// objects.
SmallVector<DiffRange, 0> diffSequences(ArrayRef<unsigned> Left,
                                        ArrayRef<unsigned> Right);

/// Differences that stand near each other, to be shown together.
struct DiffHunkRange {
  /// From the first to the last, with the same elements around them.
  DiffRange Whole;
  /// The differences, with the same elements between them.
  ArrayRef<DiffRange> Differences;
};

/// Groups \p Differences, in ascending order, of two sequences the left of
/// which has \p LeftSize elements: each hunk with up to \p Context elements
/// before and after it. Hunks neither meet nor overlap. They refer to
/// Differences.
SmallVector<DiffHunkRange, 0> groupIntoHunks(ArrayRef<DiffRange> Differences,
                                             size_t LeftSize,
                                             size_t Context = 3);

} // namespace relay

#endif // RELAY_SUPPORT_DIFF_H

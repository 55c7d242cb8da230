//===- IRDiff.h - Differences between two dumps of a function ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the texts of a function line by line. An operation that is added
// shifts the numbers `%12` of all that follow, and the indices of constants; a
// line on which nothing else differs counts as the same.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_IRDIFF_H
#define RELAY_INSTRUMENTATION_IRDIFF_H

#include "relay/Support/LLVM.h"
#include <vector>

namespace relay {

/// A line of one text or, if it is the same in both, of both of them.
struct DiffLine {
  enum class Kind : char { Same = ' ', Removed = '-', Added = '+' };
  Kind K;
  /// Without line end; numbers as in the respective text. Empty on the side
  /// that has no such line.
  StringRef Before, After;
};

/// All lines of both texts, in order; of lines that differ, removed ones come
/// first. They point into \p Before and \p After.
std::vector<DiffLine> diffDumps(StringRef Before, StringRef After);

/// Writes what differs as a unified diff, each place with three lines around
/// it; removed lines red and added ones green when \p Color is set.
void printUnifiedDiff(ArrayRef<DiffLine> Lines, raw_ostream &OS, bool Color);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_IRDIFF_H

//===- IRDiff.h - Differences between two dumps of a function ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the texts of a function line by line. An added operation may shift
// the numbers of all later nodes `%12`, of variables with a common name
// `%p012`, and indices of constants. Lines that differ only in these numbers
// are equal. An equal line at another position is moved.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_IRDIFF_H
#define RELAY_INSTRUMENTATION_DUMPS_IRDIFF_H

#include "relay/Support/LLVM.h"
#include <vector>

namespace relay {

/// A line of one of the texts, or a common line of both.
struct DiffLine {
  enum class Kind : char {
    Same = ' ',
    Removed = '-',
    Added = '+',
    MovedAway = '<', ///< is at another position in After
    MovedHere = '>'  ///< its position in After
  };
  Kind K;
  bool isBefore() const { return K != Kind::Added && K != Kind::MovedHere; }
  bool isAfter() const { return K != Kind::Removed && K != Kind::MovedAway; }
  /// The line without its end, with the numbers of the respective text. Empty
  /// if that text has no such line.
  StringRef Before, After;
};

/// Returns all lines of both texts, in order; of differing lines, removed ones
/// come first. They point into \p Before and \p After.
std::vector<DiffLine> diffDumps(StringRef Before, StringRef After);

/// Writes the differences as a unified diff with three lines of context, and
/// shortens long lines of context. If \p Color is set, removed lines are red,
/// added lines green, and moved lines cyan.
void printUnifiedDiff(ArrayRef<DiffLine> Lines, raw_ostream &OS, bool Color);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_IRDIFF_H

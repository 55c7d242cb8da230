//===- FunctionHistory.h - The changes of a function ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the state of a function after the last pass, and reports its changes:
// the differing lines, with stable names (StableNumbers), and the operators
// added and removed. Different threads may use the histories of different
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_FUNCTIONHISTORY_H
#define RELAY_INSTRUMENTATION_DUMPS_FUNCTIONHISTORY_H

#include "relay/Analysis/OpCounts.h"
#include "relay/Text/Print/StableNumbers.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <mutex>

namespace relay {

/// Stores each line of text once and identifies it by a number. Thread-safe.
class LineTable {
public:
  /// Returns the numbers of the lines of \p Text.
  std::vector<unsigned> add(StringRef Text);
  StringRef getLine(unsigned Number) const { return Lines[Number]; }

private:
  std::mutex Lock;
  llvm::StringMap<unsigned> Numbers;
  std::vector<StringRef> Lines;
};

/// Differing lines, with context.
struct DiffHunk {
  enum class Side : char { Both = ' ', Before = '-', After = '+' };
  struct Line {
    Side Where;
    unsigned Number; ///< in the LineTable
  };
  /// The numbers of the first line, from 1.
  size_t FirstBefore, FirstAfter;
  std::vector<Line> Lines;
};

/// The change of the number of operators, by name; without zeros.
using OpCountChanges = std::map<std::string, int64_t>;

/// The changes of a pass to a function, or to the definitions of the module.
struct FunctionDelta {
  enum class Kind : uint8_t { Changed, Added, Removed, Definitions };
  /// The maximal number of lines of hunks that are kept.
  static constexpr size_t MaxLines = 2000;

  Kind K = Kind::Changed;
  std::string Name;
  size_t LinesAdded = 0, LinesRemoved = 0;
  std::vector<DiffHunk> Hunks; ///< the first MaxLines lines
  OpCountChanges Operations;
};

class FunctionHistory {
public:
  FunctionHistory(StringRef Name, LineTable &Table)
      : Name(Name), Table(Table) {}

  /// Updates the history to the current state of \p F.
  FunctionDelta update(Function &F);
  /// Updates the history, which is that of the module's definitions.
  FunctionDelta update(StringRef Definitions);
  /// Records that the function was removed.
  FunctionDelta remove();

  bool isThere() const { return IsThere; }
  uint64_t getNumOperations() const { return Counts.getNumOperations(); }

private:
  FunctionDelta replace(std::vector<unsigned> NewLines, OpCounts NewCounts);

  std::string Name;
  LineTable &Table;
  bool IsThere = false;
  StableNumbers Numbers;
  std::vector<unsigned> Lines;
  OpCounts Counts;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_FUNCTIONHISTORY_H

//===- MatchExplanation.h - Why a pattern does not match --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains why a pattern does not match an expression: reports the deepest
// point that the match reached, and the expression found there. -explain-match
// prints this, and a pass may write it to the debug log:
//
//   RELAY_DEBUG(Ctx, 2) << Name << " does not match "
//                       << Op->getDescription() << ": "
//                       << explainMatch(Matching, I, Op);
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_MATCHEXPLANATION_H
#define RELAY_PATTERN_MATCH_MATCHEXPLANATION_H

#include "relay/Pattern/Match/Matcher.h"
#include "relay/Support/Diagnostics.h"

namespace relay {

/// Returns the name of a value in the text: `%3`, or `@f` for the result of a
/// function; empty for values without a name. Null if no text exists, as in the
/// middle of a pass.
using ValueNames = function_ref<StringRef(const Value &)>;

/// Writes \p E with its definition on one line, without types: `%3 =
/// nn.relu(%2)`, `let %y`, `tanh(%y), the result of @main`. Without \p Names,
/// operands that are calls are written as `nn.conv2d(...)`, and constants as
/// their types.
void writeExpression(raw_ostream &OS, ExprRef E, ValueNames Names = nullptr);

/// The result of an attempt to match a pattern, with the reasons for a failure.
struct MatchExplanation {
  /// The expression tried, `%2 = nn.relu(%1)`.
  std::string Tried;
  Location TriedLoc;
  bool Matches = false;
  /// Notes: `expected a constant` at the text of the pattern, then the found
  /// expression at its location in the function. Empty if the pattern matches.
  std::vector<Diagnostic> Reasons;
};

/// Tries pattern \p I of the program of \p Matching on \p E, an expression of
/// its function. If it matches, \p Matching holds the match afterwards.
MatchExplanation explainMatch(Matcher &Matching, unsigned I, ExprRef E,
                              ValueNames Names);

/// Returns the reasons why pattern \p I does not match \p Root, on one line:
/// `expected a call of `nn.relu`, found `tanh(%x)` at m.relay:3:8`. For logs.
std::string explainMatch(Matcher &Matching, unsigned I, Operation *Root);

} // namespace relay

#endif // RELAY_PATTERN_MATCH_MATCHEXPLANATION_H

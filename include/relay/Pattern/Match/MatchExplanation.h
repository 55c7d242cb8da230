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

/// The name of a value in the text: `%3`, or `@f` for the result of a function;
/// empty for values without a name. Null if there is no text, as in the middle
/// of a pass.
using ValueNames = function_ref<StringRef(const Value &)>;

/// Writes \p E with its definition on one line, without types: `%3 =
/// nn.relu(%2)`, `let %y`, `tanh(%y), the result of @main`. Without \p Names
/// operands that are calls are `nn.conv2d(...)`, and constants their types.
void writeExpression(raw_ostream &OS, ExprRef E, ValueNames Names = nullptr);

/// Whether a pattern matches, and if not, why.
struct MatchExplanation {
  /// The expression tried, `%2 = nn.relu(%1)`.
  std::string Tried;
  Location TriedLoc;
  bool Matches = false;
  /// Notes: `expected a constant` at the text of the pattern, then the found
  /// expression at that of the function. Empty if the pattern matches.
  std::vector<Diagnostic> Reasons;
};

/// Tries pattern \p I of the program of \p Matching on \p E, an expression of
/// its function. \p Matching has the match then, if there is one.
MatchExplanation explainMatch(Matcher &Matching, unsigned I, ExprRef E,
                              ValueNames Names);

/// The reasons why pattern \p I does not match \p Root, on one line: `expected
/// a call of `nn.relu`, found `tanh(%x)` at m.relay:3:8`. For logs.
std::string explainMatch(Matcher &Matching, unsigned I, Operation *Root);

} // namespace relay

#endif // RELAY_PATTERN_MATCH_MATCHEXPLANATION_H

//===- ExprComparison.h - Expressions against wanted values -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Matcher asks about one expression that takes more than a look: its
// attributes, and whether it equals an expression of a pattern. Private to room
// Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H
#define RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H

#include "relay/Pattern/Match/ExprRef.h"

namespace relay {

/// The attribute \p Name of \p E: of an operator a registered property, of a
/// call a field, of a closure an attribute; none where there is none.
Attr getPatternAttr(ExprRef E, StringRef Name);
/// Returns true if attributes can be asked of \p E.
bool hasPatternAttrs(ExprRef E);
/// Returns true if the attribute \p Found of \p E has the value that a pattern
/// requires: integers and booleans are compared by value for any type, except
/// in a closure.
bool isWantedAttr(ExprRef E, Attr Found, Attr Wanted);

/// Returns true if \p A and \p B are constants of equal type and value.
bool isEqualConstant(ExprRef A, ExprRef B);

/// Returns true if \p E is structurally equal to \p Wanted. Free variables,
/// also those that are parameters or bound outside, equal themselves only.
/// Takes time by the size of Wanted, and of E where both begin with the same
/// operation.
bool isEqualExpression(Value *Wanted, ExprRef E);

} // namespace relay

#endif // RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H

//===- ExprComparison.h - Expressions against required values ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expensive checks of one expression for Matcher: its attributes, and whether
// it equals an expression of a pattern. Private to the library Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H
#define RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H

#include "relay/Pattern/Match/ExprRef.h"

namespace relay {

/// Returns the attribute \p Name of \p E: a registered property of an operator,
/// a field of a call, or an attribute of a closure; none if there is none.
Attr getPatternAttr(ExprRef E, StringRef Name);
/// Returns true if \p E can have attributes.
bool hasPatternAttrs(ExprRef E);
/// Returns true if the attribute \p Found of \p E has the value that a pattern
/// requires: integers and booleans are compared by value for any type, except
/// in a closure.
bool isWantedAttr(ExprRef E, Attr Found, Attr Wanted);

/// Returns true if \p A and \p B are constants of equal type and value.
bool isEqualConstant(ExprRef A, ExprRef B);

/// Returns true if \p E is structurally equal to \p Wanted. Free variables
/// equal only themselves, even if they are parameters or bound outside; those
/// of \p Wanted that are keys of \p Identified equal the value instead. Takes
/// time proportional to the size of Wanted, and to the size of E if both have
/// the same root operation.
bool isEqualExpression(
    Value *Wanted, ExprRef E,
    const llvm::DenseMap<const Value *, Value *> &Identified);

} // namespace relay

#endif // RELAY_LIB_PATTERN_MATCH_EXPRCOMPARISON_H

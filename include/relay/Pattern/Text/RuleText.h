//===- RuleText.h - Rules as text -------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules in files, next to patterns (PatternText.h), in the vocabulary of rules
// declared in TableGen:
//
//   rule "fold-transposes" =
//     transpose(transpose(%x){axes=[1, 0]}){axes=[1, 0]} -> %x
//
//   file     ::= (rule | 'pattern' string '=' pattern)*
//   rule     ::= 'rule' string traits? '=' pattern '->' node
//   traits   ::= '{' (trait (',' trait)* ','?)? '}'    each at most once
//   trait    ::= 'benefit' '=' integer | 'shares_inner' '=' boolean
//   node     ::= primary ('.' index)*                  a projection
//   primary  ::= '%' name                              a name of the pattern
//              | '%' name '@' node                     a name for a new node
//              | operator '(' nodes ')' attrs?         a new call
//              | '(' nodes ')'                         a tuple; (N) is N
//              | number | 'True' | 'False'             a constant
//   nodes    ::= (node (',' node)* ','?)?
//   attrs    ::= '{' (attr (',' attr)* ','?)? '}'
//   attr     ::= 'attrs' '(' '%' name ')'              the first one only
//              | name '=' new
//   new      ::= value | 'None' | '$' name
//
// In the pattern of a rule an attribute may be named, `{axes=$p}`; attributes
// of one name must be equal. `attrs(%c)` are the attributes of the call `%c`;
// without it, attributes that are not given have default values.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_TEXT_RULETEXT_H
#define RELAY_PATTERN_TEXT_RULETEXT_H

#include "relay/Pattern/Rewrite/RewriteRule.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// Parses a file of rules; also checks patterns in it. Fails after it has
/// reported all errors, also if the file has no rule. Warns of shadowed rules.
/// The rules belong to \p Ctx.
FailureOr<std::vector<RewriteRule>>
parseRuleFile(std::unique_ptr<llvm::MemoryBuffer> Buffer, Context &Ctx);

} // namespace relay

#endif // RELAY_PATTERN_TEXT_RULETEXT_H

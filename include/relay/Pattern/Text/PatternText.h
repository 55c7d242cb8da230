//===- PatternText.h - Patterns as text -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The textual form of patterns, `nn.relu(add(nn.conv2d(*, const), *))`, and its
// parser and printer:
//
//   pattern  ::= typed ('|' typed)*                    tried in this order
//   typed    ::= postfix (':' (type | 'shape' '(' dims ')' |
//                              'dtype' '(' dtype ')'))*
//   postfix  ::= primary ( '(' list ')'                a call
//                        | '.' (index | '*')           a projection
//                        | '{' name '=' value, … '}' )*  attributes
//   list     ::= '...' | (pattern (',' pattern)* ','?)?
//   primary  ::= '*' | 'const' | 'var' ('(' string ')')?
//              | operator                              nn.conv2d
//              | '%' name | '%' name '@' postfix       a name for a node
//              | number | 'True' | 'False' | 'is' '(' expression ')'
//              | '(' list ')'                          a tuple; (P) is P
//              | 'fn' '(' list ')' '{' pattern '}'
//              | 'if' '(' pattern ',' pattern ',' pattern ')'
//              | 'let' '(' pattern ',' pattern ',' pattern ')'
//              | 'dominates' '(' pattern ',' pattern ',' pattern ')'
//   file     ::= ('pattern' string ('{' 'check' '=' string '}')? '=' pattern
//              | rule)*                              RuleText.h
//
// `%x` alone refers to the node of that name, or is a wildcard if the name is
// new; in the definition of `%x` itself it makes the pattern recursive. `if`
// takes condition and branches; `let` takes variable, value and body;
// `dominates` takes parent, path and child. `check` names a C++ function that
// accepts or refuses the root of a match. Comments are written as in Relay.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_TEXT_PATTERNTEXT_H
#define RELAY_PATTERN_TEXT_PATTERNTEXT_H

#include "relay/Pattern/Match/Pattern.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

class PassRegistry;

/// Accepts or refuses a match by its root.
using PatternCheckFn = bool (*)(const Operation &Root);

/// A `pattern "name" = …` of a file, or the pattern of a rule.
struct NamedPattern {
  std::string Name;
  Pattern P;
  bool IsOfRule = false;
  PatternCheckFn Check = nullptr;
};

/// Parses \p Text, one pattern. Diagnostics name the text \p BufferName.
FailureOr<Pattern> parsePattern(StringRef Text, StringRef BufferName,
                                Context &Ctx);

/// Parses a file of patterns and rules and returns the patterns, which may name
/// functions of \p Registry as their checks. Fails after it has reported all
/// errors.
FailureOr<std::vector<NamedPattern>>
parsePatternFile(std::unique_ptr<llvm::MemoryBuffer> Buffer, Context &Ctx,
                 const PassRegistry &Registry);

/// Prints \p Node so that it parses back; supports recursive patterns. Nodes
/// without a name that occur several times get one: `%0`.
void printPattern(raw_ostream &OS, const PatternNode &Node);
inline raw_ostream &operator<<(raw_ostream &OS, const Pattern &P) {
  printPattern(OS, P.getNode());
  return OS;
}

} // namespace relay

#endif // RELAY_PATTERN_TEXT_PATTERNTEXT_H

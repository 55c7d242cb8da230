//===- PatternText.h - Patterns as text -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The textual form of patterns, `nn.relu(add(nn.conv2d(*, const), *))`, both
// ways:
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
//   file     ::= ('pattern' string '=' pattern | rule)*   RuleText.h
//
// `%x` alone refers to the node of that name, or is a wildcard if the name is
// new; in the definition of `%x` itself it makes the pattern recursive. The
// last three forms take variable, value and body; condition and branches;
// parent, path and child. Comments are written as in Relay.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_TEXT_PATTERNTEXT_H
#define RELAY_PATTERN_TEXT_PATTERNTEXT_H

#include "relay/Pattern/Match/Pattern.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// A `pattern "name" = …` of a file, or the pattern of a rule.
struct NamedPattern {
  std::string Name;
  Pattern P;
  bool IsOfRule = false;
};

/// Parses \p Text, one pattern. Diagnostics call the text \p BufferName.
FailureOr<Pattern> parsePattern(StringRef Text, StringRef BufferName,
                                Context &Ctx);

/// Parses a file of patterns and rules and returns the patterns. Fails after
/// all errors are reported.
FailureOr<std::vector<NamedPattern>>
parsePatternFile(std::unique_ptr<llvm::MemoryBuffer> Buffer, Context &Ctx);

/// Prints \p Node so that it parses back; recursive patterns included. Nodes
/// without a name that stand at several places get one: `%0`.
void printPattern(raw_ostream &OS, const PatternNode &Node);
inline raw_ostream &operator<<(raw_ostream &OS, const Pattern &P) {
  printPattern(OS, P.getNode());
  return OS;
}

} // namespace relay

#endif // RELAY_PATTERN_TEXT_PATTERNTEXT_H

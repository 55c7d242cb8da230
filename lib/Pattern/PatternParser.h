//===- PatternParser.h - The parser of patterns -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser of the grammar of PatternText.h, by recursive descent with one
// token of lookahead, for files that contain patterns. What returns a failure
// has reported an error. Names of nodes are known from forgetNames() on.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_PATTERNPARSER_H
#define RELAY_LIB_PATTERN_PATTERNPARSER_H

#include "relay/Pattern/PatternText.h"
#include "relay/Support/Diagnostics.h"
#include "relay/Text/Lexer.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

class PatternParser {
public:
  /// Reads the main text of \p Ctx's diagnostics.
  explicit PatternParser(Context &Ctx);

  FailureOr<Pattern> parsePattern();
  /// Parses `pattern "name" =` before a pattern.
  FailureOr<NamedPattern> parseNamedPattern();
  /// Reports what stands behind the end of a pattern.
  LogicalResult expectEnd();

  //===--- Tokens ---------------------------------------------------------===//
  const Token &getToken() const { return T; }
  bool at(Tok K) const { return T.is(K); }
  bool atWord(StringRef Word) const {
    return T.is(Tok::Identifier) && T.text() == Word;
  }
  bool atEnd() const { return T.is(Tok::EndOfFile); }
  void advance() { Lex.lex(T); }
  bool consumeIf(Tok K);
  bool consumeIfWord(StringRef Word);
  LogicalResult expect(Tok K, const Twine &Where);
  /// Parses a string without its quotes and escapes.
  FailureOr<std::string> parseString(const Twine &What);

  //===--- Errors and names -----------------------------------------------===//
  InFlightDiagnostic error(const Token &At, const Twine &Message);
  /// Reports that \p What was expected where the current token is.
  InFlightDiagnostic expected(const Twine &What);
  Location getLoc(const Token &At) const {
    return Location::fromOffset(Offset + (At.Begin - Lex.begin()));
  }
  Context &getContext() { return Ctx; }
  /// The node called \p Name (without `%`), if there is one.
  std::optional<Pattern> lookup(StringRef Name) const;
  void forgetNames() { Names.clear(); }

private:
  /// A name, and the node that it stands for: that of its definition, or a
  /// wildcard as long as there is none.
  struct NamedNode {
    std::optional<Pattern> Node;
    bool IsBeingDefined = false;
  };
  using Parsed = FailureOr<Pattern>;

  Parsed parseTyped();
  Parsed parsePostfix();
  Parsed parsePrimary();
  Parsed parseWord();
  Parsed parseOperator();
  Parsed parseVariable();
  Parsed parseExpression();
  Parsed parseLiteral();
  Parsed parseName();
  Parsed parseDefinition(const Token &Name);
  Parsed parseTuple();
  Parsed parseFunction();
  Parsed parseCall(const Pattern &Callee);
  Parsed parseProjection(const Pattern &Tuple);
  Parsed parseAttributes(const Pattern &Inner);
  Parsed parseConstraint(const Pattern &Inner);
  LogicalResult parseShape(SmallVectorImpl<Dim> &Shape);
  LogicalResult parseDim(Dim &Out);
  FailureOr<DType> parseDType();
  Parsed makeExpression(StringRef Text, const Token &At);
  LogicalResult parseThree(StringRef Of, SmallVectorImpl<Pattern> &Parts);
  /// What stands between parentheses, behind the first one: patterns, or `...`,
  /// which sets \p Any.
  LogicalResult parseList(SmallVectorImpl<Pattern> &List, bool &Any,
                          bool &TrailingComma);
  FailureOr<AttrLiteral> parseAttrValue();
  FailureOr<AttrLiteral> parseAttrNumber();
  LogicalResult checkOperands(const Pattern &Call, const Token &At);
  LogicalResult checkAttribute(const Pattern &Inner, const Token &Name);
  bool atPipe() const { return T.is(Tok::Error) && *T.Begin == '|'; }
  bool consumeIfEllipsis();

  Context &Ctx;
  Lexer Lex;
  size_t Offset; ///< of the text, in the locations of the Context
  Token T;
  unsigned Depth = 0;
  llvm::StringMap<NamedNode> Names;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_PATTERNPARSER_H

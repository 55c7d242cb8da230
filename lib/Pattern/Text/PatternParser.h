//===- PatternParser.h - The parser of patterns -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser of the grammar of PatternText.h, by recursive descent with one
// token of lookahead, for files that contain patterns. Functions that return
// failure have reported an error. Names of nodes are valid until the next
// forgetNames().
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_TEXT_PATTERNPARSER_H
#define RELAY_LIB_PATTERN_TEXT_PATTERNPARSER_H

#include "relay/Pattern/Text/PatternText.h"
#include "relay/Support/Diagnostics.h"
#include "relay/Text/Parse/Lexer.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

class PatternParser {
public:
  /// Patterns nested deeper are an error.
  static constexpr unsigned MaxDepth = 1000;

  /// Reads the main text of \p Ctx's diagnostics, which patterns keep alive.
  explicit PatternParser(Context &Ctx);

  /// Parses a pattern, which keeps the text alive.
  FailureOr<Pattern> parsePattern();
  /// Reports text after the end of a pattern.
  LogicalResult expectEnd();
  /// Reports `axis=1` at the current token, among the operands of a call whose
  /// parenthesis is \p Open.
  LogicalResult checkNoAttribute(const Token &Open);

  //===--- Tokens ---------------------------------------------------------===//
  const Token &getToken() const { return T; }
  bool at(Tok K) const { return T.is(K); }
  bool atWord(StringRef Word) const {
    return T.is(Tok::Identifier) && T.text() == Word;
  }
  bool atEnd() const { return T.is(Tok::EndOfFile); }
  void advance() {
    LastEnd = Lex.getPosition();
    Lex.lex(T);
  }
  bool consumeIf(Tok K);
  bool consumeIfWord(StringRef Word);
  LogicalResult expect(Tok K, const Twine &Where);
  /// Parses a string without its quotes and escapes.
  FailureOr<std::string> parseString(const Twine &What);

  //===--- Errors and names -----------------------------------------------===//
  InFlightDiagnostic error(const Token &At, const Twine &Message);
  LogicalResult checkDepth();
  /// Returns the data type that \p Text names, if it can be an element type.
  std::optional<DType> findDType(StringRef Text);
  /// Returns `; did you mean 'float32'?` for a name that findDType() does not
  /// find, or "".
  static std::string suggestDType(StringRef Text);
  /// Reports that \p What is expected at the current token.
  InFlightDiagnostic expected(const Twine &What);
  Location getLoc(const Token &At) const { return getLoc(At.Begin); }
  Context &getContext() { return Ctx; }
  /// Parses `$p`, the current token, without the sigil.
  StringRef parseAttrName();
  bool atAttrName() const { return T.is(Tok::Error) && *T.Begin == '$'; }
  FailureOr<AttrLiteral> parseAttrValue();
  /// Returns true at a word that begins a pattern but not a replacement, or at
  /// `*`.
  bool atPatternWord() const;
  bool atPipe() const { return T.is(Tok::Error) && *T.Begin == '|'; }
  /// Returns the node called \p Name (without `%`), if there is one.
  std::optional<Pattern> lookup(StringRef Name) const;
  SmallVector<StringRef> getNames() const;
  void forgetNames();

  //===--- Needs of rules -------------------------------------------------===//
  /// `$p` of `{axes=$p}`: the name of the value of an attribute.
  struct AttrName {
    StringRef Name;
    Location Loc;
    unsigned Call; ///< of getCalls()
    const AttrField *Field;
  };
  void setAllowsAttrNames(bool Allow) { AllowsAttrNames = Allow; }
  /// The names of attributes, and the calls of operators, in the order of the
  /// text.
  ArrayRef<AttrName> getAttrNames() const { return AttrNames; }
  ArrayRef<Pattern> getCalls() const { return Calls; }
  /// Returns the number of the call that \p Node is, or whose attributes it
  /// requires.
  std::optional<unsigned> lookupCall(const PatternNode &Node) const;
  const OpInfo &getCalledOperator(unsigned Call) const;
  FailureOr<const AttrField *> findField(const OpInfo &Op, const Token &Name);
  /// Parses a constant, `-1f`, `True`.
  FailureOr<Pattern> parseLiteral();
  bool atLiteral() const {
    return at(Tok::Number) || at(Tok::Minus) || atWord("True") ||
           atWord("False");
  }
  FailureOr<const OpInfo *> parseOperatorName();
  /// Parses `0` of `P.0`.
  FailureOr<int64_t> parseIndex(const Twine &What);
  /// Skips the name at the current token and the `@` after it, if present.
  bool consumeDefinition();
  /// Reports that \p Op does not take \p Count operands; \p Hint follows.
  LogicalResult checkOperandCount(const OpInfo &Op, size_t Count,
                                  const Token &At, StringRef Hint);

private:
  /// A name and its node: the node of its definition, or a wildcard until it is
  /// defined.
  struct NamedNode {
    std::optional<Pattern> Node;
    bool IsBeingDefined = false;
  };
  using Parsed = FailureOr<Pattern>;

  Location getLoc(const char *At) const {
    return Location::fromOffset(Source->getBegin() + (At - Lex.begin()));
  }
  Parsed parseChoice();
  Parsed parseTyped();
  Parsed parsePostfix();
  Parsed parsePrimary();
  Parsed parseWord();
  Parsed parseOperator();
  Parsed parseVariable();
  Parsed parseExpression();
  Parsed parseName();
  Parsed parseDefinition(const Token &Name);
  Parsed parseTuple();
  Parsed parseFunction();
  Parsed parseCall(const Pattern &Callee);
  Parsed parseProjection(const Pattern &Tuple);
  LogicalResult checkIndex(const Pattern &Tuple, int64_t Index, Token At);
  Parsed parseAttributes(const Pattern &Inner);
  Parsed parseConstraint(const Pattern &Inner);
  LogicalResult parseShape(SmallVectorImpl<Dim> &Shape);
  LogicalResult parseDim(Dim &Out);
  FailureOr<DType> parseDType();
  Parsed makeExpression(StringRef Text, const Token &At);
  LogicalResult parseThree(StringRef Of, SmallVectorImpl<Pattern> &Parts);
  /// Parses the contents of parentheses, after the first one: patterns, or
  /// `...`, which sets \p Any. \p Call is the parenthesis of a call; null for
  /// other lists.
  LogicalResult parseList(SmallVectorImpl<Pattern> &List, bool &Any,
                          bool &TrailingComma, const Token *Call = nullptr);
  LogicalResult checkWord();
  FailureOr<AttrLiteral> parseAttrNumber();
  LogicalResult parseAttribute(const Pattern &Inner,
                               std::vector<WantedAttr> &Attributes);
  LogicalResult addAttrName(const Pattern &Inner, const AttrField *Field);
  LogicalResult checkOperands(const Pattern &Call, const Token &At);
  FailureOr<const AttrField *> checkAttribute(const Pattern &Inner,
                                              const Token &Name);
  LogicalResult checkAttrValue(const Pattern &Inner, const AttrField &Field,
                               const AttrLiteral &Value, const Token &At);
  bool consumeIfEllipsis();

  Context &Ctx;
  SourceTextRef Source;
  Lexer Lex;
  Token T;
  const char *LastEnd = nullptr; ///< of the previous token
  unsigned Depth = 0;
  llvm::StringMap<NamedNode> Names;
  bool AllowsAttrNames = false;
  SmallVector<AttrName, 4> AttrNames;
  SmallVector<Pattern, 8> Calls;
  llvm::DenseMap<const PatternNode *, unsigned> CallNumbers;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_TEXT_PATTERNPARSER_H

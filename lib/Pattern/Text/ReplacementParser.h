//===- ReplacementParser.h - The right side of rules ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the part of a rule after `->`, see RuleText.h. Its names refer to the
// names of the parsed pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_TEXT_REPLACEMENTPARSER_H
#define RELAY_LIB_PATTERN_TEXT_REPLACEMENTPARSER_H

#include "Match/BoundNodes.h"
#include "PatternParser.h"
#include "Rewrite/Replacement.h"

namespace relay {

class ReplacementParser {
public:
  /// \p Captures receives the captures of \p Source that the replacement needs;
  /// it already has one for each call of P.
  ReplacementParser(PatternParser &P, const Pattern &Source,
                    std::vector<RuleCapture> &Captures, Replacement &Into)
      : P(P), Source(Source), Captures(Captures), Into(Into),
        Bound(Source.getNode()) {}

  /// Reads attributes that the pattern names, and requires that attributes of
  /// one name are equal.
  LogicalResult addAttrNames();
  LogicalResult parse();

private:
  using NodeKind = Replacement::NodeKind;
  using Parsed = FailureOr<unsigned>; ///< the number of a node

  Parsed parseNode();
  Parsed parsePrimary();
  Parsed reportPatternWord();
  Parsed parseName();
  Parsed parseNewName(const Token &Name);
  Parsed parseMatched(const Token &Name);
  Parsed parseLiteral();
  Parsed parseTuple();
  Parsed parseCall();
  Parsed parseProjection(unsigned Tuple);
  /// \p Call is the parenthesis of a call; null for a tuple.
  LogicalResult parseList(SmallVectorImpl<unsigned> &List, bool &TrailingComma,
                          const Token *Call = nullptr);
  LogicalResult parseAttributes(Replacement::Node &Call, const Token &Name);
  LogicalResult parseAttrsFrom(Replacement::Node &Call);
  LogicalResult parseAttribute(Replacement::Node &Call);
  LogicalResult parseMatchedAttr(Replacement::NewAttr &New,
                                 const AttrField &Field);
  LogicalResult parseNewValue(Replacement::NewAttr &New, const OpInfo &Op,
                              const AttrField &Field);
  LogicalResult checkRequired(const Replacement::Node &Call, const Token &Name);
  FailureOr<Pattern> lookup(const Token &Name);
  unsigned getCapture(const Pattern &Part);
  LogicalResult checkMatched(const Token &Name, const Pattern &Part);

  PatternParser &P;
  const Pattern &Source;
  std::vector<RuleCapture> &Captures;
  Replacement &Into;
  BoundNodes Bound;
  llvm::StringMap<PatternParser::AttrName> Attributes;
  llvm::DenseMap<const PatternNode *, unsigned> CaptureNumbers;
  /// New nodes by name.
  llvm::StringMap<unsigned> NewNames;
  unsigned Depth = 0;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_TEXT_REPLACEMENTPARSER_H

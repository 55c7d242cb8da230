//===- ReplacementParser.cpp - The right side of rules --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By recursive descent, as for patterns. A replacement that cannot be valid for
// any match is an error.
//
//===----------------------------------------------------------------------===//

#include "ReplacementParser.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Names of attributes
//===----------------------------------------------------------------------===//

static Replacement::MatchedAttr
getMatchedAttr(const PatternParser &P, const PatternParser::AttrName &Name) {
  const OpInfo &Op = P.getCalledOperator(Name.Call);
  return {Name.Call, unsigned(Name.Field - Op.Attributes->Fields.begin())};
}

/// Returns true if values of \p From may be values of \p To.
static bool mayBecome(const AttrField &From, const AttrField &To) {
  auto IsIn = [](FieldKind Kind, std::initializer_list<FieldKind> Kinds) {
    return llvm::is_contained(Kinds, Kind);
  };
  if (From.Kind == To.Kind || From.Kind == FieldKind::Object ||
      To.Kind == FieldKind::Object)
    return true;
  for (std::initializer_list<FieldKind> Alike :
       {std::initializer_list<FieldKind>{FieldKind::Int, FieldKind::OptInt,
                                         FieldKind::Dim, FieldKind::IntOrArray},
        {FieldKind::DimArray, FieldKind::IntArray, FieldKind::IntOrArray},
        {FieldKind::DimMatrix, FieldKind::IntMatrix}})
    if (IsIn(From.Kind, Alike) && IsIn(To.Kind, Alike))
      return true;
  return false;
}

LogicalResult ReplacementParser::addAttrNames() {
  for (const PatternParser::AttrName &Name : P.getAttrNames()) {
    if (Captures[Name.Call].IsOptional)
      return P.getContext().emitError(
          Name.Loc,
          "`$" + Name.Name + "` names an attribute of only one alternative");
    auto [It, IsNew] = Attributes.try_emplace(Name.Name, Name);
    if (IsNew)
      continue;
    const PatternParser::AttrName &First = It->second;
    if (!mayBecome(*First.Field, *Name.Field)) {
      InFlightDiagnostic D = P.getContext().emitError(
          Name.Loc, "`$" + Name.Name + "` names " + describe(Name.Field->Kind) +
                        " here and " + describe(First.Field->Kind) + " before");
      D.note(First.Loc, "first named here");
      return D;
    }
    Into.addEqual(getMatchedAttr(P, First), getMatchedAttr(P, Name));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult ReplacementParser::parse() {
  return llvm::success(succeeded(parseNode()));
}

ReplacementParser::Parsed ReplacementParser::parseNode() {
  if (Depth == PatternParser::MaxDepth)
    return P.error(P.getToken(), "replacement nested more than " +
                                     Twine(PatternParser::MaxDepth) +
                                     " levels deep");
  ++Depth;
  Parsed Node = parsePrimary();
  while (succeeded(Node) && P.at(Tok::Dot))
    Node = parseProjection(*Node);
  --Depth;
  if (succeeded(Node) && P.at(Tok::LParen))
    return P.error(P.getToken(), "a replacement can only call operators");
  return Node;
}

ReplacementParser::Parsed ReplacementParser::parsePrimary() {
  if (P.at(Tok::Local) || P.at(Tok::Graph))
    return parseName();
  if (P.at(Tok::LParen))
    return parseTuple();
  if (P.atLiteral())
    return parseLiteral();
  if (P.atPatternWord())
    return reportPatternWord();
  if (P.at(Tok::Identifier))
    return parseCall();
  return P.expected("a replacement");
}

/// Reports the current token, which is allowed only in patterns, and suggests a
/// replacement.
ReplacementParser::Parsed ReplacementParser::reportPatternWord() {
  StringRef Word = P.getToken().text();
  const char *Instead = Word == "is"
                            ? "write the value itself, such as `1f`"
                            : "name the value in the pattern and use the name";
  return P.error(P.getToken(),
                 "`" + Word + "` is allowed only in patterns; " + Instead);
}

/// Parses `2f`.
ReplacementParser::Parsed ReplacementParser::parseLiteral() {
  Location Loc = P.getLoc(P.getToken());
  FailureOr<Pattern> Literal = P.parseLiteral();
  if (failed(Literal))
    return failure();
  auto *Op = cast<Operation>((*Literal)->getExpression());
  Replacement::Node N(NodeKind::Constant, Loc);
  N.Value = ConstantOp(Op).attrs().value();
  Into.keep(std::make_shared<Pattern>(*Literal));
  return Into.add(std::move(N));
}

ReplacementParser::Parsed ReplacementParser::parseProjection(unsigned Tuple) {
  Replacement::Node N(NodeKind::Projection, P.getLoc(P.getToken()), Tuple);
  P.advance();
  FailureOr<int64_t> Index = P.parseIndex("the index of a field");
  if (failed(Index))
    return failure();
  N.Index = *Index;
  return Into.add(std::move(N));
}

/// Parses the contents of parentheses, after the first one.
LogicalResult ReplacementParser::parseList(SmallVectorImpl<unsigned> &List,
                                           bool &TrailingComma,
                                           const Token *Call) {
  TrailingComma = false;
  while (!P.at(Tok::RParen)) {
    if (Call && failed(P.checkNoAttribute(*Call)))
      return failure();
    Parsed Node = parseNode();
    if (failed(Node))
      return failure();
    List.push_back(*Node);
    TrailingComma = P.consumeIf(Tok::Comma);
    if (!TrailingComma)
      break;
  }
  if (P.consumeIf(Tok::RParen))
    return success();
  return P.expected("`,` or `)`");
}

ReplacementParser::Parsed ReplacementParser::parseTuple() {
  Replacement::Node N(NodeKind::Tuple, P.getLoc(P.getToken()));
  P.advance();
  bool TrailingComma;
  if (failed(parseList(N.Operands, TrailingComma)))
    return failure();
  if (N.Operands.size() == 1 && !TrailingComma)
    return N.Operands.front();
  return Into.add(std::move(N));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Parses `%x`, `%s@add(…)`.
ReplacementParser::Parsed ReplacementParser::parseName() {
  Token Name = P.getToken();
  if (P.consumeDefinition())
    return parseNewName(Name);
  P.advance();
  if (auto It = NewNames.find(Name.name()); It != NewNames.end())
    return It->second;
  return parseMatched(Name);
}

ReplacementParser::Parsed ReplacementParser::parseNewName(const Token &Name) {
  if (P.lookup(Name.name()) || NewNames.count(Name.name()))
    return P.error(Name, "`" + Name.text() + "` is already defined");
  Parsed Node = parseNode();
  if (succeeded(Node))
    NewNames[Name.name()] = *Node;
  return Node;
}

/// Returns the node of the pattern that \p Name names and that has a value.
FailureOr<Pattern> ReplacementParser::lookup(const Token &Name) {
  std::optional<Pattern> Part = P.lookup(Name.name());
  if (!Part) {
    SmallVector<StringRef> Known = P.getNames();
    return P.error(Name, "the pattern does not name `" + Name.text() + "`")
           << getSuggestion(Name.name(), Known);
  }
  if (!Bound.isAlwaysBound(Part->getNode()))
    return P.error(Name, "`" + Name.text() +
                             "` may have no value here: it is bound in only "
                             "one alternative, in a function or in a branch");
  return *Part;
}

/// Returns the number of the capture of \p Part, and adds it if it is new.
unsigned ReplacementParser::getCapture(const Pattern &Part) {
  auto [It, IsNew] =
      CaptureNumbers.try_emplace(&Part.getNode(), Captures.size());
  if (IsNew)
    Captures.push_back({Part, nullptr, false});
  return It->second;
}

/// Returns \p Whole and the nodes of its pattern that match the same
/// expression: alternatives, and the children of demands.
static llvm::SmallSetVector<const PatternNode *, 4>
listMatchingSame(const PatternNode &Whole) {
  llvm::SmallSetVector<const PatternNode *, 4> Nodes;
  Nodes.insert(&Whole);
  for (unsigned I = 0; I != Nodes.size(); ++I) {
    const PatternNode &Node = *Nodes[I];
    if (matchesAsChild(Node.getKind()))
      Nodes.insert(Node.getChildren().begin(), Node.getChildren().end());
  }
  return Nodes;
}

/// Reports \p Part, named \p Name, if a replacement cannot use it: the root
/// would use itself, and operators are not values.
LogicalResult ReplacementParser::checkMatched(const Token &Name,
                                              const Pattern &Part) {
  if (listMatchingSame(Source.getNode()).contains(&Part.getNode()))
    return P.error(Name, "`" + Name.text() +
                             "` is the root of the rule and cannot be part of "
                             "its own replacement");
  if (llvm::any_of(listMatchingSame(Part.getNode()), [](const auto *Node) {
        return Node->is(PatternKind::Operator);
      }))
    return P.error(Name, "`" + Name.text() + "` is an operator, not a value");
  return success();
}

ReplacementParser::Parsed ReplacementParser::parseMatched(const Token &Name) {
  FailureOr<Pattern> Part = lookup(Name);
  if (failed(Part) || failed(checkMatched(Name, *Part)))
    return failure();
  Replacement::Node N(NodeKind::Matched, P.getLoc(Name));
  N.Capture = getCapture(*Part);
  return Into.add(std::move(N));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

ReplacementParser::Parsed ReplacementParser::parseCall() {
  Token Name = P.getToken();
  Replacement::Node N(NodeKind::Call, P.getLoc(Name));
  FailureOr<const OpInfo *> Op = P.parseOperatorName();
  if (failed(Op))
    return failure();
  N.Op = *Op;
  if (!N.Op->isOperator())
    return P.error(Name, "`" + Name.text() + "` is not an operator");
  Token Open = P.getToken();
  bool TrailingComma;
  if (failed(P.expect(Tok::LParen, "after the operator")) ||
      failed(parseList(N.Operands, TrailingComma, &Open)) ||
      failed(P.checkOperandCount(*N.Op, N.Operands.size(), Open, "")) ||
      failed(parseAttributes(N, Name)))
    return failure();
  return Into.add(std::move(N));
}

/// Parses `{attrs(%conv), strides=[1, 1], axes=$p}`, or nothing.
LogicalResult ReplacementParser::parseAttributes(Replacement::Node &Call,
                                                 const Token &Name) {
  if (P.consumeIf(Tok::LBrace)) {
    if (P.atWord("attrs")) {
      if (failed(parseAttrsFrom(Call)))
        return failure();
      if (!P.consumeIf(Tok::Comma) && !P.at(Tok::RBrace))
        return P.expected("`,` or `}`");
    }
    while (!P.at(Tok::RBrace)) {
      if (failed(parseAttribute(Call)))
        return failure();
      if (!P.consumeIf(Tok::Comma))
        break;
    }
    if (failed(P.expect(Tok::RBrace, "after the attributes")))
      return failure();
  }
  return checkRequired(Call, Name);
}

/// Parses `attrs(%conv)`.
LogicalResult ReplacementParser::parseAttrsFrom(Replacement::Node &Call) {
  P.advance();
  if (failed(P.expect(Tok::LParen, "after `attrs`")))
    return failure();
  Token Name = P.getToken();
  if (!P.at(Tok::Local) && !P.at(Tok::Graph))
    return P.expected("the name of a call, `%name`");
  FailureOr<Pattern> Part = lookup(Name);
  if (failed(Part))
    return failure();
  std::optional<unsigned> From = P.lookupCall(Part->getNode());
  if (!From)
    return P.error(Name, "`" + Name.text() + "` is not a call of an operator");
  const OpInfo &FromOp = P.getCalledOperator(*From);
  if (!FromOp.Attributes || FromOp.Attributes != Call.Op->Attributes)
    return P.error(Name, "`" + FromOp.Name +
                             "` does not have the attributes of `" +
                             Call.Op->Name + "`");
  Call.AttrsFrom = *From;
  P.advance();
  return P.expect(Tok::RParen, "after the name");
}

LogicalResult ReplacementParser::parseAttribute(Replacement::Node &Call) {
  Token Name = P.getToken();
  if (!P.at(Tok::Identifier))
    return P.expected("the name of an attribute");
  FailureOr<const AttrField *> Field = P.findField(*Call.Op, Name);
  if (failed(Field))
    return failure();
  if ((*Field)->Kind == FieldKind::Expr)
    return P.error(Name, "attribute `" + Name.text() + "` is an operand");
  Replacement::NewAttr New{
      unsigned(*Field - Call.Op->Attributes->Fields.begin()), Attr()};
  if (llvm::any_of(Call.Changes,
                   [&](const auto &Other) { return Other.Field == New.Field; }))
    return P.error(Name, "attribute `" + Name.text() + "` is given twice");
  P.advance();
  if (failed(P.expect(Tok::Equal, "after the name of an attribute")) ||
      failed(P.atAttrName() ? parseMatchedAttr(New, **Field)
                            : parseNewValue(New, *Call.Op, **Field)))
    return failure();
  Call.Changes.push_back(std::move(New));
  return success();
}

/// Parses `$p`.
LogicalResult ReplacementParser::parseMatchedAttr(Replacement::NewAttr &New,
                                                  const AttrField &Field) {
  Token At = P.getToken();
  StringRef Name = P.parseAttrName();
  At.End = Name.end();
  auto It = Attributes.find(Name);
  if (It == Attributes.end()) {
    SmallVector<StringRef> Known(Attributes.keys());
    llvm::sort(Known);
    return P.error(At, "the pattern does not name `$" + Name + "`")
           << getSuggestion(Name, Known);
  }
  const PatternParser::AttrName &Named = It->second;
  if (!mayBecome(*Named.Field, Field)) {
    InFlightDiagnostic D =
        P.error(At, "attribute `" + Twine(Field.Name) + "` expects " +
                        describe(Field.Kind) + ", but `$" + Name + "` is " +
                        describe(Named.Field->Kind));
    D.note(Named.Loc, "named here");
    return D;
  }
  if (Named.Field->Kind != Field.Kind)
    Into.setMayNotFit();
  New.Value = getMatchedAttr(P, Named);
  return success();
}

/// Parses a value as in Relay text.
LogicalResult ReplacementParser::parseNewValue(Replacement::NewAttr &New,
                                               const OpInfo &Op,
                                               const AttrField &Field) {
  Token At = P.getToken();
  Attr Written;
  if (!P.consumeIfWord("None")) {
    FailureOr<AttrLiteral> Literal = P.parseAttrValue();
    if (failed(Literal))
      return failure();
    Written = Literal->get(P.getContext());
  }
  std::optional<Attr> Value = toFieldValue(P.getContext(), Field, Written);
  if (!Value)
    return P.error(At, "attribute `" + Twine(Field.Name) + "` of `" + Op.Name +
                           "` takes " + describe(Field.Kind) + ", found " +
                           describe(Written));
  if (Value->isDType() && Written.isString() &&
      !P.findDType(Written.getString()))
    return P.error(At, "unknown data type '" + Value->getDType().str() + "'")
           << PatternParser::suggestDType(Written.getString());
  New.Value = *Value;
  return success();
}

/// Reports attributes of \p Call that have no value.
LogicalResult ReplacementParser::checkRequired(const Replacement::Node &Call,
                                               const Token &Name) {
  if (!Call.Op->Attributes || Call.AttrsFrom)
    return success();
  for (auto [I, Field] : llvm::enumerate(Call.Op->Attributes->Fields)) {
    bool IsGiven = llvm::any_of(
        Call.Changes, [I = I](const auto &New) { return New.Field == I; });
    if (Field.isRequired() && Field.Kind != FieldKind::Expr && !IsGiven)
      return P.error(Name, "`" + Name.text() + "` needs the attribute `" +
                               Field.Name + "`");
  }
  return success();
}

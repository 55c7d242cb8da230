//===- PatternParser.cpp - Patterns as text -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PatternText.h for the grammar. Calls of operators are checked as far as
// possible: a pattern that can never match is an error.
//
//===----------------------------------------------------------------------===//

#include "PatternParser.h"
#include "relay/IR/Context.h"
#include "relay/Text/Parse/AttrValues.h"
#include "relay/Text/Parse/Fragments.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace relay;

PatternParser::PatternParser(Context &Ctx)
    : Ctx(Ctx), Source(Ctx.getDiagnostics().getMainSource()),
      Lex(Source->getText()) {
  advance();
}

//===----------------------------------------------------------------------===//
// Tokens and errors
//===----------------------------------------------------------------------===//

bool PatternParser::consumeIf(Tok K) {
  if (!at(K))
    return false;
  advance();
  return true;
}

bool PatternParser::consumeIfWord(StringRef Word) {
  if (!atWord(Word))
    return false;
  advance();
  return true;
}

/// Consumes `...`, if present.
bool PatternParser::consumeIfEllipsis() {
  if (!at(Tok::Dot) ||
      !StringRef(T.Begin, Lex.end() - T.Begin).starts_with("..."))
    return false;
  Lex.setPosition(T.Begin + 3);
  advance();
  return true;
}

bool PatternParser::atPatternWord() const {
  return at(Tok::Star) ||
         (at(Tok::Identifier) && llvm::is_contained({"const", "var", "is", "fn",
                                                     "if", "let", "dominates"},
                                                    T.text()));
}

LogicalResult PatternParser::expect(Tok K, const Twine &Where) {
  if (consumeIf(K))
    return success();
  return expected(describe(K) + " " + Where);
}

FailureOr<std::string> PatternParser::parseString(const Twine &What) {
  if (!at(Tok::String))
    return expected(What);
  std::string Text = readString(T.text());
  advance();
  return Text;
}

InFlightDiagnostic PatternParser::error(const Token &At, const Twine &Message) {
  return Ctx.getDiagnostics().emitError(getLoc(At), At.End - At.Begin, Message);
}

/// Reports a missing token at the end after the last token.
InFlightDiagnostic PatternParser::expected(const Twine &What) {
  if (atEnd())
    return Ctx.getDiagnostics().emitError(
        getLoc(LastEnd), 0, "expected " + What + ", found the end");
  if (at(Tok::Error) && *T.Begin == '"')
    return error(T, "unterminated string");
  return error(T, "expected " + What + ", found `" + T.text() + "`");
}

LogicalResult PatternParser::expectEnd() {
  if (atEnd())
    return success();
  return expected("the end of the pattern");
}

std::optional<Pattern> PatternParser::lookup(StringRef Name) const {
  auto It = Names.find(Name);
  return It == Names.end() ? std::nullopt : It->second.Node;
}

SmallVector<StringRef> PatternParser::getNames() const {
  SmallVector<StringRef> All;
  for (const auto &Named : Names)
    All.push_back(Named.getKey());
  llvm::sort(All);
  return All;
}

void PatternParser::forgetNames() {
  Names.clear();
  AttrNames.clear();
  Calls.clear();
  CallNumbers.clear();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

LogicalResult PatternParser::checkDepth() {
  if (Depth < MaxDepth)
    return success();
  return error(T,
               "pattern nested more than " + Twine(MaxDepth) + " levels deep");
}

FailureOr<Pattern> PatternParser::parsePattern() {
  Parsed P = parseChoice();
  if (failed(P))
    return failure();
  return P->readFrom(Source);
}

PatternParser::Parsed PatternParser::parseChoice() {
  if (failed(checkDepth()))
    return failure();
  llvm::SaveAndRestore Level(Depth, Depth + 1);
  Parsed First = parseTyped();
  if (failed(First) || !atPipe())
    return First;
  Token Pipe = T;
  SmallVector<Pattern, 4> Choices = {*First};
  while (atPipe()) {
    Lex.setPosition(T.Begin + 1);
    advance();
    Parsed Other = parseTyped();
    if (failed(Other))
      return failure();
    Choices.push_back(*Other);
  }
  return anyOf(Choices).at(getLoc(Pipe));
}

PatternParser::Parsed PatternParser::parseTyped() {
  Parsed P = parsePostfix();
  while (succeeded(P) && at(Tok::Colon))
    P = parseConstraint(*P);
  return P;
}

/// Parses `: Tensor[(1, 3), float32]`, `: shape(1, 3)`, `: dtype(float32)`.
PatternParser::Parsed PatternParser::parseConstraint(const Pattern &Inner) {
  Location Loc = getLoc(T);
  Lexer BeforeType = Lex;
  advance();
  if (consumeIfWord("shape")) {
    SmallVector<Dim, 4> Shape;
    if (failed(parseShape(Shape)))
      return failure();
    return Inner.hasShape(Shape).at(Loc);
  }
  if (consumeIfWord("dtype")) {
    FailureOr<DType> Element = parseDType();
    if (failed(Element))
      return failure();
    return Inner.hasDType(*Element).at(Loc);
  }
  Lex = BeforeType;
  Type *Ty = parseTypeFragment(Lex, Ctx);
  if (!Ty)
    return failure();
  advance();
  return Inner.hasType(Ty).at(Loc);
}

/// Parses `(1, ?)`.
LogicalResult PatternParser::parseShape(SmallVectorImpl<Dim> &Shape) {
  if (failed(expect(Tok::LParen, "after `shape`")))
    return failure();
  while (!at(Tok::RParen)) {
    if (failed(parseDim(Shape.emplace_back())))
      return failure();
    if (!consumeIf(Tok::Comma))
      break;
  }
  return expect(Tok::RParen, "after the shape");
}

LogicalResult PatternParser::parseDim(Dim &Out) {
  if (consumeIf(Tok::Question)) {
    Out = Dim::getAny();
    return success();
  }
  NumberLiteral N;
  if (!at(Tok::Number))
    return expected("a dimension");
  std::string Wrong = readNumber(T.text(), /*Negative=*/false, N);
  if (!Wrong.empty())
    return error(T, Wrong);
  if (N.IsFloat)
    return expected("a dimension");
  Out = Dim(Ctx.getInt(N.Int, N.Ty));
  advance();
  return success();
}

std::optional<DType> PatternParser::findDType(StringRef Text) {
  std::optional<DType> Found = relay::parseDType(Ctx, Text);
  return Found && Found->isCommon() ? Found : std::nullopt;
}

std::string PatternParser::suggestDType(StringRef Text) {
  return getSuggestion(Text, {"float32", "float16", "float64", "bfloat16",
                              "int8", "int16", "int32", "int64", "uint8",
                              "uint16", "uint32", "uint64", "bool"});
}

/// Parses `(float32)`.
FailureOr<DType> PatternParser::parseDType() {
  if (failed(expect(Tok::LParen, "after `dtype`")))
    return failure();
  std::optional<DType> Element =
      at(Tok::Identifier) ? findDType(T.text()) : std::nullopt;
  if (!Element)
    return expected("a data type") << suggestDType(T.text());
  advance();
  if (failed(expect(Tok::RParen, "after the data type")))
    return failure();
  return *Element;
}

PatternParser::Parsed PatternParser::parsePostfix() {
  Parsed P = parsePrimary();
  while (succeeded(P)) {
    if (at(Tok::LParen))
      P = parseCall(*P);
    else if (at(Tok::Dot))
      P = parseProjection(*P);
    else if (at(Tok::LBrace))
      P = parseAttributes(*P);
    else
      break;
  }
  return P;
}

PatternParser::Parsed PatternParser::parseCall(const Pattern &Callee) {
  Token Open = T;
  advance();
  SmallVector<Pattern, 4> List;
  bool Any, TrailingComma;
  if (failed(parseList(List, Any, TrailingComma, &Open)))
    return failure();
  Pattern Call = (Any ? Callee(AnyNumber) : Callee.call(List)).at(getLoc(Open));
  if (!Any && failed(checkOperands(Call, Open)))
    return failure();
  if (Callee->is(PatternKind::Operator)) {
    CallNumbers.try_emplace(&Call.getNode(), Calls.size());
    Calls.push_back(Call);
  }
  return Call;
}

PatternParser::Parsed PatternParser::parseProjection(const Pattern &Tuple) {
  Location Loc = getLoc(T);
  advance();
  if (consumeIf(Tok::Star))
    return isTupleGetItem(Tuple).at(Loc);
  Token At = T;
  FailureOr<int64_t> Index = parseIndex("the index of a field, or `*`");
  if (failed(Index) || failed(checkIndex(Tuple, *Index, At)))
    return failure();
  return isTupleGetItem(Tuple, *Index).at(Loc);
}

/// Reports \p Index if \p Tuple is a tuple with fewer fields.
LogicalResult PatternParser::checkIndex(const Pattern &Tuple, int64_t Index,
                                        Token At) {
  if (!Tuple->is(PatternKind::Tuple) || Tuple->hasAnyNumber())
    return success();
  size_t Count = Tuple->getList().size();
  if (size_t(Index) < Count)
    return success();
  uint64_t Number;
  At.End = Lexer::skipDigits(At.Begin, Number); // of `1.0`, which is two
  return error(At, "a tuple of " + Twine(Count) +
                       (Count == 1 ? " field" : " fields") + " has no field " +
                       Twine(Index));
}

FailureOr<int64_t> PatternParser::parseIndex(const Twine &What) {
  uint64_t Index;
  const char *End = Lexer::skipDigits(T.Begin, Index);
  if (!at(Tok::Number) || End - T.Begin > 9)
    return expected(What);
  // `1.0` consists of two indices.
  Lex.setPosition(End);
  advance();
  return int64_t(Index);
}

/// Returns the name that ends at \p End, in a text that begins at \p Begin:
/// `nn.relu`, `%f`.
static StringRef getNameBefore(const char *End, const char *Begin) {
  const char *P = End;
  while (P != Begin && (Lexer::isNameChar(P[-1]) || P[-1] == '.'))
    --P;
  P -= P != Begin && P[-1] == '%';
  return StringRef(P, End - P);
}

/// Returns \p Text up to the parenthesis that closes the list, or up to the end
/// of the line.
static StringRef takeList(StringRef Text) {
  unsigned Depth = 0;
  StringRef List = Text.take_while([&](char C) {
    Depth += C == '(';
    return C != '\n' && (C != ')' || Depth-- != 0);
  });
  return List.rtrim(", \t\r");
}

/// Returns true if \p List is `name=value, ...` without strings.
static bool isListOfAttributes(StringRef List) {
  unsigned Depth = 0;
  bool HasEqual = false;
  for (char C : List) {
    if (C == '"' || (C == ',' && !Depth && !std::exchange(HasEqual, false)))
      return false;
    Depth += C == '[' || C == '(';
    Depth -= C == ']' || C == ')';
    HasEqual |= C == '=' && !Depth;
  }
  return HasEqual;
}

LogicalResult PatternParser::checkNoAttribute(const Token &Open) {
  Lexer Ahead = Lex;
  Token Next;
  if (!at(Tok::Identifier))
    return success();
  Ahead.lex(Next);
  if (!Next.is(Tok::Equal))
    return success();
  StringRef Name = getNameBefore(Open.Begin, Lex.begin());
  StringRef Operands =
      StringRef(Open.End, T.Begin - Open.End).trim().rtrim(", \t\r\n");
  StringRef List = takeList(StringRef(T.Begin, Lex.end() - T.Begin));
  if (!Ctx.lookupOp(Name) || !isListOfAttributes(List))
    return error(T, "attributes of an operator follow its operands, in braces: "
                    "`nn.softmax(*){axis=1}`");
  return error(T, "attributes follow the operands: `" + Name + "(" +
                      (Operands.empty() ? "..." : Operands) + "){" + List +
                      "}`");
}

LogicalResult PatternParser::parseList(SmallVectorImpl<Pattern> &List,
                                       bool &Any, bool &TrailingComma,
                                       const Token *Call) {
  TrailingComma = false;
  Any = consumeIfEllipsis();
  if (Any)
    return expect(Tok::RParen, "after `...`");
  while (!at(Tok::RParen)) {
    Token Begin = T;
    if (Call && failed(checkNoAttribute(*Call)))
      return failure();
    if (consumeIfEllipsis())
      return error(
          Begin,
          "`...` cannot be mixed with patterns; write `*` for each other part");
    Parsed P = parseChoice();
    if (failed(P))
      return failure();
    List.push_back(*P);
    TrailingComma = consumeIf(Tok::Comma);
    if (!TrailingComma)
      break;
  }
  if (consumeIf(Tok::RParen))
    return success();
  return expected("`,` or `)`");
}

//===----------------------------------------------------------------------===//
// Primaries
//===----------------------------------------------------------------------===//

PatternParser::Parsed PatternParser::parsePrimary() {
  Location Loc = getLoc(T);
  switch (T.K) {
  case Tok::Star:
    advance();
    return wildcard().at(Loc);
  case Tok::LParen:
    return parseTuple();
  case Tok::Local:
  case Tok::Graph:
    return parseName();
  case Tok::Number:
  case Tok::Minus:
    return parseLiteral();
  case Tok::Identifier:
    return parseWord();
  default:
    return expected("a pattern");
  }
}

PatternParser::Parsed PatternParser::parseTuple() {
  Location Loc = getLoc(T);
  advance();
  SmallVector<Pattern, 4> Fields;
  bool Any, TrailingComma;
  if (failed(parseList(Fields, Any, TrailingComma)))
    return failure();
  if (Any)
    return isTuple(AnyNumber).at(Loc);
  if (Fields.size() == 1 && !TrailingComma)
    return Fields.front();
  return isTuple(Fields).at(Loc);
}

PatternParser::Parsed PatternParser::parseWord() {
  StringRef Word = T.text();
  Location Loc = getLoc(T);
  if (Word == "const") {
    advance();
    return isConstant().at(Loc);
  }
  if (Word == "var")
    return parseVariable();
  if (Word == "is")
    return parseExpression();
  if (Word == "True" || Word == "False")
    return parseLiteral();
  if (Word == "fn")
    return parseFunction();
  if (Word != "if" && Word != "let" && Word != "dominates")
    return parseOperator();
  advance();
  SmallVector<Pattern, 3> Parts;
  if (failed(parseThree(Word, Parts)))
    return failure();
  if (Word == "if")
    return isIf(Parts[0], Parts[1], Parts[2]).at(Loc);
  if (Word == "let")
    return isLet(Parts[0], Parts[1], Parts[2]).at(Loc);
  return Parts[2].dominates(Parts[0], Parts[1]).at(Loc);
}

LogicalResult PatternParser::parseThree(StringRef Of,
                                        SmallVectorImpl<Pattern> &Parts) {
  Token Open = T;
  if (failed(expect(Tok::LParen, "after `" + Of + "`")))
    return failure();
  bool Any, TrailingComma;
  if (failed(parseList(Parts, Any, TrailingComma)))
    return failure();
  if (Parts.size() == 3)
    return success();
  return error(Open, "`" + Of + "` has three parts, not " +
                         (Any ? "any number" : Twine(Parts.size())));
}

FailureOr<const OpInfo *> PatternParser::parseOperatorName() {
  const OpInfo *Op = Ctx.lookupOp(T.text());
  if (!Op)
    return error(T, "unknown operator `" + T.text() + "`")
           << getSuggestion(T.text(), Ctx.getOperatorNames());
  advance();
  return Op;
}

/// Functions that make patterns in TVM's Python, and `_` of other languages,
/// with the text of a pattern.
static constexpr std::pair<StringLiteral, StringLiteral> OtherWords[] = {
    {"_", "*"},
    {"wildcard", "*"},
    {"is_constant", "const"},
    {"is_expr", "is(E)"},
    {"is_if", "if(P, Q, R)"},
    {"is_let", "let(P, Q, R)"},
    {"is_op", "nn.relu(P)"},
    {"is_tuple", "(P, Q)"},
    {"is_tuple_get_item", "P.0"},
    {"is_var", "var"}};

/// Reports the current token if it is a word of another pattern language.
LogicalResult PatternParser::checkWord() {
  auto *Found = llvm::find_if(
      OtherWords, [&](const auto &Word) { return Word.first == T.text(); });
  if (Found == std::end(OtherWords) || Ctx.lookupOp(T.text()))
    return success();
  return error(T, "unknown operator `" + T.text() + "`; a pattern has `" +
                      Found->second + "` instead (docs/PatternSheet.md)");
}

PatternParser::Parsed PatternParser::parseOperator() {
  Location Loc = getLoc(T);
  if (failed(checkWord()))
    return failure();
  FailureOr<const OpInfo *> Op = parseOperatorName();
  if (failed(Op))
    return failure();
  return isOp((*Op)->Name).at(Loc);
}

/// Parses `var`, `var("x")`.
PatternParser::Parsed PatternParser::parseVariable() {
  Location Loc = getLoc(T);
  advance();
  if (!consumeIf(Tok::LParen))
    return isVar().at(Loc);
  FailureOr<std::string> Name =
      parseString("the name of the variable, a string");
  if (failed(Name) || failed(expect(Tok::RParen, "after the name")))
    return failure();
  return isVar(*Name).at(Loc);
}

/// Parses `fn(P, Q) { R }`.
PatternParser::Parsed PatternParser::parseFunction() {
  Location Loc = getLoc(T);
  advance();
  SmallVector<Pattern, 4> Params;
  bool Any, TrailingComma;
  if (failed(expect(Tok::LParen, "after `fn`")) ||
      failed(parseList(Params, Any, TrailingComma)) ||
      failed(expect(Tok::LBrace, "before the body")))
    return failure();
  Parsed Body = parseChoice();
  if (failed(Body) || failed(expect(Tok::RBrace, "after the body")))
    return failure();
  return (Any ? isFn(AnyNumber, *Body) : isFn(Params, *Body)).at(Loc);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool PatternParser::consumeDefinition() {
  if (*T.End != '@')
    return false;
  Lex.setPosition(T.End + 1);
  advance();
  return true;
}

/// Parses `%x`, `%x@P`.
PatternParser::Parsed PatternParser::parseName() {
  Token Name = T;
  if (consumeDefinition())
    return parseDefinition(Name);
  advance();
  NamedNode &Known = Names[Name.name()];
  if (Known.Node)
    return *Known.Node;
  Pattern P = wildcard().at(getLoc(Name));
  Known.Node = Known.IsBeingDefined ? P : P.as(Name.name());
  return *Known.Node;
}

PatternParser::Parsed PatternParser::parseDefinition(const Token &Name) {
  if (Names.count(Name.name()))
    return error(Name, "`" + Name.text() + "` is already defined");
  if (failed(checkDepth()))
    return failure();
  llvm::SaveAndRestore Level(Depth, Depth + 1);
  Names[Name.name()].IsBeingDefined = true;
  Parsed P = parsePostfix();
  if (failed(P))
    return failure();
  if (!(*P)->getLabel().empty())
    return error(Name,
                 "the pattern is already named `%" + (*P)->getLabel() + "`");
  NamedNode &Defined = Names[Name.name()];
  // A wildcard used in its own definition closes the recursion.
  if (Defined.Node) {
    if (*Defined.Node == *P)
      return error(Name, "`" + Name.text() + "` is defined as itself");
    Defined.Node->redirectTo(*P);
  }
  Defined.Node = P->as(Name.name());
  return *P;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Parses `3`, `-1f`, `True`.
PatternParser::Parsed PatternParser::parseLiteral() {
  Token First = T, Last = T;
  if (consumeIf(Tok::Minus)) {
    if (!at(Tok::Number))
      return expected("a number");
    Last = T;
  }
  advance();
  return makeExpression(StringRef(First.Begin, Last.End - First.Begin), First);
}

/// Parses `is(E)`.
PatternParser::Parsed PatternParser::parseExpression() {
  Token Is = T;
  advance();
  if (failed(expect(Tok::LParen, "after `is`")))
    return failure();
  if (at(Tok::RParen))
    return expected("an expression");
  const char *Begin = T.Begin;
  unsigned Open = 1;
  while (true) {
    if (atEnd())
      return expected("`)` after the expression");
    Open += at(Tok::LParen);
    Open -= at(Tok::RParen);
    if (!Open)
      break;
    advance();
  }
  StringRef Text(Begin, T.Begin - Begin);
  advance();
  return makeExpression(Text, Is);
}

PatternParser::Parsed PatternParser::makeExpression(StringRef Text,
                                                    const Token &At) {
  std::shared_ptr<Module> M = parseExpressionFragment(Text, Lex, Ctx);
  if (!M)
    return failure();
  if (M->getNumFunctions() != 1 ||
      (*M->functions().begin()).getForm() != Function::Form::OpenExpression)
    return error(At, "expected an expression, got a function; a function "
                     "pattern is written `fn(…) { … }`");
  const Value *Result = (*M->functions().begin()).getBody().getResult();
  return isExpr(Result, std::move(M)).at(getLoc(At));
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<Pattern> relay::parsePattern(StringRef Text, StringRef BufferName,
                                       Context &Ctx) {
  Ctx.getDiagnostics().setMainBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(Text, BufferName));
  PatternParser Parser(Ctx);
  FailureOr<Pattern> P = Parser.parsePattern();
  if (failed(P) || failed(Parser.expectEnd()))
    return failure();
  return P;
}

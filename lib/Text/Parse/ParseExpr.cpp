//===- ParseExpr.cpp - Expressions ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions other than calls and `match`. Each one, except variables and
// parentheses, becomes a floating operation at the end of the current block.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/IR/Constant.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
struct InfixOp {
  unsigned Precedence; // 0 if it is not an operator
  StringLiteral Name;
};
} // namespace

static InfixOp getInfixOp(Tok K) {
  switch (K) {
  case Tok::EqualEqual:
    return {1, "equal"};
  case Tok::NotEqual:
    return {1, "not_equal"};
  case Tok::Less:
    return {2, "less"};
  case Tok::LessEqual:
    return {2, "less_equal"};
  case Tok::Greater:
    return {2, "greater"};
  case Tok::GreaterEqual:
    return {2, "greater_equal"};
  case Tok::Plus:
    return {3, "add"};
  case Tok::Minus:
    return {3, "subtract"};
  case Tok::Star:
    return {4, "multiply"};
  case Tok::Slash:
    return {4, "divide"};
  default:
    return {0, ""};
  }
}

Value *Parser::parseExpr() {
  // Most operands are a single variable.
  const char *At = T.Begin;
  if (T.is(Tok::Graph) || T.is(Tok::Local)) {
    Value *V = T.is(Tok::Graph) ? useGraph() : useLocal();
    if (endsOperand(T.K))
      return V;
    return nested([&] { return parseRest(V, At); });
  }
  return nested([&]() -> Value * {
    Value *V = parsePrimary();
    return V ? parseRest(V, At) : nullptr;
  });
}

/// Parses the operators after \p L with at least \p MinPrecedence; all of them
/// are left-associative.
Value *Parser::parseInfix(Value *L, unsigned MinPrecedence) {
  for (;;) {
    InfixOp Op = getInfixOp(T.K);
    if (Op.Precedence < MinPrecedence || !Op.Precedence)
      return L;
    Token At = T;
    advance();
    Value *R = parseOperand();
    if (R && getInfixOp(T.K).Precedence > Op.Precedence)
      R = parseInfix(R, Op.Precedence + 1);
    if (!R)
      return nullptr;
    Callee &C = lookupCallee(Op.Name);
    if (!C.Info && (!resolveUnknown(C, At) || !C.Info))
      return nullptr;
    L = create(*C.Info, {L, R}, C.Defaults, At.Begin);
  }
}

Value *Parser::parseOperand() {
  const char *At = T.Begin;
  Value *V = parsePrimary();
  return V ? parsePostfix(V, At) : nullptr;
}

/// Parses calls of \p V and projections from it: `%f(%x).0`.
Value *Parser::parsePostfix(Value *V, const char *At) {
  while (V) {
    if (T.is(Tok::LParen))
      V = parseValueCall(V, At);
    else if (T.is(Tok::Dot))
      V = parseProjection(V, At);
    else if (T.is(Tok::Error) && *T.Begin == '^')
      V = parseOldRefRead(V, At);
    else
      return V;
  }
  return nullptr;
}

Value *Parser::parsePrimary() {
  switch (T.K) {
  case Tok::Graph:
    return useGraph();
  case Tok::Local:
    return useLocal();
  case Tok::Global:
    return parseGlobal();
  case Tok::Identifier:
    return parseWord();
  case Tok::Number:
    return parseNumber(/*Negative=*/false);
  case Tok::Minus:
    return parseNegative();
  case Tok::LParen:
    return parseParens();
  case Tok::LBrace:
    return parseBraces();
  default:
    return expected("an expression");
  }
}

Value *Parser::parseWord() {
  Callee &C = lookupCallee(T.text());
  switch (C.K) {
  case Keyword::Let:
  case Keyword::FreeVar:
    // TVM prints `let %a = let %b = …; %b;`.
    return parseSequence(/*OwnsBlock=*/false, /*IsFunctionBody=*/false,
                         /*IsBare=*/true);
  case Keyword::Fn:
    return parseFn();
  case Keyword::If:
    return parseIf();
  case Keyword::Match:
    return parseMatch();
  case Keyword::Ref:
  case Keyword::RefRead:
  case Keyword::RefWrite:
    return parseRef(C.K);
  case Keyword::True:
  case Keyword::False:
    return parseBool(C.K == Keyword::True);
  case Keyword::Meta:
    return parseMetaConstant();
  case Keyword::OldOperator:
    return parseOldCall(C);
  case Keyword::None:
    return parseCallee(C);
  }
  llvm_unreachable("unknown keyword");
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Value *Parser::useGraph() {
  uint64_t Number;
  Token At = T;
  if (!readGraphNumber(Number)) {
    advance();
    return poison();
  }
  advance();
  const GraphNumbers::Entry *E = Graph.find(Number);
  if (LLVM_UNLIKELY(!E || E->Function != FunctionNumber)) {
    error(At,
          "graph variable `" + At.text() + "` is not bound in this function");
    Value *V = poison();
    Graph[Number] = {V, FunctionNumber, Region};
    return V;
  }
  Value *V = E->V;
  if (LLVM_UNLIKELY(!RegionIsOpen[E->Region]) &&
      !RegionIsOpen[getRegionNeeded(V)]) {
    InFlightDiagnostic D = error(At, "graph variable `" + At.text() +
                                         "` needs variables that are not in "
                                         "scope here");
    if (auto *Op = dyn_cast<Operation>(V))
      D.note(Op->getLoc(), "bound here");
    D.report();
    return poison();
  }
  return V;
}

Value *Parser::useLocal() {
  if (HasOddLocals && Lexer::isOddNameChar(*T.End)) {
    // The longest name in scope counts: `%a.0` may be the variable `a.0`.
    const char *End = T.End;
    for (const char *E = Lex.findNameEnd(T.Begin + 1); E != End; --E)
      if (Names.lookup(StringRef(T.Begin + 1, E - T.Begin - 1))) {
        T.End = E;
        Lex.setPosition(E);
        break;
      }
  }
  Value *V = Names.lookup(T.name());
  if (LLVM_UNLIKELY(!V)) {
    InFlightDiagnostic D = error(T, "undefined variable `" + T.text() + "`");
    suggest(D, T.name(), Names.getNames(), "%");
    D.report();
    V = poison();
  }
  advance();
  return V;
}

Value *Parser::parseProjection(Value *V, const char *At) {
  const char *Begin = Lex.getPosition(), *P = Begin;
  while (Lexer::isDigit(*P))
    ++P;
  uint64_t Index;
  Token Digits{Tok::Number, Begin, P};
  if (Digits.text().getAsInteger(10, Index) ||
      Index > std::numeric_limits<int32_t>::max()) {
    advance();
    return expected("the number of a field after `.`");
  }
  T = Digits;
  Lex.setPosition(P);
  const Attrs *A;
  if (Index < 64) {
    Projections.resize(64);
    const Attrs *&Slot = Projections[Index];
    if (!Slot)
      Slot = TupleGetItemAttrs::get(Ctx, Index);
    A = Slot;
  } else {
    A = TupleGetItemAttrs::get(Ctx, Index);
  }
  return finish(create(TupleGetItemOp::getInfo(), V, A, At));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value *Parser::finishConstant(const Attrs *A, const char *At) {
  return finish(create(ConstantOp::getInfo(), {}, A, At));
}

const Attrs *Parser::getLiteral(const NumberLiteral &N) {
  Attr Value = N.IsFloat
                   ? Ctx.getScalarConstant(N.Ty, N.getFloat(N.Ty.getBits()))
                   : Ctx.getScalarConstant(N.Ty, N.Int);
  return ConstantAttrs::get(Ctx, Value);
}

Value *Parser::parseNumber(bool Negative) {
  if (Lexer::isDigit(T.End[-1])) {
    NumberLiteral N;
    if (readOldNumber(T.text(), Negative, N))
      return finishConstant(getLiteral(N), T.Begin - Negative);
  }
  const Attrs *&A = Literals[Negative][T.text()];
  if (!A) {
    NumberLiteral N;
    std::string Message;
    if (!readNonFinite(T.text(), Negative, N))
      Message = readNumber(T.text(), Negative, N);
    if (!Message.empty()) {
      error(T, Message);
      N = NumberLiteral();
      N.Ty = DType::getInt(32);
    }
    A = getLiteral(N);
  }
  return finishConstant(A, T.Begin - Negative);
}

/// Parses a number after `-`, the only unary operator.
Value *Parser::parseNegative() {
  Token Minus = T;
  advance();
  NumberLiteral Ignored;
  bool IsNumber = T.is(Tok::Number) ||
                  (T.is(Tok::Identifier) &&
                   readNonFinite(T.text(), /*Negative=*/true, Ignored));
  if (IsNumber)
    return parseNumber(/*Negative=*/true);
  if (IsLegacy)
    return parseOldNegative(Minus.Begin);
  T = Minus;
  Lex.setPosition(Minus.End);
  return expected("an expression");
}

Value *Parser::parseBool(bool Flag) {
  const Attrs *&A = Literals[0][T.text()];
  if (!A)
    A = ConstantAttrs::get(
        Ctx, Ctx.getScalarConstant(DType::getBool(), int64_t(Flag)));
  return finishConstant(A, T.Begin);
}

//===----------------------------------------------------------------------===//
// Parentheses and constructs
//===----------------------------------------------------------------------===//

/// `(…)`, `()`, `(…,)`, `(…, …)`
Value *Parser::parseParens() {
  const char *At = T.Begin;
  advance();
  if (T.is(Tok::RParen))
    return finish(create(TupleOp::getInfo(), {}, nullptr, At));
  unsigned Before = NumErrors;
  Value *First = parseSequence(/*OwnsBlock=*/false);
  if (T.is(Tok::RParen)) {
    advance();
    return First;
  }
  if (T.is(Tok::Colon) && *Lex.getPosition() == '=')
    return parseOldRefWrite(First, At);
  size_t Base = Operands.size();
  Operands.push_back(First);
  while (consumeIf(Tok::Comma) && !T.is(Tok::RParen)) {
    Value *V = parseExpr();
    if (!V) {
      Operands.truncate(Base);
      return nullptr;
    }
    Operands.push_back(V);
  }
  Operation *Tuple = create(TupleOp::getInfo(),
                            ArrayRef(Operands).drop_front(Base), nullptr, At);
  Operands.truncate(Base);
  if (T.is(Tok::RParen))
    return finish(Tuple);
  return NumErrors == Before ? expected("`,` or `)`") : Failure();
}

Value *Parser::parseBraces() {
  advance();
  Value *V = parseSequence(/*OwnsBlock=*/false);
  return expect(Tok::RBrace, "after the expression") ? V : nullptr;
}

bool Parser::parseBranch(Block &Where) {
  if (!expect(Tok::LBrace, "before the branch"))
    return false;
  RegionScope Scope(*this, Where);
  Where.setResultRaw(parseSequence(/*OwnsBlock=*/true));
  return expect(Tok::RBrace, "after the branch");
}

Value *Parser::parseIf() {
  const char *At = T.Begin;
  advance();
  if (!expect(Tok::LParen, "after `if`"))
    return nullptr;
  Value *Condition = parseExpr();
  if (!Condition || !expect(Tok::RParen, "after the condition"))
    return nullptr;
  Operation *Op = create(IfOp::getInfo(), Condition, nullptr, At, 2);
  if (!parseBranch(Op->getRegion(0)))
    return nullptr;
  if (!atWord("else"))
    return expected("`else`");
  advance();
  return parseBranch(Op->getRegion(1)) ? Op : nullptr;
}

/// `ref(%x)`, `ref_read(%r)`, `ref_write(%r, %x)`
Value *Parser::parseRef(Keyword K) {
  Token Name = T;
  const OpInfo &Info = K == Keyword::Ref       ? RefCreateOp::getInfo()
                       : K == Keyword::RefRead ? RefReadOp::getInfo()
                                               : RefWriteOp::getInfo();
  advance();
  if (!T.is(Tok::LParen))
    return expected("`(` after `" + Name.text() + "`");
  Arguments Args;
  if (!parseArguments(Args, nullptr))
    return nullptr;
  if (Args.CallAttributes)
    error(Name, "`" + Name.text() + "` takes no attributes");
  if (!checkOperands(Name.text(), Info.NumOperands, Args)) {
    advance();
    return poison();
  }
  Operation *Op = create(Info, operandsOf(Args), nullptr, Name.Begin);
  dropOperands(Args);
  return finish(Op);
}

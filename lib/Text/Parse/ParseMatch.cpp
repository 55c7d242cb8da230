//===- ParseMatch.cpp - match and its patterns ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `match (%x) { Cons(%h, _) => { … }, Nil => { … } }`. An operation is created
// with its regions, so that the clauses are counted first: once for a `match`
// and all those nested in it.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

using namespace relay;

/// Counts the clauses of the `match` whose `{` is at \p At, and of every nested
/// one: the arrows directly inside the braces of each.
void Parser::countClauses(const char *At) {
  struct Brace {
    bool IsMatch;
    size_t Offset;
    uint32_t Arrows;
  };
  SmallVector<Brace, 16> Open;
  Lexer Ahead = Lex;
  Ahead.setPosition(At);
  // A `match` announces that the brace after its parentheses contains clauses.
  SmallVector<unsigned, 4> Announced; // number of open parentheses after each
  unsigned Parens = 0;
  bool Next = true;
  do {
    Token Now = Ahead.lex();
    switch (Now.K) {
    case Tok::EndOfFile:
    case Tok::Metadata:
      return;
    case Tok::LParen:
      ++Parens;
      break;
    case Tok::RParen:
      Parens -= Parens != 0;
      break;
    case Tok::Identifier:
      if (Now.text() == "match")
        Announced.push_back(Parens);
      break;
    case Tok::LBrace: {
      bool IsMatch = Next || (!Announced.empty() && Announced.back() == Parens);
      if (IsMatch && !Next)
        Announced.pop_back();
      Next = false;
      Open.push_back({IsMatch, size_t(Now.Begin - Lex.begin()), 0});
      break;
    }
    case Tok::FatArrow:
      Open.back().Arrows += 1;
      break;
    case Tok::RBrace: {
      Brace B = Open.pop_back_val();
      if (B.IsMatch)
        ClauseCounts[B.Offset] = B.Arrows;
      break;
    }
    default:
      break;
    }
  } while (!Open.empty());
}

/// `match (%x) { pattern => body, … }`, `match? …`
Value *Parser::parseMatch() {
  const char *At = T.Begin;
  advance();
  bool Complete = !consumeIf(Tok::Question);
  bool IsBare = IsLegacy && !T.is(Tok::LParen);
  if (!IsBare && !expect(Tok::LParen, "after `match`"))
    return nullptr;
  Value *Data = parseExpr();
  if (!Data || (!IsBare && !expect(Tok::RParen, "after the matched value")))
    return nullptr;
  if (!T.is(Tok::LBrace))
    return expected("`{` before the clauses");
  size_t Offset = T.Begin - Lex.begin();
  if (!ClauseCounts.count(Offset))
    countClauses(T.Begin);
  unsigned NumClauses = ClauseCounts.lookup(Offset);
  Operation *Op = create(MatchOp::getInfo(), Data, nullptr, At, NumClauses);
  advance();
  SmallVector<MatchPattern *, 4> Patterns;
  while (!T.is(Tok::RBrace)) {
    if (!parseClause(Op, Patterns.size(), Patterns)) {
      recoverInBraces();
      return poison();
    }
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (!expect(Tok::RBrace, "after the clauses"))
    return nullptr;
  if (Patterns.empty()) {
    error(At, 5, "`match` without clauses");
    return poison();
  }
  Op->setPatterns(Patterns);
  Op->setCompleteMatch(Complete);
  return Op;
}

bool Parser::parseClause(Operation *Match, unsigned I,
                         SmallVectorImpl<MatchPattern *> &Patterns) {
  if (I >= Match->getNumRegions())
    return expected("`=>` in the clause");
  Block &Clause = Match->getRegion(I);
  RegionScope Scope(*this, Clause);
  MatchPattern *P = parsePattern(Clause);
  if (!P || !expect(Tok::FatArrow, "after the pattern"))
    return false;
  Patterns.push_back(P);
  if (!T.is(Tok::LBrace)) {
    // Up to TVM 0.7; bindings may precede the result.
    unsigned Before = NumErrors;
    Value *V = parseSequence(/*OwnsBlock=*/true);
    Clause.setResultRaw(V);
    return NumErrors == Before;
  }
  advance();
  Clause.setResultRaw(parseSequence(/*OwnsBlock=*/true));
  return expect(Tok::RBrace, "after the clause");
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

MatchPattern *Parser::makePattern(MatchPattern::Kind K) {
  auto *P = new (F->getArena().allocate(sizeof(MatchPattern))) MatchPattern();
  P->K = K;
  return P;
}

MatchPattern *Parser::parsePattern(Block &Clause) {
  return nested([&] { return parsePatternUnnested(Clause); });
}

MatchPattern *Parser::parsePatternUnnested(Block &Clause) {
  switch (T.K) {
  case Tok::Identifier:
    if (T.text() != "_")
      return parseConstructorPattern(Clause);
    advance();
    return makePattern(MatchPattern::Kind::Wildcard);
  case Tok::Local: {
    MatchPattern *P = makePattern(MatchPattern::Kind::Var);
    size_t Before = Clause.getNumArguments();
    if (!parseParam(Clause))
      return nullptr;
    P->Variable = Clause.getArgument(Before);
    return P;
  }
  case Tok::LParen: {
    MatchPattern *P = makePattern(MatchPattern::Kind::Tuple);
    return parseSubpatterns(Clause, *P) ? P : nullptr;
  }
  default:
    return expected("a pattern");
  }
}

MatchPattern *Parser::parseConstructorPattern(Block &Clause) {
  Token Name = T;
  MatchPattern *P = makePattern(MatchPattern::Kind::Constructor);
  P->Constructor = Ctx.intern(T.text());
  advance();
  if (T.is(Tok::LParen) && !parseSubpatterns(Clause, *P))
    return nullptr;
  if (Constructor *Cons = M.lookupConstructor(P->Constructor)) {
    if (Cons->Fields.size() != P->Children.size())
      error(Name, "`" + Name.text() + "` has " + Twine(Cons->Fields.size()) +
                      " fields, but the pattern has " +
                      Twine(P->Children.size()));
  } else if (!IsExpression && !Options.AllowUndefinedGlobals) {
    SmallVector<StringRef> Known;
    for (TypeDef &D : M.typeDefs())
      for (const auto &C : D.Constructors)
        Known.push_back(C->Name);
    InFlightDiagnostic D =
        error(Name, "undefined constructor `" + Name.text() + "`");
    suggest(D, Name.text(), Known);
  }
  return P;
}

/// `(p, q)`
bool Parser::parseSubpatterns(Block &Clause, MatchPattern &P) {
  advance();
  SmallVector<MatchPattern *, 4> Children;
  while (!T.is(Tok::RParen)) {
    MatchPattern *Child = parsePattern(Clause);
    if (!Child)
      return false;
    Children.push_back(Child);
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (!expect(Tok::RParen, "after the patterns"))
    return false;
  P.Children = F->getArena().copy(ArrayRef<MatchPattern *>(Children));
  return true;
}

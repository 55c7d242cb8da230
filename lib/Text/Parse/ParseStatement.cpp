//===- ParseStatement.cpp - Sequences of bindings -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `let %x = …;`, `%0 = …;`, `free_var %x: T;`, `…;` and the result after them:
// a body, or the contents of parentheses. Consecutive statements do not use the
// stack.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

using namespace relay;

Value *Parser::parseSequence(bool OwnsBlock, bool IsFunctionBody, bool IsBare) {
  Sequence S{OwnsBlock, IsFunctionBody, IsBare,       T.Begin, false,
             nullptr,   std::nullopt,   Names.mark(), nullptr};
  Value *Result = nullptr;
  while (!Result)
    if (!parseStatement(S, Result) && !recoverInSequence())
      Result = poison();
  if (S.Scope) {
    S.Scope->getRegion().setResultRaw(Result);
    S.Region.reset();
    Result = S.Scope;
  }
  Names.leave(S.NameMark);
  return Result;
}

/// Sets \p Result if the statement was the result.
bool Parser::parseStatement(Sequence &S, Value *&Result) {
  if (T.is(Tok::Graph) && isFollowedByEqual())
    return parseGraphBinding();
  if (T.is(Tok::Identifier)) {
    if (T.text() == "let")
      return parseLet(S);
    if (T.text() == "free_var")
      return parseFreeVar();
  }
  const char *At = T.Begin;
  Value *V = parseExpr();
  if (!V)
    return false;
  if (!T.is(Tok::Semicolon) || S.IsBare) {
    Result = V;
    return true;
  }
  // `f(%x); …` is evaluated for its effect, in sequence; TVM chooses the name.
  advance();
  if (IsLegacy && T.is(Tok::Semicolon))
    return closeOldScope(S, V, At);
  openScope(S);
  bindLet(Ctx.intern("v"), V, nullptr, {}, At);
  return true;
}

/// Ensures that bindings have their own block.
void Parser::openScope(Sequence &S) {
  if (S.OwnsBlock || S.Scope)
    return;
  S.Scope = create(ScopeOp::getInfo(), {}, nullptr, S.At, 1);
  S.Region.emplace(*this, S.Scope->getRegion());
}

//===----------------------------------------------------------------------===//
// let
//===----------------------------------------------------------------------===//

/// Returns true if the interned \p Name is a parameter of the function whose
/// body is parsed.
bool Parser::isParameter(StringRef Name) const {
  auto *Arg = dyn_cast_or_null<BlockArgument>(Names.lookupInterned(Name));
  return Arg && Arg->getParentBlock() == B;
}

bool Parser::parseLet(Sequence &S) {
  openScope(S);
  const char *At = T.Begin;
  advance();
  if (!T.is(Tok::Local))
    return expected("a variable after `let`");
  StringRef Name = declareLocal();
  Lex.takeSpan();
  advance();
  Attr Device;
  Type *Annotation = nullptr;
  bool Good = parseOptionalDevice(Device) &&
              (!consumeIf(Tok::Colon) || parseAnnotation(Annotation));
  StringRef Span = Lex.takeSpan();
  if (!Good || !expect(Tok::Equal, "after the variable")) {
    Names.define(Name, poison());
    return false;
  }
  // In TVM the first `let` of a body is in the scope of the parameters, where a
  // parameter of the same name keeps its meaning.
  bool Hidden = S.IsFunctionBody && !S.LetSeen && isParameter(Name);
  S.LetSeen = true;
  ClosureName = atWord("fn") ? Name : StringRef();
  Value *V = parseExpr();
  ClosureName = {};
  Operation *Closure = std::exchange(Recursive, nullptr);
  if (V && Closure && Closure != V)
    error(At, 3,
          "`%" + Name +
              "` is used in its own value, which is not just a closure");
  Value *Bound = V ? bindLet(Name, V, Annotation, Device, At) : poison();
  if (LLVM_UNLIKELY(!Span.empty()))
    setSpanOfVariable(Bound, Span);
  if (!Hidden)
    Names.define(Name, Bound);
  return V && endStatement();
}

/// An `if`, a `match` or an alias has no span of its own in text: it gets the
/// span of its variable.
void Parser::setSpanOfVariable(Value *V, StringRef Span) {
  auto *Op = dyn_cast<Operation>(V);
  if (Op && !Op->getLoc().hasSpan())
    Op->setLoc(getSpanned(Op->getLoc(), Span));
}

Operation *Parser::bindLet(StringRef Name, Value *V, Type *Annotation,
                           Attr Device, const char *At) {
  auto *Op = dyn_cast<Operation>(V);
  // A closure that is still being parsed gets its name later.
  bool Unfinished = Op && Op->is(OpCode::Fn) && !Op->getRegion().getResult();
  bool Fresh = Op && !Op->isBound() && !isShared(Op) && !Unfinished;
  if (!Fresh) {
    Op = create(AliasOp::getInfo(), V, nullptr, At);
  } else if (Op->getBlock() != B) {
    Op->getBlock()->remove(Op);
    B->push_back(Op);
  }
  Op->bind(Name, Annotation, Device);
  return Op;
}

//===----------------------------------------------------------------------===//
// Graph bindings
//===----------------------------------------------------------------------===//

bool Parser::readGraphNumber(uint64_t &Number) {
  Lexer::skipDigits(T.Begin + 1, Number);
  if (LLVM_LIKELY(T.End - T.Begin <= 18))
    return true;
  error(T, "graph variable with too many digits");
  return false;
}

bool Parser::parseGraphBinding() {
  Token Name = T;
  uint64_t Number;
  if (!readGraphNumber(Number))
    return false;
  advanceOverEqual();
  Value *V = parseExpr();
  bindGraph(Name, Number, V ? V : poison());
  return V && endStatement();
}

void Parser::bindGraph(const Token &Name, uint64_t Number, Value *V) {
  GraphNumbers::Entry &E = Graph[Number];
  if (LLVM_UNLIKELY(E.Function == FunctionNumber)) {
    InFlightDiagnostic D =
        error(Name, "graph variable `" + Name.text() + "` is bound twice");
    if (auto *Op = dyn_cast<Operation>(E.V))
      D.note(Op->getLoc(), "first bound to this");
    return;
  }
  if (auto *Op = dyn_cast<Operation>(V))
    markShared(Op);
  E = {V, FunctionNumber, Region};
}

//===----------------------------------------------------------------------===//
// free_var
//===----------------------------------------------------------------------===//

/// Parses `free_var %x: T;`, a parameter of the expression in an expression
/// file.
bool Parser::parseFreeVar() {
  if (!IsExpression)
    return error(T, "`free_var` outside of an expression file"), false;
  advance();
  if (!T.is(Tok::Local))
    return expected("a variable after `free_var`");
  StringRef Name = declareLocal();
  Location Loc = loc(T.Begin);
  advance();
  Attr Device;
  Type *Annotation = nullptr;
  if (!parseOptionalDevice(Device) ||
      (consumeIf(Tok::Colon) && !parseAnnotation(Annotation)))
    return false;
  BlockArgument *Arg = F->getBody().addArgument(Name, Annotation, Loc);
  Arg->setVirtualDevice(Device);
  Names.defineForAll(Name, Arg);
  return consumeIf(Tok::Semicolon) || IsLegacy || endStatement();
}

//===- ParseCall.cpp - Calls ----------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees by name, and calls of operators, constructors, globals and values.
// Each name is looked up once per file, and its meaning is stored with it.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

Parser::Callee &Parser::lookupCallee(StringRef Name) {
  std::unique_ptr<Callee> &Slot = Callees[Name];
  if (LLVM_UNLIKELY(!Slot)) {
    Slot = std::make_unique<Callee>();
    Slot->Name = Name;
    Slot->K = llvm::StringSwitch<Keyword>(Name)
                  .Case("let", Keyword::Let)
                  .Case("fn", Keyword::Fn)
                  .Case("if", Keyword::If)
                  .Case("match", Keyword::Match)
                  .Case("ref", Keyword::Ref)
                  .Case("ref_read", Keyword::RefRead)
                  .Case("ref_write", Keyword::RefWrite)
                  .Case("True", Keyword::True)
                  .Case("False", Keyword::False)
                  .Case("meta", Keyword::Meta)
                  .Case("free_var", Keyword::FreeVar)
                  .Default(Keyword::None);
    const OpInfo *Info = Ctx.lookupOp(Name);
    if (Slot->K == Keyword::None && Info && Info->isOperator()) {
      Slot->Info = Info;
      initOperator(*Slot);
    }
    if (Slot->K == Keyword::None &&
        Upgrader::hasRules(Name, ReleaseRange::all()) &&
        Upgrader::hasRules(Name, getReleases()))
      Slot->K = Keyword::OldOperator;
  }
  // A definition may come between two uses of a name.
  if (!Slot->Info && !Slot->Cons && Slot->K == Keyword::None)
    Slot->Cons = M.lookupConstructor(Name);
  return *Slot;
}

void Parser::initOperator(Callee &C) {
  if (!C.Info->Attributes)
    return;
  if (C.Info->Attributes == &DictAttrsInfo) {
    C.Defaults = Ctx.getDictAttrs({});
    return;
  }
  C.Defaults = Ctx.getDefaultAttrs(*C.Info->Attributes);
  C.HasRequired =
      llvm::any_of(C.Info->Attributes->Fields, [](const AttrField &Field) {
        return Field.isRequired() && Field.Kind != FieldKind::Expr;
      });
}

static bool isCapital(char C) { return C >= 'A' && C <= 'Z'; }

/// Decides the meaning of an undeclared name: an operator where unregistered
/// operators are allowed, a constructor in an expression file. Returns false
/// after an error.
bool Parser::resolveUnknown(Callee &C, const Token &Name) {
  // A declaration made here is visible to all text after it.
  if (endTrial())
    return false;
  SmallVector<StringRef> Known = Ctx.getOperatorNames();
  bool MayBeConstructor =
      (IsExpression || Options.AllowUndefinedGlobals) && !C.Name.contains('.');
  if (Options.AllowUnregisteredOps &&
      !(MayBeConstructor && isCapital(C.Name[0]))) {
    C.Info = &Ctx.getOrCreateUnregisteredOp(C.Name);
    initOperator(C);
    return true;
  }
  // A constructor begins with a capital letter; a lower-case name is one only
  // if it does not resemble an operator.
  if (MayBeConstructor &&
      (isCapital(C.Name[0]) || nearestName(C.Name, Known).empty()))
    return true;
  for (TypeDef &D : M.typeDefs())
    for (const auto &Cons : D.Constructors)
      Known.push_back(Cons->Name);
  InFlightDiagnostic D =
      error(Name, "`" + C.Name + "` is not a declared operator or constructor");
  suggest(D, C.Name, Known);
  return false;
}

Value *Parser::parseCallee(Callee &C) {
  Token Name = T;
  NumberLiteral Ignored;
  if (!C.Info && !C.Cons && readNonFinite(C.Name, false, Ignored))
    return parseNumber(/*Negative=*/false);
  if (!C.Info && !C.Cons && !resolveUnknown(C, Name)) {
    advance();
    if (T.is(Tok::LParen))
      skipParens();
    return poison();
  }
  if (!C.Info)
    return parseConstructor(C, Name);
  Lex.takeSpan();
  advance();
  if (T.is(Tok::LParen))
    return parseOperatorCall(C, Name);
  return create(OpRefOp::getInfo(), {}, SymbolAttrs::get(Ctx, C.Name),
                Name.Begin);
}

/// Skips from the current `(` past the matching `)`.
void Parser::skipParens() {
  unsigned Open = 0;
  do {
    if (atEnd() || T.is(Tok::Semicolon))
      return;
    Open += T.is(Tok::LParen);
    Open -= T.is(Tok::RParen);
    advance();
  } while (Open);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Parses operands that are plain variables, and attributes equal to those of
/// the last call of \p C, directly from the text: nearly all are. The current
/// token is the `(` before the call, and the first unparsed token after it.
void Parser::parsePlainArguments(Arguments &Args, Callee *C) {
  const char *P = Lex.getPosition();
  while (*P == '%') {
    const char *E;
    Value *V;
    if (Lexer::isDigit(P[1])) {
      uint64_t Number;
      E = Lexer::skipDigits(P + 1, Number);
      const GraphNumbers::Entry *Entry = Graph.find(Number);
      if (!Entry || Entry->Function != FunctionNumber ||
          (Entry->Region != Region && !RegionIsOpen[Entry->Region]) ||
          E - P > 18)
        break;
      V = Entry->V;
    } else {
      E = Lexer::skipName(P + 1);
      V = Names.lookup(StringRef(P + 1, E - P - 1));
    }
    if (!V || (*E != ',' && *E != ')'))
      break;
    Operands.push_back(V);
    P = E;
    if (*E == ')')
      break;
    for (++P; *P == ' ';)
      ++P;
  }
  size_t Length = C ? C->LastText.size() : 0;
  if (Length && size_t(Lex.end() - P) > Length && P[Length] == ')' &&
      StringRef(P, Length) == C->LastText) {
    Args.A = C->LastAttrs;
    P += Length;
  }
  Lex.setPosition(P);
  advance();
}

/// Parses operands and attributes up to the `)`, which stays the current token.
bool Parser::parseArguments(Arguments &Args, Callee *C) {
  Args.Base = Operands.size();
  Args.Open = T.Begin;
  parsePlainArguments(Args, C);
  while (!T.is(Tok::RParen)) {
    bool IsWord = T.is(Tok::Identifier);
    if (IsWord && isFollowedByEqual()) {
      if (!(C ? parseOperatorAttrs(*C, Args) : parseCallAttrs(Args)))
        return dropOperands(Args), false;
      break;
    }
    Value *V;
    if (IsWord && T.text() == "meta") {
      MetaRef Ref;
      if (!parseMetaRef(Ref))
        return dropOperands(Args), false;
      if (isAttrsKey(Ref.Key) || (!C && Ref.Key == "DictAttrs")) {
        if (!parseWholeAttrs(C, Args, Ref))
          return dropOperands(Args), false;
        break;
      }
      V = parseRest(makeMetaConstant(Ref), Ref.At.Begin);
    } else {
      V = parseExpr();
    }
    if (!V)
      return dropOperands(Args), false;
    Operands.push_back(V);
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (LLVM_LIKELY(T.is(Tok::RParen)))
    return true;
  dropOperands(Args);
  return expected("`,` or `)`");
}

/// Returns the position of operand \p I, for an error.
const char *Parser::findOperand(const Arguments &Args, size_t I) {
  Lexer Again = Lex;
  Again.setPosition(Args.Open + 1);
  Token Now = Again.lex();
  for (unsigned Depth = 0; I && !Now.is(Tok::EndOfFile); Again.lex(Now)) {
    Depth +=
        Now.is(Tok::LParen) || Now.is(Tok::LBrace) || Now.is(Tok::LBracket);
    Depth -=
        Now.is(Tok::RParen) || Now.is(Tok::RBrace) || Now.is(Tok::RBracket);
    I -= Now.is(Tok::Comma) && !Depth;
  }
  return Now.Begin;
}

bool Parser::reportOperands(StringRef Name, unsigned Wanted,
                            const Arguments &Args) {
  // The position of the first surplus operand, or where one is missing.
  size_t Found = Operands.size() - Args.Base;
  bool TooMany = Found > Wanted;
  error(TooMany ? findOperand(Args, Wanted) : T.Begin, 0,
        "too " + Twine(TooMany ? "many" : "few") + " operands: `" + Name +
            "` takes " + Twine(Wanted) + ", found " + Twine(Found));
  dropOperands(Args);
  return false;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *Parser::parseOperatorCall(Callee &C, const Token &Name) {
  Arguments Args;
  if (!parseArguments(Args, &C))
    return nullptr;
  if (!Args.A)
    Args.A = makeMissingAttrs(C);
  if (!C.Info->hasTrait(OpTrait::Variadic) &&
      !checkOperands(C.Name, C.Info->NumOperands, Args)) {
    advance();
    return poison();
  }
  Operation *Op = create(*C.Info, operandsOf(Args), Args.A, Name.Begin);
  dropOperands(Args);
  return finish(Op);
}

/// Parses `Cons(%x, %l)`, `Nil`, and `Cons` as a value.
Value *Parser::parseConstructor(Callee &C, const Token &Name) {
  bool MayBeValue = C.Cons && !C.Cons->Fields.empty();
  bool IsCall = peek().is(Tok::LParen);
  Operation *Op;
  if (!IsCall && MayBeValue) {
    Op = create(ConstructorRefOp::getInfo(), {}, SymbolAttrs::get(Ctx, C.Name),
                Name.Begin);
    return finish(Op);
  }
  Arguments Args;
  Args.Base = Operands.size();
  if (IsCall) {
    advance();
    if (!parseArguments(Args, nullptr))
      return nullptr;
  }
  if (C.Cons && !checkOperands(C.Name, C.Cons->Fields.size(), Args)) {
    advance();
    return poison();
  }
  Op = create(CallConstructorOp::getInfo(), operandsOf(Args),
              CallConstructorAttrs::get(Ctx, C.Name, Args.CallAttributes),
              Name.Begin);
  dropOperands(Args);
  return finish(Op);
}

/// Parses a call of the closure \p V, from the `(` on.
Value *Parser::parseValueCall(Value *V, const char *At) {
  size_t Base = Operands.size();
  Operands.push_back(V);
  Arguments Args;
  if (!parseArguments(Args, nullptr)) {
    Operands.truncate(Base);
    return nullptr;
  }
  Args.Base = Base; // the callee is an operand, too
  if (!PlainCall)
    PlainCall = CallValueAttrs::get(Ctx, {});
  const Attrs *A = Args.CallAttributes
                       ? CallValueAttrs::get(Ctx, Args.CallAttributes)
                       : PlainCall;
  Operation *Op = create(CallValueOp::getInfo(), operandsOf(Args), A, At);
  dropOperands(Args);
  return finish(Op);
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// Returns true for a function whose name contains unusual characters
/// (`@main_T.Any()`), wherever it is defined. Such names are searched for only
/// if a use may refer to one.
bool Parser::isOddGlobal(StringRef Name) {
  if (!OddGlobals) {
    OddGlobals.emplace();
    StringRef Text(Lex.begin(), Lex.end() - Lex.begin());
    for (size_t At = Text.find("def @"); At != StringRef::npos;
         At = Text.find("def @", At + 5)) {
      const char *Begin = Text.data() + At + 5;
      const char *End = Lex.findNameEnd(Begin);
      StringRef After(End, std::min<size_t>(3, Lex.end() - End));
      if (After == "()(" || After == "()[")
        End += 2;
      OddGlobals->insert(StringRef(Begin, End - Begin));
    }
  }
  return OddGlobals->contains(Name);
}

/// Extends the current Global to the end of the function's name.
void Parser::extendGlobal() {
  StringRef After(T.End, std::min<size_t>(2, Lex.end() - T.End));
  if (After.empty() || (!Lexer::isOddNameChar(After[0]) && After != "()"))
    return;
  const char *Longest = Lex.findNameEnd(T.Begin + 1);
  if (StringRef(Longest, std::min<size_t>(2, Lex.end() - Longest)) == "()")
    Longest += 2;
  for (const char *E = Longest; E != T.End; --E)
    if (isOddGlobal(StringRef(T.Begin + 1, E - T.Begin - 1))) {
      T.End = E;
      Lex.setPosition(E);
      return;
    }
}

Parser::Global &Parser::useGlobal(const Token &Name) {
  Global &G = Globals[Name.name()];
  if (LLVM_UNLIKELY(!G.FirstUse)) {
    G.FirstUse = Name.Begin;
    G.CallAttrs = CallGlobalAttrs::get(Ctx, Name.name(), {});
  }
  return G;
}

/// Parses `@f(…)`, or `@f` as a value.
Value *Parser::parseGlobal() {
  extendGlobal();
  Token Name = T;
  Global &G = useGlobal(Name);
  advance();
  if (!T.is(Tok::LParen))
    return create(GlobalRefOp::getInfo(), {},
                  SymbolAttrs::get(Ctx, Name.name()), Name.Begin);
  const Attrs *A = G.CallAttrs;
  Arguments Args;
  if (!parseArguments(Args, nullptr))
    return nullptr;
  if (Args.CallAttributes)
    A = CallGlobalAttrs::get(Ctx, Name.name(), Args.CallAttributes);
  Operation *Op =
      create(CallGlobalOp::getInfo(), operandsOf(Args), A, Name.Begin);
  dropOperands(Args);
  return finish(Op);
}

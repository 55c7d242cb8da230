//===- ParseType.cpp - Types ----------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types in parameters, results and definitions. Each text of a tensor type is
// parsed once per file.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/Text/Parse/AttrValues.h"
#include <cstring>

using namespace relay;

bool Parser::parseAnnotation(Type *&Out) {
  Out = nullptr;
  if (atWord("_")) {
    advance();
    return true;
  }
  Type *Ty = parseType();
  // An unknown of type inference is not an annotation.
  if (Ty && !isa<IncompleteType>(Ty))
    Out = Ty;
  return Ty;
}

Type *Parser::parseType() {
  if (TypeDepth >= Type::MaxDepth) {
    error(T, "type nested more than " + Twine(Type::MaxDepth) + " levels deep");
    return nullptr;
  }
  ++TypeDepth;
  Type *Ty = parseTypeUnnested();
  --TypeDepth;
  return Ty;
}

Type *Parser::parseTypeUnnested() {
  if (T.is(Tok::LParen))
    return parseTupleType();
  if (!T.is(Tok::Identifier))
    return expected("a type");
  StringRef Word = T.text();
  if (Word == "Tensor")
    return parseTensorType();
  if (Word == "fn")
    return parseFuncType();
  if (Word == "ref")
    return parseRefType();
  if (Word == "meta") {
    MetaRef Ref;
    Attr Value;
    if (!parseMetaRef(Ref) || !lookupMeta(Ref, Value))
      return nullptr;
    if (Value.getKind() == Attr::Kind::Type)
      return Value.getType();
    error(Ref.At, "`" + Ref.At.text() + "` is not a type");
    return nullptr;
  }
  return parseNamedType();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// `Tensor[(1, ?), float32]`
Type *Parser::parseTensorType() {
  const char *Begin = T.Begin;
  const char *Open = Lex.getPosition();
  const void *Close =
      *Open == '[' ? std::memchr(Open, ']', Lex.end() - Open) : nullptr;
  // A type that refers to the metadata has a second bracket.
  StringRef Text(Begin,
                 Close ? static_cast<const char *>(Close) + 1 - Begin : 0);
  bool Plain = Text.size() < 200 && Text.count('[') == 1;
  if (Plain)
    if (Type *Known = TensorTypes.lookup(Text)) {
      Lex.setPosition(Text.end());
      advance();
      return Known;
    }
  advance();
  SmallVector<Dim, 4> Shape;
  DType Element;
  if (!expect(Tok::LBracket, "after `Tensor`") || !parseShape(Shape) ||
      !expect(Tok::Comma, "after the shape") || !parseDType(Element))
    return nullptr;
  if (!T.is(Tok::RBracket))
    return expected("`]` after the type of the elements");
  Type *Ty = Ctx.getTensorType(Shape, Element);
  if (Plain && T.End == Text.end())
    TensorTypes[Text] = Ty;
  advance();
  return Ty;
}

bool Parser::parseShape(SmallVectorImpl<Dim> &Shape) {
  if (!expect(Tok::LParen, "before the shape"))
    return false;
  while (!T.is(Tok::RParen)) {
    if (!parseDim(Shape.emplace_back()))
      return false;
    if (!consumeIf(Tok::Comma))
      break;
  }
  return expect(Tok::RParen, "after the shape");
}

bool Parser::parseDim(Dim &Out) {
  if (consumeIf(Tok::Question)) {
    Out = Dim::getAny();
    return true;
  }
  if (!T.is(Tok::Number) && !T.is(Tok::Minus) && !atWord("meta"))
    return expected("a dimension");
  Token At = T;
  Attr Value;
  if (!parseAttrValue(Value))
    return false;
  if (!Value.isDim()) {
    error(At, "expected a dimension, found " + Twine(describe(Value)));
    return false;
  }
  Out = Dim(Value);
  return true;
}

/// `float32`, `custom[name]32`
bool Parser::parseDType(DType &Out) {
  if (!T.is(Tok::Identifier))
    return expected("a data type");
  if (T.text() == "custom" && *T.End == '[') {
    const char *E = T.End;
    while (*E != ']' && *E != '\n' && E != Lex.end())
      ++E;
    while (Lexer::isNameChar(E[*E == ']']))
      E += 1 + (*E == ']');
    T.End = E;
    Lex.setPosition(E);
  }
  std::optional<DType> Ty = relay::parseDType(Ctx, T.text());
  if (!Ty)
    return expected("a data type");
  Out = *Ty;
  advance();
  return true;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

bool Parser::parseTypeList(Tok Close, SmallVectorImpl<Type *> &Types,
                           bool &TrailingComma) {
  TrailingComma = false;
  while (!T.is(Close)) {
    Type *Ty = parseType();
    if (!Ty)
      return false;
    Types.push_back(Ty);
    TrailingComma = consumeIf(Tok::Comma);
    if (!TrailingComma)
      break;
  }
  return expect(Close, "after the types");
}

/// `()`, `(A,)`, `(A, B)`; `(A)` is A.
Type *Parser::parseTupleType() {
  advance();
  SmallVector<Type *, 4> Fields;
  bool TrailingComma;
  if (!parseTypeList(Tok::RParen, Fields, TrailingComma))
    return nullptr;
  if (Fields.size() == 1 && !TrailingComma)
    return Fields.front();
  return Ctx.getTupleType(Fields);
}

/// `fn [A](A, B) -> C`
Type *Parser::parseFuncType() {
  advance();
  size_t Mark = TypeVars.mark();
  SmallVector<TypeVarType *, 4> TypeParams;
  SmallVector<Type *, 4> Params;
  bool TrailingComma;
  Type *Result = nullptr;
  if ((!T.is(Tok::LBracket) || parseTypeParams(TypeParams)) &&
      expect(Tok::LParen, "before the types of the parameters") &&
      parseTypeList(Tok::RParen, Params, TrailingComma) &&
      expect(Tok::Arrow, "before the type of the result"))
    Result = parseType();
  TypeVars.leave(Mark);
  return Result ? Ctx.getFuncType(TypeParams, Params, Result) : nullptr;
}

Type *Parser::parseRefType() {
  advance();
  if (!expect(Tok::LParen, "after `ref`"))
    return nullptr;
  Type *Value = parseType();
  if (!Value || !expect(Tok::RParen, "after the type"))
    return nullptr;
  return Ctx.getRefType(Value);
}

/// Parses a data type, a type parameter, or a defined type: `List[A]`,
/// `Storage`.
Type *Parser::parseNamedType() {
  Token Name = T;
  if (Type *Var = TypeVars.lookup(Name.text())) {
    advance();
    return Var;
  }
  if (Type *Known = TensorTypes.lookup(Name.text())) {
    advance();
    return Known;
  }
  bool IsCustom = Name.text() == "custom" && *Name.End == '[';
  DType Element;
  if (IsCustom || DType::parse(Name.text())) {
    if (!parseDType(Element))
      return nullptr;
    Type *Ty = Ctx.getScalarType(Element);
    if (!IsCustom)
      TensorTypes[Name.text()] = Ty;
    return Ty;
  }
  TypeNames.try_emplace(Name.text(), Name.Begin);
  advance();
  SmallVector<Type *, 4> Args;
  bool TrailingComma;
  if (consumeIf(Tok::LBracket) &&
      !parseTypeList(Tok::RBracket, Args, TrailingComma))
    return nullptr;
  return Ctx.getTypeCall(Name.text(), Args);
}

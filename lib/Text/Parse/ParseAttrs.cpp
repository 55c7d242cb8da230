//===- ParseAttrs.cpp - Attributes ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attribute values, and the attributes of a call according to the table of
// their kind. A graph has few distinct attribute texts: parsed texts are stored
// by operator, so that repeated texts only need a comparison of bytes.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Parser::parseAttrValue(Attr &Out) {
  switch (T.K) {
  case Tok::Number:
  case Tok::Minus:
    return parseAttrNumber(Out);
  case Tok::String:
    Out = hasEscapes(T.text())
              ? Ctx.getString(readString(T.text()))
              : Ctx.getString(T.text().drop_front().drop_back());
    advance();
    return true;
  case Tok::LBracket:
    return parseAttrArray(Out);
  case Tok::Question:
    advance();
    Out = Dim::getAny();
    return true;
  case Tok::Identifier:
    return parseAttrWord(Out);
  default:
    return expected("the value of an attribute");
  }
}

bool Parser::parseAttrNumber(Attr &Out) {
  bool Negative = consumeIf(Tok::Minus);
  NumberLiteral N;
  bool IsOld = T.is(Tok::Number) && Lexer::isDigit(T.End[-1]) &&
               readOldNumber(T.text(), Negative, N);
  if (T.is(Tok::Number) && !IsOld) {
    std::string Message = readNumber(T.text(), Negative, N);
    if (!Message.empty())
      error(T, Message);
  } else if (!IsOld && (!T.is(Tok::Identifier) ||
                        !readNonFinite(T.text(), Negative, N))) {
    return expected("a number");
  }
  advance();
  // A double attribute is written as a float: all its digits count.
  Out = N.IsFloat ? Ctx.getFloat(N.getFloat(), N.Ty) : Ctx.getInt(N.Int, N.Ty);
  return true;
}

bool Parser::parseAttrArray(Attr &Out) {
  // The limit of the metadata, whose lists are printed in the text.
  constexpr unsigned MaxDepth = 200;
  if (AttrDepth == MaxDepth) {
    error(T, "list nested more than " + Twine(MaxDepth) + " levels deep");
    return false;
  }
  ++AttrDepth;
  advance();
  SmallVector<Attr, 8> Elements;
  bool OK = true;
  while (OK && !T.is(Tok::RBracket)) {
    OK = parseAttrValue(Elements.emplace_back());
    if (!consumeIf(Tok::Comma))
      break;
  }
  --AttrDepth;
  Out = Ctx.getArray(Elements);
  return OK && expect(Tok::RBracket, "after the elements");
}

bool Parser::parseAttrWord(Attr &Out) {
  StringRef Word = T.text();
  NumberLiteral Ignored;
  if (Word == "meta") {
    MetaRef Ref;
    return parseMetaRef(Ref) && lookupMetaAttr(Ref, Out);
  }
  if (Word == "True" || Word == "False")
    Out = Attr::getBool(Word == "True");
  else if (Word == "None")
    Out = {};
  else if (readNonFinite(Word, /*Negative=*/false, Ignored))
    return parseAttrNumber(Out);
  else
    return expected("the value of an attribute");
  advance();
  return true;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Parses the name of an attribute, with any characters that TVM puts into it.
StringRef Parser::parseAttrKey() {
  const char *E = Lex.findNameEnd(T.Begin);
  StringRef Key(T.Begin, E - T.Begin);
  Lex.setPosition(E);
  advance();
  return Key;
}

/// Parses `name=value, …` up to the first token that is not part of it.
bool Parser::parseAttrList(SmallVectorImpl<AttrText> &List) {
  while (T.is(Tok::Identifier)) {
    AttrText &A = List.emplace_back();
    A.At = T.Begin;
    A.Name = parseAttrKey();
    if (!expect(Tok::Equal, "after the name of an attribute"))
      return false;
    A.ValueAt = T.Begin;
    if (!parseAttrValue(A.Value))
      return false;
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (T.is(Tok::RParen))
    return true;
  return expected("`,` or `)` after an attribute");
}

/// Returns the end of the attributes that begin at \p P: the `)` that closes
/// the call. Null if only the lexer can find it.
const char *Parser::findAttrsEnd(const char *P) const {
  for (unsigned Depth = 0;; ++P) {
    switch (*P) {
    case '(':
      ++Depth;
      break;
    case ')':
      if (!Depth--)
        return P;
      break;
    case '"':
      for (++P; *P != '"'; ++P)
        if (*P == '\\' || *P == '\n' || *P == '\0')
          return nullptr;
      break;
    case '/':
    case '\0':
      return nullptr;
    default:
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Parses the attributes of a call of \p C, from the first name to the `)`.
bool Parser::parseOperatorAttrs(Callee &C, Arguments &Args) {
  const char *Begin = T.Begin;
  const char *End = findAttrsEnd(Begin);
  StringRef Text(Begin, End ? End - Begin : 0);
  const Attrs *Known = End ? C.AttrsByText.lookup(Text) : nullptr;
  unsigned Before = NumErrors;
  if (Known) {
    Lex.setPosition(End);
    advance();
  } else {
    SmallVector<AttrText, 8> List;
    if (!parseAttrList(List))
      return false;
    Known = makeOperatorAttrs(C, List);
  }
  Args.A = Known;
  if (!End || NumErrors != Before)
    return true;
  C.AttrsByText[Text] = Known;
  C.LastText = Text;
  C.LastAttrs = Known;
  return true;
}

const Attrs *Parser::makeOperatorAttrs(const Callee &C,
                                       ArrayRef<AttrText> List) {
  const AttrsInfo *Info = C.Info->Attributes;
  if (Info == &DictAttrsInfo)
    return makeDictAttrs(List);
  if (Info)
    return makeAttrs(C.Name, *Info, C.Defaults, List);
  error(List.front().At, List.front().Name.size(),
        "`" + C.Name + "` takes no attributes");
  return nullptr;
}

const Attrs *Parser::makeDictAttrs(ArrayRef<AttrText> List) {
  SmallVector<NamedAttr, 8> Entries;
  for (const AttrText &A : List)
    Entries.push_back({Ctx.getString(A.Name), A.Value});
  return Ctx.getDictAttrs(Entries);
}

/// Returns the attributes in \p List according to \p Info, with \p Defaults for
/// the rest. Errors are reported and the invalid values omitted.
const Attrs *Parser::makeAttrs(StringRef Of, const AttrsInfo &Info,
                               const Attrs *Defaults, ArrayRef<AttrText> List) {
  SmallVector<Attr, 16> Slots(Defaults->getSlots());
  llvm::SmallBitVector Seen(Info.Fields.size());
  for (const AttrText &A : List) {
    int I = Info.getFieldIndex(A.Name);
    if (I < 0) {
      SmallVector<StringRef> Known;
      for (const AttrField &Field : Info.Fields)
        Known.push_back(Field.Name);
      InFlightDiagnostic D =
          error(A.At, A.Name.size(),
                "`" + Of + "` has no attribute `" + A.Name + "`");
      suggest(D, A.Name, Known);
      continue;
    }
    const AttrField &Field = Info.Fields[I];
    std::optional<Attr> Value = toFieldValue(Ctx, Field, A.Value);
    if (Seen[I])
      error(A.At, A.Name.size(), "attribute `" + A.Name + "` is given twice");
    else if (!Value)
      error(A.ValueAt, 0,
            "attribute `" + A.Name + "` of `" + Of + "` takes " +
                describe(Field.Kind) + ", found " + describe(A.Value));
    else
      Slots[I] = *Value;
    Seen.set(I);
  }
  for (auto [I, Field] : llvm::enumerate(Info.Fields)) {
    if (!Field.isRequired() || Field.Kind == FieldKind::Expr || Seen[I])
      continue;
    InFlightDiagnostic D =
        error(T, "`" + Of + "` needs the attribute `" + Field.Name + "`");
    if (!Field.Nullable)
      continue;
    StringRef Kind = describe(Field.Kind);
    D << " (" << Kind << (Kind.ends_with("or None") ? ")" : " or None)");
  }
  return Ctx.getAttrs(Info, Slots);
}

//===----------------------------------------------------------------------===//
// Other calls
//===----------------------------------------------------------------------===//

/// Parses the attributes of a call of a function or constructor: `dtype="int8",
/// attrs_type_key="relay.attrs.CastAttrs"`.
bool Parser::parseCallAttrs(Arguments &Args) {
  const char *Begin = T.Begin;
  SmallVector<AttrText, 8> List;
  if (!parseAttrList(List))
    return false;
  auto *Key = llvm::find_if(
      List, [](const AttrText &A) { return A.Name == "attrs_type_key"; });
  if (Key == List.end() && getReleases().isUpTo(7)) {
    Upgrades.remark(Begin,
                    "attributes of calls of functions and constructors are "
                    "dropped: text up to TVM 0.7 does not name their kind");
    return true;
  }
  if (Key == List.end() || !Key->Value.isString()) {
    error(Begin, 0,
          "attributes of a call of a function or constructor require "
          "`attrs_type_key=\"...\"`");
    return true;
  }
  StringRef TypeKey = Key->Value.getString();
  if (const AttrsInfo *Info = Ctx.lookupAttrsInfo(TypeKey)) {
    List.erase(Key);
    Args.CallAttributes = Ctx.getOpAttrsAttr(
        makeAttrs(TypeKey, *Info, Ctx.getDefaultAttrs(*Info), List));
    return true;
  }
  if (Options.AllowUnregisteredOps)
    Args.CallAttributes = makeDictAttrs(List)->getSlot(0);
  else
    error(Key->ValueAt, 0, "unknown kind of attributes `" + TypeKey + "`");
  return true;
}

/// Parses all attributes as one object: `meta[relay.attrs.X][0]`.
bool Parser::parseWholeAttrs(Callee *C, Arguments &Args, const MetaRef &Ref) {
  if (C && C->Info->Attributes && C->Info->Attributes != &DictAttrsInfo &&
      getReleases().Max < ReleaseRange::Current) {
    SmallVector<AttrText, 8> List;
    if (!parseOldWholeAttrs(C->Info, C->Name, Ref, List))
      return false;
    Args.A = makeAttrs(C->Name, *C->Info->Attributes, C->Defaults, List);
    return true;
  }
  Attr Whole;
  if (!lookupMeta(Ref, Whole))
    return false;
  consumeIf(Tok::Comma);
  const Attrs *Known =
      Whole.getKind() == Attr::Kind::OpAttrs ? Whole.getOpAttrs() : nullptr;
  if (!C && Whole) {
    Args.CallAttributes = Whole;
  } else if (C && C->Info->Attributes == &DictAttrsInfo) {
    Args.A = Ctx.getDictAttrs(NamedAttr(Ctx.getString(WholeAttrsKey), Whole));
  } else if (C && Known && &Known->getInfo() == C->Info->Attributes) {
    Args.A = Known;
  } else if (C) {
    Args.A = C->Defaults;
    error(Ref.At, "`" + C->Name + "` does not take attributes of kind `" +
                      Ref.Key + "`");
  }
  return true;
}

//===- ParseMeta.cpp - References to the metadata section -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `meta[key][i]` as a constant, an attribute, a type. The section stands at the
// end of the file; the first reference has it found and read.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include <cstring>

using namespace relay;

bool Parser::parseMetaRef(MetaRef &Out) {
  Out.At = T;
  advance();
  if (!expect(Tok::LBracket, "after `meta`"))
    return false;
  if (!T.is(Tok::Identifier))
    return expected("the kind of an object");
  Out.Key = T.text();
  advance();
  if (!expect(Tok::RBracket, "after the kind") ||
      !expect(Tok::LBracket, "before the index"))
    return false;
  if (!T.is(Tok::Number) || T.text().getAsInteger(10, Out.Index))
    return expected("the index of an object");
  advance();
  Out.At.End = T.End;
  Lex.takeSpan();
  return expect(Tok::RBracket, "after the index");
}

/// False when there is a section that cannot be read; HasMetadata tells whether
/// there is one.
bool Parser::readMetadata() {
  if (MetadataRead)
    return MetadataGood;
  MetadataRead = true;
  MetadataGood = true;
  const char *P = T.Begin;
  constexpr StringLiteral Mark = "#[metadata]";
  while (const void *Found = std::memchr(P, '#', Lex.end() - P)) {
    P = static_cast<const char *>(Found);
    bool AtLineStart = P == Lex.begin() || P[-1] == '\n';
    StringRef Rest(P, Lex.end() - P);
    if (AtLineStart && Rest.consume_front(Mark)) {
      HasMetadata = true;
      if (auto Failure = Meta.read(Rest)) {
        MetadataGood = false;
        error(Failure->second, 0, Failure->first);
      }
      break;
    }
    ++P;
  }
  return MetadataGood;
}

bool Parser::lookupMeta(const MetaRef &Ref, Attr &Out) {
  if (!readMetadata())
    return false;
  if (!HasMetadata) {
    error(Ref.At, "`" + Ref.At.text() + "` in a file without metadata");
    return false;
  }
  size_t Count = Meta.getNumObjects(Ref.Key);
  if (Ref.Index >= Count) {
    error(Ref.At, "`" + Ref.At.text() + "`: the metadata has " + Twine(Count) +
                      " objects of kind `" + Ref.Key + "`");
    return false;
  }
  FailureOr<Attr> Value = Meta.get(Ref.Key, Ref.Index);
  if (failed(Value)) {
    error(Ref.At, Meta.getError());
    return false;
  }
  Out = *Value;
  return true;
}

/// As the value of an attribute. Expressions, which mirror operands there, are
/// not looked at.
bool Parser::lookupMetaAttr(const MetaRef &Ref, Attr &Out) {
  static constexpr StringLiteral Expressions[] = {
      "relay.Call",  "relay.Function",     "relay.If",
      "relay.Let",   "relay.Match",        "relay.RefRead",
      "relay.Tuple", "relay.TupleGetItem", "relay.Var"};
  Out = {};
  return llvm::is_contained(Expressions, Ref.Key) || lookupMeta(Ref, Out);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value *Parser::parseMetaConstant() {
  MetaRef Ref;
  return parseMetaRef(Ref) ? makeMetaConstant(Ref) : nullptr;
}

/// The constant of \p Ref. Within a function one object is one operation.
Value *Parser::makeMetaConstant(const MetaRef &Ref) {
  StringRef Span = Lex.takeSpan();
  if (Ref.Key != "relay.Constant") {
    error(Ref.At, "`" + Ref.At.text() + "` is not an expression");
    return poison();
  }
  Operation *&Op = MetaConstants[Ref.Index];
  if (Op)
    return Op;
  Attr Data;
  bool MayLackData = Options.AllowUndefinedGlobals;
  if (!readMetadata())
    return poison();
  if (!(MayLackData && !HasMetadata) && !lookupMeta(Ref, Data))
    return poison();
  if (!Data && MayLackData)
    Data = makePlaceholder(Ref);
  if (Data.getKind() != Attr::Kind::Constant) {
    error(Ref.At, "the data of `" + Ref.At.text() + "` is not in the file");
    return poison();
  }
  Op = create(ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, Data),
              Ref.At.Begin);
  Op->setIndex(1); // as a graph number does: others may use it
  if (!Span.empty())
    Op->setLoc(getSpan(Span));
  return Op;
}

/// Zeros for a constant whose data was left out, of the type that the comment
/// behind it tells: `/* elided: Tensor[…] … */`, `/* ty=Tensor[…] */`.
Attr Parser::makePlaceholder(const MetaRef &Ref) {
  StringRef Rest(Ref.At.End, Lex.end() - Ref.At.End);
  Rest = Rest.ltrim();
  size_t Length = Rest.starts_with("/*") ? Rest.find("*/") : StringRef::npos;
  StringRef Comment = Rest.take_front(Length == StringRef::npos ? 0 : Length);
  const char *Begin = nullptr;
  for (StringRef Mark : {"elided: ", "ty="})
    if (size_t At = Comment.find(Mark); At != StringRef::npos && !Begin)
      Begin = Comment.data() + At + Mark.size();
  TensorType *Ty = nullptr;
  if (Begin) {
    Token Saved = T;
    const char *Position = Lex.getPosition();
    Lex.setPosition(Begin);
    advance();
    Ty = dyn_cast_or_null<TensorType>(parseType());
    T = Saved;
    Lex.setPosition(Position);
  }
  constexpr int64_t MaxBytes = int64_t(1) << 28;
  std::optional<int64_t> Size = Ty ? Ty->getNumElements() : std::nullopt;
  if (!Size || *Size > MaxBytes / int64_t(Ty->getDType().getByteSize()))
    return {};
  std::vector<char> Zeros(*Size * Ty->getDType().getByteSize());
  return Ctx.getConstant(Ty, Zeros);
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

/// The position that `file:line:column` names.
Location Parser::getSpan(StringRef Span) {
  NamedLocation Named;
  auto [Rest, Column] = Span.rsplit(':');
  auto [File, Line] = Rest.rsplit(':');
  if (Column.getAsInteger(10, Named.Column) ||
      Line.getAsInteger(10, Named.Line))
    return {};
  Named.File = File.str();
  return Ctx.getDiagnostics().getNamedLocation(std::move(Named));
}

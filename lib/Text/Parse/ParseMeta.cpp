//===- ParseMeta.cpp - References to the metadata section -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses `meta[key][i]` as a constant, an attribute, or a type. The section is
// at the end of the file and is read at the first reference.
//
//===----------------------------------------------------------------------===//

#include "Metadata/ElementList.h"
#include "ParserImpl.h"
#include "llvm/ADT/StringExtras.h"
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
  if (!T.is(Tok::Number) || T.text().getAsInteger(10, Out.Index) ||
      Out.Index > std::numeric_limits<uint32_t>::max())
    return expected("the index of an object");
  advance();
  Out.At.End = T.End;
  Lex.takeSpan();
  return expect(Tok::RBracket, "after the index");
}

const char *Parser::findMetadata() const {
  StringRef Mark = getMetadataMark();
  const char *P = T.Begin;
  while (const void *Found = std::memchr(P, Mark[0], Lex.end() - P)) {
    P = static_cast<const char *>(Found);
    bool AtLineStart = P == Lex.begin() || P[-1] == '\n';
    if (AtLineStart && StringRef(P, Lex.end() - P).starts_with(Mark))
      return P;
    ++P;
  }
  return Lex.end();
}

/// Reads the metadata. Returns false if the section cannot be read; sets
/// HasMetadata if there is one.
bool Parser::readMetadata() {
  if (MetadataRead)
    return MetadataGood;
  MetadataRead = true;
  if (Leader) {
    std::lock_guard<std::mutex> Guard(Leader->Lock);
    MetadataGood = Leader->readMetadata();
    HasMetadata = Leader->HasMetadata;
    return MetadataGood;
  }
  MetadataGood = true;
  const char *P = findMetadata();
  if (P == Lex.end())
    return true;
  HasMetadata = true;
  MetadataAt = P;
  P += getMetadataMark().size();
  if (auto Failure = Meta.read(StringRef(P, Lex.end() - P))) {
    MetadataGood = false;
    error(Failure->second, 0, Failure->first);
  } else {
    Meta.upgrade(Options.Release);
  }
  return MetadataGood;
}

/// Reports the first reference of a text without metadata. \returns false.
bool Parser::reportNoMetadata(const MetaRef &Ref) {
  if (std::exchange(HasReportedMetadata, true))
    return false;
  bool IsConstant = Ref.Key == "relay.Constant";
  error(Ref.At,
        "`" + Ref.At.text() +
            "` needs a metadata section, and the text has none; "
            "mod.astext(show_meta_data=True) prints one" +
            (IsConstant ? ", -opaque-constants reads constants without data"
                        : ""));
  return false;
}

bool Parser::findMeta(const MetaRef &Ref, bool &Exists) {
  if (!readMetadata())
    return false;
  Exists = HasMetadata;
  if (!HasMetadata && Options.AllowUndefinedGlobals)
    return true;
  if (!HasMetadata)
    return reportNoMetadata(Ref);
  size_t Count = getMeta().getNumObjects(Ref.Key);
  if (Ref.Index >= Count) {
    error(Ref.At, "`" + Ref.At.text() + "`: the metadata has " + Twine(Count) +
                      " objects of kind `" + Ref.Key + "`");
    return false;
  }
  return true;
}

std::optional<Attr> Parser::getMetaObject(const MetaRef &Ref) {
  std::unique_lock<std::mutex> Guard;
  if (Leader)
    Guard = std::unique_lock(Leader->Lock);
  FailureOr<Attr> Value = getMeta().get(Ref.Key, Ref.Index);
  if (succeeded(Value))
    return *Value;
  error(Ref.At, getMeta().getError());
  return std::nullopt;
}

bool Parser::lookupMeta(const MetaRef &Ref, Attr &Out) {
  bool Exists;
  if (!findMeta(Ref, Exists))
    return false;
  if (!Exists) {
    Out = getMissing(Ref);
    return true;
  }
  std::optional<Attr> Value = getMetaObject(Ref);
  if (Value)
    Out = *Value;
  return Value.has_value();
}

/// Returns a substitute for an object of a dump, which has no metadata: a
/// variable for a variable, an unknown for other dimensions, None for anything
/// else.
Attr Parser::getMissing(const MetaRef &Ref) {
  bool IsVar = Ref.Key == "tir.Var" || Ref.Key == "tir.SizeVar";
  if (IsVar) {
    if (endTrial()) // one variable for the whole text
      return {};
    Attr &Var = MissingVars[Ref.At.text()];
    if (!Var)
      Var = M.createDimVar("n", DType::getInt(32), Ref.Key == "tir.SizeVar");
    return Var;
  }
  if (Ref.Key == "IncompleteType")
    return Ctx.getTypeAttr(Ctx.getIncompleteType(0));
  return Ref.Key.starts_with("tir.") ? Attr(Dim::getAny()) : Attr();
}

/// Reads the object as the value of an attribute. Expressions, which mirror
/// operands there, are ignored. A constant without data is no value.
bool Parser::lookupMetaAttr(const MetaRef &Ref, Attr &Out) {
  static constexpr StringLiteral Expressions[] = {
      "relay.Call",  "relay.Function",     "relay.If",
      "relay.Let",   "relay.Match",        "relay.RefRead",
      "relay.Tuple", "relay.TupleGetItem", "relay.Var"};
  Out = {};
  if (llvm::is_contained(Expressions, Ref.Key))
    return true;
  return Ref.Key == "relay.Constant" ? lookupConstant(Ref, Out)
                                     : lookupMeta(Ref, Out);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value *Parser::parseMetaConstant() {
  MetaRef Ref;
  return parseMetaRef(Ref) ? makeMetaConstant(Ref) : nullptr;
}

/// Sets \p Out to the data of \p Ref; to none if the file leaves it out and
/// that is allowed. Returns false after an error.
bool Parser::lookupConstant(const MetaRef &Ref, Attr &Out) {
  if (!Options.OpaqueConstants)
    return lookupMeta(Ref, Out);
  if (!readMetadata())
    return false;
  if (!HasMetadata || Ref.Index >= getMeta().getNumObjects(Ref.Key))
    return true;
  std::optional<Attr> Value = getMetaObject(Ref);
  Out = Value.value_or(Attr());
  return Value.has_value();
}

/// Returns true if \p Op is an opaque constant that an index names.
static bool isOpaqueIndex(Operation *Op) {
  const ConstantData *Data = getConstantData(Op);
  return Data->isOpaque() && Data->getOpaqueName().Index;
}

/// Returns the constant of \p Ref. Within a function, one object is one
/// operation.
Value *Parser::makeMetaConstant(const MetaRef &Ref) {
  StringRef Span = Lex.takeSpan();
  if (Ref.Key != "relay.Constant") {
    error(Ref.At, "`" + Ref.At.text() + "` is not an expression");
    return poison();
  }
  Operation *&Op = MetaConstants[Ref.Index];
  if (Op) {
    if (isOpaqueIndex(Op))
      checkOpaque(Ref, readElided(Ref).Ty);
    return Op;
  }
  Attr Data;
  if (!lookupConstant(Ref, Data))
    return poison();
  if (Data && Data.getKind() != Attr::Kind::Constant) {
    error(Ref.At, "`" + Ref.At.text() + "` is not a constant");
    return poison();
  }
  if (!Data && !(Data = getElided(Ref)))
    return poison();
  Op = create(ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, Data),
              Ref.At.Begin);
  markShared(Op);
  if (!Span.empty())
    Op->setLoc(getSpanned(Op->getLoc(), Span));
  return Op;
}

/// Reads the comment after \p Ref about a constant whose data is elided: `/*
/// elided: Tensor[…] sha256:… */`, `/* ty=Tensor[…] */`.
Parser::ElidedConstant Parser::readElided(const MetaRef &Ref) {
  StringRef Rest = StringRef(Ref.At.End, Lex.end() - Ref.At.End).ltrim();
  if (!Rest.starts_with("/*"))
    return {};
  StringRef Comment = Rest.substr(2).split("*/").first;
  ElidedConstant Result;
  Result.Hash = Comment.split("sha256:").second.take_while(llvm::isHexDigit);
  StringRef List = Comment.ltrim();
  if (List.consume_front("["))
    Result.Elements = List.split(']').first;
  const char *Begin = nullptr;
  for (StringRef Mark : {"elided: ", "ty="})
    if (size_t At = Comment.find(Mark); At != StringRef::npos && !Begin)
      Begin = Comment.data() + At + Mark.size();
  if (!Begin)
    return Result;
  Token Saved = T;
  const char *Position = Lex.getPosition();
  Lex.setPosition(Begin);
  advance();
  Result.Ty = dyn_cast_or_null<TensorType>(parseType());
  T = Saved;
  Lex.setPosition(Position);
  return Result;
}

void Parser::reportElided(const MetaRef &Ref, const ElidedConstant &E) {
  if (ConstantsFailed)
    return;
  error(Ref.At,
        "the data of `" + Ref.At.text() +
            (E.Hash.empty()
                 ? "` is not in the file; -opaque-constants reads it as a "
                   "constant without data"
                 : "` is elided; -constants-file=FILE reads it from the file "
                   "that the same flag has written"));
  ConstantsFailed = !E.Hash.empty();
}

/// Returns true if \p E has the type of a constant; reports an error otherwise.
bool Parser::checkElided(const MetaRef &Ref, const ElidedConstant &E) {
  if (E.Ty && E.Ty->getNumElements() && !E.Ty->getDType().isVoid())
    return true;
  error(Ref.At, "the data of `" + Ref.At.text() +
                    "` is not in the file; expected its type in a comment, `" +
                    Ref.At.text() + " /* ty=Tensor[(2, 3), float32] */`" +
                    (E.Ty ? ", found " + toString(E.Ty) : ""));
  return false;
}

static bool isSameTensor(TensorType *L, TensorType *R) {
  return L->getDType() == R->getDType() && L->getRank() == R->getRank() &&
         llvm::all_of(llvm::zip(L->getShape(), R->getShape()), [](auto Pair) {
           auto [A, B] = Pair;
           return A.isConst() && B.isConst() && A.getInt() == B.getInt();
         });
}

/// Reports a comment after \p Ref that gives an opaque constant another type
/// than before. \p Ty is null without a comment.
void Parser::checkOpaque(const MetaRef &Ref, TensorType *Ty) {
  if (!Ty)
    return;
  Parser &Owner = Leader ? *Leader : *this;
  std::unique_lock<std::mutex> Guard(Owner.Lock);
  auto [First, At] =
      Owner.OpaqueTypes.try_emplace(Ref.Index, Ty, loc(Ref.At.Begin))
          .first->second;
  Guard.unlock();
  if (!isSameTensor(First, Ty))
    error(Ref.At, "`" + Ref.At.text() + "` has type " + toString(Ty) +
                      " here and type " + toString(First) + " before")
        .note(At, "first used here");
}

/// Returns the data of \p Ref, which the file leaves out: from the constants
/// file, from the elements shown in a dump, or an opaque constant. None after
/// an error.
Attr Parser::getElided(const MetaRef &Ref) {
  ElidedConstant E = readElided(Ref);
  if (Options.LookupConstant && !E.Hash.empty())
    return endTrial() ? Attr() : lookupElided(Ref, E);
  if (!Options.OpaqueConstants && !Options.AllowUndefinedGlobals) {
    reportElided(Ref, E);
    return {};
  }
  if (!checkElided(Ref, E))
    return {};
  if (Attr Data = readElements(Ctx, E.Ty, E.Elements))
    return Data;
  OpaqueName Name;
  Name.Hash = E.Hash;
  if (Options.OpaqueConstants && E.Hash.empty()) {
    checkOpaque(Ref, E.Ty);
    Name.Index = uint32_t(Ref.Index);
  }
  return Ctx.getOpaqueConstant(E.Ty, Name);
}

Attr Parser::lookupElided(const MetaRef &Ref, const ElidedConstant &E) {
  if (ConstantsFailed)
    return {};
  llvm::Expected<Attr> Found = Options.LookupConstant(E.Hash);
  if (!Found) {
    ConstantsFailed = true;
    error(Ref.At, "the data of `" + Ref.At.text() +
                      "` cannot be read: " + llvm::toString(Found.takeError()));
    return {};
  }
  if (Found->getKind() != Attr::Kind::Constant) {
    error(Ref.At, "the file of constants has no data for `" + Ref.At.text() +
                      "`, sha256:" + E.Hash);
    return {};
  }
  TensorType *Ty = Found->getConstant()->getType();
  if (!E.Ty || isSameTensor(Ty, E.Ty))
    return *Found;
  error(Ref.At, "the file of constants has data of type " + toString(Ty) +
                    " for `" + Ref.At.text() + "`, not " + toString(E.Ty));
  return {};
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

/// `source:line:column`
static std::optional<Span> parseSpan(StringRef Text) {
  Span Result;
  auto [Rest, Column] = Text.rsplit(':');
  auto [Source, Line] = Rest.rsplit(':');
  if (Column.getAsInteger(10, Result.Column) ||
      Line.getAsInteger(10, Result.Line))
    return std::nullopt;
  Result.Source = Source;
  return Result;
}

/// Further locations of an operation follow: `a:0:0 span=b:0:0`.
Location Parser::getSpanned(Location Loc, StringRef Text) {
  SmallVector<StringRef, 1> Parts;
  Text.split(Parts, " span=");
  SmallVector<Span, 1> Spans;
  for (StringRef Part : Parts)
    if (std::optional<Span> S = parseSpan(Part))
      Spans.push_back(*S);
  return Ctx.getDiagnostics().getLocations().get(Loc, Spans);
}

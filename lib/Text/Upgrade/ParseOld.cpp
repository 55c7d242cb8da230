//===- ParseOld.cpp - Text of older releases of TVM -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Determines the release that wrote a text, parses syntax of TVM 0.6 and 0.7,
// and calls of operators that have changed since (Upgrades.h). For current text
// it looks up the names of such operators, once each.
//
//===----------------------------------------------------------------------===//

#include "Parse/ParserImpl.h"
#include "relay/IR/Builder.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

void Parser::reportUpgrade(Severity Kind, const char *At,
                           const Twine &Message) {
  if (Kind == Severity::Error)
    error(At, 0, Message);
  else if (!endTrial())
    Ctx.getDiagnostics().emit(Kind, loc(At), Message);
}

//===----------------------------------------------------------------------===//
// The release of a text
//===----------------------------------------------------------------------===//

/// Parses `v0.0.4`, the header of TVM 0.6.
bool Parser::parseLegacyHeader() {
  IsLegacy = T.text() == "v0.0.4";
  if (!IsLegacy)
    error(T,
          "unsupported version " + T.text() +
              " of the text format; expected `v0.0.4` (TVM 0.6) or \"0.0.5\"");
  else if (Options.Release && Options.Release != ReleaseRange::First)
    error(T, "`v0.0.4` is text of TVM 0.6, not of TVM 0." +
                 Twine(Options.Release));
  else
    Upgrades.remark(T.Begin, "text of TVM 0.6 is read as that of TVM 0.18");
  advance();
  return true;
}

ReleaseRange Parser::getReleases() {
  if (!Releases && Leader) {
    std::lock_guard<std::mutex> Guard(Leader->Lock);
    Releases = Leader->getReleases();
  }
  if (!Releases)
    Releases = findReleases();
  return *Releases;
}

/// Returns the releases that may have written the text. In order of precedence:
/// the requested release, the header, the metadata, and the form of the text.
ReleaseRange Parser::findReleases() {
  if (Options.Release)
    return ReleaseRange::exactly(Options.Release);
  if (IsLegacy)
    return ReleaseRange::exactly(ReleaseRange::First);
  if (readMetadata())
    if (std::optional<ReleaseRange> R = Meta.getReleases())
      return *R;
  return narrowBySigns({});
}

namespace {
/// Searches for signs that only some releases print.
class SignFinder {
public:
  SignFinder(StringRef Text, ReleaseRange R) : L(Text), R(R) {}
  ReleaseRange find();
  /// Returns true if there are types in comments, as printed by TVM.
  bool hasTypes() const { return HasTypes; }

private:
  void atLeast(unsigned Release) { R.Min = std::max(R.Min, Release); }
  void atMost(unsigned Release) { R.Max = std::min(R.Max, Release); }
  void visitGap(const char *Begin, const char *End);
  void visitNumber(StringRef Text);
  void visitSignature(const char *Begin);
  void visit(const Token &T);

  Lexer L;
  ReleaseRange R;
  bool HasTypes = false, HasBareParameters = false;
};
} // namespace

/// Visits the text between two tokens.
void SignFinder::visitGap(const char *Begin, const char *End) {
  StringRef Text(Begin, End - Begin);
  HasTypes |= Text.contains("/* ty=") && !Text.contains("//");
}

void SignFinder::visitNumber(StringRef Text) {
  bool IsBare = Lexer::isDigit(Text.back());
  if (Text.ends_with("i64") || Text.ends_with("i16") || Text.ends_with("f16"))
    atLeast(9);
  else if (Text.ends_with("f64"))
    atLeast(8);
  else if (IsBare && Text.contains('.'))
    atMost(7);
}

/// Visits a signature from its `def` on: since 0.9 types follow parameters
/// there, too.
void SignFinder::visitSignature(const char *Begin) {
  bool HasParameters = false;
  Token T = L.lex();
  while (!T.is(Tok::LBrace) && !T.is(Tok::EndOfFile) && !T.is(Tok::Error)) {
    HasParameters |= T.is(Tok::Local);
    L.lex(T);
  }
  StringRef Text(Begin, T.Begin - Begin);
  HasTypes |= Text.contains("/* ty=");
  if (Text.contains("/* ty="))
    atLeast(9);
  else
    HasBareParameters |= HasParameters;
}

void SignFinder::visit(const Token &T) {
  switch (T.K) {
  case Tok::Number:
    return visitNumber(T.text());
  case Tok::Identifier:
    if (T.text() == "def")
      visitSignature(T.Begin);
    else if (T.text() == "ref_read" || T.text() == "ref_write")
      atLeast(8);
    return;
  case Tok::Error:
    if (*T.Begin == '^')
      atMost(7);
    return;
  case Tok::Colon:
    if (*T.End == '=')
      atMost(7);
    return;
  default:
    return;
  }
}

ReleaseRange SignFinder::find() {
  ReleaseRange All = R;
  const char *Before = L.begin();
  for (Token T = L.lex(); !T.is(Tok::EndOfFile) && !T.is(Tok::Metadata);
       L.lex(T)) {
    visitGap(Before, T.Begin);
    visit(T);
    Before = L.getPosition();
    if (R.Min >= 9 && HasTypes)
      break;
  }
  if (HasBareParameters && HasTypes)
    atMost(8);
  // Text with forms of several releases is handwritten.
  return R.Min <= R.Max ? R : All;
}

ReleaseRange Parser::narrowBySigns(ReleaseRange R) {
  StringRef Text(Lex.begin(), Lex.end() - Lex.begin());
  SignFinder Signs(Text, R);
  R = Signs.find();
  IsPrinted = Signs.hasTypes();
  if (R.Min >= 9 && Text.contains("meta[runtime.BoxInt]"))
    R.Min = ReleaseRange::Current;
  return R;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// Returns the type in `/* ty=int64 */`, which begins at \p P; void if there is
/// none.
DType Parser::getCommentedType(const char *P) const {
  StringRef Rest(P, std::min<size_t>(24, Lex.end() - P));
  if (!Rest.consume_front(" /* ty="))
    return DType::getVoid();
  return DType::parse(Rest.take_while(llvm::isAlnum))
      .value_or(DType::getVoid());
}

/// Reads \p Text, the current token without suffix, if an older release gave it
/// another type; returns false otherwise.
bool Parser::readOldNumber(StringRef Text, bool Negative, NumberLiteral &Out) {
  DType Ty = getCommentedType(T.End);
  bool IsFloat = Text.find_first_of(".eE") != StringRef::npos;
  bool IsLong = Ty == DType::getInt(64) && !IsFloat;
  bool IsDouble = Ty == DType::getFloat(64) || (IsFloat && Ty.isVoid());
  if (IsLong ? getReleases().Min > 8 : !IsDouble)
    return false;
  // Without a comment, only text known to be old is converted.
  if (IsDouble &&
      (Ty.isVoid() ? !getReleases().isUpTo(7) : getReleases().Min > 7))
    return false;
  Out = NumberLiteral();
  if (IsLong) {
    if (!readNumber(Text, Negative, Out).empty())
      return false;
  } else {
    Out.IsFloat = true;
    Out.Digits = Text;
    Out.Negative = Negative;
  }
  Out.Ty = IsLong ? DType::getInt(64) : DType::getFloat(64);
  Upgrades.remark(
      T.Begin, IsLong
                   ? "integers take the type of the comment after them, as in "
                     "TVM up to 0.8"
                   : "floats without suffix are float64, as in TVM up to 0.7");
  return true;
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `%r^`; the current token is the `^`.
Value *Parser::parseOldRefRead(Value *V, const char *At) {
  Upgrades.remark(T.Begin, "`%r^` is read as `ref_read(%r)`");
  Lex.setPosition(T.Begin + 1);
  return finish(create(RefReadOp::getInfo(), V, nullptr, At));
}

/// `(%r := %v)`; the current token is the `:`.
Value *Parser::parseOldRefWrite(Value *Ref, const char *At) {
  Upgrades.remark(T.Begin, "`(%r := %v)` is read as `ref_write(%r, %v)`");
  advance();
  advance();
  Value *V = parseExpr();
  if (!V)
    return nullptr;
  if (!T.is(Tok::RParen))
    return expected("`)` after the value");
  return finish(create(RefWriteOp::getInfo(), {Ref, V}, nullptr, At));
}

/// An operand after `-`.
Value *Parser::parseOldNegative(const char *At) {
  Value *V = parseOperand();
  return V ? create(*Ctx.lookupOp("negative"), V, nullptr, At) : nullptr;
}

/// `…; a ;; b`: the bindings before belong to the value `a`, which is bound to
/// an unnamed variable; the current token is the second `;`.
bool Parser::closeOldScope(Sequence &S, Value *V, const char *At) {
  advance();
  openScope(S);
  SmallVector<Operation *, 8> Bound;
  for (Operation &Op : llvm::reverse(B->getOperations())) {
    if (&Op == S.Closed)
      break;
    if (Op.isBound())
      Bound.push_back(&Op);
  }
  if (!Bound.empty()) {
    Operation *Scope = create(ScopeOp::getInfo(), {}, nullptr, S.At, 1);
    Block &Inner = Scope->getRegion();
    RegionOf[&Inner] = Region;
    for (Operation *Op : llvm::reverse(Bound)) {
      B->remove(Op);
      Inner.push_back(Op);
    }
    Inner.setResultRaw(V);
    V = Scope;
  }
  Names.leave(S.NameMark);
  S.Closed = bindLet(Ctx.intern("_"), V, nullptr, {}, At);
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Parses a call of an operator that has changed, or the operator as a value.
Value *Parser::parseOldCall(Callee &C) {
  // The meaning may be decided after the whole text has been read.
  if (endTrial())
    return nullptr;
  CallParts Call;
  Call.Operator = C.Name;
  Call.At = T.Begin;
  Lex.takeSpan();
  advance();
  if (!T.is(Tok::LParen))
    return create(OpRefOp::getInfo(), {},
                  SymbolAttrs::get(Ctx, Upgrader::getNewName(C.Name)), Call.At);
  if (!parseOldArguments(Call))
    return nullptr;
  Operation *Op = makeOldCall(Call);
  if (Op)
    return finish(Op);
  advance();
  return poison();
}

/// Parses operands and attributes up to the `)`, which stays the current token.
bool Parser::parseOldArguments(CallParts &Call) {
  advance();
  while (!T.is(Tok::RParen)) {
    bool IsWord = T.is(Tok::Identifier);
    if (IsWord && isFollowedByEqual())
      return parseAttrList(Call.Attributes);
    Value *V = nullptr;
    MetaRef Ref;
    if (IsWord && T.text() == "meta") {
      if (!parseMetaRef(Ref))
        return false;
      if (isAttrsKey(Ref.Key)) {
        if (!parseOldWholeAttrs(
                Ctx.lookupOp(Upgrader::getNewName(Call.Operator)),
                Call.Operator, Ref, Call.Attributes))
          return false;
        break;
      }
      V = parseRest(makeMetaConstant(Ref), Ref.At.Begin);
    } else {
      V = parseExpr();
    }
    if (!V)
      return false;
    Call.Operands.push_back(V);
    if (!consumeIf(Tok::Comma))
      break;
  }
  return T.is(Tok::RParen) || expected("`,` or `)`");
}

/// Returns the attributes in the object \p Ref by their names.
bool Parser::parseOldWholeAttrs(const OpInfo *Info, StringRef Operator,
                                const MetaRef &Ref,
                                SmallVectorImpl<AttrText> &List) {
  consumeIf(Tok::Comma);
  bool Exists;
  if (endTrial() || !findMeta(Ref, Exists))
    return false;
  if (!Exists)
    return true;
  SmallVector<NamedAttr, 8> Fields;
  const AttrsInfo *Attributes =
      Info ? Info->Attributes : Ctx.lookupAttrsInfo(Ref.Key);
  if (!Meta.getFields(Ref.Key, Ref.Index, Operator, Attributes, Fields)) {
    error(Ref.At, Meta.getError());
    return false;
  }
  for (auto [Key, Value] : Fields)
    List.push_back({Key.getString(), Value, Ref.At.Begin, Ref.At.Begin});
  return true;
}

/// Returns the upgraded operation of \p Call; null after an error.
Operation *Parser::makeOldCall(CallParts &Call) {
  auto Create = [&](const OpInfo &Info, ArrayRef<Value *> Operands,
                    const Attrs *A) {
    return create(Info, Operands, A, Call.At);
  };
  unsigned Before = NumErrors;
  CallParts Older = Call;
  std::optional<bool> IsOpen =
      Upgrades.upgrade(Call, getReleases(), /*TakeOpen=*/false, Create);
  if (!IsOpen)
    return nullptr;
  const OpInfo *Info = Ctx.lookupOp(Call.Operator);
  if (!Info) {
    error(Call.At, 0,
          "`" + Call.Operator + "` is not a declared operator or constructor");
    return nullptr;
  }
  if (!Info->takesOperands(Call.Operands.size())) {
    bool TooMany = Call.Operands.size() > unsigned(Info->NumOperands);
    error(T.Begin, 0,
          "too " + Twine(TooMany ? "many" : "few") + " operands: `" +
              Call.Operator + "` takes " + Twine(Info->NumOperands) +
              ", found " + Twine(Call.Operands.size()));
    return nullptr;
  }
  const Attrs *A = makeUpgradedAttrs(Call, *Info);
  if (NumErrors != Before)
    return nullptr;
  Operation *Op = Create(*Info, Call.Operands, A);
  if (*IsOpen &&
      Upgrades.upgrade(Older, getReleases(), /*TakeOpen=*/true, Create))
    OpenCalls.push_back({Op, makeUpgradedAttrs(Older, *Info), Call.At});
  return Upgrades.finish(Call, Op, Create);
}

const Attrs *Parser::makeUpgradedAttrs(const CallParts &Call,
                                       const OpInfo &Info) {
  if (!Info.Attributes && !Call.Attributes.empty())
    error(Call.Attributes.front().At, 0,
          "`" + Call.Operator + "` takes no attributes");
  if (!Info.Attributes)
    return nullptr;
  return makeAttrs(Call.Operator, *Info.Attributes,
                   Ctx.getDefaultAttrs(*Info.Attributes), Call.Attributes);
}

//===----------------------------------------------------------------------===//
// Calls that depend on the release
//===----------------------------------------------------------------------===//

/// Returns true if the typed operands of \p Op fit \p A.
static bool fits(Operation &Op, const Attrs *A) {
  const Attrs *Saved = Op.getAttrs();
  Op.setAttrsRaw(A);
  bool Good = inferOperationType(Op);
  Op.setAttrsRaw(Saved);
  return Good;
}

/// Types the operations that can be typed without inference, up to the calls in
/// question: in text printed by TVM, the shapes of their operands may permit
/// one meaning only. Handwritten text that is invalid today is not
/// reinterpreted.
void Parser::decideOpenCalls() {
  llvm::DenseMap<Operation *, const OpenCall *> Open;
  for (const OpenCall &C : OpenCalls)
    Open[C.Op] = &C;
  DiagnosticEngine &Diags = Ctx.getDiagnostics();
  SmallVector<Operation *, 0> Typed;
  SmallVector<const OpenCall *, 4> Undecided, ByShapes;
  Diags.pushHandler([](const Diagnostic &) { return true; });
  walk(M, [&](Operation *Op) {
    bool Known = llvm::all_of(Op->operands(),
                              [](Value *V) { return V && V->getType(); });
    if (const OpenCall *C = Open.lookup(Op)) {
      bool FitsNew = Known && fits(*Op, Op->getAttrs());
      bool FitsOld = Known && fits(*Op, C->Old);
      if (FitsOld && !FitsNew && IsPrinted) {
        Op->setAttrsRaw(C->Old);
        ByShapes.push_back(C);
      } else if (!Known || (FitsOld && FitsNew)) {
        Undecided.push_back(C);
      }
    }
    if (!Known || Op->getType())
      return;
    if (Type *Ty = inferOperationType(*Op)) {
      Op->setTypeRaw(Ty);
      Typed.push_back(Op);
    }
  });
  Diags.popHandler();
  for (Operation *Op : Typed)
    Op->setTypeRaw(nullptr);
  for (const OpenCall *C : ByShapes)
    Upgrades.remark(C->At, "`" + C->Op->getName() +
                               "` is read with its meaning in older releases "
                               "of TVM, as the shapes of its operands imply");
  for (const OpenCall *C : Undecided)
    Diags.emitWarning(
        loc(C->At),
        "`" + C->Op->getName() +
            "` has another meaning in older releases of TVM, and the text does "
            "not name the release that wrote it; it is read as in TVM 0.18 "
            "(-text-version=0.7 selects the older meaning)");
}

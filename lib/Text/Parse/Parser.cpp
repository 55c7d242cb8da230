//===- Parser.cpp - Relay text to IR --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structure of a file: header, definitions, errors and recovery.
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "ParserImpl.h"
#include "relay/Ops/Memory.h"
#include "relay/Text/Metadata/Parameters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/thread.h"

using namespace relay;

// The stack use of one level, with sanitizers, is at most a hundredth of this.
static constexpr unsigned LevelsPerStack = 250;
static constexpr unsigned StackSize = 8u << 20;

/// Reports text that is a parameter dictionary or a model file of another
/// framework. Returns false if it is.
static bool checkIsText(StringRef Text, Context &Ctx) {
  StringRef Kind = "a parameter dictionary of TVM", Advice = "-params reads it";
  if (!isParameterDictionary(Text)) {
    Kind = describeModelFile(Text);
    Advice = "TVM converts it: see docs/Importing.md";
  }
  if (Kind.empty())
    return true;
  DiagnosticEngine &Diags = Ctx.getDiagnostics();
  Diags.emitError(Location::fromOffset(Diags.getMainOffset()),
                  "the input is " + Kind + " and not Relay text; " + Advice);
  return false;
}

std::unique_ptr<Module>
relay::parseModule(std::unique_ptr<llvm::MemoryBuffer> Buffer, Context &Ctx,
                   const ParserOptions &Options) {
  SourceTextRef Source =
      Ctx.getDiagnostics().setMainBuffer(std::move(Buffer), Options.FirstLine);
  StringRef Text = Source->getText();
  if (!checkIsText(Text, Ctx))
    return nullptr;
  std::unique_ptr<Module> M = Parser::parseInParallel(Text, Ctx, Options);
  if (!M) {
    M = std::make_unique<Module>(Ctx);
    M->setTyped(false);
    if (failed(Parser(Text, Ctx, *M, Options).parse()))
      return nullptr;
  }
  M->keep(std::move(Source));
  return M;
}

Parser::Parser(StringRef Text, Context &Ctx, Module &M,
               const ParserOptions &Options)
    : Ctx(Ctx), M(M), Options(Options), Lex(Text),
      TextOffset(Ctx.getDiagnostics().getMainOffset()),
      NextStack(std::min(LevelsPerStack, Options.NestingLimit + 1)),
      Graph(Text.size() + 1),
      Upgrades(
          Ctx,
          [this](Severity Kind, const char *At, const Twine &Message) {
            reportUpgrade(Kind, At, Message);
          },
          Options.QuietUpgrades),
      Meta(M) {}

/// Returns TVM's JSON in \p Text, an object and not an expression in braces,
/// after lines of comments as in reproducers; empty if there is none.
static StringRef findJson(StringRef Text) {
  Text = Text.ltrim();
  while (Text.starts_with("//"))
    Text = Text.drop_until([](char C) { return C == '\n'; }).ltrim();
  StringRef Rest = Text;
  if (!Rest.consume_front("{"))
    return "";
  Rest = Rest.ltrim();
  bool IsObject = Rest.empty() || Rest.front() == '"' || Rest == "}";
  return IsObject ? Text : "";
}

LogicalResult Parser::parse() {
  StringRef Json = findJson(StringRef(Lex.begin(), Lex.end() - Lex.begin()));
  if (!Json.empty())
    return parseJson(Json);
  advance();
  bool HasHeader = T.is(Tok::Version) || atWord("v0.0.4");
  bool Good = parseHeader();
  if (!Good)
    recoverAtTopLevel();
  if (atDefinition())
    parseDefinitions();
  else if (Good && !atEnd())
    parseExpressionFile();
  else if (Good && !HasHeader && !Options.AllowEmpty)
    expected("a definition or an expression");
  checkGlobals();
  checkTypeNames();
  if (T.is(Tok::Metadata) || (IsLegacy && atEnd()))
    readMetadata();
  if (!OpenCalls.empty() && !NumErrors)
    decideOpenCalls();
  if (LastError)
    Ctx.emitError(loc(LastError), "too many errors; the rest is not read");
  if (std::shared_ptr<MetaDocument> D = Meta.takeDocument())
    M.keep(std::move(D));
  return success(NumErrors == 0);
}

/// Parses `#[version = "0.0.5"]`, which is optional.
bool Parser::parseHeader() {
  if (T.is(Tok::Identifier) && T.text().starts_with("v0.0."))
    return parseLegacyHeader();
  if (!consumeIf(Tok::Version))
    return true;
  if (!expect(Tok::Equal, "after `version`"))
    return false;
  if (!T.is(Tok::String))
    return expected("a version");
  if (T.text() != "\"0.0.5\"")
    error(T, "unsupported version " + T.text() +
                 " of the text format; expected \"0.0.5\"");
  advance();
  return expect(Tok::RBracket, "after the version");
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::expect(Tok K, const Twine &Where) {
  if (LLVM_LIKELY(T.is(K))) {
    advance();
    return true;
  }
  expected(Where.isTriviallyEmpty() ? Twine(describe(K))
                                    : describe(K) + (" " + Where));
  return false;
}

Token Parser::peek() {
  const char *Position = Lex.getPosition();
  Token Next = Lex.lex();
  Lex.setPosition(Position);
  return Next;
}

void Parser::extendName() {
  T.End = Lex.findNameEnd(T.End);
  Lex.setPosition(T.End);
}

StringRef Parser::declareLocal() {
  const char *End = T.End;
  extendName();
  HasOddLocals |= T.End != End;
  return Ctx.intern(T.name());
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void Parser::stop() {
  Stopped = true;
  Lex.setPosition(Lex.end());
}

InFlightDiagnostic Parser::error(const char *At, size_t Length,
                                 const Twine &Message) {
  if (Stopped)
    return InFlightDiagnostic();
  if (++NumErrors >= Options.ErrorLimit || IsTrial) {
    LastError = At;
    stop();
  }
  if (IsTrial)
    return InFlightDiagnostic();
  return Ctx.getDiagnostics().emitError(loc(At), Length, Message);
}

/// Describes a token that the lexer could not read.
static std::string describeInvalid(const Token &T) {
  if (*T.Begin == '"')
    return "unterminated string";
  if (*T.Begin == '/')
    return "unterminated comment";
  if (StringRef(T.Begin).starts_with("\xef\xbb\xbf"))
    return "unexpected byte-order mark; expects UTF-8 without one";
  uint8_t C = *T.Begin;
  if (C >= 0x20 && C < 0x7f)
    return std::string("unexpected character `") + char(C) + "`";
  std::string Text = "unexpected byte 0x";
  Text += llvm::hexdigit(C >> 4, true);
  Text += llvm::hexdigit(C & 15, true);
  return Text;
}

/// Returns true if \p Text begins like a binary file: with bytes of 0, which
/// UTF-16 text contains, too.
static bool isBinary(StringRef Text) {
  return Text.take_front(4096).contains('\0');
}

/// Returns the name of \p T in errors: names are quoted, up to a length.
static std::string describeFound(const Token &T) {
  switch (T.K) {
  case Tok::Local:
  case Tok::Graph:
  case Tok::Global:
  case Tok::Identifier:
  case Tok::Number:
    return ("`" + T.text().take_front(60) + "`").str();
  default:
    return describe(T.K).str();
  }
}

Parser::Failure Parser::expected(const Twine &What) {
  bool IsInvalid = T.is(Tok::Error);
  if (IsInvalid && isBinary(StringRef(Lex.begin(), Lex.end() - Lex.begin()))) {
    error(T, describeInvalid(T) + ": this is not Relay text");
    stop();
  } else if (IsInvalid)
    error(T, describeInvalid(T));
  else
    error(T, "expected " + What + ", found " + describeFound(T));
  return {};
}

void Parser::suggest(InFlightDiagnostic &D, StringRef Name,
                     ArrayRef<StringRef> Known, StringRef Sigil) {
  StringRef Nearest = nearestName(Name, Known);
  if (!Nearest.empty())
    D << "; did you mean `" << Sigil << Nearest << "`?";
}

Value *Parser::poison() {
  return create(TupleOp::getInfo(), {}, nullptr, T.Begin);
}

static bool isAtLineStart(const char *At, const char *Begin) {
  while (At != Begin && (At[-1] == ' ' || At[-1] == '\t'))
    --At;
  return At == Begin || At[-1] == '\n';
}

bool Parser::recoverInSequence() {
  unsigned Braces = 0;
  for (;; advance()) {
    switch (T.K) {
    case Tok::EndOfFile:
    case Tok::Metadata:
      return false;
    case Tok::LBrace:
      ++Braces;
      break;
    case Tok::RBrace:
      if (!Braces--)
        return false;
      break;
    case Tok::Semicolon:
      if (Braces)
        break;
      advance();
      return !T.is(Tok::RBrace) && !T.is(Tok::EndOfFile);
    case Tok::Identifier:
      if (T.text() == "def" && isAtLineStart(T.Begin, Lex.begin()))
        return false;
      break;
    default:
      break;
    }
  }
}

void Parser::recoverInBraces() {
  for (unsigned Braces = 0; !atEnd(); advance()) {
    Braces += T.is(Tok::LBrace);
    if (T.is(Tok::RBrace) && !Braces--)
      return advance();
    if (atDefinition() && isAtLineStart(T.Begin, Lex.begin()))
      return;
  }
}

bool Parser::endStatement() {
  if (consumeIf(Tok::Semicolon))
    return true;
  expected(describe(Tok::Semicolon));
  // A missing `;` before a line that is a separate statement.
  return T.is(Tok::Graph) && isAtLineStart(T.Begin, Lex.begin()) &&
         isFollowedByEqual();
}

bool Parser::atDefinition() const {
  return atWord("def") || atWord("type") || atWord("extern");
}

void Parser::recoverAtTopLevel() {
  while (!atEnd() && !(atDefinition() && isAtLineStart(T.Begin, Lex.begin())))
    advance();
}

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

void Parser::nestOnNewStack(function_ref<void()> Fn) {
  if (endTrial()) // stacks for every thread might exceed the memory limit
    return;
  if (Depth >= Options.NestingLimit) {
    error(T,
          "nested more than " + Twine(Options.NestingLimit) + " levels deep");
    return;
  }
  unsigned Saved = NextStack;
  NextStack = std::min(Depth + LevelsPerStack, Options.NestingLimit + 1);
  ++Depth;
  llvm::thread Deeper(std::optional<unsigned>(StackSize), Fn);
  Deeper.join();
  --Depth;
  NextStack = Saved;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

void Parser::parseDefinitions() {
  while (!atEnd())
    if (!parseDefinition())
      recoverAtTopLevel();
  finishFunctions();
}

bool Parser::parseDefinition() {
  if (atWord("def"))
    return parseGlobalFunction();
  bool Extern = atWord("extern");
  if (Extern)
    advance();
  if (atWord("type"))
    return parseTypeDef(Extern);
  return expected(Extern ? "`type` after `extern`"
                         : "a definition: `def`, "
                           "`type` or `extern type`");
}

bool Parser::parseGlobalFunction() {
  advance();
  if (!T.is(Tok::Global))
    return expected("the name of a function");
  extendName();
  // TVM's specialized functions are `def @main_T.Any()(%x: …)`.
  StringRef After(T.End, std::min<size_t>(3, Lex.end() - T.End));
  if (After == "()(" || After == "()[") {
    T.End += 2;
    Lex.setPosition(T.End);
  }
  Function &New = addFunction();
  advance();
  beginFunction(New);
  bool OK = false;
  {
    RegionScope Scope(*this, New.getBody());
    OK = parseSignature(New.getSignature(), New.getBody()) &&
         parseFunctionBody() && expect(Tok::RBrace);
  }
  finishFunction();
  return OK;
}

/// Returns the function that the current token names.
Function &Parser::addFunction() {
  StringRef Name = Ctx.intern(T.name());
  auto New = std::make_unique<Function>(Ctx, Name, loc(T.Begin));
  Function *Old = M.lookupFunction(Name);
  if (Old)
    error(T, "function `@" + Name + "` is defined twice")
        .note(Old->getLoc(), "first defined here");
  if (!Old && !Leader)
    return *M.addFunction(std::move(New));
  return *(Leader ? *PartFunctions : Discarded).emplace_back(std::move(New));
}

bool Parser::parseTypeDef(bool Extern) {
  advance();
  if (!T.is(Tok::Identifier))
    return expected("the name of a type");
  auto New = std::make_unique<TypeDef>();
  New->Name = Ctx.intern(T.text());
  New->Extern = Extern;
  New->Loc = loc(T.Begin);
  if (TypeDef *Old = M.lookupTypeDef(New->Name)) {
    error(T, "type `" + New->Name + "` is defined twice")
        .note(Old->Loc, "first defined here");
    return false;
  }
  advance();
  size_t Mark = TypeVars.mark();
  bool OK = (!T.is(Tok::LBracket) || parseTypeParams(New->TypeParams)) &&
            (Extern || parseConstructors(*New));
  TypeVars.leave(Mark);
  if (!OK)
    return false;
  if (Extern)
    consumeIf(Tok::Semicolon);
  // TVM 0.6 prints a definition without constructors as such.
  New->Extern &= !IsLegacy;
  M.addTypeDef(std::move(New));
  return true;
}

/// `{ Cons(A, List[A]), Nil, }`
bool Parser::parseConstructors(TypeDef &D) {
  if (!expect(Tok::LBrace, "before the constructors"))
    return false;
  llvm::DenseSet<StringRef> Taken;
  while (!T.is(Tok::RBrace)) {
    if (!T.is(Tok::Identifier))
      return expected("a constructor");
    auto New = std::make_unique<Constructor>();
    New->Name = Ctx.intern(T.text());
    bool Twice =
        !Taken.insert(New->Name).second || M.lookupConstructor(New->Name);
    if (Twice)
      error(T, "constructor `" + New->Name + "` is defined twice");
    Token Name = T;
    advance();
    bool TrailingComma;
    if (consumeIf(Tok::LParen) &&
        !parseTypeList(Tok::RParen, New->Fields, TrailingComma))
      return false;
    if (llvm::any_of(New->Fields, [](Type *T) { return T->isIncomplete(); }))
      error(Name,
            "a field of constructor `" + New->Name + "` has an unknown type");
    New->Tag = D.Constructors.size();
    if (!Twice)
      D.Constructors.push_back(std::move(New));
    if (!consumeIf(Tok::Comma))
      break;
  }
  return expect(Tok::RBrace, "after the constructors");
}

//===----------------------------------------------------------------------===//
// Expression files
//===----------------------------------------------------------------------===//

/// Parses the single expression of the file as the body of `@main`.
void Parser::parseExpressionFile() {
  IsExpression = true;
  Function *Main = M.createFunction(Ctx.intern("main"), loc(T.Begin));
  Main->setForm(Function::Form::OpenExpression);
  beginFunction(*Main);
  {
    RegionScope Scope(*this, Main->getBody());
    unsigned Before = NumErrors;
    Main->getBody().setResultRaw(parseSequence(/*OwnsBlock=*/true));
    if (!atEnd() && NumErrors == Before)
      expected("the end of the file after the expression");
  }
  finishFunction();
  if (NumErrors)
    return;
  orderFreeVars();
  unwrapClosure();
}

//===----------------------------------------------------------------------===//
// Names defined after their use
//===----------------------------------------------------------------------===//

/// Returns the entries of \p Uses in the order of the file.
template <typename MapT, typename Fn>
static SmallVector<std::pair<const char *, StringRef>>
getUndefined(const MapT &Uses, Fn GetUse) {
  SmallVector<std::pair<const char *, StringRef>> Undefined;
  for (const auto &[Name, What] : Uses)
    if (const char *At = GetUse(Name.val(), What))
      Undefined.push_back({At, Name.val()});
  llvm::sort(Undefined);
  return Undefined;
}

void Parser::checkGlobals() {
  if (IsExpression || Options.AllowUndefinedGlobals)
    return;
  SmallVector<StringRef, 0> Known;
  for (Function &Fn : M.functions())
    Known.push_back(Fn.getName());
  for (auto [At, Name] :
       getUndefined(Globals, [&](StringRef Name, const Global &G) {
         return M.lookupFunction(Name) ? nullptr : G.FirstUse;
       })) {
    InFlightDiagnostic D =
        error(At, Name.size() + 1, "undefined function `@" + Name + "`");
    suggest(D, Name, Known, "@");
  }
}

void Parser::checkTypeNames() {
  if (IsExpression || Options.AllowUndefinedGlobals)
    return;
  SmallVector<StringRef, 0> Known;
  for (TypeDef &D : M.typeDefs())
    Known.push_back(D.Name);
  for (auto [At, Name] :
       getUndefined(TypeNames, [&](StringRef Name, const char *At) {
         bool Known = M.lookupTypeDef(Name) || Name == StorageTypeName;
         return Known ? nullptr : At;
       })) {
    InFlightDiagnostic D =
        error(At, Name.size(), "undefined type `" + Name + "`");
    suggest(D, Name, Known);
  }
}

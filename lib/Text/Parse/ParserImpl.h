//===- ParserImpl.h - The state of the parser -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class, by recursive descent with one token of lookahead, in several
// files:
//
//   Parser.cpp          the file, definitions, errors and recovery
//   ParseFunction.cpp   signatures, closures, the end of a function
//   ParseRegion.cpp     which values are in scope
//   ParseStatement.cpp  sequences: `let`, `%0 = …`, results
//   ParseExpr.cpp       expressions
//   ParseCall.cpp       operands, operators, callees
//   ParseMatch.cpp      `match` and patterns
//   ParseType.cpp       types and dimensions
//   ParseAttrs.cpp      attributes
//   ParseMeta.cpp       `meta[…][…]`
//   ParseOld.cpp        what older releases of TVM wrote otherwise
//   ParseInParallel.cpp many definitions on several threads
//   Fragments.cpp       parts of other texts
//   JsonReader.cpp      modules as TVM's JSON
//
// A parse function that returns null or false has reported an error. Nesting
// uses the stack: after some levels parsing continues on a new stack
// (nested()).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PARSE_PARSERIMPL_H
#define RELAY_LIB_TEXT_PARSE_PARSERIMPL_H

#include "Metadata/MetaReader.h"
#include "Parse/TextMap.h"
#include "Print/Scopes.h"
#include "Upgrade/Upgrades.h"
#include "relay/IR/Core.h"
#include "relay/Text/Parse/Lexer.h"
#include "relay/Text/Parse/Literals.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <mutex>

namespace relay {

class Parser {
public:
  Parser(StringRef Text, Context &Ctx, Module &M, const ParserOptions &Options);
  LogicalResult parse();
  /// Parses \p Text on the threads of \p Ctx. Returns null, without a
  /// diagnostic, if this is not profitable, if parse() would report anything,
  /// or if the text must be parsed in order.
  static std::unique_ptr<Module> parseInParallel(StringRef Text, Context &Ctx,
                                                 const ParserOptions &Options);
  /// Parses a type at the current position of \p Outer, a lexer of the text.
  Type *parseTypeOnly(Lexer &Outer);
  /// Parses an expression at \p Offset in the main text.
  LogicalResult parseExpressionAt(size_t Offset);

private:
  friend class JsonReader;
  enum class Keyword : uint8_t {
    None,
    Let,
    Fn,
    If,
    Match,
    Ref,
    RefRead,
    RefWrite,
    True,
    False,
    Meta,
    FreeVar,
    OldOperator
  };

  /// The meaning of an identifier where an expression is expected.
  struct Callee {
    StringRef Name;
    Keyword K = Keyword::None;
    const OpInfo *Info = nullptr;
    Constructor *Cons = nullptr;
    /// For operators: the default attributes, whether attributes may be
    /// omitted, and the attributes by their text.
    const Attrs *Defaults = nullptr;
    bool HasRequired = false;
    StringRef LastText;
    const Attrs *LastAttrs = nullptr;
    TextMap<const Attrs *> AttrsByText;
  };

  /// A reference to a global function.
  struct Global {
    StringRef Name; ///< interned
    const char *FirstUse = nullptr;
    const Attrs *CallAttrs = nullptr;
  };

  /// `meta[key][i]`: the key, the index and the complete reference.
  struct MetaRef {
    StringRef Key;
    uint64_t Index = 0;
    Token At;
  };

  /// Attributes of a function by name.
  using AttrEntries = llvm::SmallMapVector<Attr, Attr, 4>;

  /// The description of a constant whose data is elided.
  struct ElidedConstant {
    TensorType *Ty = nullptr;
    StringRef Hash;
    StringRef Elements; ///< `1, 2`
  };

  //===--- Tokens ---------------------------------------------------------===//
  void advance() { Lex.lex(T); }
  bool consumeIf(Tok K) {
    if (!T.is(K))
      return false;
    advance();
    return true;
  }
  bool atWord(StringRef Word) const {
    return T.is(Tok::Identifier) && T.text() == Word;
  }
  /// Consumes a \p K, or reports that it is missing.
  bool expect(Tok K, const Twine &Where = "");
  /// Returns the token after the current one.
  Token peek();
  /// Returns true if a single `=` follows the current token.
  bool isFollowedByEqual() {
    const char *P = Lex.getPosition();
    P += *P == ' ';
    if (*P == '=')
      return P[1] != '=' && P[1] != '>';
    return *P != ',' && *P != ')' && peek().is(Tok::Equal);
  }
  /// Advances to the token after that `=`.
  void advanceOverEqual() {
    const char *P = Lex.getPosition();
    P += *P == ' ';
    if (LLVM_LIKELY(*P == '='))
      Lex.setPosition(P + 1);
    else
      advance();
    advance();
  }
  /// Extends the current Local or Global by all characters that a declared name
  /// may contain.
  void extendName();
  /// Extends the current Local like extendName(), and returns the interned name
  /// that it declares.
  StringRef declareLocal();

  //===--- Errors ---------------------------------------------------------===//
  /// The result of a parse function after an error.
  struct Failure {
    operator bool() const { return false; }
    template <typename T> operator T *() const { return nullptr; }
  };
  InFlightDiagnostic error(const char *At, size_t Length, const Twine &Message);
  /// Skips the rest of the text; later errors are not reported.
  void stop();
  InFlightDiagnostic error(const Token &At, const Twine &Message) {
    return error(At.Begin, At.End - At.Begin, Message);
  }
  /// Reports that \p What was expected at the current token.
  Failure expected(const Twine &What);
  /// Adds "`name`", and the most similar name of \p Known if there is one.
  void suggest(InFlightDiagnostic &D, StringRef Name, ArrayRef<StringRef> Known,
               StringRef Sigil = "");
  Location loc(const char *At) const {
    return Location::fromOffset(TextOffset + (At - Lex.begin()));
  }
  /// Skips to the end of a statement; returns true if another may follow.
  bool recoverInSequence();
  /// Skips past the `}` of the braces around the current token.
  void recoverInBraces();
  /// Skips to the next definition.
  void recoverAtTopLevel();
  bool atDefinition() const;
  /// Returns a value for parsing to continue with after an error.
  Value *poison();

  /// Runs \p Fn one level deeper, on a new stack at certain depths.
  template <typename Fn> auto nested(Fn Parse) -> decltype(Parse()) {
    decltype(Parse()) Result{};
    if (LLVM_LIKELY(Depth + 1 < NextStack)) {
      ++Depth;
      Result = Parse();
      --Depth;
    } else {
      nestOnNewStack([&] { Result = Parse(); });
    }
    return Result;
  }
  void nestOnNewStack(function_ref<void()> Fn);

  //===--- The file -------------------------------------------------------===//
  LogicalResult parseJson(StringRef Json);
  bool parseHeader();
  bool atEnd() const {
    return T.is(Tok::EndOfFile) || T.is(Tok::Metadata) ||
           (IsLegacy && atWord("METADATA"));
  }
  void parseDefinitions();
  void parseExpressionFile();
  bool parseDefinition();
  bool parseGlobalFunction();
  Function &addFunction();
  bool parseTypeDef(bool Extern);
  bool parseConstructors(TypeDef &D);
  void checkGlobals();
  void checkTypeNames();

  //===--- Several threads ------------------------------------------------===//
  /// A range of the text with complete definitions.
  struct Part {
    const char *Begin;
    const char *End; ///< the end of the text, or the begin of the next part
    std::vector<std::unique_ptr<Function>> Functions = {};
  };
  LogicalResult parseTrial();
  std::vector<Part> splitDefinitions() const;
  LogicalResult parseParts(MutableArrayRef<Part> Parts);
  LogicalResult parsePart(Part &P);
  LogicalResult finishTrial(MutableArrayRef<Part> Parts,
                            ArrayRef<std::unique_ptr<Parser>> Readers);
  /// Ends a trial at text that must be parsed in order. Returns false outside
  /// of a trial.
  bool endTrial() {
    if (IsTrial)
      error(T, "");
    return IsTrial;
  }

  //===--- Functions ------------------------------------------------------===//
  void beginFunction(Function &NewF);
  /// Finishes the text of a function: normalizes it, or leaves that to
  /// finishFunctions() if there are several threads.
  void finishFunction();
  void finishFunctions();
  bool parseSignature(Signature &Sig, Block &Body);
  bool parseTypeParams(SmallVectorImpl<TypeVarType *> &Params);
  bool parseTypeParam(SmallVectorImpl<TypeVarType *> &Params);
  bool parseParams(Signature &Sig, Block &Body);
  bool parseParam(Block &Body);
  bool parseFunctionAttr(Signature &Sig, AttrEntries &Entries);
  bool parseVirtualDevice(Attr &Out);
  bool parseOptionalDevice(Attr &Out);
  /// Parses `{ … }` of a function or a closure, whose region has been entered;
  /// the `}` stays the current token.
  bool parseFunctionBody();
  Value *parseFn();
  void orderFreeVars();
  void unwrapClosure();

  //===--- Regions --------------------------------------------------------===//
  /// Makes \p Where the current block during its lifetime.
  class RegionScope {
  public:
    RegionScope(Parser &P, Block &Where);
    ~RegionScope();

  private:
    Parser &P;
    Block *OldBlock;
    uint32_t OldRegion;
    size_t NameMark, TypeVarMark;
  };
  /// Returns the number of the innermost region whose variables \p V needs.
  uint32_t getRegionNeeded(Value *V);
  void collectNeeds(Operation *Op, SmallVectorImpl<Value *> &Needs);

  //===--- Sequences ------------------------------------------------------===//
  /// The state of a sequence of statements. Bindings go to the current block if
  /// that is the sequence's own; otherwise a scope is opened for the first of
  /// them.
  struct Sequence {
    bool OwnsBlock;
    bool IsFunctionBody;
    /// There is no enclosing bracket: the first expression is the result.
    bool IsBare;
    const char *At;
    bool LetSeen = false;
    Operation *Scope = nullptr;
    std::optional<RegionScope> Region;
    size_t NameMark = 0;
    Operation *Closed = nullptr; ///< the last `;;` of TVM 0.6
  };
  /// Parses statements and a result, up to a token that can follow an
  /// expression.
  Value *parseSequence(bool OwnsBlock, bool IsFunctionBody = false,
                       bool IsBare = false);
  bool parseStatement(Sequence &S, Value *&Result);
  bool parseLet(Sequence &S);
  bool parseGraphBinding();
  bool parseFreeVar();
  void setSpanOfVariable(Value *V, StringRef Span);
  bool endStatement();
  void bindGraph(const Token &Name, uint64_t Number, Value *V);
  bool isParameter(StringRef Name) const;
  /// \p Name is interned.
  Operation *bindLet(StringRef Name, Value *V, Type *Annotation, Attr Device,
                     const char *At);
  void openScope(Sequence &S);
  bool readGraphNumber(uint64_t &Number);

  //===--- Expressions ----------------------------------------------------===//
  Value *parseExpr();
  /// Parses calls, projections and operators after \p V.
  Value *parseRest(Value *V, const char *At) {
    if (endsOperand(T.K))
      return V;
    V = parsePostfix(V, At);
    return V ? parseInfix(V, 1) : nullptr;
  }
  static bool endsOperand(Tok K) {
    return K == Tok::Comma || K == Tok::RParen || K == Tok::Semicolon;
  }
  Value *parseInfix(Value *L, unsigned MinPrecedence);
  Value *parseOperand();
  Value *parsePostfix(Value *V, const char *At);
  Value *parsePrimary();
  Value *parseWord();
  Value *parseCallee(Callee &C);
  Value *parseParens();
  Value *parseBraces();
  Value *parseIf();
  Value *parseMatch();
  Value *parseRef(Keyword K);
  Value *parseNegative();
  Value *parseNumber(bool Negative);
  Value *parseBool(bool Flag);
  Value *parseProjection(Value *V, const char *At);
  Value *useGraph();
  Value *useLocal();
  const Attrs *getLiteral(const NumberLiteral &N);
  Value *finishConstant(const Attrs *A, const char *At);
  bool parseBranch(Block &Where);

  void countClauses(const char *At);
  bool parseClause(Operation *Match, unsigned I,
                   SmallVectorImpl<MatchPattern *> &Patterns);
  MatchPattern *parsePattern(Block &Clause);
  MatchPattern *parsePatternUnnested(Block &Clause);
  MatchPattern *parseConstructorPattern(Block &Clause);
  bool parseSubpatterns(Block &Clause, MatchPattern &P);
  MatchPattern *makePattern(MatchPattern::Kind K);

  //===--- Calls ----------------------------------------------------------===//
  /// The contents of the parentheses of a call.
  struct Arguments {
    size_t Base = 0;            ///< position of the first operand in Operands
    const char *Open = nullptr; ///< the `(`
    const Attrs *A = nullptr;
    Attr CallAttributes; ///< for calls of functions and constructors
  };
  /// Parses from the current token `(`. \p C is null for calls of values and
  /// globals.
  bool parseArguments(Arguments &Args, Callee *C);
  ArrayRef<Value *> operandsOf(const Arguments &Args) const {
    return ArrayRef(Operands).drop_front(Args.Base);
  }
  void dropOperands(const Arguments &Args) { Operands.truncate(Args.Base); }
  void parsePlainArguments(Arguments &Args, Callee *C);
  const char *findOperand(const Arguments &Args, size_t I);
  Value *parseOperatorCall(Callee &C, const Token &Name);
  /// Reports a wrong number of operands, and then drops them.
  bool checkOperands(StringRef Name, unsigned Wanted, const Arguments &Args) {
    return LLVM_LIKELY(Operands.size() - Args.Base == Wanted) ||
           reportOperands(Name, Wanted, Args);
  }
  bool reportOperands(StringRef Name, unsigned Wanted, const Arguments &Args);
  Value *parseConstructor(Callee &C, const Token &Name);
  Value *parseValueCall(Value *V, const char *At);
  Value *parseGlobal();
  Global &useGlobal(const Token &Name);
  void extendGlobal();
  bool isOddGlobal(StringRef Name);
  Callee &lookupCallee(StringRef Name);
  void initOperator(Callee &C);
  bool resolveUnknown(Callee &C, const Token &Name);
  void skipParens();

  //===--- Attributes -----------------------------------------------------===//
  bool parseOperatorAttrs(Callee &C, Arguments &Args);
  const Attrs *makeMissingAttrs(const Callee &C) {
    // Reports missing required attributes.
    return C.HasRequired
               ? makeAttrs(C.Name, *C.Info->Attributes, C.Defaults, {})
               : C.Defaults;
  }
  bool parseCallAttrs(Arguments &Args);
  bool parseWholeAttrs(Callee *C, Arguments &Args, const MetaRef &Ref);
  const char *findAttrsEnd(const char *P) const;
  bool parseAttrList(SmallVectorImpl<AttrText> &List);
  const Attrs *makeAttrs(StringRef Of, const AttrsInfo &Info,
                         const Attrs *Defaults, ArrayRef<AttrText> List);
  const Attrs *makeOperatorAttrs(const Callee &C, ArrayRef<AttrText> List);
  const Attrs *makeDictAttrs(ArrayRef<AttrText> List);
  bool parseAttrValue(Attr &Out);
  bool parseAttrArray(Attr &Out);
  bool parseAttrWord(Attr &Out);
  bool parseAttrNumber(Attr &Out);
  StringRef parseAttrKey();

  //===--- Types ----------------------------------------------------------===//
  Type *parseType();
  /// Parses a type, or `_` or an unknown, which give null.
  bool parseAnnotation(Type *&Out);
  Type *parseTypeUnnested();
  Type *parseTensorType();
  Type *parseTupleType();
  Type *parseFuncType();
  Type *parseRefType();
  Type *parseNamedType();
  bool parseTypeList(Tok Close, SmallVectorImpl<Type *> &Types,
                     bool &TrailingComma);
  bool parseShape(SmallVectorImpl<Dim> &Shape);
  bool parseDim(Dim &Out);
  bool parseDType(DType &Out);

  //===--- Metadata -------------------------------------------------------===//
  bool parseMetaRef(MetaRef &Out);
  StringRef getMetadataMark() const {
    return IsLegacy ? "METADATA:" : "#[metadata]";
  }
  /// Returns the first line at or after the current token that begins with the
  /// mark; the end of the text if there is none. The metadata may be most of
  /// the text.
  const char *findMetadata() const;
  /// Finds and reads the section at the first call.
  bool readMetadata();
  /// Returns the section read by this parser or its leader. Only one thread at
  /// a time may read objects: see getMetaObject().
  MetaReader &getMeta() { return Leader ? Leader->Meta : Meta; }
  /// Returns the existing `meta[Key][Index]` of \p Ref; none after an error.
  std::optional<Attr> getMetaObject(const MetaRef &Ref);
  /// Sets \p Exists if \p Ref exists; returns false after an error.
  bool findMeta(const MetaRef &Ref, bool &Exists);
  bool reportNoMetadata(const MetaRef &Ref);
  bool lookupMeta(const MetaRef &Ref, Attr &Out);
  Attr getMissing(const MetaRef &Ref);
  bool lookupConstant(const MetaRef &Ref, Attr &Out);
  bool lookupMetaAttr(const MetaRef &Ref, Attr &Out);
  Value *parseMetaConstant();
  Value *makeMetaConstant(const MetaRef &Ref);
  ElidedConstant readElided(const MetaRef &Ref);
  Attr getElided(const MetaRef &Ref);
  bool checkElided(const MetaRef &Ref, const ElidedConstant &E);
  void checkOpaque(const MetaRef &Ref, TensorType *Ty);
  void reportElided(const MetaRef &Ref, const ElidedConstant &E);
  Attr lookupElided(const MetaRef &Ref, const ElidedConstant &E);
  static bool isAttrsKey(StringRef Key) {
    return Key.starts_with("relay.attrs.");
  }

  //===--- Older releases -------------------------------------------------===//
  /// Returns the releases that may have written the file; determined at the
  /// first call.
  ReleaseRange getReleases();
  ReleaseRange findReleases();
  ReleaseRange narrowBySigns(ReleaseRange R);
  bool parseLegacyHeader();
  /// Returns the type in the comment after a literal: `4 /* ty=int64 */`.
  DType getCommentedType(const char *End) const;
  bool readOldNumber(StringRef Text, bool Negative, NumberLiteral &Out);
  Value *parseOldRefRead(Value *V, const char *At);
  Value *parseOldRefWrite(Value *Ref, const char *At);
  Value *parseOldNegative(const char *At);
  bool closeOldScope(Sequence &S, Value *V, const char *At);
  Value *parseOldCall(Callee &C);
  bool parseOldArguments(CallParts &Call);
  Operation *makeOldCall(CallParts &Call);
  const Attrs *makeUpgradedAttrs(const CallParts &Call, const OpInfo &Info);
  bool parseOldWholeAttrs(const OpInfo *Info, StringRef Operator,
                          const MetaRef &Ref, SmallVectorImpl<AttrText> &List);
  /// A call whose meaning depends on the release that wrote it.
  struct OpenCall {
    Operation *Op;
    const Attrs *Old; ///< the attributes of the older meaning
    const char *At;
  };
  void decideOpenCalls();
  void reportUpgrade(Severity Kind, const char *At, const Twine &Message);

  //===--- Building -------------------------------------------------------===//
  Operation *create(const OpInfo &Info, ArrayRef<Value *> Ops, const Attrs *A,
                    const char *At, unsigned NumRegions = 0) {
    Operation *Op = Operation::create(*F, Info, Ops, A, loc(At), NumRegions);
    B->push_back(Op);
    Op->setIndex(NumCreated++);
    return Op;
  }
  /// Records that expressions other than the one that contains \p Op may use
  /// it.
  void markShared(const Operation *Op) {
    uint32_t N = Op->getIndex();
    if (LLVM_UNLIKELY(N >= Shared.size()))
      Shared.resize(N * 2 + 64);
    Shared.set(N);
  }
  bool isShared(const Operation *Op) const {
    return Op->getIndex() < Shared.size() && Shared.test(Op->getIndex());
  }
  /// Consumes the last token of \p Op's text and the `span=` after it.
  Value *finish(Operation *Op) {
    Lex.takeSpan();
    advance();
    StringRef Span = Lex.takeSpan();
    if (LLVM_UNLIKELY(!Span.empty()))
      Op->setLoc(getSpanned(Op->getLoc(), Span));
    return Op;
  }
  /// Returns \p Loc with the span in \p Text, which follows the `span=` of a
  /// comment.
  Location getSpanned(Location Loc, StringRef Text);

  Context &Ctx;
  Module &M;
  const ParserOptions &Options;
  /// Set during a parallel trial, which ends at the first error without
  /// reporting it.
  bool IsTrial = false;
  /// The parser that started this one to parse a part of the text. All share
  /// its module, which they do not change, and its metadata.
  Parser *Leader = nullptr;
  /// Guards the state shared by parts.
  std::mutex Lock;
  /// Receives the functions of a part.
  std::vector<std::unique_ptr<Function>> *PartFunctions = nullptr;
  Lexer Lex;
  size_t TextOffset; // position of this text in locations
  Token T;
  bool IsExpression = false;
  bool Stopped = false;
  unsigned NumErrors = 0;
  const char *LastError = nullptr; // position of the last error before the
                                   // limit
  unsigned Depth = 0;
  unsigned NextStack; // the depth of the next new stack, or of the error

  // Names of the module.
  TextMap<std::unique_ptr<Callee>> Callees;
  TextMap<Global> Globals;
  TextMap<const char *> TypeNames; // the first use of each
  NameScopes<TypeVarType> TypeVars{Ctx};
  unsigned TypeDepth = 0, AttrDepth = 0;
  std::vector<std::unique_ptr<Function>> Discarded; // duplicate definitions
  /// Functions to normalize.
  SmallVector<Function *, 0> Unordered;
  std::optional<llvm::DenseSet<StringRef>> OddGlobals;
  bool HasOddLocals = false;

  // State of the function that is being parsed.
  Function *F = nullptr;
  Block *B = nullptr;
  uint32_t FunctionNumber = 0;
  /// Operations are numbered in the order of parsing.
  uint32_t NumCreated = 0;
  /// Nodes named by graph numbers, and constants of the metadata, by that
  /// number.
  llvm::BitVector Shared;
  NameScopes<Value> Names{Ctx};
  GraphNumbers Graph;
  uint32_t Region = 0;
  std::vector<bool> RegionIsOpen;
  llvm::DenseMap<const Block *, uint32_t> RegionOf;
  llvm::DenseMap<const Operation *, uint32_t> RegionsNeeded;
  llvm::DenseMap<uint64_t, Operation *> MetaConstants;
  /// The name of the closure inside its own body.
  StringRef ClosureName;
  /// The last parsed closure that is recursive.
  Operation *Recursive = nullptr;
  /// The number of clauses of a `match`, by its offset.
  llvm::DenseMap<size_t, uint32_t> ClauseCounts;

  // A scratch stack, shared by all levels.
  SmallVector<Value *, 0> Operands;

  // Uniqued literals.
  TextMap<const Attrs *> Literals[2]; // by sign
  SmallVector<const Attrs *, 16> Projections;
  TextMap<Type *> TensorTypes;
  const Attrs *PlainCall = nullptr;

  // State for older releases.
  bool IsLegacy = false;  ///< `v0.0.4`
  bool IsPrinted = false; ///< printed by TVM, judged by types in comments
  std::optional<ReleaseRange> Releases;
  Upgrader Upgrades;
  SmallVector<OpenCall, 0> OpenCalls;

  // The metadata section.
  bool MetadataRead = false, MetadataGood = false, HasMetadata = false;
  bool HasReportedMetadata = false;
  const char *MetadataAt = nullptr;
  MetaReader Meta;
  TextMap<Attr> MissingVars;
  bool ConstantsFailed = false;
  /// The type of each opaque constant, by its index, and where it was first
  /// given. Parts use the table of their leader.
  llvm::DenseMap<uint64_t, std::pair<TensorType *, Location>> OpaqueTypes;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_PARSE_PARSERIMPL_H

//===- JsonReader.cpp - Modules as TVM's JSON -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What TVM's save_json writes, as operations. Expressions are a graph of nodes,
// to any depth: they are read with a stack of frames, one for a node that is
// being made and one for a block. What a node is used for more than once is one
// operation. Types, attributes and constants are MetaReader's.
//
// A wrong file ends at its first error.
//
//===----------------------------------------------------------------------===//

#include "Parse/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

namespace relay {
class JsonReader {
public:
  explicit JsonReader(Parser &P)
      : P(P), Ctx(P.Ctx), Meta(P.Meta), Json(P.Meta.getJson()) {}

  bool read(StringRef Text);

private:
  using Node = MetaJsonNode;

  /// Kinds of expressions.
  enum class Kind : uint8_t {
    None,
    Call,
    Var,
    Constant,
    Function,
    Let,
    If,
    Match,
    Tuple,
    TupleGetItem,
    RefCreate,
    RefRead,
    RefWrite,
    GlobalVar,
    Op,
    Constructor
  };

  /// The operation of a node in the current function.
  struct Entry {
    Value *V = nullptr;
    uint32_t Function = 0;
    uint32_t Region = 0;
    bool Entered = false;
  };

  /// A node or a block that is being made.
  struct Frame {
    uint32_t Id = 0;
    Block *Where = nullptr; ///< of a block
    unsigned Step = 0;
    Operation *Op = nullptr;
    size_t Base = 0; ///< where its operands begin
    SmallVector<uint32_t, 3> Children;
    std::unique_ptr<Parser::RegionScope> Scope;
    bool IsScopeRoot = false; ///< a `let` that is a scope of its own
    SmallVector<MatchPattern *, 0> Patterns;
  };

  //===--- Errors and fields ----------------------------------------------===//
  bool fail(const char *At, const Twine &Message) {
    P.error(At, 0, Message);
    return false;
  }
  bool fail(const Node &N, const Twine &Message) { return fail(N.At, Message); }
  const Node *getField(const Node &N, StringRef Name, uint32_t &Id);
  /// The node in the field \p Name, which is there and not null.
  const Node *getNode(const Node &N, StringRef Name, uint32_t &Id);
  bool getList(const Node &N, StringRef Name, ArrayRef<uint32_t> &List);
  bool checkList(const Node &Owner, ArrayRef<uint32_t> List);
  bool getValue(const Node &N, StringRef Name, Attr &Out);
  bool getType(const Node &N, StringRef Name, Type *&Out);
  bool getAnnotation(const Node &N, StringRef Name, Type *&Out);
  bool getTypeVars(const Node &N, StringRef Name,
                   SmallVectorImpl<TypeVarType *> &Out);
  bool getDevice(const Node &N, Attr &Out);
  bool getDictAttrs(const Node &N, const Attrs *&Out);
  bool checkKeys(const Node &N, ArrayRef<NamedAttr> Entries, bool OfCall);
  bool getLoc(const Node &N, Location &Out);
  bool addSpan(uint32_t Id, SmallVectorImpl<Span> &Spans);
  StringRef makeVarName(StringRef Name);
  bool getGlobalName(const Node &N, StringRef &Name);
  static Kind parseKind(StringRef TypeKey);
  Kind getKind(const Node &N) const { return Kinds[&N - Json.Nodes.data()]; }

  //===--- The module -----------------------------------------------------===//
  void countUses();
  bool readModule(const Node &Root);
  bool readTypeDefs(const Node &Root);
  bool readTypeDef(uint32_t Id);
  bool readFunctions(const Node &Root);
  bool readFunction(StringRef Name, uint32_t Id);
  bool readExpression(uint32_t Root);
  bool readSignature(const Node &N, Signature &Sig, Block &Body);

  //===--- Variables ------------------------------------------------------===//
  struct Variable {
    Value *V = nullptr;
    uint32_t Function = 0;
    uint32_t Region = 0;
  };
  struct VarParts {
    uint32_t Id = 0; ///< what makes it the variable that it is
    StringRef Name;
    Type *Annotation = nullptr;
    Attr Device;
    Location Loc;
  };
  bool getVar(uint32_t Id, VarParts &Out);
  bool isBound(uint32_t Id) const;
  bool define(const Node &N, uint32_t Id, Value *V);
  bool addArgument(uint32_t Id, Block &Where);
  bool useVar(uint32_t Id, Value *&Out);

  //===--- Expressions ----------------------------------------------------===//
  bool run();
  bool leaveAll();
  bool step();
  bool enter(uint32_t Id);
  bool finishNode(Value *V);
  void enterBlock(Block &Where, uint32_t Root, bool IsScopeRoot = false);
  bool stepBlock();
  bool stepNode();
  bool prepare(Frame &F);
  bool useNode(uint32_t Id, const Entry &E);
  bool makePlain(Frame &F);
  bool stepIf(Frame &F);
  bool stepMatch(Frame &F);
  bool stepFunction(Frame &F);
  bool stepLet(Frame &F);
  bool makeLeaf(uint32_t Id, Kind K, Value *&Out);
  bool bindLet(const Node &N, Value *V);
  bool isInSequence(uint32_t Id, bool IsScopeRoot) const;
  bool readPattern(uint32_t Id, Block &Clause, MatchPattern *&Out);
  bool readPatterns(ArrayRef<uint32_t> Ids, Block &Clause, MatchPattern &Out);
  Operation *create(const Node &N, const OpInfo &Info, ArrayRef<Value *> Ops,
                    const Attrs *A, unsigned NumRegions = 0);

  //===--- Calls ----------------------------------------------------------===//
  bool makeCall(const Node &N, ArrayRef<Value *> Args, Value *&Out);
  bool makeOperatorCall(const Node &N, StringRef Name, ArrayRef<Value *> Args,
                        Value *&Out);
  bool makeChangedCall(const Node &N, StringRef Name, uint32_t AttrsId,
                       ArrayRef<Value *> Args, Value *&Out);
  bool getFields(uint32_t AttrsId, StringRef Operator, const AttrsInfo *Info,
                 SmallVectorImpl<AttrText> &List);
  bool getAttrs(const Node &N, const OpInfo &Info, const Attrs *&Out);
  bool setTypeArgs(const Node &N, Operation *Op);
  bool hasRules(StringRef Name);

  Parser &P;
  Context &Ctx;
  MetaReader &Meta;
  const MetaJson &Json;
  std::vector<Kind> Kinds;   ///< of each node
  std::vector<uint8_t> Uses; ///< of each node, up to 2
  std::vector<Entry> Entries;
  llvm::DenseMap<uint32_t, Variable> Variables;
  std::vector<Frame> Frames;
  SmallVector<Value *, 0> Operands;
  Value *Result = nullptr; ///< of the frame that was left last
  std::optional<uint32_t> ClosureVar;
  llvm::DenseMap<std::pair<uint32_t, const OpInfo *>, const Attrs *> AttrsOf;
  TextMap<bool> Changed;
};
} // namespace relay

LogicalResult Parser::parseJson(StringRef Json) {
  JsonReader(*this).read(Json);
  if (NumErrors == 0) {
    checkGlobals();
    if (std::unique_ptr<MetaDocument> D = Meta.takeDocument())
      M.addMetaDocument(std::move(D));
  }
  return success(NumErrors == 0);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// The node in the field \p Name; null when there is none, without an error.
const MetaJsonNode *JsonReader::getField(const Node &N, StringRef Name,
                                         uint32_t &Id) {
  Id = 0;
  StringRef Text = Json.lookup(N, Name).value_or("0");
  if (Text.getAsInteger(10, Id) || Id >= Json.Nodes.size()) {
    fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not a node: `" +
                Text.take_front(40) + "`");
    return nullptr;
  }
  return Id ? &Json.Nodes[Id] : nullptr;
}

const MetaJsonNode *JsonReader::getNode(const Node &N, StringRef Name,
                                        uint32_t &Id) {
  const Node *Result = getField(N, Name, Id);
  if (!Result && !P.NumErrors)
    fail(N, "`" + N.TypeKey + "` without `" + Name + "`");
  return Result;
}

bool JsonReader::checkList(const Node &Owner, ArrayRef<uint32_t> List) {
  for (uint32_t Id : List)
    if (Id >= Json.Nodes.size())
      return fail(Owner, "node " + Twine(Id) + " does not exist; there are " +
                             Twine(Json.Nodes.size()));
  return true;
}

/// The elements of the array in the field \p Name; none when it is null.
bool JsonReader::getList(const Node &N, StringRef Name,
                         ArrayRef<uint32_t> &List) {
  uint32_t Id;
  List = {};
  const Node *Array = getField(N, Name, Id);
  if (!Array)
    return !P.NumErrors;
  if (Array->TypeKey != "Array")
    return fail(*Array, "`" + Name + "` of `" + N.TypeKey +
                            "` is not an array but `" + Array->TypeKey + "`");
  List = Json.data(*Array);
  return checkList(*Array, List);
}

bool JsonReader::getValue(const Node &N, StringRef Name, Attr &Out) {
  uint32_t Id;
  Out = {};
  if (!getField(N, Name, Id))
    return !P.NumErrors;
  FailureOr<Attr> Value = Meta.getNode(Id);
  if (failed(Value))
    return fail(Json.Nodes[Id], Meta.getError());
  Out = *Value;
  return true;
}

bool JsonReader::getType(const Node &N, StringRef Name, Type *&Out) {
  Attr A;
  Out = nullptr;
  if (!getValue(N, Name, A))
    return false;
  if (A && A.getKind() != Attr::Kind::Type)
    return fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not a type");
  Out = A ? A.getType() : nullptr;
  return true;
}

/// An unknown of some inference is no annotation.
bool JsonReader::getAnnotation(const Node &N, StringRef Name, Type *&Out) {
  if (!getType(N, Name, Out))
    return false;
  if (Out && Out->isIncomplete())
    Out = nullptr;
  return true;
}

bool JsonReader::getTypeVars(const Node &N, StringRef Name,
                             SmallVectorImpl<TypeVarType *> &Out) {
  Attr A;
  if (!getValue(N, Name, A))
    return false;
  if (A && !A.isArray())
    return fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not an array");
  for (Attr Element : A ? A.getArray() : ArrayRef<Attr>()) {
    auto *Var = Element.getKind() == Attr::Kind::Type
                    ? dyn_cast<TypeVarType>(Element.getType())
                    : nullptr;
    if (!Var)
      return fail(N, "`" + Name + "` of `" + N.TypeKey +
                         "` holds what is not a type variable");
    Out.push_back(Var);
  }
  return true;
}

/// The virtual device of \p N; none when it is the one that says nothing.
bool JsonReader::getDevice(const Node &N, Attr &Out) {
  if (!getValue(N, "virtual_device_", Out))
    return false;
  if (!Out)
    return true;
  if (Out.getKind() != Attr::Kind::Object ||
      Out.getTypeKey() != "VirtualDevice")
    return fail(N, "`virtual_device_` of `" + N.TypeKey +
                       "` is not a virtual device");
  auto IsUnset = [&](StringRef Name) {
    Attr A = Out.lookup(Name);
    return !A || (A.isInt() && A.getInt() == -1) ||
           (A.isString() && A.getString().empty());
  };
  if (IsUnset("device_type_int") && IsUnset("virtual_device_id") &&
      IsUnset("target") && IsUnset("memory_scope"))
    Out = {};
  return true;
}

/// The attributes of a function or a module: null where there are none.
bool JsonReader::getDictAttrs(const Node &N, const Attrs *&Out) {
  uint32_t Id;
  Out = nullptr;
  const Node *Dict = getField(N, "attrs", Id);
  if (!Dict)
    return !P.NumErrors;
  Attr A;
  if (Dict->TypeKey != "DictAttrs")
    return fail(*Dict, "`attrs` of `" + N.TypeKey + "` is `" + Dict->TypeKey +
                           "` and not `DictAttrs`");
  if (!getValue(*Dict, "__dict__", A))
    return false;
  if (A && A.getKind() != Attr::Kind::Dict)
    return fail(*Dict, "`__dict__` of `DictAttrs` is not a map from strings");
  if (A && !A.getDict().empty())
    Out = Ctx.getDictAttrs(A.getDict());
  return true;
}

/// Whether text can hold the name \p Key of an attribute. Behind operands only
/// an identifier begins a list of attributes.
static bool isAttrKey(StringRef Key, bool BehindOperands) {
  std::string Text = Key.str() + "=";
  const char *End = Text.data() + Key.size();
  Lexer L(Text);
  Token First = L.lex();
  return First.is(Tok::Identifier) && First.Begin == Text.data() &&
         (BehindOperands ? First.End : L.findNameEnd(First.Begin)) == End;
}

/// An error if text cannot hold a key of \p Entries, which are the attributes
/// of \p N, a call or a function.
bool JsonReader::checkKeys(const Node &N, ArrayRef<NamedAttr> Entries,
                           bool OfCall) {
  llvm::DenseSet<StringRef> Taken;
  for (const NamedAttr &Entry : Entries) {
    StringRef Key = Entry.first.getString();
    bool BehindOperands = OfCall && &Entry == Entries.begin();
    if (!isAttrKey(Key, BehindOperands) || (!OfCall && Key == "virtual_device"))
      return fail(N, "`" + N.TypeKey + "` has an attribute of the name `" +
                         Key + "`, which text cannot hold");
    if (!OfCall && !Taken.insert(Key).second)
      return fail(N, "attribute `" + Key + "` is given twice");
  }
  return true;
}

/// `Span`, or a `SequentialSpan` of such.
bool JsonReader::addSpan(uint32_t Id, SmallVectorImpl<Span> &Spans) {
  const Node &N = Json.Nodes[Id];
  if (N.TypeKey == "SequentialSpan") {
    ArrayRef<uint32_t> List;
    if (!getList(N, "spans", List))
      return false;
    for (uint32_t Part : List)
      if (Json.Nodes[Part].TypeKey == "Span" && !addSpan(Part, Spans))
        return false;
    return true;
  }
  uint32_t SourceId;
  StringRef Key = Json.lookup(N, "source_name") ? "source_name" : "source";
  const Node *Source = getField(N, Key, SourceId);
  if (!Source)
    return !P.NumErrors;
  Span S;
  S.Source = Source->Repr.value_or("");
  Json.lookup(N, "line").value_or("0").getAsInteger(10, S.Line);
  Json.lookup(N, "column").value_or("0").getAsInteger(10, S.Column);
  // What 0.6 calls line and column are numbers of tokens.
  if (Key == "source_name" && !S.Source.empty() && !S.Source.contains("*/"))
    Spans.push_back(S);
  return true;
}

bool JsonReader::getLoc(const Node &N, Location &Out) {
  Out = P.loc(N.At);
  uint32_t Id;
  if (!getField(N, "span", Id))
    return !P.NumErrors;
  SmallVector<Span, 1> Spans;
  if (!addSpan(Id, Spans))
    return false;
  if (!Spans.empty())
    Out = Ctx.getDiagnostics().getLocations().get(Out, Spans);
  return true;
}

/// \p Name as text can hold it after `%`: TVM puts `v` before what does not
/// begin with a letter.
StringRef JsonReader::makeVarName(StringRef Name) {
  std::string Text = Name.str();
  if (Text.empty() || Lexer::isDigit(Text[0]) || Text[0] == '_' ||
      !Lexer::isNameStart(Text[0]))
    Text.insert(0, "v");
  Lexer L(Text);
  for (const char *E;
       (E = L.findNameEnd(Text.data())) != Text.data() + Text.size();)
    Text[E - Text.data()] = '_';
  if (!Lexer::isNameChar(Text.back()) && Text.back() != '\'')
    Text.back() = '_';
  return Ctx.intern(Text);
}

/// The name of a global function, a type or a constructor.
bool JsonReader::getGlobalName(const Node &N, StringRef &Name) {
  Name = Ctx.intern(Meta.getTypeName(N).value_or(""));
  bool IsGlobal = getKind(N) == Kind::GlobalVar;
  std::string Text = (IsGlobal ? "@" : "") + Name.str();
  StringRef Stem = Text;
  if (IsGlobal)
    Stem.consume_back("()");
  Lexer L(Text);
  Token First = L.lex();
  if (IsGlobal
          ? First.is(Tok::Global) &&
                L.findNameEnd(First.Begin + 1) >= Stem.end()
          : First.is(Tok::Identifier) && First.text() == Text && Text != "_")
    return true;
  return fail(N, "`" + N.TypeKey + "` of the name `" + Name +
                     "`, which text cannot hold");
}

JsonReader::Kind JsonReader::parseKind(StringRef TypeKey) {
  return llvm::StringSwitch<Kind>(TypeKey)
      .Case("relay.Call", Kind::Call)
      .Case("relay.Var", Kind::Var)
      .Case("relay.Constant", Kind::Constant)
      .Case("relay.Function", Kind::Function)
      .Case("relay.Let", Kind::Let)
      .Case("relay.If", Kind::If)
      .Case("relay.Match", Kind::Match)
      .Case("relay.Tuple", Kind::Tuple)
      .Case("relay.TupleGetItem", Kind::TupleGetItem)
      .Case("relay.RefCreate", Kind::RefCreate)
      .Case("relay.RefRead", Kind::RefRead)
      .Case("relay.RefWrite", Kind::RefWrite)
      .Case("GlobalVar", Kind::GlobalVar)
      .Case("Op", Kind::Op)
      .Case("relay.Constructor", Kind::Constructor)
      .Default(Kind::None);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Whether a node is used once or more often; what nothing reaches counts too.
void JsonReader::countUses() {
  Uses.assign(Json.Nodes.size(), 0);
  for (const Node &N : Json.Nodes)
    Kinds.push_back(parseKind(N.TypeKey));
  auto Count = [&](uint32_t Id) {
    if (Id < Uses.size() && Uses[Id] < 2)
      ++Uses[Id];
  };
  for (const Node &N : Json.Nodes) {
    for (uint32_t Id : Json.data(N))
      Count(Id);
    if (getKind(N) == Kind::None && N.TypeKey != "relay.Clause")
      continue;
    for (const auto &[Name, Text] : Json.attrs(N)) {
      uint32_t Id;
      if (!Text.getAsInteger(10, Id))
        Count(Id);
    }
  }
}

bool JsonReader::read(StringRef Text) {
  if (auto Failure = Meta.read(Text))
    return fail(Failure->second, Failure->first);
  P.MetadataRead = P.MetadataGood = P.HasMetadata = true;
  Meta.upgrade(P.Options.Release);
  if (Json.Nodes.empty() || Json.Root >= Json.Nodes.size())
    return fail(Text.ltrim().data(),
                Json.Nodes.empty() ? Twine("JSON without nodes")
                                   : "the root, node " + Twine(Json.Root) +
                                         ", does not exist");
  const Node &Root = Json.Nodes[Json.Root];
  P.T = {Tok::EndOfFile, Root.At, Root.At};
  P.Releases = Meta.getReleases();
  if (!P.Releases) {
    P.Releases = ReleaseRange::exactly(ReleaseRange::Current);
    Ctx.getDiagnostics().emitWarning(
        P.loc(Root.At), "the JSON does not tell which release of TVM wrote "
                        "it; it is read as that of 0.18 (-text-version=0.7 "
                        "says otherwise)");
  } else if (P.Releases->Max < ReleaseRange::Current) {
    P.Upgrades.remark(Root.At, "JSON of TVM 0." + Twine(P.Releases->Max) +
                                   " is read as that of 0.18");
  }
  countUses();
  Entries.resize(Json.Nodes.size());
  if (Root.TypeKey == "IRModule")
    return readModule(Root);
  if (getKind(Root) == Kind::None)
    return fail(Root,
                "`" + Root.TypeKey + "` is neither a module nor an expression");
  return readExpression(Json.Root);
}

bool JsonReader::readModule(const Node &Root) {
  const Attrs *A;
  if (!getDictAttrs(Root, A) || !readTypeDefs(Root) || !readFunctions(Root))
    return false;
  P.M.setAttributes(A);
  return true;
}

/// The keys and values of the map in the field \p Name, by the names of its
/// keys.
using NamedPair = std::tuple<StringRef, uint32_t, uint32_t>;

bool JsonReader::readTypeDefs(const Node &Root) {
  uint32_t Id;
  const Node *Map = getField(Root, "type_definitions", Id);
  if (!Map)
    return !P.NumErrors;
  ArrayRef<uint32_t> Data = Json.data(*Map);
  if (!checkList(*Map, Data))
    return false;
  SmallVector<NamedPair, 8> Pairs;
  for (size_t I = 0; I + 1 < Data.size(); I += 2)
    Pairs.push_back({Meta.getTypeName(Json.Nodes[Data[I]]).value_or(""),
                     Data[I], Data[I + 1]});
  llvm::sort(Pairs);
  for (auto [Name, Key, Value] : Pairs)
    if (!readTypeDef(Value))
      return false;
  return true;
}

bool JsonReader::readTypeDef(uint32_t Id) {
  const Node &N = Json.Nodes[Id];
  uint32_t Header;
  if (N.TypeKey != "relay.TypeData")
    return fail(N, "`" + N.TypeKey + "` is not the definition of a type");
  const Node *Var = getNode(N, "header", Header);
  ArrayRef<uint32_t> Constructors;
  auto New = std::make_unique<TypeDef>();
  SmallVector<TypeVarType *, 4> Params;
  if (!Var || !getGlobalName(*Var, New->Name) ||
      !getTypeVars(N, "type_vars", Params) ||
      !getList(N, "constructors", Constructors))
    return false;
  New->Loc = P.loc(N.At);
  New->TypeParams.assign(Params.begin(), Params.end());
  if (P.M.lookupTypeDef(New->Name))
    return fail(N, "type `" + New->Name + "` is defined twice");
  llvm::DenseSet<StringRef> Taken;
  for (uint32_t ConstructorId : Constructors) {
    const Node &C = Json.Nodes[ConstructorId];
    auto Cons = std::make_unique<Constructor>();
    Attr Inputs;
    if (getKind(C) != Kind::Constructor)
      return fail(C, "`" + C.TypeKey + "` is not a constructor");
    if (!getGlobalName(C, Cons->Name) || !getValue(C, "inputs", Inputs))
      return false;
    if (!Taken.insert(Cons->Name).second || P.M.lookupConstructor(Cons->Name))
      return fail(C, "constructor `" + Cons->Name + "` is defined twice");
    for (Attr Field : Inputs.isArray() ? Inputs.getArray() : ArrayRef<Attr>()) {
      if (Field.getKind() != Attr::Kind::Type)
        return fail(C, "`inputs` of `relay.Constructor` are not types");
      Cons->Fields.push_back(Field.getType());
    }
    Cons->Tag = New->Constructors.size();
    New->Constructors.push_back(std::move(Cons));
  }
  P.M.addTypeDef(std::move(New));
  return true;
}

bool JsonReader::readFunctions(const Node &Root) {
  uint32_t Id;
  const Node *Map = getNode(Root, "functions", Id);
  if (!Map)
    return false;
  ArrayRef<uint32_t> Data = Json.data(*Map);
  if (!checkList(*Map, Data))
    return false;
  if (Map->TypeKey != "Map" || Data.size() % 2 || Json.keys(*Map).size() != 0)
    return fail(*Map, "`functions` is not a map from global variables");
  SmallVector<NamedPair, 8> Pairs;
  for (size_t I = 0; I != Data.size(); I += 2) {
    const Node &Var = Json.Nodes[Data[I]], &F = Json.Nodes[Data[I + 1]];
    StringRef Name;
    if (getKind(Var) != Kind::GlobalVar)
      return fail(Var, "`" + Var.TypeKey + "` is not a global variable");
    if (getKind(F) != Kind::Function)
      return fail(F, "`" + F.TypeKey + "` is not a function of Relay");
    if (!getGlobalName(Var, Name))
      return false;
    Pairs.push_back({Name, Data[I], Data[I + 1]});
  }
  llvm::sort(Pairs);
  for (auto [Name, Key, Value] : Pairs) {
    if (P.M.lookupFunction(Name))
      return fail(Json.Nodes[Key], "function `@" + Name + "` is defined twice");
    if (!readFunction(Name, Value))
      return false;
  }
  P.finishFunctions();
  return true;
}

bool JsonReader::readFunction(StringRef Name, uint32_t Id) {
  const Node &N = Json.Nodes[Id];
  Function *F = P.M.createFunction(Name, P.loc(N.At));
  P.beginFunction(*F);
  uint32_t Body;
  if (!getNode(N, "body", Body))
    return false;
  enterBlock(F->getBody(), Body);
  if (!readSignature(N, F->getSignature(), F->getBody()) || !run())
    return leaveAll();
  P.finishFunction();
  return true;
}

/// The root is an expression: the body of `@main`.
bool JsonReader::readExpression(uint32_t Root) {
  P.IsExpression = true;
  Function *Main =
      P.M.createFunction(Ctx.intern("main"), P.loc(Json.Nodes[Root].At));
  Main->setForm(Function::Form::OpenExpression);
  P.beginFunction(*Main);
  enterBlock(Main->getBody(), Root);
  if (!run())
    return leaveAll();
  P.finishFunction();
  P.orderFreeVars();
  P.unwrapClosure();
  return true;
}

/// Everything of the function \p N but its body; the block of \p Body is
/// current.
bool JsonReader::readSignature(const Node &N, Signature &Sig, Block &Body) {
  SmallVector<TypeVarType *, 4> TypeParams;
  ArrayRef<uint32_t> Params;
  if (!getTypeVars(N, "type_params", TypeParams) ||
      !getList(N, "params", Params) ||
      !getAnnotation(N, "ret_type", Sig.ResultAnnotation) ||
      !getDevice(N, Sig.VirtualDevice) || !getDictAttrs(N, Sig.Attributes))
    return false;
  Sig.TypeParams = ArrayRef(TypeParams);
  if (Sig.Attributes &&
      !checkKeys(N, Sig.Attributes->getEntries(), /*OfCall=*/false))
    return false;
  return llvm::all_of(Params,
                      [&](uint32_t Id) { return addArgument(Id, Body); });
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool JsonReader::getVar(uint32_t Id, VarParts &Out) {
  const Node &N = Json.Nodes[Id];
  if (getKind(N) != Kind::Var)
    return fail(N, "`" + N.TypeKey + "` is not a variable");
  const Node *Vid = getNode(N, "vid", Out.Id);
  if (!Vid || !getAnnotation(N, "type_annotation", Out.Annotation) ||
      !getDevice(N, Out.Device) || !getLoc(N, Out.Loc))
    return false;
  Out.Name = makeVarName(Meta.getText(*Vid, "name_hint"));
  return true;
}

/// Whether the variable \p Id is in scope.
bool JsonReader::isBound(uint32_t Id) const {
  auto It = Variables.find(Id);
  return It != Variables.end() && It->second.Function == P.FunctionNumber &&
         P.RegionIsOpen[It->second.Region];
}

bool JsonReader::define(const Node &N, uint32_t Id, Value *V) {
  if (isBound(Id))
    return fail(N, "variable `" + Meta.getText(Json.Nodes[Id], "name_hint") +
                       "` is bound twice");
  Variables[Id] = {V, P.FunctionNumber, P.Region};
  return true;
}

/// A parameter of a function, or a variable of a pattern.
bool JsonReader::addArgument(uint32_t Id, Block &Where) {
  VarParts Var;
  if (!getVar(Id, Var))
    return false;
  BlockArgument *Arg = Where.addArgument(Var.Name, Var.Annotation, Var.Loc);
  Arg->setVirtualDevice(Var.Device);
  return define(Json.Nodes[Id], Var.Id, Arg);
}

bool JsonReader::useVar(uint32_t Id, Value *&Out) {
  uint32_t Vid;
  if (!getNode(Json.Nodes[Id], "vid", Vid))
    return false;
  if (isBound(Vid)) {
    Out = Variables[Vid].V;
    return true;
  }
  StringRef Name = Meta.getText(Json.Nodes[Vid], "name_hint");
  bool WasBound =
      Variables.count(Vid) && Variables[Vid].Function == P.FunctionNumber;
  if (!P.IsExpression || WasBound)
    return fail(Json.Nodes[Id], "variable `" + Name +
                                    (WasBound ? "` is used outside of its scope"
                                              : "` is not bound"));
  // A free variable of the expression is in scope everywhere.
  VarParts Var;
  if (!getVar(Id, Var))
    return false;
  BlockArgument *Arg =
      P.F->getBody().addArgument(Var.Name, Var.Annotation, Var.Loc);
  Arg->setVirtualDevice(Var.Device);
  Variables[Vid] = {Arg, P.FunctionNumber, 0};
  Out = Arg;
  return true;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

bool JsonReader::run() {
  while (!Frames.empty())
    if (!step())
      return false;
  return true;
}

/// After an error, leaves the innermost block first.
bool JsonReader::leaveAll() {
  while (!Frames.empty())
    Frames.pop_back();
  return false;
}

bool JsonReader::step() {
  return Frames.back().Where ? stepBlock() : stepNode();
}

Operation *JsonReader::create(const Node &N, const OpInfo &Info,
                              ArrayRef<Value *> Ops, const Attrs *A,
                              unsigned NumRegions) {
  Operation *Op = P.create(Info, Ops, A, N.At, NumRegions);
  Location Loc;
  if (getLoc(N, Loc))
    Op->setLoc(Loc);
  return Op;
}

/// What \p Id is in the current function: already, at once, or after the frame
/// that this enters.
bool JsonReader::enter(uint32_t Id) {
  const Node &N = Json.Nodes[Id];
  Entry &E = Entries[Id];
  if (E.Function == P.FunctionNumber) {
    if (E.Entered)
      return fail(N, "node " + Twine(Id) + " refers to itself");
    return useNode(Id, E);
  }
  Kind K = getKind(N);
  switch (K) {
  case Kind::None:
    return fail(N, N.TypeKey.empty()
                       ? Twine("null where an expression is expected")
                       : "`" + N.TypeKey + "` is not an expression");
  case Kind::Var:
    // In scope or not depends on where it is used.
    return useVar(Id, Result);
  case Kind::GlobalVar:
  case Kind::Op:
  case Kind::Constructor:
    // A name: each use stands for itself, also where two `let`s bind it.
    return makeLeaf(Id, K, Result);
  case Kind::Constant:
    if (!makeLeaf(Id, K, Result))
      return false;
    E = {Result, P.FunctionNumber, P.Region, false};
    return true;
  default:
    break;
  }
  E = {nullptr, P.FunctionNumber, P.Region, true};
  Frame F;
  F.Id = Id;
  F.Base = Operands.size();
  if (!prepare(F))
    return false;
  Frames.push_back(std::move(F));
  return true;
}

/// A further use of a node needs the variables in scope that the node needs.
bool JsonReader::useNode(uint32_t Id, const Entry &E) {
  if (!P.RegionIsOpen[E.Region] && !P.RegionIsOpen[P.getRegionNeeded(E.V)])
    return fail(Json.Nodes[Id], "node " + Twine(Id) +
                                    " needs variables that are not in scope "
                                    "where it is used");
  Result = E.V;
  return true;
}

/// Leaves the frame of a node, which is \p V.
bool JsonReader::finishNode(Value *V) {
  Frame &F = Frames.back();
  Entry &E = Entries[F.Id];
  E.V = V;
  E.Region = P.Region;
  E.Entered = false;
  if (auto *Op = dyn_cast<Operation>(V); Op && Uses[F.Id] > 1)
    P.markShared(Op);
  Operands.truncate(F.Base);
  Frames.pop_back();
  Result = V;
  return true;
}

void JsonReader::enterBlock(Block &Where, uint32_t Root, bool IsScopeRoot) {
  Frame F;
  F.Id = Root;
  F.Where = &Where;
  F.Scope = std::make_unique<Parser::RegionScope>(P, Where);
  F.IsScopeRoot = IsScopeRoot;
  Frames.push_back(std::move(F));
}

/// A `let` that is used once is part of the chain that it stands in.
bool JsonReader::isInSequence(uint32_t Id, bool IsScopeRoot) const {
  return getKind(Json.Nodes[Id]) == Kind::Let && (IsScopeRoot || Uses[Id] < 2);
}

/// Goes through a chain of `let`s: for each its value, then its binding.
bool JsonReader::stepBlock() {
  enum { AtNode, AtValue, AtResult };
  Frame &F = Frames.back();
  const Node &N = Json.Nodes[F.Id];
  if (F.Step == AtResult) {
    F.Where->setResultRaw(Result);
    Frames.pop_back();
    return true;
  }
  if (F.Step == AtValue) {
    uint32_t Body;
    if (!bindLet(N, Result) || !getNode(N, "body", Body))
      return false;
    F.Id = Body;
    F.Step = AtNode;
    F.IsScopeRoot = false;
    return true;
  }
  if (!isInSequence(F.Id, F.IsScopeRoot)) {
    F.Step = AtResult;
    return enter(F.Id);
  }
  uint32_t Id, Var;
  const Node *Bound = getNode(N, "value", Id);
  const Node *VarNode = Bound ? getNode(N, "var", Var) : nullptr;
  if (!VarNode)
    return false;
  F.Step = AtValue;
  uint32_t Vid;
  if (getKind(*Bound) == Kind::Function &&
      Entries[Id].Function != P.FunctionNumber && getNode(*VarNode, "vid", Vid))
    ClosureVar = Vid;
  return !P.NumErrors && enter(Id);
}

bool JsonReader::bindLet(const Node &N, Value *V) {
  uint32_t Id;
  VarParts Var;
  if (!getNode(N, "var", Id) || !getVar(Id, Var))
    return false;
  // The variable of a closure is known inside of it.
  auto It = Variables.find(Var.Id);
  if (It != Variables.end() && It->second.V == V)
    Variables.erase(It);
  Operation *Op = P.bindLet(Var.Name, V, Var.Annotation, Var.Device, N.At);
  if (Var.Loc.hasSpan() && !Op->getLoc().hasSpan())
    Op->setLoc(Var.Loc);
  return define(N, Var.Id, Op);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool JsonReader::makeLeaf(uint32_t Id, Kind K, Value *&Out) {
  const Node &N = Json.Nodes[Id];
  StringRef Name;
  switch (K) {
  case Kind::Constant: {
    FailureOr<Attr> Data = Meta.getNode(Id);
    if (failed(Data))
      return fail(N, Meta.getError());
    Out = create(N, ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, *Data));
    return !P.NumErrors;
  }
  case Kind::GlobalVar: {
    if (!getGlobalName(N, Name))
      return false;
    Parser::Global &G = P.Globals[Name];
    G.FirstUse = N.At;
    Out = create(N, GlobalRefOp::getInfo(), {}, SymbolAttrs::get(Ctx, Name));
    return !P.NumErrors;
  }
  case Kind::Constructor:
    if (!getGlobalName(N, Name))
      return false;
    Out =
        create(N, ConstructorRefOp::getInfo(), {}, SymbolAttrs::get(Ctx, Name));
    return !P.NumErrors;
  default:
    Name = Upgrader::getNewName(N.Repr.value_or(""));
    if (!Ctx.lookupOp(Name) && !P.Options.AllowUnregisteredOps)
      return fail(N, "`" + Name + "` is not a declared operator");
    Out = create(N, OpRefOp::getInfo(), {},
                 SymbolAttrs::get(Ctx, Ctx.intern(Name)));
    return !P.NumErrors;
  }
}

/// Finds out which nodes are needed before \p F's operation.
bool JsonReader::prepare(Frame &F) {
  const Node &N = Json.Nodes[F.Id];
  auto Add = [&](StringRef Name) {
    uint32_t Id;
    bool Good = getNode(N, Name, Id);
    F.Children.push_back(Id);
    return Good;
  };
  ArrayRef<uint32_t> List;
  switch (getKind(N)) {
  case Kind::Call: {
    uint32_t Callee;
    const Node *Op = getNode(N, "op", Callee);
    if (!Op || !getList(N, "args", List))
      return false;
    Kind K = getKind(*Op);
    if (K != Kind::Op && K != Kind::GlobalVar && K != Kind::Constructor)
      F.Children.push_back(Callee);
    F.Children.append(List.begin(), List.end());
    return true;
  }
  case Kind::Tuple:
    if (!getList(N, "fields", List))
      return false;
    F.Children.append(List.begin(), List.end());
    return true;
  case Kind::TupleGetItem:
    return Add("tuple_value");
  case Kind::RefCreate:
    return Add("value");
  case Kind::RefRead:
    return Add("ref");
  case Kind::RefWrite:
    return Add("ref") && Add("value");
  case Kind::If:
    return Add("cond") && Add("true_branch") && Add("false_branch");
  case Kind::Match:
    return Add("data");
  case Kind::Function:
    return Add("body");
  default:
    return true;
  }
}

bool JsonReader::stepNode() {
  Frame &F = Frames.back();
  switch (getKind(Json.Nodes[F.Id])) {
  case Kind::If:
    return stepIf(F);
  case Kind::Match:
    return stepMatch(F);
  case Kind::Function:
    return stepFunction(F);
  case Kind::Let:
    return stepLet(F);
  default:
    break;
  }
  if (F.Step)
    Operands.push_back(Result);
  if (F.Step == F.Children.size())
    return makePlain(F);
  return enter(F.Children[F.Step++]);
}

/// What has operands only.
bool JsonReader::makePlain(Frame &F) {
  const Node &N = Json.Nodes[F.Id];
  ArrayRef<Value *> Args = ArrayRef(Operands).drop_front(F.Base);
  Value *Out = nullptr;
  switch (getKind(N)) {
  case Kind::Call:
    if (!makeCall(N, Args, Out))
      return false;
    break;
  case Kind::Tuple:
    Out = create(N, TupleOp::getInfo(), Args, nullptr);
    break;
  case Kind::TupleGetItem: {
    int32_t Index;
    if (Json.lookup(N, "index").value_or("").getAsInteger(10, Index) ||
        Index < 0)
      return fail(N, "`index` of `relay.TupleGetItem` is not the number of a "
                     "field");
    Out = create(N, TupleGetItemOp::getInfo(), Args,
                 TupleGetItemAttrs::get(Ctx, Index));
    break;
  }
  case Kind::RefCreate:
    Out = create(N, RefCreateOp::getInfo(), Args, nullptr);
    break;
  case Kind::RefRead:
    Out = create(N, RefReadOp::getInfo(), Args, nullptr);
    break;
  default:
    Out = create(N, RefWriteOp::getInfo(), Args, nullptr);
    break;
  }
  return !P.NumErrors && finishNode(Out);
}

bool JsonReader::stepIf(Frame &F) {
  const Node &N = Json.Nodes[F.Id];
  switch (F.Step++) {
  case 0:
    return enter(F.Children[0]);
  case 1:
    F.Op = create(N, IfOp::getInfo(), Result, nullptr, 2);
    enterBlock(F.Op->getRegion(0), F.Children[1]);
    return true;
  case 2:
    enterBlock(F.Op->getRegion(1), F.Children[2]);
    return true;
  default:
    return finishNode(F.Op);
  }
}

/// A `let` where a value is expected: a scope.
bool JsonReader::stepLet(Frame &F) {
  if (F.Step++)
    return finishNode(F.Op);
  F.Op = create(Json.Nodes[F.Id], ScopeOp::getInfo(), {}, nullptr, 1);
  enterBlock(F.Op->getRegion(), F.Id, /*IsScopeRoot=*/true);
  return true;
}

bool JsonReader::stepFunction(Frame &F) {
  if (F.Step++)
    return finishNode(F.Op);
  const Node &N = Json.Nodes[F.Id];
  Operation *Op = create(N, FnOp::getInfo(), {}, nullptr, 1);
  F.Op = Op;
  uint32_t Body = F.Children[0];
  if (std::optional<uint32_t> Var = std::exchange(ClosureVar, std::nullopt)) {
    // It will be bound here.
    P.RegionsNeeded[Op] = P.Region;
    if (!define(N, *Var, Op))
      return false;
  }
  enterBlock(Op->getRegion(), Body);
  return readSignature(N, Op->getSignature(), Op->getRegion());
}

bool JsonReader::stepMatch(Frame &F) {
  const Node &N = Json.Nodes[F.Id];
  if (F.Step++ == 0)
    return enter(F.Children[0]);
  ArrayRef<uint32_t> Clauses;
  if (!getList(N, "clauses", Clauses))
    return false;
  if (Clauses.empty())
    return fail(N, "`relay.Match` without clauses");
  if (!F.Op) {
    F.Op = create(N, MatchOp::getInfo(), Result, nullptr, Clauses.size());
    F.Op->setCompleteMatch(Json.lookup(N, "complete").value_or("1") != "0");
  }
  size_t I = F.Step - 2, Place = Frames.size() - 1;
  Operation *Op = F.Op;
  if (I == Clauses.size()) {
    Op->setPatterns(F.Patterns);
    return finishNode(Op);
  }
  const Node &Clause = Json.Nodes[Clauses[I]];
  uint32_t Lhs, Rhs;
  if (Clause.TypeKey != "relay.Clause")
    return fail(Clause, "`" + Clause.TypeKey + "` is not a clause");
  if (!getNode(Clause, "lhs", Lhs) || !getNode(Clause, "rhs", Rhs))
    return false;
  enterBlock(Op->getRegion(I), Rhs);
  MatchPattern *Pattern;
  if (!readPattern(Lhs, Op->getRegion(I), Pattern))
    return false;
  Frames[Place].Patterns.push_back(Pattern);
  return true;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

bool JsonReader::readPatterns(ArrayRef<uint32_t> Ids, Block &Clause,
                              MatchPattern &Out) {
  SmallVector<MatchPattern *, 4> Children(Ids.size(), nullptr);
  for (auto [Id, Child] : llvm::zip(Ids, Children))
    if (!readPattern(Id, Clause, Child))
      return false;
  Out.Children = P.F->getArena().copy(ArrayRef<MatchPattern *>(Children));
  return true;
}

bool JsonReader::readPattern(uint32_t Id, Block &Clause, MatchPattern *&Out) {
  const Node &N = Json.Nodes[Id];
  ArrayRef<uint32_t> Parts;
  uint32_t Ref;
  P.T = {Tok::EndOfFile, N.At, N.At};
  if (N.TypeKey == "relay.PatternWildcard") {
    Out = P.makePattern(MatchPattern::Kind::Wildcard);
    return true;
  }
  if (N.TypeKey == "relay.PatternVar") {
    Out = P.makePattern(MatchPattern::Kind::Var);
    unsigned Number = Clause.getNumArguments();
    if (!getNode(N, "var", Ref) || !addArgument(Ref, Clause))
      return false;
    Out->Variable = Clause.getArgument(Number);
    return true;
  }
  bool IsTuple = N.TypeKey == "relay.PatternTuple";
  if (!IsTuple && N.TypeKey != "relay.PatternConstructor")
    return fail(N, "`" + N.TypeKey + "` is not a pattern");
  if (!getList(N, "patterns", Parts))
    return false;
  Out = P.makePattern(IsTuple ? MatchPattern::Kind::Tuple
                              : MatchPattern::Kind::Constructor);
  if (!IsTuple) {
    const Node *Cons = getNode(N, "constructor", Ref);
    if (!Cons || !getGlobalName(*Cons, Out->Constructor))
      return false;
    Constructor *Known = P.M.lookupConstructor(Out->Constructor);
    if (Known && Known->Fields.size() != Parts.size())
      return fail(N, "`" + Out->Constructor + "` has " +
                         Twine(Known->Fields.size()) + " fields, the pattern " +
                         Twine(Parts.size()));
    if (!Known && !P.IsExpression && !P.Options.AllowUndefinedGlobals)
      return fail(N, "undefined constructor `" + Out->Constructor + "`");
  }
  return P.nested([&] { return readPatterns(Parts, Clause, *Out); });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool JsonReader::setTypeArgs(const Node &N, Operation *Op) {
  Attr A;
  if (!getValue(N, "type_args", A))
    return false;
  SmallVector<Type *, 4> Types;
  for (Attr Element : A.isArray() ? A.getArray() : ArrayRef<Attr>()) {
    if (Element.getKind() != Attr::Kind::Type)
      return fail(N, "`type_args` of `relay.Call` are not types");
    if (Element.getType()->isIncomplete())
      return true;
    Types.push_back(Element.getType());
  }
  if (!Types.empty())
    Op->setTypeArgs(*P.F, Types);
  return true;
}

bool JsonReader::makeCall(const Node &N, ArrayRef<Value *> Args, Value *&Out) {
  uint32_t Callee;
  const Node &Op = *getNode(N, "op", Callee);
  StringRef Name;
  Attr A;
  Kind K = getKind(Op);
  if (K == Kind::Op)
    return makeOperatorCall(N, Op.Repr.value_or(""), Args, Out);
  if (!getValue(N, "attrs", A))
    return false;
  if (A && A.getKind() < Attr::Kind::Dict)
    return fail(N, "the `attrs` of a call are a plain value");
  if (A && A.getKind() == Attr::Kind::Dict &&
      !checkKeys(N, A.getDict(), /*OfCall=*/true))
    return false;
  Operation *New;
  if (K == Kind::GlobalVar) {
    if (!getGlobalName(Op, Name))
      return false;
    P.Globals[Name].FirstUse = N.At;
    New = create(N, CallGlobalOp::getInfo(), Args,
                 CallGlobalAttrs::get(Ctx, Name, A));
  } else if (K == Kind::Constructor) {
    if (!getGlobalName(Op, Name))
      return false;
    Constructor *Known = P.M.lookupConstructor(Name);
    if (Known && Known->Fields.size() != Args.size())
      return fail(N, "`" + Name + "` takes " + Twine(Known->Fields.size()) +
                         " operands, found " + Twine(Args.size()));
    if (!Known && !P.IsExpression && !P.Options.AllowUndefinedGlobals)
      return fail(N, "undefined constructor `" + Name + "`");
    New = create(N, CallConstructorOp::getInfo(), Args,
                 CallConstructorAttrs::get(Ctx, Name, A));
  } else {
    New = create(N, CallValueOp::getInfo(), Args, CallValueAttrs::get(Ctx, A));
  }
  Out = New;
  return setTypeArgs(N, New);
}

bool JsonReader::hasRules(StringRef Name) {
  auto [It, New] = Changed.try_emplace(Name, false);
  if (New)
    It->second = Upgrader::hasRules(Name, *P.Releases);
  return It->second;
}

bool JsonReader::makeOperatorCall(const Node &N, StringRef Name,
                                  ArrayRef<Value *> Args, Value *&Out) {
  uint32_t AttrsId;
  if (!getField(N, "attrs", AttrsId) && P.NumErrors)
    return false;
  P.T = {Tok::EndOfFile, N.At, N.At};
  if (hasRules(Name))
    return makeChangedCall(N, Name, AttrsId, Args, Out);
  const OpInfo *Info = Ctx.lookupOp(Name);
  if (!Info && P.Options.AllowUnregisteredOps && !Name.empty())
    Info = &Ctx.getOrCreateUnregisteredOp(Ctx.intern(Name));
  if (!Info || !Info->isOperator())
    return fail(N, "`" + Name + "` is not a declared operator");
  if (!Info->takesOperands(Args.size()))
    return fail(N, "`" + Name + "` takes " + Twine(Info->NumOperands) +
                       " operands, found " + Twine(Args.size()));
  const Attrs *A;
  if (!getAttrs(N, *Info, A))
    return false;
  Out = create(N, *Info, Args, A);
  return !P.NumErrors;
}

bool JsonReader::getFields(uint32_t AttrsId, StringRef Operator,
                           const AttrsInfo *Info,
                           SmallVectorImpl<AttrText> &List) {
  if (!AttrsId)
    return true;
  const char *At = Json.Nodes[AttrsId].At;
  SmallVector<NamedAttr, 8> Fields;
  if (!Meta.getFields(AttrsId, Operator, Info, Fields))
    return fail(At, Meta.getError());
  for (auto [Key, Value] : Fields)
    List.push_back({Key.getString(), Value, At, At});
  return true;
}

/// A call of an operator that has changed since.
bool JsonReader::makeChangedCall(const Node &N, StringRef Name,
                                 uint32_t AttrsId, ArrayRef<Value *> Args,
                                 Value *&Out) {
  CallParts Call;
  Call.Operator = Ctx.intern(Name);
  Call.Operands.assign(Args.begin(), Args.end());
  Call.At = N.At;
  const OpInfo *Info = Ctx.lookupOp(Upgrader::getNewName(Name));
  if (!getFields(AttrsId, Call.Operator, Info ? Info->Attributes : nullptr,
                 Call.Attributes))
    return false;
  Operation *Op = P.makeOldCall(Call);
  if (!Op)
    return false;
  Location Loc;
  if (!getLoc(N, Loc))
    return false;
  Op->setLoc(Loc);
  Out = Op;
  return true;
}

/// The attributes of a call of \p Info; one object is read once.
bool JsonReader::getAttrs(const Node &N, const OpInfo &Info,
                          const Attrs *&Out) {
  uint32_t Id;
  const Node *Object = getField(N, "attrs", Id);
  if (!Object && P.NumErrors)
    return false;
  const Attrs *&Known = AttrsOf[{Id, &Info}];
  Out = Known;
  if (Known || (!Object && !Info.Attributes))
    return true;
  if (!Info.Attributes)
    return fail(*Object, "`" + Info.Name + "` takes no attributes");
  if (Object && Info.Attributes == &DictAttrsInfo &&
      Object->TypeKey == "DictAttrs") {
    if (!getDictAttrs(N, Known))
      return false;
    if (!Known)
      Known = Ctx.getDictAttrs({});
    Out = Known;
    return checkKeys(N, Known->getEntries(), /*OfCall=*/true);
  }
  if (Info.Attributes == &DictAttrsInfo) {
    Attr Whole;
    if (!getValue(N, "attrs", Whole))
      return false;
    Known = Whole ? Ctx.getDictAttrs(NamedAttr(Ctx.getString(""), Whole))
                  : Ctx.getDictAttrs({});
    Out = Known;
    return true;
  }
  bool IsCurrent = P.Releases->Min >= ReleaseRange::Current;
  if (Object && IsCurrent && Object->TypeKey != Info.Attributes->TypeKey)
    return fail(*Object, "`" + Info.Name +
                             "` does not take attributes of kind `" +
                             Object->TypeKey + "`");
  SmallVector<AttrText, 8> List;
  if (!getFields(Id, Info.Name, Info.Attributes, List))
    return false;
  Known = P.makeAttrs(Info.Name, *Info.Attributes,
                      Ctx.getDefaultAttrs(*Info.Attributes), List);
  Out = Known;
  return !P.NumErrors;
}

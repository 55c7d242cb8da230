//===- MetaReader.cpp - Objects of the metadata section -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is a reader function for each kind of node. Nodes refer to other nodes
// by index, possibly deeply or in cycles: the depth is limited, and cycles are
// an error.
//
//===----------------------------------------------------------------------===//

#include "MetaReader.h"
#include "MetaWriter.h"
#include "NDArray.h"
#include "relay/Text/Parse/AttrValues.h"
#include "relay/Text/Parse/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

static constexpr unsigned MaxDepth = 200;
/// The maximum size of an object expanded to a tree, since nodes may be shared.
static constexpr uint64_t MaxSize = Type::MaxSize;

std::optional<std::pair<std::string, const char *>>
MetaReader::read(StringRef Text) {
  if (auto Failure = Json.read(Text))
    return Failure;
  States.assign(Json.Nodes.size(), State::New);
  Values.assign(Json.Nodes.size(), Attr());
  Sizes.assign(Json.Nodes.size(), 0);
  return std::nullopt;
}

ArrayRef<uint32_t> MetaReader::getList(StringRef Key) const {
  if (Json.Root >= Json.Nodes.size())
    return {};
  const Node &Root = Json.Nodes[Json.Root];
  ArrayRef<StringRef> Keys = Json.keys(Root);
  size_t I = llvm::find(Keys, Key) - Keys.begin();
  ArrayRef<uint32_t> Lists = Json.data(Root);
  if (I >= std::min(Keys.size(), Lists.size()) || Lists[I] >= Json.Nodes.size())
    return {};
  return Json.data(Json.Nodes[Lists[I]]);
}

FailureOr<Attr> MetaReader::get(StringRef Key, size_t Index) {
  return getNode(getList(Key)[Index]);
}

FailureOr<Attr> MetaReader::getNode(uint32_t Id) {
  Error.clear();
  Depth = 0;
  Attr Value;
  if (!decode(Id, Value))
    return failure();
  return Value;
}

StringRef MetaReader::getText(const Node &N, StringRef Name) const {
  StringRef Text = Json.lookup(N, Name).value_or("");
  uint32_t Id;
  if (Text.getAsInteger(10, Id) || Id >= Json.Nodes.size())
    return Text;
  const Node &Value = Json.Nodes[Id];
  if (Value.TypeKey == "runtime.String")
    return Value.Repr.value_or("");
  return Id ? Text : "";
}

//===----------------------------------------------------------------------===//
// Fields of attributes
//===----------------------------------------------------------------------===//

bool MetaReader::getFields(StringRef Key, size_t Index, StringRef Operator,
                           const AttrsInfo *Info,
                           SmallVectorImpl<NamedAttr> &Fields) {
  return getFields(getList(Key)[Index], Operator, Info, Fields);
}

bool MetaReader::getFields(uint32_t Id, StringRef Operator,
                           const AttrsInfo *Info,
                           SmallVectorImpl<NamedAttr> &Fields) {
  Error.clear();
  Depth = 0;
  if (Id >= Json.Nodes.size())
    return fail("node " + Twine(Id) + " of the metadata does not exist");
  for (auto [Name, Text] : Json.attrs(Json.Nodes[Id])) {
    int I = Info ? Info->getFieldIndex(Name) : -1;
    const AttrField *Field = I < 0 ? nullptr : &Info->Fields[I];
    if (Field && Field->Kind == FieldKind::Expr)
      continue;
    Attr Value;
    if (!decodeOldField(Operator, Name, Field, Text, Value))
      return false;
    Fields.push_back({Ctx.getString(Name), Value});
  }
  return true;
}

/// Returns the number in \p Text, or its characters.
static Attr readInPlace(Context &Ctx, StringRef Text, bool IsDouble) {
  int64_t Int;
  double Double;
  if (!IsDouble && !Text.getAsInteger(10, Int))
    return Ctx.getInt(Int, DType::getInt(Int == int32_t(Int) ? 32 : 64));
  if (!Text.getAsDouble(Double))
    return Ctx.getFloat(Double, DType::getFloat(64));
  return Ctx.getString(Text);
}

/// Older releases stored some fields as values that are nodes today, and vice
/// versa.
bool MetaReader::decodeOldField(StringRef Operator, StringRef Name,
                                const AttrField *Field, StringRef Text,
                                Attr &Out) {
  const UpgradeRule *Rule = Upgrader::findRule(Operator, Name);
  bool IsRule = Rule && Releases && Releases->isUpTo(Rule->Last);
  bool IsNodeByRule = IsRule && (Rule->Kind == UpgradeKind::FloatTuple ||
                                 Rule->Kind == UpgradeKind::IntTuple);
  bool InPlace = IsRule && (Rule->Kind == UpgradeKind::FloatOperand ||
                            Rule->Kind == UpgradeKind::IntOperand ||
                            Rule->Kind == UpgradeKind::InPlace);
  uint32_t Id = 0;
  bool IsIndex = !Text.getAsInteger(10, Id) && Id < Json.Nodes.size();
  bool IsString = IsIndex && Json.Nodes[Id].TypeKey == "runtime.String";
  bool IsText = Field && (Field->Kind == FieldKind::String ||
                          Field->Kind == FieldKind::DType);
  if (IsText && !IsString && (!Field->Boxed || !IsIndex)) {
    Out = Ctx.getString(Text);
    return true;
  }
  bool IsNode =
      IsText || IsNodeByRule || (Field && !isDirectInJSON(*Field) && IsIndex);
  if (IsNode && !InPlace)
    return decode(Id, Out);
  Out = readInPlace(Ctx, Text, Field && Field->Kind == FieldKind::Double);
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

MetaReader::Handler MetaReader::getHandler(StringRef TypeKey) {
  if (TypeKey.starts_with("relay.attrs."))
    return &MetaReader::readOpAttrs;
  return llvm::StringSwitch<Handler>(TypeKey)
      .Cases("", "Span", "SourceName", &MetaReader::readNone)
      .Case("IntImm", &MetaReader::readIntImm)
      .Case("FloatImm", &MetaReader::readFloatImm)
      .Cases("runtime.BoxInt", "runtime.BoxBool", "runtime.BoxFloat",
             &MetaReader::readBox)
      .Case("runtime.String", &MetaReader::readString)
      .Case("Array", &MetaReader::readArray)
      .Case("Map", &MetaReader::readMap)
      .Case("relay.Constant", &MetaReader::readConstant)
      .Case("runtime.NDArray", &MetaReader::readNDArrayObject)
      .Cases("tir.Var", "tir.SizeVar", &MetaReader::readVar)
      .Case("tir.Any", &MetaReader::readAny)
      .Case("relay.TensorType", &MetaReader::readTensorType)
      .Case("TupleType", &MetaReader::readTupleType)
      .Case("FuncType", &MetaReader::readFuncType)
      .Case("relay.RefType", &MetaReader::readRefType)
      .Case("TypeVar", &MetaReader::readTypeVar)
      .Case("TypeCall", &MetaReader::readTypeCall)
      .Case("IncompleteType", &MetaReader::readIncompleteType)
      .Default(parseDimOpTypeKey(TypeKey) ? &MetaReader::readArithmetic
                                          : &MetaReader::readObject);
}

bool MetaReader::decode(uint32_t Id, Attr &Out) {
  if (Id >= Json.Nodes.size())
    return fail("node " + Twine(Id) + " of the metadata does not exist");
  if (States[Id] == State::Entered)
    return fail("node " + Twine(Id) + " of the metadata refers to itself");
  if (States[Id] == State::New) {
    if (Depth == MaxDepth)
      return fail("node " + Twine(Id) +
                  " of the metadata is nested more than " + Twine(MaxDepth) +
                  " levels deep");
    ++Depth;
    States[Id] = State::Entered;
    const Node &N = Json.Nodes[Id];
    uint64_t Around = std::exchange(TreeSize, 1);
    bool OK = (this->*getHandler(N.TypeKey))(N, Values[Id]);
    Sizes[Id] = std::exchange(TreeSize, Around);
    --Depth;
    if (OK && Sizes[Id] > MaxSize)
      OK = fail("node " + Twine(Id) + " of the metadata expands to more than " +
                Twine(MaxSize) + " nodes, counting each use");
    States[Id] = OK ? State::Done : State::New;
    if (!OK)
      return false;
  }
  TreeSize += Sizes[Id];
  Out = Values[Id];
  return true;
}

bool MetaReader::decodeChild(const Node &N, StringRef Name, Attr &Out) {
  std::optional<StringRef> Text = Json.lookup(N, Name);
  uint32_t Id;
  if (isOld() && (!Text || Text->getAsInteger(10, Id))) {
    // Newer fields are missing, and strings may be stored in place.
    Out = Text ? Ctx.getString(*Text) : Attr();
    return true;
  }
  if (!Text || Text->getAsInteger(10, Id))
    return fail("`" + N.TypeKey + "` without `" + Name + "` in the metadata");
  return decode(Id, Out);
}

Attr MetaReader::makeRaw(uint32_t Id) {
  if (!Document)
    makeDocument();
  return Ctx.getRaw(*Document, Id);
}

/// Creates a document of the nodes by type key and canonical JSON, as MetaNode
/// requires.
void MetaReader::makeDocument() {
  std::vector<MetaNode> Nodes;
  for (const Node &N : Json.Nodes) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    writeMetaNode(OS, N.TypeKey, N.Repr, Json.attrs(N), Json.keys(N),
                  Json.data(N));
    Nodes.push_back({N.TypeKey.str(), std::move(Text)});
  }
  std::vector<std::string> Arrays;
  for (StringRef Array : Json.Arrays)
    Arrays.push_back(Array.str());
  Document = MetaDocument::create(Ctx, std::move(Nodes), std::move(Arrays));
}

bool MetaReader::getDType(const Node &N, DType &Out) {
  std::optional<StringRef> Text = Json.lookup(N, "dtype");
  std::optional<DType> T = Text ? parseDType(Ctx, *Text) : std::nullopt;
  if (!T)
    return fail("`" + N.TypeKey + "` without a data type in the metadata");
  Out = *T;
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool MetaReader::readNone(const Node &, Attr &Out) {
  Out = {};
  return true;
}

/// Returns true if \p Value fits \p T, an integer type; always beyond 63 bits.
static bool isValueOf(DType T, int64_t Value) {
  unsigned Bits = T.getBits();
  if ((!T.isInt() && !T.isUInt()) || Bits >= 64)
    return true;
  return T.isUInt() ? llvm::isUIntN(Bits, Value) : llvm::isIntN(Bits, Value);
}

bool MetaReader::readIntImm(const Node &N, Attr &Out) {
  DType T;
  int64_t Value;
  if (!getDType(N, T))
    return false;
  if (Json.lookup(N, "value").value_or("").getAsInteger(10, Value))
    return fail("malformed IntImm in the metadata");
  if (!T.isBool() && !isValueOf(T, Value))
    return fail("IntImm in the metadata: " + Twine(Value) +
                " does not fit its data type");
  Out = T.isBool() ? Attr::getBool(Value) : Ctx.getInt(Value, T);
  return true;
}

bool MetaReader::readFloatImm(const Node &N, Attr &Out) {
  DType T;
  double Value;
  if (!getDType(N, T))
    return false;
  if (Json.lookup(N, "value").value_or("").getAsDouble(Value))
    return fail("malformed FloatImm in the metadata");
  Out = Ctx.getFloat(Value, T);
  return true;
}

/// Reads a boxed number, which TVM distinguishes from an IntImm.
bool MetaReader::readBox(const Node &N, Attr &Out) {
  StringRef Text = N.Repr.value_or("");
  int64_t Int;
  double Double;
  Attr Value;
  if (N.TypeKey == "runtime.BoxBool")
    Value = Attr::getBool(Text == "1" || Text.equals_insensitive("true"));
  else if (N.TypeKey == "runtime.BoxFloat" && !Text.getAsDouble(Double))
    Value = Ctx.getFloat(Double, DType::getFloat(64));
  else if (N.TypeKey == "runtime.BoxInt" && !Text.getAsInteger(10, Int))
    Value = Ctx.getInt(Int, DType::getInt(64));
  else
    return fail("malformed `" + N.TypeKey + "` in the metadata");
  Out = makeBox(Ctx, N.TypeKey, Value);
  return true;
}

bool MetaReader::readString(const Node &N, Attr &Out) {
  Out = Ctx.getString(N.Repr.value_or(""));
  return true;
}

bool MetaReader::readArray(const Node &N, Attr &Out) {
  SmallVector<Attr, 8> Elements;
  for (uint32_t Id : Json.data(N))
    if (!decode(Id, Elements.emplace_back()))
      return false;
  Out = Ctx.getArray(Elements);
  return true;
}

bool MetaReader::readMap(const Node &N, Attr &Out) {
  SmallVector<NamedAttr, 8> Entries;
  ArrayRef<StringRef> Keys = Json.keys(N);
  ArrayRef<uint32_t> Data = Json.data(N);
  if (Keys.size() == Data.size()) {
    for (auto [Key, Id] : llvm::zip(Keys, Data)) {
      Entries.emplace_back(Ctx.getString(Key), Attr());
      if (!decode(Id, Entries.back().second))
        return false;
    }
    Out = Ctx.getDict(Entries);
    return true;
  }
  // Maps whose keys are not strings have no other representation.
  Out = makeRaw(&N - Json.Nodes.data());
  return true;
}

bool MetaReader::readConstant(const Node &N, Attr &Out) {
  uint32_t Index;
  if (Json.lookup(N, "data").value_or("").getAsInteger(10, Index) ||
      Index >= Json.Arrays.size())
    return fail("constant without data in the metadata");
  Out = readNDArray(Ctx, Json.Arrays[Index], Error);
  return bool(Out);
}

bool MetaReader::readNDArrayObject(const Node &N, Attr &Out) {
  Attr Data = readNDArray(Ctx, N.Repr.value_or(""), Error);
  if (!Data)
    return false;
  Out = Ctx.getObject(N.TypeKey, NamedAttr(Ctx.getString("data"), Data));
  return true;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

bool MetaReader::readVar(const Node &N, Attr &Out) {
  DType T;
  Attr Name;
  if (!getDType(N, T) || !decodeChild(N, "name", Name))
    return false;
  Out = M.createDimVar(Name.isString() ? Name.getString() : "", T,
                       N.TypeKey == "tir.SizeVar");
  return true;
}

bool MetaReader::readAny(const Node &, Attr &Out) {
  Out = Dim::getAny();
  return true;
}

/// Reads arithmetic: over integers it is a dimension, over floats an object.
bool MetaReader::readArithmetic(const Node &N, Attr &Out) {
  DimOp Op = *parseDimOpTypeKey(N.TypeKey);
  DType T;
  if (!getDType(N, T))
    return false;
  SmallVector<Dim, 2> Operands;
  auto Add = [&](StringRef Name) {
    Attr A;
    if (!decodeChild(N, Name, A))
      return false;
    if (A.isDim() && A.getKind() != Attr::Kind::Object)
      Operands.push_back(Dim(A));
    return true;
  };
  if (Op == DimOp::Cast ? !Add("value") : !Add("a") || !Add("b"))
    return false;
  if (!T.isInt() || Operands.size() != (Op == DimOp::Cast ? 1 : 2))
    return readObject(N, Out);
  Out = Ctx.getDimExpr(Op, Operands, T);
  return true;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool MetaReader::decodeType(const Node &N, StringRef Name, Type *&Out) {
  Attr A;
  if (!decodeChild(N, Name, A))
    return false;
  if (A.getKind() != Attr::Kind::Type)
    return fail("`" + N.TypeKey + "`: `" + Name + "` is not a type");
  Out = A.getType();
  return true;
}

bool MetaReader::decodeTypes(const Node &N, StringRef Name,
                             SmallVectorImpl<Type *> &Out) {
  Attr A;
  if (!decodeChild(N, Name, A))
    return false;
  if (!A.isArray())
    return fail("`" + N.TypeKey + "`: `" + Name + "` is not a list");
  for (Attr Element : A.getArray()) {
    if (Element.getKind() != Attr::Kind::Type)
      return fail("`" + N.TypeKey + "`: `" + Name + "` is not a list of types");
    Out.push_back(Element.getType());
  }
  return true;
}

bool MetaReader::readTensorType(const Node &N, Attr &Out) {
  DType T;
  Attr Shape;
  if (!getDType(N, T) || !decodeChild(N, "shape", Shape))
    return false;
  if (!Shape.isArray() ||
      !llvm::all_of(Shape.getArray(), [](Attr A) { return A.isDim(); }))
    return fail("malformed tensor type in the metadata");
  Out = Ctx.getTypeAttr(Ctx.getTensorType(toDims(Shape.getArray()), T));
  return true;
}

bool MetaReader::readTupleType(const Node &N, Attr &Out) {
  SmallVector<Type *, 4> Fields;
  if (!decodeTypes(N, "fields", Fields))
    return false;
  Out = Ctx.getTypeAttr(Ctx.getTupleType(Fields));
  return true;
}

bool MetaReader::readFuncType(const Node &N, Attr &Out) {
  SmallVector<Type *, 4> Params, TypeParams;
  Type *Result = nullptr;
  if (!decodeTypes(N, "arg_types", Params) ||
      !decodeTypes(N, "type_params", TypeParams) ||
      !decodeType(N, "ret_type", Result))
    return false;
  SmallVector<TypeVarType *, 4> Vars;
  for (Type *T : TypeParams) {
    if (!isa<TypeVarType>(T))
      return fail("malformed function type in the metadata");
    Vars.push_back(cast<TypeVarType>(T));
  }
  Out = Ctx.getTypeAttr(Ctx.getFuncType(Vars, Params, Result));
  return true;
}

bool MetaReader::readRefType(const Node &N, Attr &Out) {
  Type *Value = nullptr;
  if (!decodeType(N, "value", Value))
    return false;
  Out = Ctx.getTypeAttr(Ctx.getRefType(Value));
  return true;
}

bool MetaReader::readTypeVar(const Node &N, Attr &Out) {
  std::optional<StringRef> Name = getTypeName(N);
  if (!Name)
    return fail("`" + N.TypeKey + "` without a name in the metadata");
  unsigned Kind;
  if (Json.lookup(N, "kind").value_or("0").getAsInteger(10, Kind) ||
      Kind > unsigned(TypeVarKind::Shape))
    return fail("`" + N.TypeKey + "` of an unknown kind in the metadata");
  Out = Ctx.getTypeAttr(Ctx.createTypeVar(*Name, TypeVarKind(Kind)));
  return true;
}

/// Returns the name of a TypeVar or GlobalTypeVar; TVM 0.6 stored it in a
/// variable.
std::optional<StringRef> MetaReader::getTypeName(const Node &N) const {
  if (Json.lookup(N, "name_hint"))
    return getText(N, "name_hint");
  uint32_t Var;
  if (Json.lookup(N, "var").value_or("").getAsInteger(10, Var) ||
      Var >= Json.Nodes.size())
    return std::nullopt;
  return getText(Json.Nodes[Var], "name");
}

bool MetaReader::readTypeCall(const Node &N, Attr &Out) {
  SmallVector<Type *, 4> Args;
  uint32_t Func;
  if (Json.lookup(N, "func").value_or("").getAsInteger(10, Func) ||
      Func >= Json.Nodes.size())
    return fail("malformed applied type in the metadata");
  std::optional<StringRef> Name = getTypeName(Json.Nodes[Func]);
  if (!Name || Json.Nodes[Func].TypeKey != "GlobalTypeVar")
    return fail("applied type without a name in the metadata");
  if (!decodeTypes(N, "args", Args))
    return false;
  Out = Ctx.getTypeAttr(Ctx.getTypeCall(*Name, Args));
  return true;
}

/// Numbers incomplete types by their first use, which printing keeps.
bool MetaReader::readIncompleteType(const Node &, Attr &Out) {
  Out = Ctx.getTypeAttr(Ctx.getIncompleteType(NumIncompleteTypes++));
  return true;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

bool MetaReader::decodeField(const Node &N, const AttrField &Field, Attr &Out) {
  std::optional<StringRef> Text = Json.lookup(N, Field.Name);
  if (!Text)
    return fail("`" + N.TypeKey + "` without `" + Field.Name +
                "` in the metadata");
  if (!isDirectInJSON(Field))
    return decodeChild(N, Field.Name, Out);
  bool IsText =
      Field.Kind == FieldKind::String || Field.Kind == FieldKind::DType;
  Out = IsText ? Ctx.getString(*Text)
               : readInPlace(Ctx, *Text, Field.Kind == FieldKind::Double);
  return true;
}

bool MetaReader::readOpAttrs(const Node &N, Attr &Out) {
  const AttrsInfo *Info = Ctx.lookupAttrsInfo(N.TypeKey);
  if (!Info) {
    Out = makeRaw(&N - Json.Nodes.data());
    return true;
  }
  SmallVector<Attr, 8> Slots;
  for (const AttrField &Field : Info->Fields) {
    Attr Value;
    if (Field.Kind != FieldKind::Expr && !decodeField(N, Field, Value))
      return false;
    std::optional<Attr> Slot = toFieldValue(Ctx, Field, Value);
    if (!Slot)
      return fail("`" + N.TypeKey + "`: `" + Field.Name + "` is not " +
                  describe(Field.Kind));
    Slots.push_back(*Slot);
  }
  Out = Ctx.getOpAttrsAttr(Ctx.getAttrs(*Info, Slots));
  return true;
}

static bool isTypeKey(StringRef Key) {
  return !Key.empty() && Lexer::isNameStart(Key.front()) &&
         llvm::all_of(Key,
                      [](char C) { return C == '.' || Lexer::isNameChar(C); });
}

/// Reports an error if \p N has a field that is not in \p Fields and would be
/// lost.
bool MetaReader::checkFieldNames(const Node &N, ArrayRef<MetaField> Fields) {
  if (isOld())
    return true;
  for (auto [Name, Text] : Json.attrs(N))
    if (llvm::none_of(Fields,
                      [&](const MetaField &F) { return F.Name == Name; }))
      return fail("`" + N.TypeKey + "` has no field `" + Name + "`");
  return true;
}

bool MetaReader::readObjectField(const Node &N, const MetaField &Field,
                                 Attr &Out) {
  StringRef Text = Json.lookup(N, Field.Name).value_or("");
  int64_t Int;
  switch (Field.Kind) {
  case MetaFieldKind::Unused:
    return true;
  case MetaFieldKind::String:
    Out = Ctx.getString(Text);
    return true;
  case MetaFieldKind::Int:
    if (Text.getAsInteger(10, Int))
      return (isOld() && Text.empty()) || failField(N, Field, "an integer");
    Out = Ctx.getInt(Int, DType::getInt(64));
    return true;
  case MetaFieldKind::Node:
    return decodeChild(N, Field.Name, Out);
  case MetaFieldKind::Text:
    if (!decodeChild(N, Field.Name, Out))
      return false;
    return !Out || Out.isString() || failField(N, Field, "a string");
  case MetaFieldKind::Target:
    if (!decodeChild(N, Field.Name, Out))
      return false;
    return !Out ||
           (Out.getKind() == Attr::Kind::Object &&
            Out.getTypeKey() == "Target") ||
           failField(N, Field, "a Target");
  }
  llvm_unreachable("unknown kind of field");
}

bool MetaReader::readObject(const Node &N, Attr &Out) {
  std::optional<ArrayRef<MetaField>> Fields = getMetaFields(N.TypeKey);
  if (!Fields) {
    // Text refers to the node by its key.
    if (!isTypeKey(N.TypeKey))
      return fail("the type key of node " + Twine(&N - Json.Nodes.data()) +
                  " of the metadata is not a name");
    Out = makeRaw(&N - Json.Nodes.data());
    return true;
  }
  SmallVector<NamedAttr, 8> Entries;
  if (Fields->empty())
    Entries.emplace_back(Ctx.getString(ReprField),
                         Ctx.getString(N.Repr.value_or("")));
  if (!checkFieldNames(N, *Fields))
    return false;
  for (const MetaField &Field : *Fields) {
    if (Field.Kind == MetaFieldKind::Unused)
      continue;
    Attr Value;
    if (!readObjectField(N, Field, Value))
      return false;
    Entries.emplace_back(Ctx.getString(Field.Name), Value);
  }
  Out = Ctx.getObject(N.TypeKey, Entries);
  return true;
}

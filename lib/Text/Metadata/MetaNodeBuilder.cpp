//===- MetaNodeBuilder.cpp - Nodes of the metadata section ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the JSON nodes of the values collected by MetaWriter. If a value has
// an unknown kind, the nodes of its document that it may refer to keep their
// indices, and new nodes fill the gaps; printing a printed text therefore gives
// the same bytes.
//
//===----------------------------------------------------------------------===//

#include "MetaNodeBuilder.h"
#include "MetaObjects.h"
#include "NDArray.h"
#include "relay/Text/Parse/AttrValues.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

MetaNodeBuilder::MetaNodeBuilder(const MetaWriter &Writer, Context &Ctx)
    : Ctx(Ctx) {
  for (const auto &[Key, Entries] : Writer.Lists)
    for (const MetaWriter::Entry &E : Entries)
      findDocument(E.A);
  keepDocument();
  Root = allocate();
  SmallVector<StringRef, 8> Keys;
  SmallVector<uint32_t, 8> Lists;
  for (const auto &[Key, Entries] : Writer.Lists) {
    Keys.push_back(Key);
    Lists.push_back(allocate());
    SmallVector<uint32_t, 8> Elements;
    for (const MetaWriter::Entry &E : Entries)
      Elements.push_back(buildEntry(E));
    set(Lists.back(), "Array", std::nullopt, {}, {}, Elements);
  }
  set(Root, "Map", std::nullopt, {}, Keys, Lists);
  fillGaps();
}

void MetaNodeBuilder::fillGaps() {
  for (uint32_t Id = 0; Id < Nodes.size(); ++Id)
    if (Nodes[Id].empty())
      set(Id, "", std::nullopt);
}

/// Records the values of unknown kind in \p A. A module has at most one
/// document.
void MetaNodeBuilder::findDocument(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::Raw:
    if (!Document)
      Document = A.getRawDocument();
    if (Document == A.getRawDocument())
      RawNodes.push_back(A.getRawNode());
    return;
  case Attr::Kind::Array:
    for (Attr Element : A.getArray())
      findDocument(Element);
    return;
  case Attr::Kind::Dict:
  case Attr::Kind::Object:
    for (const auto &[Key, Value] :
         A.getKind() == Attr::Kind::Dict ? A.getDict() : A.getFields())
      findDocument(Value);
    return;
  case Attr::Kind::OpAttrs:
    for (Attr Slot : A.getOpAttrs()->getSlots())
      findDocument(Slot);
    return;
  default:
    return;
  }
}

/// Calls \p Visit with every number in \p JSON, which includes all indices.
static void forEachNumber(StringRef JSON, function_ref<void(uint32_t)> Visit) {
  while (true) {
    JSON = JSON.drop_until(llvm::isDigit);
    if (JSON.empty())
      return;
    StringRef Digits = JSON.take_while(llvm::isDigit);
    JSON = JSON.drop_front(Digits.size());
    uint32_t Number;
    if (!Digits.getAsInteger(10, Number))
      Visit(Number);
  }
}

/// Puts the nodes that values of unknown kind may refer to at their old
/// indices. Indices that a number names but that had no node stay empty.
void MetaNodeBuilder::keepDocument() {
  if (!Document) {
    Reserved.insert(0);
    return;
  }
  Nodes.resize(Document->Nodes.size());
  SmallVector<uint32_t, 16> Worklist(RawNodes.begin(), RawNodes.end());
  while (!Worklist.empty()) {
    uint32_t Id = Worklist.pop_back_val();
    if (!Reserved.insert(Id).second || Id >= Nodes.size() || Id == 0)
      continue;
    const MetaNode &N = Document->Nodes[Id];
    Nodes[Id] = N.JSON;
    if (Document->Values[Id].getKind() == Attr::Kind::DimVar)
      Ids[Document->Values[Id]] = Id;
    if (N.TypeKey == "relay.Constant")
      keepArray(N.JSON);
    forEachNumber(N.JSON, [&](uint32_t Number) { Worklist.push_back(Number); });
  }
  Reserved.insert(0);
}

/// Keeps the data of the constant \p JSON at its index.
void MetaNodeBuilder::keepArray(StringRef JSON) {
  StringRef Digits = JSON.split("\"data\": \"").second;
  uint32_t I;
  if (Digits.take_while(llvm::isDigit).getAsInteger(10, I) ||
      I >= Document->Arrays.size())
    return;
  Arrays.resize(std::max<size_t>(Arrays.size(), I + 1));
  Arrays[I].Text = Document->Arrays[I];
}

uint32_t MetaNodeBuilder::allocate() {
  while (Reserved.contains(NextNode))
    ++NextNode;
  if (NextNode >= Nodes.size())
    Nodes.resize(NextNode + 1);
  return NextNode++;
}

uint32_t MetaNodeBuilder::addArray(const ConstantData *Data) {
  auto [It, New] = ArrayIds.try_emplace(Data);
  if (!New)
    return It->second;
  while (NextArray < Arrays.size() && !Arrays[NextArray].isFree())
    ++NextArray;
  if (NextArray == Arrays.size())
    Arrays.emplace_back();
  Arrays[NextArray].Data = Data;
  return It->second = NextArray++;
}

void MetaNodeBuilder::set(uint32_t Id, StringRef TypeKey,
                          std::optional<StringRef> Repr,
                          ArrayRef<Attribute> Attrs, ArrayRef<StringRef> Keys,
                          ArrayRef<uint32_t> Data) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeMetaNode(OS, TypeKey, Repr, Attrs, Keys, Data);
  Nodes[Id] = std::move(Text);
}

uint32_t MetaNodeBuilder::buildEntry(const MetaWriter::Entry &E) {
  switch (E.K) {
  case MetaWriter::Entry::Value:
    // Each constant operation is a separate object.
    return E.A.getKind() == Attr::Kind::Constant
               ? buildConstant(E.A, allocate())
               : build(E.A);
  case MetaWriter::Entry::Elided:
    return 0;
  case MetaWriter::Entry::Var:
    return buildVar(E.Name, E.A);
  }
  llvm_unreachable("unknown kind of entry");
}

uint32_t MetaNodeBuilder::buildVirtualDevice() {
  if (VirtualDevice)
    return VirtualDevice;
  VirtualDevice = allocate();
  std::string Scope = text(buildString(""));
  set(VirtualDevice, "VirtualDevice", std::nullopt,
      {{"device_type_int", "-1"},
       {"memory_scope", Scope},
       {"target", "0"},
       {"virtual_device_id", "-1"}});
  return VirtualDevice;
}

uint32_t MetaNodeBuilder::buildConstant(Attr A, uint32_t Id) {
  std::string Data = text(addArray(A.getConstant()));
  std::string Device = text(buildVirtualDevice());
  set(Id, "relay.Constant", std::nullopt,
      {{"_checked_type_", "0"},
       {"data", Data},
       {"span", "0"},
       {"virtual_device_", Device}});
  return Id;
}

uint32_t MetaNodeBuilder::buildVar(StringRef Name, Attr Annotation) {
  uint32_t Id = allocate(), Vid = allocate();
  std::string VidText = text(Vid), NameText = text(buildString(Name));
  std::string Device = text(buildVirtualDevice()), Type = textOf(Annotation);
  set(Vid, "relay.Id", std::nullopt, {{"name_hint", NameText}});
  set(Id, "relay.Var", std::nullopt,
      {{"_checked_type_", "0"},
       {"span", "0"},
       {"type_annotation", Type},
       {"vid", VidText},
       {"virtual_device_", Device}});
  return Id;
}

uint32_t MetaNodeBuilder::buildString(StringRef Text) {
  uint32_t Id = allocate();
  set(Id, "runtime.String", Text);
  return Id;
}

uint32_t MetaNodeBuilder::build(Attr A) {
  if (!A)
    return 0;
  if (A.getKind() == Attr::Kind::Raw)
    return A.getRawDocument() == Document ? A.getRawNode() : 0;
  auto It = Ids.find(A);
  if (It != Ids.end())
    return It->second;
  uint32_t Id = allocate();
  Ids[A] = Id;
  buildInto(Id, A);
  return Id;
}

void MetaNodeBuilder::buildInto(uint32_t Id, Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::None:
  case Attr::Kind::Raw:
    return;
  case Attr::Kind::Bool:
  case Attr::Kind::Int:
  case Attr::Kind::Float: {
    std::string T = dtypeText(Ctx, A.getNumberType()), Value = directText(A);
    return set(Id, getMetaTypeKey(A), std::nullopt,
               {{"dtype", T}, {"span", "0"}, {"value", Value}});
  }
  case Attr::Kind::DType:
  case Attr::Kind::String:
    return set(Id, "runtime.String", directText(A));
  case Attr::Kind::Any:
  case Attr::Kind::DimVar:
  case Attr::Kind::DimExpr:
    return buildDim(Id, Dim(A));
  case Attr::Kind::Array: {
    SmallVector<uint32_t, 8> Data;
    for (Attr Element : A.getArray())
      Data.push_back(build(Element));
    return set(Id, "Array", std::nullopt, {}, {}, Data);
  }
  case Attr::Kind::Dict: {
    SmallVector<StringRef, 8> Keys;
    SmallVector<uint32_t, 8> Data;
    for (const auto &[Key, Value] : A.getDict()) {
      Keys.push_back(Key.getString());
      Data.push_back(build(Value));
    }
    return set(Id, "Map", std::nullopt, {}, Keys, Data);
  }
  case Attr::Kind::Constant:
    buildConstant(A, Id);
    return;
  case Attr::Kind::OpAttrs:
    return buildOpAttrs(Id, A.getOpAttrs());
  case Attr::Kind::Type:
    return buildType(Id, A.getType());
  case Attr::Kind::Object:
    return buildObject(Id, A);
  }
}

std::string MetaNodeBuilder::directText(Attr A) const {
  char Buffer[MaxNumberLength];
  switch (A.getKind()) {
  case Attr::Kind::Bool:
    return A.getBool() ? "1" : "0";
  case Attr::Kind::Int:
    return std::to_string(A.getInt());
  case Attr::Kind::Float:
    return std::string(Buffer, writeFloat(Buffer, A.getFloat(), 64));
  case Attr::Kind::DType:
    return dtypeText(Ctx, A.getDType());
  case Attr::Kind::String:
    return A.getString().str();
  default:
    return "";
  }
}

void MetaNodeBuilder::buildDim(uint32_t Id, Dim D) {
  std::string T = dtypeText(Ctx, D.getNumberType());
  if (D.isAny())
    return set(Id, "tir.Any", std::nullopt, {{"dtype", T}, {"span", "0"}});
  if (D.isVar()) {
    std::string Name = text(buildString(D.getVarName()));
    uint32_t Annotation = allocate();
    set(Annotation, "PrimType", std::nullopt, {{"dtype", T}});
    std::string AnnotationText = text(Annotation);
    return set(Id, getMetaTypeKey(D), std::nullopt,
               {{"dtype", T},
                {"name", Name},
                {"span", "0"},
                {"type_annotation", AnnotationText}});
  }
  ArrayRef<Dim> Operands = D.getOperands();
  std::string A = textOf(Operands[0]);
  if (D.getOp() == DimOp::Cast)
    return set(Id, getMetaTypeKey(D), std::nullopt,
               {{"dtype", T}, {"span", "0"}, {"value", A}});
  std::string B = textOf(Operands[1]);
  set(Id, getMetaTypeKey(D), std::nullopt,
      {{"a", A}, {"b", B}, {"dtype", T}, {"span", "0"}});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string MetaNodeBuilder::buildTypes(ArrayRef<Type *> Types) {
  SmallVector<Attr, 8> Elements;
  for (Type *T : Types)
    Elements.push_back(T ? Ctx.getTypeAttr(T) : Attr());
  return textOf(Ctx.getArray(Elements));
}

void MetaNodeBuilder::buildType(uint32_t Id, Type *T) {
  auto Set = [&](ArrayRef<Attribute> Attrs) {
    set(Id, getMetaTypeKey(Ctx.getTypeAttr(T)), std::nullopt, Attrs);
  };
  switch (T->getKind()) {
  case Type::Kind::Tensor: {
    auto *Tensor = cast<TensorType>(T);
    std::string Shape = textOf(Ctx.getArray(Tensor->getShape()));
    return Set({{"dtype", dtypeText(Ctx, Tensor->getDType())},
                {"shape", Shape},
                {"span", "0"}});
  }
  case Type::Kind::Tuple: {
    std::string Fields = buildTypes(cast<TupleType>(T)->getFields());
    return Set({{"fields", Fields}, {"span", "0"}});
  }
  case Type::Kind::Func: {
    auto *Func = cast<FuncType>(T);
    SmallVector<Type *, 4> Vars(Func->getTypeParams());
    std::string Params = buildTypes(Func->getParams());
    std::string Result = textOf(Ctx.getTypeAttr(Func->getResult()));
    std::string TypeParams = buildTypes(Vars), None = buildTypes({});
    return Set({{"arg_types", Params},
                {"ret_type", Result},
                {"span", "0"},
                {"type_constraints", None},
                {"type_params", TypeParams}});
  }
  case Type::Kind::Ref: {
    Type *Value = cast<RefType>(T)->getValueType();
    std::string ValueText = textOf(Ctx.getTypeAttr(Value));
    return Set({{"span", "0"}, {"value", ValueText}});
  }
  case Type::Kind::Var: {
    std::string Name = text(buildString(cast<TypeVarType>(T)->getName()));
    std::string Kind = text(uint32_t(cast<TypeVarType>(T)->getVarKind()));
    return Set({{"kind", Kind}, {"name_hint", Name}, {"span", "0"}});
  }
  case Type::Kind::Call: {
    uint32_t Func = buildGlobalTypeVar(cast<TypeCall>(T)->getName());
    std::string Args = buildTypes(cast<TypeCall>(T)->getArgs());
    return Set({{"args", Args}, {"func", text(Func)}, {"span", "0"}});
  }
  case Type::Kind::Incomplete:
    return Set({{"kind", "0"}, {"span", "0"}});
  }
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

namespace {
/// The attributes of a node under construction; owns the texts.
struct AttributeList {
  void add(StringRef Name, std::string Text) {
    Names.push_back(Name);
    Texts.push_back(std::move(Text));
  }
  SmallVector<std::pair<StringRef, StringRef>, 8> get() const {
    SmallVector<std::pair<StringRef, StringRef>, 8> Result;
    for (auto [Name, Text] : llvm::zip(Names, Texts))
      Result.emplace_back(Name, Text);
    return Result;
  }

private:
  SmallVector<StringRef, 8> Names;
  SmallVector<std::string, 8> Texts;
};
} // namespace

/// Returns the integers of `split` in TVM's form.
static Attr boxIntegers(Context &Ctx, Attr A) {
  if (A.isInt())
    return makeBox(Ctx, "runtime.BoxInt",
                   Ctx.getInt(A.getInt(), DType::getInt(64)));
  if (!A.isArray())
    return A;
  SmallVector<Attr, 8> Elements;
  for (Attr Element : A.getArray())
    Elements.push_back(boxIntegers(Ctx, Element));
  return Ctx.getArray(Elements);
}

uint32_t MetaNodeBuilder::buildGlobalTypeVar(StringRef Name) {
  uint32_t Id = allocate();
  std::string NameText = text(buildString(Name));
  set(Id, "GlobalTypeVar", std::nullopt,
      {{"kind", "5"}, {"name_hint", NameText}});
  return Id;
}

void MetaNodeBuilder::buildOpAttrs(
    uint32_t Id, const Attrs *A, function_ref<uint32_t(unsigned)> GetOperand) {
  AttributeList List;
  for (auto [Field, Slot] : llvm::zip(A->getInfo().Fields, A->getSlots())) {
    if (Field.Kind == FieldKind::Expr && GetOperand)
      List.add(Field.Name, text(GetOperand(Field.MirroredOperand)));
    else if (Field.Kind == FieldKind::IntOrArray)
      List.add(Field.Name, textOf(boxIntegers(Ctx, Slot)));
    else
      List.add(Field.Name,
               isDirectInJSON(Field) ? directText(Slot) : textOf(Slot));
  }
  set(Id, A->getInfo().TypeKey, std::nullopt, List.get());
}

void MetaNodeBuilder::buildObject(uint32_t Id, Attr A) {
  StringRef Key = A.getTypeKey();
  if (Attr Repr = A.lookup(ReprField))
    return set(Id, Key, Repr.getString());
  if (Attr Value = getBoxed(A)) {
    if (Value.isBool()) // TVM reads no other words here
      return set(Id, Key, StringRef(Value.getBool() ? "true" : "false"));
    return set(Id, Key, directText(Value));
  }
  if (Attr Data = A.lookup("data"); Key == "runtime.NDArray" && Data) {
    std::string Base64;
    llvm::raw_string_ostream OS(Base64);
    writeNDArray(OS, *Data.getConstant());
    return set(Id, Key, Base64);
  }
  AttributeList List;
  for (const MetaField &Field :
       getMetaFields(Key).value_or(ArrayRef<MetaField>())) {
    Attr Value = A.lookup(Field.Name);
    switch (Field.Kind) {
    case MetaFieldKind::Node:
    case MetaFieldKind::Text:
    case MetaFieldKind::Target:
      List.add(Field.Name, textOf(Value));
      break;
    case MetaFieldKind::Int:
    case MetaFieldKind::String:
      List.add(Field.Name, directText(Value));
      break;
    case MetaFieldKind::Unused:
      List.add(Field.Name, "0");
      break;
    }
  }
  set(Id, Key, std::nullopt, List.get());
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

void MetaNodeBuilder::write(raw_ostream &OS) const {
  OS << "{\n  \"root\": " << Root << ", \n  \"nodes\": [\n";
  llvm::interleave(
      Nodes, [&](const std::string &Text) { OS << Text; },
      [&] { OS << ", \n"; });
  OS << "\n  ], \n  \"b64ndarrays\": [";
  StringRef Separator = "\n    \"";
  for (const ArraySlot &A : Arrays) {
    OS << Separator << A.Text;
    if (A.Data)
      writeNDArray(OS, *A.Data);
    OS << '"';
    Separator = ", \n    \"";
  }
  OS << (Arrays.empty() ? "" : "\n  ")
     << "], \n  \"attrs\": {\"tvm_version\": \"0.18.0\"}\n}\n";
}

void MetaWriter::write(raw_ostream &OS) const {
  OS << "#[metadata]\n";
  MetaNodeBuilder(*this, Ctx).write(OS);
}

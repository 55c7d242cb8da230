//===- JsonReader.cpp - Modules as TVM's JSON -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the document, its type definitions and functions. See JsonReader.h.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

LogicalResult Parser::parseJson(StringRef Json) {
  JsonReader(*this).read(Json);
  if (NumErrors == 0) {
    checkGlobals();
    if (std::shared_ptr<MetaDocument> D = Meta.takeDocument())
      M.keep(std::move(D));
  }
  return success(NumErrors == 0);
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

/// Counts the uses of each node up to 2, including uses in unreachable nodes.
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
        P.loc(Root.At),
        "the JSON does not name the release of TVM that wrote it; it is read "
        "as JSON of 0.18 (-text-version=0.7 overrides this)");
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

/// The keys and values of the map in the field \p Name, by the names of the
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
  for (auto [Name, Key, Value] : Pairs)
    TypeNames.insert(Name);
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
  if (Var && Var->TypeKey != "GlobalTypeVar")
    return fail(*Var, "`" + Var->TypeKey + "` is not the name of a type");
  if (!Var || !getGlobalName(*Var, New->Name) ||
      !getTypeVars(N, "type_vars", Params) || !bindTypeVars(N, Params) ||
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
      if (Field.getType()->isIncomplete())
        return fail(C, "a field of constructor `" + Cons->Name +
                           "` has an unknown type");
      if (!checkTypeVars(C, Field.getType()))
        return false;
      Cons->Fields.push_back(Field.getType());
    }
    Cons->Tag = New->Constructors.size();
    New->Constructors.push_back(std::move(Cons));
  }
  P.M.addTypeDef(std::move(New));
  TypeVars.clear(); // another definition may bind them, too
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

/// Reads an expression at the root as the body of `@main`.
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

/// Reads the function \p N without its body; the block of \p Body is current.
bool JsonReader::readSignature(const Node &N, Signature &Sig, Block &Body) {
  SmallVector<TypeVarType *, 4> TypeParams;
  ArrayRef<uint32_t> Params;
  if (!getTypeVars(N, "type_params", TypeParams) ||
      !bindTypeVars(N, TypeParams) || !getList(N, "params", Params) ||
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

//===- JsonWriter.cpp - IR to TVM's JSON ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a node for each operation, and for each bound one also its variable
// and its `let`. Nodes refer to each other by numbers that are assigned at
// first use, so that one walk over the module writes them all.
//
//===----------------------------------------------------------------------===//

#include "Metadata/MetaNodeBuilder.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Json/Json.h"
#include "relay/Text/Parse/AttrValues.h"

using namespace relay;

namespace {
class JsonWriter : public MetaNodeBuilder {
public:
  explicit JsonWriter(Module &M) : MetaNodeBuilder(M.getContext()), M(M) {}
  void build();

private:
  using MetaNodeBuilder::build;

  void findDocuments();
  void findDocuments(const Attrs *A);
  void findDocuments(const Signature &Sig);
  void findDocuments(const Operation &Op);
  uint32_t buildModule();
  uint32_t buildMap(StringRef TypeKey, ArrayRef<StringRef> Keys,
                    ArrayRef<uint32_t> Data);
  uint32_t buildArray(ArrayRef<uint32_t> Data);
  uint32_t buildDict(const Attrs *A);
  uint32_t buildNode(StringRef TypeKey, ArrayRef<Attribute> Fields);
  uint32_t buildGlobalTypeVar(StringRef Name) override;
  uint32_t getGlobalVar(StringRef Name);
  uint32_t getOperator(StringRef Name);
  uint32_t getConstructor(StringRef Name);
  void buildConstructor(uint32_t Id, const Constructor &C);
  uint32_t buildTypeDef(const TypeDef &D);

  void buildFunctionBody(Block &Body);
  uint32_t buildFunction(uint32_t Id, const Signature &Sig, Block &Body,
                         Location Loc);
  uint32_t buildVariable(StringRef Name, Type *Annotation, Attr Device,
                         Location Loc);
  uint32_t buildDevice(Attr Device) {
    return Device ? build(Device) : buildVirtualDevice();
  }
  uint32_t buildSpan(Location Loc);
  uint32_t getVariable(const Value *V);
  using NodeMap = llvm::DenseMap<const Value *, uint32_t>;
  /// Returns the node of \p Op in \p Nodes, which is created at first use.
  uint32_t getNode(NodeMap &Nodes, const Operation *Op);
  uint32_t getNode(const Operation *Op) { return getNode(OperationNodes, Op); }
  uint32_t getLet(const Operation *Op) { return getNode(Lets, Op); }
  uint32_t getValue(const Operation *Op);
  uint32_t getUse(const Value *V);
  uint32_t getBlock(Block &B);
  uint32_t buildPattern(const MatchPattern &P);
  void buildLets(Block &B);
  void buildOperation(Operation &Op);
  void buildCall(Operation &Op, uint32_t Callee, unsigned FirstArg,
                 uint32_t AttrsId);
  uint32_t buildCallAttrs(Operation &Op);
  /// Writes the node \p Op with \p Fields and the fields common to expressions.
  void setExpr(Operation &Op, StringRef TypeKey, ArrayRef<Attribute> Fields);

  Module &M;
  NodeMap Variables, OperationNodes, Lets;
  llvm::DenseMap<StringRef, uint32_t> GlobalVars, Operators, Constructors,
      GlobalTypeVars;
};
} // namespace

void relay::printJson(Module &M, raw_ostream &OS) {
  JsonWriter Writer(M);
  Writer.build();
  Writer.write(OS);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Finds objects of unknown kinds in all attributes.
void JsonWriter::findDocuments() {
  findDocuments(M.getAttributes());
  for (relay::Function &F : M.functions()) {
    findDocuments(F.getSignature());
    walkBlocks(F.getBody(), [&](Block &B) {
      for (BlockArgument *Arg : B.getArguments())
        findDocument(Arg->getVirtualDevice());
      for (Operation &Op : B)
        findDocuments(Op);
    });
  }
}

void JsonWriter::findDocuments(const Attrs *A) {
  if (A)
    for (Attr Slot : A->getSlots())
      findDocument(Slot);
}

void JsonWriter::findDocuments(const Signature &Sig) {
  findDocuments(Sig.Attributes);
  findDocument(Sig.VirtualDevice);
}

void JsonWriter::findDocuments(const Operation &Op) {
  findDocuments(Op.getAttrs());
  findDocument(Op.getVarVirtualDevice());
  if (Op.is(OpCode::Fn))
    findDocuments(Op.getSignature());
}

void JsonWriter::build() {
  findDocuments();
  keepDocument();
  Function *Main = M.isExpression() ? &*M.functions().begin() : nullptr;
  if (!Main) {
    Root = buildModule();
  } else {
    buildFunctionBody(Main->getBody());
    Root = Main->getForm() == Function::Form::OpenExpression
               ? getBlock(Main->getBody())
               : buildFunction(allocate(), Main->getSignature(),
                               Main->getBody(), Main->getLoc());
  }
  fillGaps();
}

uint32_t JsonWriter::buildNode(StringRef TypeKey, ArrayRef<Attribute> Fields) {
  uint32_t Id = allocate();
  set(Id, TypeKey, std::nullopt, Fields);
  return Id;
}

uint32_t JsonWriter::buildMap(StringRef TypeKey, ArrayRef<StringRef> Keys,
                              ArrayRef<uint32_t> Data) {
  uint32_t Id = allocate();
  set(Id, TypeKey, std::nullopt, {}, Keys, Data);
  return Id;
}

uint32_t JsonWriter::buildArray(ArrayRef<uint32_t> Data) {
  return Data.empty() ? build(Ctx.getArray(ArrayRef<Attr>()))
                      : buildMap("Array", {}, Data);
}

uint32_t JsonWriter::buildDict(const Attrs *A) {
  std::string Dict =
      text(build(Ctx.getDict(A ? A->getEntries() : ArrayRef<NamedAttr>())));
  return buildNode("DictAttrs", {{"__dict__", Dict}});
}

uint32_t JsonWriter::buildModule() {
  SmallVector<uint32_t, 8> Definitions, Functions, TypeVars, Vars;
  SmallVector<StringRef, 8> TypeNames, Names;
  for (TypeDef &D : M.typeDefs()) {
    TypeNames.push_back(D.Name);
    TypeVars.push_back(buildGlobalTypeVar(D.Name));
    Definitions.append({TypeVars.back(), buildTypeDef(D)});
  }
  for (relay::Function &F : M.functions()) {
    Names.push_back(F.getName());
    Vars.push_back(getGlobalVar(F.getName()));
    buildFunctionBody(F.getBody());
    Functions.append({Vars.back(), buildFunction(allocate(), F.getSignature(),
                                                 F.getBody(), F.getLoc())});
  }
  std::string Empty = text(buildMap("Map", {}, {}));
  std::string Sources = text(buildNode("SourceMap", {{"source_map", Empty}}));
  std::string FunctionMap = text(buildMap("Map", {}, Functions));
  std::string VarMap = text(buildMap("Map", Names, Vars));
  std::string TypeMap = text(buildMap("Map", {}, Definitions));
  std::string TypeVarMap = text(buildMap("Map", TypeNames, TypeVars));
  std::string Dict = text(buildDict(M.getAttributes()));
  return buildNode("IRModule", {{"attrs", Dict},
                                {"functions", FunctionMap},
                                {"global_infos", Empty},
                                {"global_type_var_map_", TypeVarMap},
                                {"global_var_map_", VarMap},
                                {"source_map", Sources},
                                {"type_definitions", TypeMap}});
}

uint32_t JsonWriter::buildGlobalTypeVar(StringRef Name) {
  auto [It, New] = GlobalTypeVars.try_emplace(Name, 0);
  if (!New)
    return It->second;
  uint32_t Id = MetaNodeBuilder::buildGlobalTypeVar(Name);
  return GlobalTypeVars[Name] = Id;
}

uint32_t JsonWriter::getGlobalVar(StringRef Name) {
  auto [It, New] = GlobalVars.try_emplace(Name, 0);
  if (!New)
    return It->second;
  std::string NameText = text(buildString(Name));
  std::string Device = text(buildVirtualDevice());
  return GlobalVars[Name] =
             buildNode("GlobalVar", {{"_checked_type_", "0"},
                                     {"name_hint", NameText},
                                     {"span", "0"},
                                     {"struct_info_", "0"},
                                     {"virtual_device_", Device}});
}

uint32_t JsonWriter::getOperator(StringRef Name) {
  uint32_t &Id = Operators[Name];
  if (!Id) {
    Id = allocate();
    set(Id, "Op", Name);
  }
  return Id;
}

uint32_t JsonWriter::getConstructor(StringRef Name) {
  auto [It, New] = Constructors.try_emplace(Name, 0);
  if (!New)
    return It->second;
  uint32_t Id = Constructors[Name] = allocate();
  Constructor Unknown;
  Unknown.Name = Name;
  const Constructor *Known = M.lookupConstructor(Name);
  buildConstructor(Id, Known ? *Known : Unknown);
  return Id;
}

/// TVM stores a hash of the type's name in the highest byte of the tag.
void JsonWriter::buildConstructor(uint32_t Id, const Constructor &C) {
  StringRef Type = C.Parent ? C.Parent->Name : "";
  uint32_t Hash = std::hash<std::string>()(Type.str()) & 0xff;
  std::string Tag = std::to_string(int32_t(Hash << 24 | C.Tag));
  std::string Name = text(buildString(C.Name));
  std::string Parent = text(C.Parent ? buildGlobalTypeVar(Type) : 0);
  std::string Inputs = buildTypes(C.Fields);
  set(Id, "relay.Constructor", std::nullopt,
      {{"_checked_type_", "0"},
       {"belong_to", Parent},
       {"inputs", Inputs},
       {"name_hint", Name},
       {"span", "0"},
       {"tag", Tag}});
}

uint32_t JsonWriter::buildTypeDef(const TypeDef &D) {
  SmallVector<uint32_t, 4> List;
  for (const auto &C : D.Constructors)
    List.push_back(getConstructor(C->Name));
  std::string ConstructorsText = text(buildArray(List));
  std::string Header = text(buildGlobalTypeVar(D.Name));
  std::string Params = buildTypes(
      SmallVector<Type *, 4>(D.TypeParams.begin(), D.TypeParams.end()));
  return buildNode("relay.TypeData", {{"constructors", ConstructorsText},
                                      {"header", Header},
                                      {"span", "0"},
                                      {"type_vars", Params}});
}

//===----------------------------------------------------------------------===//
// Functions and variables
//===----------------------------------------------------------------------===//

uint32_t JsonWriter::buildSpan(Location Loc) {
  ArrayRef<Span> Spans = Ctx.getDiagnostics().getLocations().getSpans(Loc);
  if (Spans.empty())
    return 0;
  uint32_t Source = allocate();
  set(Source, "SourceName", Spans[0].Source);
  std::string Column = text(Spans[0].Column), Line = text(Spans[0].Line);
  std::string SourceText = text(Source);
  return buildNode("Span", {{"column", Column},
                            {"end_column", Column},
                            {"end_line", Line},
                            {"line", Line},
                            {"source_name", SourceText}});
}

uint32_t JsonWriter::buildVariable(StringRef Name, Type *Annotation,
                                   Attr Device, Location Loc) {
  std::string NameText = text(buildString(Name));
  std::string Vid = text(buildNode("relay.Id", {{"name_hint", NameText}}));
  std::string TypeText =
      text(Annotation ? build(Ctx.getTypeAttr(Annotation)) : 0);
  std::string DeviceText = text(buildDevice(Device));
  std::string SpanText = text(buildSpan(Loc));
  return buildNode("relay.Var", {{"_checked_type_", "0"},
                                 {"span", SpanText},
                                 {"type_annotation", TypeText},
                                 {"vid", Vid},
                                 {"virtual_device_", DeviceText}});
}

/// Returns the variable of a bound operation or an argument.
uint32_t JsonWriter::getVariable(const Value *V) {
  auto It = Variables.find(V);
  if (It != Variables.end())
    return It->second;
  uint32_t Id;
  if (const auto *Arg = dyn_cast<BlockArgument>(V)) {
    Id = buildVariable(Arg->getName(), Arg->getAnnotation(),
                       Arg->getVirtualDevice(), Arg->getLoc());
  } else {
    const auto *Op = cast<Operation>(V);
    Id = buildVariable(Op->getVarName(), Op->getVarAnnotation(),
                       Op->getVarVirtualDevice(), {});
  }
  return Variables[V] = Id;
}

/// Returns the node for the value of \p Op, which is written when Op is
/// visited.
uint32_t JsonWriter::getNode(NodeMap &Nodes, const Operation *Op) {
  auto [It, IsNew] = Nodes.try_emplace(Op, 0);
  if (IsNew)
    It->second = allocate();
  return It->second;
}

/// Returns the node of the expression of \p Op. The recursion over scopes and
/// aliases is bounded by the nesting of blocks.
uint32_t JsonWriter::getValue(const Operation *Op) {
  if (Op->is(OpCode::Scope))
    return getBlock(Op->getRegion());
  if (Op->is(OpCode::Alias))
    return getUse(Op->getOperand(0));
  switch (Op->getCode()) {
  case OpCode::GlobalRef:
    return getGlobalVar(Op->getAttrsAs<SymbolAttrs>().symbol());
  case OpCode::OpRef:
    return getOperator(Op->getAttrsAs<SymbolAttrs>().symbol());
  case OpCode::ConstructorRef:
    return getConstructor(Op->getAttrsAs<SymbolAttrs>().symbol());
  default:
    return getNode(Op);
  }
}

uint32_t JsonWriter::getUse(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  return !Op || Op->isBound() ? getVariable(V) : getValue(Op);
}

/// Returns the node of the `let` chain of \p B, or of its result.
uint32_t JsonWriter::getBlock(Block &B) {
  Block *Inner = &B;
  while (true) {
    auto Bindings = Inner->bindings();
    if (Bindings.begin() != Bindings.end())
      return getLet(&*Bindings.begin());
    Operation *Result = Inner->getResult()->getDefiningOp();
    if (!Result || Result->isBound() || !Result->is(OpCode::Scope))
      return getUse(Inner->getResult());
    Inner = &Result->getRegion();
  }
}

uint32_t JsonWriter::buildFunction(uint32_t Id, const Signature &Sig,
                                   Block &Body, Location Loc) {
  SmallVector<uint32_t, 8> Params;
  for (const BlockArgument *Arg : Body.getArguments())
    Params.push_back(getVariable(Arg));
  std::string ParamsText = text(buildArray(Params));
  std::string TypeParams = buildTypes(
      SmallVector<Type *, 4>(Sig.TypeParams.begin(), Sig.TypeParams.end()));
  std::string Result = text(
      Sig.ResultAnnotation ? build(Ctx.getTypeAttr(Sig.ResultAnnotation)) : 0);
  std::string BodyText = text(getBlock(Body)),
              Dict = text(buildDict(Sig.Attributes));
  std::string Device = text(buildDevice(Sig.VirtualDevice));
  std::string SpanText = text(buildSpan(Loc));
  set(Id, "relay.Function", std::nullopt,
      {{"_checked_type_", "0"},
       {"attrs", Dict},
       {"body", BodyText},
       {"params", ParamsText},
       {"ret_type", Result},
       {"span", SpanText},
       {"type_params", TypeParams},
       {"virtual_device_", Device}});
  return Id;
}

void JsonWriter::buildFunctionBody(Block &Body) {
  walkBlocks(Body, [&](Block &B) {
    buildLets(B);
    for (Operation &Op : B)
      buildOperation(Op);
  });
}

void JsonWriter::buildLets(Block &B) {
  SmallVector<Operation *, 8> Bound;
  for (Operation &Op : B.bindings())
    Bound.push_back(&Op);
  std::string Device = text(buildVirtualDevice());
  for (size_t I = 0; I != Bound.size(); ++I) {
    std::string Var = text(getVariable(Bound[I]));
    std::string ValueText = text(getValue(Bound[I]));
    std::string Body = text(I + 1 == Bound.size() ? getUse(B.getResult())
                                                  : getLet(Bound[I + 1]));
    set(getLet(Bound[I]), "relay.Let", std::nullopt,
        {{"_checked_type_", "0"},
         {"body", Body},
         {"span", "0"},
         {"value", ValueText},
         {"var", Var},
         {"virtual_device_", Device}});
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void JsonWriter::setExpr(Operation &Op, StringRef TypeKey,
                         ArrayRef<Attribute> Fields) {
  std::string Device = text(buildVirtualDevice());
  std::string SpanText = text(buildSpan(Op.getLoc()));
  SmallVector<Attribute, 8> All = {{"_checked_type_", "0"}};
  All.append(Fields.begin(), Fields.end());
  All.append({{"span", SpanText}, {"virtual_device_", Device}});
  llvm::sort(All);
  set(getNode(&Op), TypeKey, std::nullopt, All);
}

/// Writes the attributes of an operator call. A field that mirrors an operand
/// refers to the operand's node.
uint32_t JsonWriter::buildCallAttrs(Operation &Op) {
  const Attrs *A = Op.getAttrs();
  if (!A)
    return 0;
  if (A->isDict()) {
    Attr Whole = A->lookup(WholeAttrsKey);
    return Whole ? build(Whole) : A->getEntries().empty() ? 0 : buildDict(A);
  }
  bool Mirrors = llvm::any_of(A->getInfo().Fields, [](const AttrField &Field) {
    return Field.Kind == FieldKind::Expr;
  });
  if (!Mirrors)
    return build(Ctx.getOpAttrsAttr(A));
  uint32_t Id = allocate();
  buildOpAttrs(Id, A, [&](unsigned I) { return getUse(Op.getOperand(I)); });
  return Id;
}

void JsonWriter::buildCall(Operation &Op, uint32_t Callee, unsigned FirstArg,
                           uint32_t AttrsId) {
  SmallVector<uint32_t, 8> Args;
  for (unsigned I = FirstArg; I != Op.getNumOperands(); ++I)
    Args.push_back(getUse(Op.getOperand(I)));
  std::string ArgsText = text(buildArray(Args));
  std::string TypeArgs = buildTypes(
      SmallVector<Type *, 4>(Op.getTypeArgs().begin(), Op.getTypeArgs().end()));
  setExpr(Op, "relay.Call",
          {{"args", ArgsText},
           {"attrs", text(AttrsId)},
           {"op", text(Callee)},
           {"type_args", TypeArgs}});
}

/// Patterns may nest deeply: each is numbered before its parts are written.
uint32_t JsonWriter::buildPattern(const MatchPattern &Root) {
  uint32_t RootId = allocate();
  SmallVector<std::pair<const MatchPattern *, uint32_t>, 8> Worklist = {
      {&Root, RootId}};
  while (!Worklist.empty()) {
    auto [P, Id] = Worklist.pop_back_val();
    if (P->K == MatchPattern::Kind::Wildcard) {
      set(Id, "relay.PatternWildcard", std::nullopt, {{"span", "0"}});
      continue;
    }
    if (P->K == MatchPattern::Kind::Var) {
      std::string Var = text(getVariable(P->Variable));
      set(Id, "relay.PatternVar", std::nullopt, {{"span", "0"}, {"var", Var}});
      continue;
    }
    SmallVector<uint32_t, 4> Parts;
    for (const MatchPattern *Child : P->Children) {
      Parts.push_back(allocate());
      Worklist.push_back({Child, Parts.back()});
    }
    std::string PartsText = text(buildArray(Parts));
    if (P->K == MatchPattern::Kind::Tuple) {
      set(Id, "relay.PatternTuple", std::nullopt,
          {{"patterns", PartsText}, {"span", "0"}});
      continue;
    }
    std::string Cons = text(getConstructor(P->Constructor));
    set(Id, "relay.PatternConstructor", std::nullopt,
        {{"constructor", Cons}, {"patterns", PartsText}, {"span", "0"}});
  }
  return RootId;
}

void JsonWriter::buildOperation(Operation &Op) {
  auto Use = [&](unsigned I) { return text(getUse(Op.getOperand(I))); };
  switch (Op.getCode()) {
  case OpCode::Operator:
    return buildCall(Op, getOperator(Op.getName()), 0, buildCallAttrs(Op));
  case OpCode::CallGlobal: {
    const auto &A = Op.getAttrsAs<CallGlobalAttrs>();
    return buildCall(Op, getGlobalVar(A.callee()), 0,
                     build(Op.getAttr("attributes")));
  }
  case OpCode::CallValue:
    return buildCall(Op, getUse(Op.getOperand(0)), 1,
                     build(Op.getAttr("attributes")));
  case OpCode::CallConstructor: {
    const auto &A = Op.getAttrsAs<CallConstructorAttrs>();
    return buildCall(Op, getConstructor(A.constructor()), 0,
                     build(Op.getAttr("attributes")));
  }
  case OpCode::Tuple: {
    SmallVector<uint32_t, 8> Fields;
    for (const Value *V : Op.operands())
      Fields.push_back(getUse(V));
    return setExpr(Op, "relay.Tuple", {{"fields", text(buildArray(Fields))}});
  }
  case OpCode::TupleGetItem:
    return setExpr(Op, "relay.TupleGetItem",
                   {{"index", text(Op.getAttrsAs<TupleGetItemAttrs>().index())},
                    {"tuple_value", Use(0)}});
  case OpCode::Constant:
    return setExpr(
        Op, "relay.Constant",
        {{"data", text(addArray(Op.getAttrs()->getSlot(0).getConstant()))}});
  case OpCode::If:
    return setExpr(Op, "relay.If",
                   {{"cond", Use(0)},
                    {"false_branch", text(getBlock(Op.getRegion(1)))},
                    {"true_branch", text(getBlock(Op.getRegion(0)))}});
  case OpCode::Match: {
    SmallVector<uint32_t, 4> Clauses;
    for (auto [Region, Pattern] :
         llvm::zip(Op.getRegions(), Op.getPatterns())) {
      std::string Lhs = text(buildPattern(*Pattern));
      std::string Rhs = text(getBlock(Region));
      Clauses.push_back(
          buildNode("relay.Clause", {{"lhs", Lhs}, {"rhs", Rhs}}));
    }
    return setExpr(Op, "relay.Match",
                   {{"clauses", text(buildArray(Clauses))},
                    {"complete", Op.isCompleteMatch() ? "1" : "0"},
                    {"data", Use(0)}});
  }
  case OpCode::Fn:
    buildFunction(getNode(&Op), Op.getSignature(), Op.getRegion(), Op.getLoc());
    return;
  case OpCode::RefCreate:
    return setExpr(Op, "relay.RefCreate", {{"value", Use(0)}});
  case OpCode::RefRead:
    return setExpr(Op, "relay.RefRead", {{"ref", Use(0)}});
  case OpCode::RefWrite:
    return setExpr(Op, "relay.RefWrite", {{"ref", Use(0)}, {"value", Use(1)}});
  case OpCode::Scope:
  case OpCode::Alias:
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return; // they have no nodes of their own
  }
}

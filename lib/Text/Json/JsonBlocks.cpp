//===- JsonBlocks.cpp - Scopes of expressions in JSON ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables and their scopes, the stack of frames, and chains of `let`s.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type variables
//===----------------------------------------------------------------------===//

/// Returns true if \p Var is in scope.
bool JsonReader::isBound(const TypeVarType *Var) const {
  auto It = TypeVars.find(Var);
  return It != TypeVars.end() && It->second.Function == P.FunctionNumber &&
         (!P.F || P.RegionIsOpen[It->second.Region]);
}

/// Returns true if text supports a type variable named \p Name.
static bool isTypeVarName(Context &Ctx, StringRef Name) {
  static constexpr StringLiteral Taken[] = {"Tensor", "fn", "ref", "meta", "_"};
  std::string Text = Name.str();
  Lexer L(Text);
  Token First = L.lex();
  return First.is(Tok::Identifier) && First.text() == Name &&
         !llvm::is_contained(Taken, Name) && !relay::parseDType(Ctx, Name);
}

/// Binds \p Vars, declared by the function or type definition \p N, in the
/// current region.
bool JsonReader::bindTypeVars(const Node &N, ArrayRef<TypeVarType *> Vars) {
  for (TypeVarType *Var : Vars) {
    if (isBound(Var))
      return fail(N, "type variable `" + Var->getName() + "` is bound twice");
    if (!isTypeVarName(Ctx, Var->getName()) ||
        TypeNames.contains(Var->getName()))
      return fail(N, "type variable of the name `" + Var->getName() +
                         "`, which text cannot hold");
    TypeVars[Var] = {P.FunctionNumber, P.Region};
  }
  return true;
}

/// Reports an error if \p T, a type in \p N, has a type variable that is not in
/// scope.
bool JsonReader::checkTypeVars(const Node &N, const Type *T) {
  SmallVector<const Type *, 8> Worklist = {T};
  llvm::SmallPtrSet<const Type *, 8> BoundByFuncs;
  while (!Worklist.empty()) {
    const Type *Next = Worklist.pop_back_val();
    if (!Next->hasTypeVar())
      continue;
    auto *Var = dyn_cast<TypeVarType>(Next);
    if (Var && !BoundByFuncs.contains(Var) && !isBound(Var))
      return fail(N, "`" + N.TypeKey + "` has the type variable `" +
                         Var->getName() + "`, which is not in scope");
    if (auto *Func = dyn_cast<FuncType>(Next))
      BoundByFuncs.insert(Func->getTypeParams().begin(),
                          Func->getTypeParams().end());
    if (!Var)
      llvm::append_range(Worklist, getParts(Next));
  }
  return true;
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

/// Returns true if the variable \p Id is in scope.
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

/// Adds a parameter of a function, or a variable of a pattern.
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

/// Leaves all blocks after an error, the innermost first.
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

/// Sets Result to the value of node \p Id in the current function if it is
/// known or simple; otherwise enters a frame that computes it.
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
    // Whether it is in scope depends on the use.
    return useVar(Id, Result);
  case Kind::GlobalVar:
  case Kind::Op:
  case Kind::Constructor:
    // A name: each use is a separate value, even if two `let`s bind it.
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

/// A further use of a node is valid only where the variables that it needs are
/// in scope.
bool JsonReader::useNode(uint32_t Id, const Entry &E) {
  if (!P.RegionIsOpen[E.Region] && !P.RegionIsOpen[P.getRegionNeeded(E.V)])
    return fail(Json.Nodes[Id], "node " + Twine(Id) +
                                    " needs variables that are not in scope "
                                    "where it is used");
  Result = E.V;
  return true;
}

/// Leaves the frame of a node, whose value is \p V.
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

/// Returns true if the `let` is used once and is therefore part of the chain
/// that contains it.
bool JsonReader::isInSequence(uint32_t Id, bool IsScopeRoot) const {
  return getKind(Json.Nodes[Id]) == Kind::Let && (IsScopeRoot || Uses[Id] < 2);
}

/// Processes a chain of `let`s: for each one the value, then the binding.
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
  // The variable of a closure is in scope inside the closure.
  auto It = Variables.find(Var.Id);
  if (It != Variables.end() && It->second.V == V)
    Variables.erase(It);
  Operation *Op = P.bindLet(Var.Name, V, Var.Annotation, Var.Device, N.At);
  if (Var.Loc.hasSpan() && !Op->getLoc().hasSpan())
    Op->setLoc(Var.Loc);
  return define(N, Var.Id, Op);
}

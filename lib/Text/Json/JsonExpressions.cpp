//===- JsonExpressions.cpp - Expressions in JSON --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations for nodes of expressions other than calls, and patterns of
// `match`.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

using namespace relay;

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

/// Reports an error if the node \p Id, of which \p N takes a field, is a name
/// or a constant: in text, these followed by a dot mean something else.
bool JsonReader::checkProjected(const Node &N, uint32_t Id) {
  Kind K = getKind(Json.Nodes[Id]);
  if (K != Kind::GlobalVar && K != Kind::Op && K != Kind::Constructor &&
      K != Kind::Constant)
    return true;
  return fail(N, "`" + Json.Nodes[Id].TypeKey + "` is not a tuple");
}

/// Finds the nodes that are needed before \p F's operation.
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
    return Add("tuple_value") && checkProjected(N, F.Children.back());
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

/// Creates an operation without regions.
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

/// Reads a `let` that is used as a value: a scope.
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
    // It is bound here later.
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
                         Twine(Known->Fields.size()) +
                         " fields, but the pattern has " + Twine(Parts.size()));
    if (!Known && !P.IsExpression && !P.Options.AllowUndefinedGlobals)
      return fail(N, "undefined constructor `" + Out->Constructor + "`");
  }
  return P.nested([&] { return readPatterns(Parts, Clause, *Out); });
}

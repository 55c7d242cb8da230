//===- PatternSearch.cpp - Matches in expressions -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts an expression to a function of a scratch module, runs the matcher
// on it, and maps expressions of the IR back to nodes: both have the same
// parts, so that one walk over both finds the pairs.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Composite/PatternGroups.h"

using namespace relay;
using namespace relay::python;

//===----------------------------------------------------------------------===//
// Nodes of expressions
//===----------------------------------------------------------------------===//

/// Appends the variables of \p P in the order of the arguments of the clause.
static void appendVariables(const MatchPatternExpr &P,
                            SmallVectorImpl<const Expr *> &Parts) {
  SmallVector<const MatchPatternExpr *, 4> Stack = {&P};
  while (!Stack.empty()) {
    const MatchPatternExpr *Top = Stack.pop_back_val();
    if (Top->K == MatchPatternExpr::Kind::Var)
      Parts.push_back(Top->Target.get());
    for (const MatchPatternExpr::Ref &Child : llvm::reverse(Top->Children))
      Stack.push_back(Child.get());
  }
}

/// Appends the parts of \p Node in the order of appendExprParts().
static void appendParts(const Expr &Node,
                        SmallVectorImpl<const Expr *> &Parts) {
  for (const Expr::Ref &Child : Node.getChildren())
    Parts.push_back(Child.get());
  if (isa<Let>(&Node))
    std::swap(Parts[0], Parts[1]);
  auto *TheMatch = dyn_cast<python::Match>(&Node);
  if (!TheMatch)
    return;
  SmallVector<const Expr *, 8> Variables;
  for (const MatchPatternExpr::Ref &P : TheMatch->Patterns)
    appendVariables(*P, Variables);
  Parts.insert(Parts.begin() + 1, Variables.begin(), Variables.end());
}

ExprMap::ExprMap(relay::ExprRef Root, const Expr &Node, size_t Size) {
  SmallVector<relay::ExprRef, 8> Parts;
  SmallVector<const Expr *, 8> Children;
  Nodes.reserve(Size);
  Pairs.reserve(Size);
  auto Add = [this](relay::ExprRef E, const Expr *Node) {
    if (Nodes.try_emplace(E, Node).second)
      Pairs.push_back({E, Node});
  };
  Add(Root, &Node);
  for (size_t Next = 0; Next != Pairs.size(); ++Next) {
    Parts.clear();
    Children.clear();
    appendExprParts(Pairs[Next].first, Parts);
    appendParts(*Pairs[Next].second, Children);
    assert(Parts.size() == Children.size() && "the IR has other parts");
    for (auto [Part, Child] : llvm::zip(Parts, Children))
      Add(Part, Child);
  }
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

PatternProgram relay::python::compilePattern(Work &W, const Pattern &P) {
  FailureOr<PatternProgram> Program =
      PatternProgram::compile(Engine::get().getContext(), P);
  if (failed(Program))
    W.raise(ErrorKind::Value, "the pattern is not valid");
  return std::move(*Program);
}

static bool needsTypes(const PatternProgram &Program) {
  return llvm::any_of(Program.getInsts(), [](const PatternInst &I) {
    return I.Kind == PatternKind::Type || I.Kind == PatternKind::DType ||
           I.Kind == PatternKind::Shape;
  });
}

bool relay::python::mayMatchIn(const PatternProgram &Program,
                               const Expr &Root) {
  const llvm::BitVector *Wanted =
      Program.getOperators(Program.getInst(Program.getRoot(0)));
  if (!Wanted)
    return true;
  llvm::DenseSet<const Expr *> Seen = {&Root};
  SmallVector<const Expr *, 32> Stack = {&Root};
  while (!Stack.empty()) {
    const Expr *Node = Stack.pop_back_val();
    if (isa<python::Constant>(Node))
      return true; // the set may include constants
    if (auto *TheOp = dyn_cast<python::Op>(Node)) {
      unsigned N = TheOp->Info.Number.get();
      if (N >= Wanted->size() || Wanted->test(N))
        return true;
    }
    for (const Expr::Ref &Child : Node->getChildren())
      if (Seen.insert(Child.get()).second)
        Stack.push_back(Child.get());
  }
  return false;
}

PatternSearch::PatternSearch(Work &W, const PatternProgram &Program,
                             const Expr &Root, ModuleObject *Mod,
                             bool RequireType)
    : W(W), Program(Program), Root(Root) {
  Context &Ctx = Engine::get().getContext();
  bool NeedsTypes = RequireType || needsTypes(Program);
  M = NeedsTypes && Mod ? Mod->getIR(W).clone() : std::make_unique<Module>(Ctx);
  std::string Name = "expr";
  while (M->lookupFunction(Ctx.intern(Name)))
    Name += "_";
  F = write(Ctx.intern(Name));
  if (NeedsTypes)
    addTypes(RequireType);
  Match.emplace(Program, *F);
  identifyVariables();
}

/// Writes the expression to the function \p Name.
Function *PatternSearch::write(StringRef Name) {
  llvm::Expected<Function *> Written =
      writeExpression(*M, Name, const_cast<Expr *>(&Root));
  if (!Written)
    W.raise(ErrorKind::Value, Written.takeError());
  return *Written;
}

const ExprMap &PatternSearch::getMap() {
  if (!Map)
    Map.emplace(relay::ExprRef::getBody(F->getBody()), Root, F->getNumValues());
  return *Map;
}

/// Infers the types of the expression. If that fails although no types are
/// required, as for a call of an unknown function, the checked types serve.
void PatternSearch::addTypes(bool RequireType) {
  M->setTyped(false);
  if (failed(inferTypes(*M))) {
    if (RequireType)
      W.raise(ErrorKind::Verify, "the expression is not well typed");
    addKnownTypes();
    return;
  }
  if (!RequireType)
    return;
  // The body of a `let` comes after it.
  for (auto [E, Node] : llvm::reverse(getMap().getPairs())) {
    Type *T = E.getType();
    if (auto *TheLet = dyn_cast<Let>(Node); TheLet && !T)
      T = TheLet->getChild(2)->getCheckedType();
    if (T)
      const_cast<Expr *>(Node)->setCheckedType(T);
  }
}

/// Gives values the checked types of their nodes. Raises the error of inference
/// if one is missing.
void PatternSearch::addKnownTypes() {
  for (auto [E, Node] : getMap().getPairs()) {
    Value *V = E.getValue();
    if (!V || E.getLetOperation())
      continue;
    if (!Node->getCheckedType())
      W.raise(ErrorKind::Verify, "the expression is not well typed");
    V->setTypeRaw(Node->getCheckedType());
  }
  W.discard();
}

/// Connects variables of expressions in the pattern with those of the function.
void PatternSearch::identifyVariables() {
  llvm::DenseMap<const Expr *, Value *> Values;
  for (const PatternInst &I : Program.getInsts()) {
    if (I.Kind != PatternKind::Expression)
      continue;
    auto Variables = getPatternVariables(I.Source->getExpression());
    if (!Variables.empty() && Values.empty())
      for (auto [E, Node] : getMap().getPairs())
        if (Value *V = E.getVariable())
          Values[Node] = V;
    for (const auto &[Node, OfPattern] : Variables)
      if (Value *V = Values.lookup(Node.get()))
        Match->identify(OfPattern, V);
  }
}

void PatternSearch::checkSteps() {
  if (Match->isExhausted())
    W.raise(ErrorKind::Limit, "matching the pattern takes too many steps");
}

bool PatternSearch::match() {
  bool Matches = Match->match(0, relay::ExprRef::getBody(F->getBody()));
  checkSteps();
  return Matches;
}

void PatternSearch::addBindings(ArrayRef<Matcher::Binding> Bindings,
                                NodeGroup &G) {
  for (const Matcher::Binding &B : Bindings)
    if (const PatternInst &I = Program.getInst(B.Inst); !I.IsHidden)
      G.Bindings.push_back({I.Source, getMap().lookup(B.Expr)});
}

std::vector<NodeGroup> PatternSearch::findMatches() {
  std::vector<NodeGroup> Matches;
  walk(*F, [&](Operation *Op) {
    Match->matchAll(*Op, [&](unsigned, relay::ExprRef E) {
      NodeGroup &New = Matches.emplace_back();
      New.Number = Matches.size() - 1;
      New.Root = getMap().lookup(E);
      addBindings(Match->getBindings(), New);
      return true;
    });
  });
  checkSteps();
  return Matches;
}

MatchExplanation PatternSearch::explain() {
  MatchExplanation Result = explainMatch(
      *Match, 0, relay::ExprRef::getBody(F->getBody()), /*Names=*/nullptr);
  checkSteps();
  return Result;
}

std::vector<NodeGroup> PatternSearch::findGroups() {
  std::vector<PatternGroup> Found = findGroupsOfAllExprs(*Match, 0);
  checkSteps();
  std::vector<NodeGroup> Groups;
  if (Found.empty())
    return Groups;
  const ExprMap &Map = getMap();
  for (const PatternGroup &G : Found) {
    NodeGroup &New = Groups.emplace_back();
    New.Number = G.Number;
    New.Root = Map.lookup(G.RootExpr);
    addBindings(G.Bindings, New);
    for (relay::ExprRef E : G.Params)
      New.Params.push_back(Map.lookup(E));
    for (relay::ExprRef E : G.Nodes)
      New.Nodes.push_back(Map.lookup(E));
  }
  return Groups;
}

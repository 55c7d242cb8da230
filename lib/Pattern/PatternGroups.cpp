//===- PatternGroups.cpp - Matches that do not overlap --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots are tried from the last expression to the first, in the order of
// ExprGraph, which is only made where something matches at all.
//
//===----------------------------------------------------------------------===//

#include "PatternGroups.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Partition.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

Value *relay::getOutsideValue(ExprRef E) {
  if (!E.getLetOperation())
    return E.getValue();
  Operation *Parent = E.getLetOperation()->getParentOp();
  return Parent && Parent->is(OpCode::Scope) ? Parent : nullptr;
}

void relay::replaceRoot(Rewriter &R, Operation *Root, Value *By,
                        ReplacedExprs &Replaced) {
  Replaced[ExprRef::getDefinition(Root)] = By;
  if (Root->isFloating())
    return R.replaceOpAndRetype(Root, By);
  // The variable goes to what is bound in the place of the root.
  ExprRef Variable = ExprRef::getUse(Root);
  Block::iterator Next = std::next(Root->getIterator());
  R.replaceOpAndRetype(Root, By);
  Replaced[Variable] = &*std::prev(Next);
}

LogicalResult relay::checkSteps(const Matcher &Match, StringRef Name) {
  if (!Match.isExhausted())
    return success();
  Function &F = Match.getFunction();
  return F.getContext().emitError(
      F.getLoc(),
      "matching '" + Name + "' takes too many steps in @" + F.getName());
}

namespace {

class GroupFinder {
public:
  GroupFinder(Matcher &Match, unsigned I)
      : Match(Match), Program(Match.getProgram()), Pattern(I) {}
  std::vector<PatternGroup> run();

private:
  bool isCandidate(Operation *Op) const {
    return llvm::is_contained(Program.getCandidates(*Op), Pattern);
  }
  bool matchesAnywhere();
  bool isProtected(const Operation *Op);
  void tryRoot(uint32_t N);

  // Parameters.
  void addParams(PatternGroup &G);
  void addParam(PatternGroup &G, ExprRef E, bool IsConstant);
  bool isInMatchedFunction(ExprRef E) const;

  // Nodes.
  void addNodes(PatternGroup &G);
  bool isUsedElsewhere(const PatternGroup &G, uint32_t N);
  bool isValid(const PatternGroup &G);

  Matcher &Match;
  const PatternProgram &Program;
  unsigned Pattern, NumMatches = 0;
  llvm::BitVector Reserved; ///< by number in the graph
  /// Whether the operations of a block are protected.
  llvm::DenseMap<const Block *, bool> Protected;
  std::vector<PatternGroup> Groups;

  // Of the present group.
  llvm::DenseSet<ExprRef> DominatorParts, Params, Nodes;
  SmallVector<Operation *, 2> Functions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool GroupFinder::matchesAnywhere() {
  auto Visit = [&](Operation *Op) {
    return isCandidate(Op) && Match.match(Pattern, ExprRef::getDefinition(Op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return walk(Match.getFunction(), Visit).wasInterrupted();
}

/// Whether \p Node may be part of several groups.
static bool mayBeShared(ExprRef Node) {
  return Node.getOperator() || Node.getOperation(OpCode::Fn) ||
         Node.isConstant();
}

/// Whether \p Op is, or lies in, a closure that a partition has made.
bool GroupFinder::isProtected(const Operation *Op) {
  if (isPartition(Op))
    return true;
  SmallVector<const Block *, 4> Path;
  bool Answer = false;
  for (const Block *B = Op->getBlock(); B; B = B->getParentBlock()) {
    if (auto It = Protected.find(B); It != Protected.end()) {
      Answer = It->second;
      break;
    }
    Path.push_back(B);
    if (B->getParentOp() && isPartition(B->getParentOp())) {
      Answer = true;
      break;
    }
  }
  for (const Block *B : Path)
    Protected[B] = Answer;
  return Answer;
}

void GroupFinder::tryRoot(uint32_t N) {
  ExprRef E = Match.getGraph().getExpr(N);
  Operation *Op = E.getOperation();
  if (!Op || Reserved[N] || !isCandidate(Op) || isProtected(Op) ||
      !Match.match(Pattern, E))
    return;
  PatternGroup G;
  G.Number = NumMatches++;
  G.Root = Op;
  llvm::append_range(G.Bindings, Match.getBindings());
  addParams(G);
  if (Params.count(E))
    return;
  addNodes(G);
  if (!isValid(G))
    return;
  for (ExprRef Node : G.Nodes)
    if (!mayBeShared(Node))
      Reserved.set(Match.getGraph().getNumber(Node));
  Groups.push_back(std::move(G));
}

std::vector<PatternGroup> GroupFinder::run() {
  Function &F = Match.getFunction();
  if (F.getAttr(FunctionAttrs::PartitionedFromPattern) || !matchesAnywhere())
    return {};
  uint32_t Size = Match.getGraph().size();
  Reserved.resize(Size);
  for (uint32_t N = Size; N-- != 0;)
    tryRoot(N);
  std::reverse(Groups.begin(), Groups.end());
  return std::move(Groups);
}

std::vector<PatternGroup> relay::findPatternGroups(Matcher &Match, unsigned I) {
  return GroupFinder(Match, I).run();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Whether \p E is in a closure that a function pattern has matched.
bool GroupFinder::isInMatchedFunction(ExprRef E) const {
  Value *V = E.getValue();
  if (Functions.empty() || !V)
    return false;
  for (Block *B = V->getParentBlock(); B; B = B->getParentBlock())
    if (llvm::is_contained(Functions, B->getParentOp()))
      return true;
  return false;
}

/// Makes \p E, which a leaf has matched, a parameter. \p IsConstant: the leaf
/// asks for a constant, which stays in the body.
void GroupFinder::addParam(PatternGroup &G, ExprRef E, bool IsConstant) {
  if (E.getOperator() || E.getOperation(OpCode::Fn) ||
      (IsConstant && E.isConstant()) || DominatorParts.count(E) ||
      isInMatchedFunction(E))
    return;
  if (Params.insert(E).second)
    G.Params.push_back(E);
}

/// Goes through the nodes of the pattern in order.
void GroupFinder::addParams(PatternGroup &G) {
  DominatorParts.clear();
  Params.clear();
  Functions.clear();
  SmallVector<Matcher::Binding, 8> Ordered(G.Bindings);
  llvm::stable_sort(
      Ordered, [](const auto &L, const auto &R) { return L.Inst < R.Inst; });
  llvm::SmallDenseSet<uint32_t, 4> PartInsts;
  for (const Matcher::Binding &B : Ordered) {
    const PatternInst &I = Program.getInst(B.Inst);
    if (I.Kind == PatternKind::Dominator) {
      PartInsts.insert(Program.getChild(I, 0));
      PartInsts.insert(Program.getChild(I, 1));
    }
    if (I.Kind == PatternKind::Function)
      Functions.push_back(B.Expr.getOperation());
  }
  for (const Matcher::Binding &B : Ordered)
    if (PartInsts.count(B.Inst))
      DominatorParts.insert(B.Expr);
  for (const Matcher::Binding &B : Ordered) {
    const PatternInst &I = Program.getInst(B.Inst);
    if (I.IsHidden)
      continue;
    bool IsLeaf =
        I.NumChildren == 0 && !I.AnyNumber && I.Kind != PatternKind::Tuple;
    if (IsLeaf)
      addParam(G, B.Expr,
               I.Kind == PatternKind::Constant ||
                   I.Kind == PatternKind::Expression);
    if (!I.AnyNumber || I.Kind == PatternKind::Function)
      continue;
    for (unsigned A = 0, N = B.Expr.getNumInputs(); A != N; ++A)
      addParam(G, B.Expr.getInput(A), false);
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GroupFinder::addNodes(PatternGroup &G) {
  Nodes.clear();
  SmallVector<std::pair<ExprRef, bool>, 16> Stack;
  SmallVector<ExprRef, 8> Parts;
  Stack.push_back({ExprRef::getDefinition(G.Root), false});
  while (!Stack.empty()) {
    auto [E, IsReady] = Stack.pop_back_val();
    if (IsReady) {
      G.Nodes.push_back(E);
      continue;
    }
    if (Params.count(E) || !Nodes.insert(E).second)
      continue;
    Stack.push_back({E, true});
    Parts.clear();
    appendExprParts(E, Parts);
    for (ExprRef Part : llvm::reverse(Parts))
      Stack.push_back({Part, false});
  }
}

/// Whether the node \p N of \p G flows to somewhere that does not lead back to
/// the root.
bool GroupFinder::isUsedElsewhere(const PatternGroup &G, uint32_t N) {
  const ExprGraph &Graph = Match.getGraph();
  ExprRef Root = ExprRef::getDefinition(G.Root);
  return llvm::any_of(Graph.getUsers(N), [&](const DataflowGraph::Edge &Edge) {
    ExprRef User = Graph.getExpr(Edge.User);
    return !Nodes.count(User) && !Graph.strictlyPostDominates(Root, User);
  });
}

/// Whether the nodes of \p G, but for those that may be shared, are in no other
/// group and used nowhere else.
bool GroupFinder::isValid(const PatternGroup &G) {
  if (llvm::any_of(G.Params, [](ExprRef E) {
        return E.getKind() == ExprRef::Kind::Let && !getOutsideValue(E);
      }))
    return false;
  for (ExprRef Node : G.Nodes) {
    if (mayBeShared(Node))
      continue;
    uint32_t N = Match.getGraph().getNumber(Node);
    if (Reserved[N] || (Node.getOperation() != G.Root && isUsedElsewhere(G, N)))
      return false;
  }
  return true;
}

//===- PatternGroups.cpp - Matches that do not overlap --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots are tried from the last expression to the first, in the order of
// ExprGraph, which is computed only if there is a match.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composite/PatternGroups.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Composite/Partition.h"
#include "relay/Pattern/Match/MatchExplanation.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

SmallVector<Operation *, 8> PatternGroup::getOperations() const {
  SmallVector<Operation *, 8> Operations;
  for (ExprRef Node : Nodes)
    if (Operation *Op = Node.getOperation())
      Operations.push_back(Op);
  return Operations;
}

Value *relay::getOutsideValue(ExprRef E) {
  Value *V = E.getValue();
  return !E.getLetOperation() || ExprRef::getUse(V) == E ? V : nullptr;
}

void relay::replaceRoot(Rewriter &R, Operation *Root, Value *By,
                        ReplacedExprs &Replaced) {
  Replaced[ExprRef::getDefinition(Root)] = By;
  if (Root->isFloating())
    return R.replaceOpAndRetype(Root, By);
  ExprRef Let = ExprRef::getLet(Root);
  Replaced[Let] = getOutsideValue(Let);
  // The variable refers to the replacement of the root.
  ExprRef Variable = ExprRef::getUse(Root);
  Block::iterator Next = std::next(Root->getIterator());
  R.replaceOpAndRetype(Root, By);
  Replaced[Variable] = &*std::prev(Next);
}

LogicalResult relay::checkSteps(const Matcher &Match, const Twine &What) {
  if (!Match.isExhausted())
    return success();
  Function &F = Match.getFunction();
  return F.getContext().emitError(F.getLoc(), "matching " + What +
                                                  " takes too many steps in @" +
                                                  F.getName());
}

FailureOr<llvm::BitVector>
relay::findMatchingPatterns(Matcher &Match, const llvm::BitVector &Wanted) {
  llvm::BitVector Matching(Wanted.size());
  walk(Match.getFunction(), [&](Operation *Op) {
    for (uint32_t I : Match.getProgram().getCandidates(*Op))
      if (Wanted[I] && !Matching[I] &&
          Match.match(I, ExprRef::getDefinition(Op)))
        Matching.set(I);
  });
  if (failed(checkSteps(Match, "the patterns")))
    return failure();
  return Matching;
}

namespace {

/// The reason why a match is not a group.
struct Obstacle {
  enum class Reason { None, Let, Taken, UsedElsewhere };
  Reason Why = Reason::None;
  ExprRef Node;
};

/// The operations whose refusals are recorded: roots of matches that are not
/// groups; or all other operations at which the pattern may match.
enum class Refusals { None, OfMatches, OfCandidates };

class GroupFinder {
public:
  GroupFinder(Matcher &Match, unsigned I, Refusals Wanted,
              bool TakesAllExprs = false)
      : Match(Match), Program(Match.getProgram()), Pattern(I), Wanted(Wanted),
        TakesAllExprs(TakesAllExprs) {}
  void run();
  std::vector<PatternGroup> takeGroups() { return std::move(Groups); }
  /// Refused operations with the reason, outer ones first. The reason is empty
  /// if the pattern does not match.
  ArrayRef<std::pair<Operation *, std::string>> getRefused() const {
    return Refused;
  }

private:
  bool isCandidate(const Operation *Op) const {
    return mayMatchAt(Program, Pattern, Op);
  }
  bool isCandidate(ExprRef E) const {
    Operation *Op = E.getOperation();
    return Op ? isCandidate(Op) : TakesAllExprs;
  }
  bool matchesAnywhere();
  void protect(ExprRef Closure);
  void tryRoot(uint32_t N);
  void addGroup(PatternGroup G);

  // Parameters.
  void addParams(PatternGroup &G);
  void addParam(PatternGroup &G, ExprRef E, bool IsConstant);
  void addFunctionParts(ExprRef Closure);

  // Nodes.
  void addNodes(PatternGroup &G);
  bool isUsedElsewhere(const PatternGroup &G, uint32_t N);
  Obstacle findObstacle(const PatternGroup &G);

  // Reasons.
  template <typename Fn> void refuse(Refusals Kind, Operation *Op, Fn &&Why) {
    if (Kind == Wanted)
      Refused.emplace_back(Op, Why());
  }
  std::string explainTaken(ExprRef Node) const;
  std::string explain(const Obstacle &O) const;

  Matcher &Match;
  const PatternProgram &Program;
  unsigned Pattern, NumMatches = 0;
  Refusals Wanted;
  /// Expressions that are not operations may be roots, too.
  bool TakesAllExprs;
  // By number in the graph: nodes in a group, nodes reserved for one group, and
  // nodes that cannot be a root.
  llvm::BitVector Grouped, Reserved, Protected;
  /// The roots of the groups of nodes, for explanations.
  llvm::DenseMap<uint32_t, Operation *> Owners;
  std::vector<PatternGroup> Groups;
  std::vector<std::pair<Operation *, std::string>> Refused;

  // State of the current group.
  llvm::DenseSet<ExprRef> DominatorParts, FunctionParts, Params, Nodes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool relay::mayMatchAt(const PatternProgram &Program, unsigned I,
                       const Operation *Op) {
  ArrayRef<uint32_t> All = Program.getCandidates(*Op);
  if (!std::binary_search(All.begin(), All.end(), I))
    return false;
  const PatternInst *Root = &Program.getInst(Program.getRoot(I));
  while (isDemand(Root->Kind))
    Root = &Program.getInst(Program.getChild(*Root, 0));
  return Root->Kind != PatternKind::Call ||
         ExprRef::getDefinition(const_cast<Operation *>(Op)).isCall();
}

/// Returns true if the pattern \p I may match expressions that are not
/// operations.
static bool mayMatchOthers(const PatternProgram &Program, unsigned I) {
  SmallVector<uint32_t, 4> Work = {Program.getRoot(I)};
  while (!Work.empty()) {
    const PatternInst &Inst = Program.getInst(Work.pop_back_val());
    if (isDemand(Inst.Kind) || Inst.Kind == PatternKind::Alternative) {
      llvm::append_range(Work, Program.getChildren(Inst));
      continue;
    }
    switch (Inst.Kind) {
    case PatternKind::Operator:
    case PatternKind::Wildcard:
    case PatternKind::Variable:
    case PatternKind::Expression:
    case PatternKind::Let:
    case PatternKind::Dominator:
      return true;
    default:
      break;
    }
  }
  return false;
}

bool GroupFinder::matchesAnywhere() {
  if (TakesAllExprs && mayMatchOthers(Program, Pattern))
    return true;
  auto Visit = [&](Operation *Op) {
    return isCandidate(Op) && Match.match(Pattern, ExprRef::getDefinition(Op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return walk(Match.getFunction(), Visit).wasInterrupted();
}

/// Returns true if \p Node may be part of several groups.
static bool mayBeShared(ExprRef Node) {
  return Node.getOperator() || Node.getOperation(OpCode::Fn) ||
         Node.isConstant();
}

/// Protects the parts of \p Closure, which a partition created. As in TVM,
/// these include captured values of its body, except for variables.
void GroupFinder::protect(ExprRef Closure) {
  const ExprGraph &Graph = Match.getGraph();
  SmallVector<ExprRef, 16> Work = {Closure};
  while (!Work.empty()) {
    ExprRef E = Work.pop_back_val();
    uint32_t N = Graph.getNumber(E);
    if (Protected[N])
      continue;
    Protected.set(N);
    appendExprParts(E, Work);
  }
}

/// Describes the role of \p Op in a closure created by a partition.
static std::string explainProtected(const Operation *Op) {
  const Operation *Fn = Op;
  while (Fn && !isPartition(Fn))
    Fn = Fn->getParentOp();
  if (!Fn && !Op->getFunction()->getAttr(FunctionAttrs::PartitionedFromPattern))
    return "a composite uses it without a parameter";
  StringRef Name = getComposite(Fn);
  return "it is already in " +
         (Name.empty() ? "a composite" : ("composite '" + Name + "'").str());
}

void GroupFinder::tryRoot(uint32_t N) {
  ExprRef E = Match.getGraph().getExpr(N);
  Operation *Op = E.getOperation();
  if (Op && !Grouped[N] && isPartition(Op))
    protect(E);
  if (!isCandidate(E))
    return;
  if (Grouped[N])
    return refuse(Refusals::OfCandidates, Op,
                  [&] { return "it " + explainTaken(E); });
  if (Protected[N])
    return refuse(Refusals::OfCandidates, Op,
                  [&] { return explainProtected(Op); });
  if (!Match.match(Pattern, E))
    return refuse(Refusals::OfCandidates, Op, [] { return std::string(); });
  PatternGroup G;
  G.Number = NumMatches++;
  G.Root = Op;
  G.RootExpr = E;
  llvm::append_range(G.Bindings, Match.getBindings());
  addParams(G);
  if (Params.count(E))
    return refuse(Refusals::OfMatches, Op,
                  [] { return "every part of it would become a parameter"; });
  addNodes(G);
  Obstacle Found = findObstacle(G);
  if (Found.Why != Obstacle::Reason::None)
    return refuse(Refusals::OfMatches, Op, [&] { return explain(Found); });
  addGroup(std::move(G));
}

void GroupFinder::addGroup(PatternGroup G) {
  for (ExprRef Node : G.Nodes) {
    if (Node.getOperator())
      continue;
    uint32_t N = Match.getGraph().getNumber(Node);
    Grouped.set(N);
    if (!mayBeShared(Node))
      Reserved.set(N);
    if (Wanted != Refusals::None)
      Owners[N] = G.Root;
  }
  Groups.push_back(std::move(G));
}

void GroupFinder::run() {
  Function &F = Match.getFunction();
  bool IsPartition(F.getAttr(FunctionAttrs::PartitionedFromPattern));
  if (Wanted != Refusals::OfCandidates && (IsPartition || !matchesAnywhere()))
    return;
  uint32_t Size = Match.getGraph().size();
  Grouped.resize(Size);
  Reserved.resize(Size);
  Protected.resize(Size, IsPartition);
  for (uint32_t N = Size; N-- != 0;)
    tryRoot(N);
  std::reverse(Groups.begin(), Groups.end());
}

std::vector<PatternGroup> relay::findPatternGroups(Matcher &Match, unsigned I,
                                                   RefusedRootFn OnRefused) {
  GroupFinder Finder(Match, I,
                     OnRefused ? Refusals::OfMatches : Refusals::None);
  Finder.run();
  for (const auto &[Op, Why] : llvm::reverse(Finder.getRefused()))
    OnRefused(Op, Why);
  return Finder.takeGroups();
}

std::vector<PatternGroup> relay::findGroupsOfAllExprs(Matcher &Match,
                                                      unsigned I) {
  GroupFinder Finder(Match, I, Refusals::None, /*TakesAllExprs=*/true);
  Finder.run();
  return Finder.takeGroups();
}

/// Explains why the pattern \p I does not match \p Root.
static std::string explainMismatch(Matcher &Match, unsigned I,
                                   Operation *Root) {
  std::string Why = explainMatch(Match, I, Root);
  return Match.isExhausted()
             ? "it does not match; finding the reason takes too many steps"
             : Why;
}

/// Each explanation starts from scratch, with its own limit of steps.
void relay::explainMismatches(const Matcher &Match, unsigned I,
                              RefusedRootFn OnRefused) {
  Matcher OfFinder(Match.getProgram(), Match.getFunction());
  Matcher OfReasons(Match.getProgram(), Match.getFunction());
  GroupFinder Finder(OfFinder, I, Refusals::OfCandidates);
  Finder.run();
  for (const auto &[Op, Why] : llvm::reverse(Finder.getRefused()))
    OnRefused(Op, Why.empty() ? explainMismatch(OfReasons, I, Op) : Why);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Adds the parts of \p Closure, which a function pattern matched: as in TVM,
/// also captured values of its body.
void GroupFinder::addFunctionParts(ExprRef Closure) {
  SmallVector<ExprRef, 16> Work;
  appendExprParts(Closure, Work);
  while (!Work.empty()) {
    ExprRef E = Work.pop_back_val();
    if (FunctionParts.insert(E).second)
      appendExprParts(E, Work);
  }
}

/// Makes \p E, which a leaf has matched, a parameter. If \p IsConstant, the
/// leaf requires a constant, which stays in the body.
void GroupFinder::addParam(PatternGroup &G, ExprRef E, bool IsConstant) {
  if (E.getOperator() || E.getOperation(OpCode::Fn) ||
      (IsConstant && E.isConstant()) || DominatorParts.count(E) ||
      FunctionParts.count(E))
    return;
  if (Params.insert(E).second)
    G.Params.push_back(E);
}

/// Visits the nodes of the pattern in order.
void GroupFinder::addParams(PatternGroup &G) {
  DominatorParts.clear();
  Params.clear();
  FunctionParts.clear();
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
      addFunctionParts(B.Expr);
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
  Stack.push_back({G.RootExpr, false});
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

/// Returns true if the node \p N of \p G has a use that does not lead back to
/// the root.
bool GroupFinder::isUsedElsewhere(const PatternGroup &G, uint32_t N) {
  const ExprGraph &Graph = Match.getGraph();
  ExprRef Root = G.RootExpr;
  return llvm::any_of(Graph.getUsers(N), [&](const FlowGraph::Edge &Edge) {
    ExprRef User = Graph.getExpr(Edge.User);
    return !Nodes.count(User) && !Graph.strictlyPostDominates(Root, User);
  });
}

/// Returns the reason why \p G cannot be a group: its nodes, except for
/// shareable ones, must be in no other group and used nowhere else.
Obstacle GroupFinder::findObstacle(const PatternGroup &G) {
  for (ExprRef E : G.Params)
    if (E.getKind() == ExprRef::Kind::Let && !getOutsideValue(E))
      return {Obstacle::Reason::Let, E};
  for (ExprRef Node : G.Nodes) {
    if (mayBeShared(Node))
      continue;
    uint32_t N = Match.getGraph().getNumber(Node);
    if (Reserved[N])
      return {Obstacle::Reason::Taken, Node};
    if (Node != G.RootExpr && isUsedElsewhere(G, N))
      return {Obstacle::Reason::UsedElsewhere, Node};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

/// Returns `nn.relu at m.relay:3:8`, or the text of an expression that is not
/// an operation.
static std::string describeNode(ExprRef E) {
  if (Operation *Op = E.getOperation())
    return Op->getDescription();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << '`';
  writeExpression(OS, E);
  OS << '`';
  return Text;
}

/// Returns the message for \p Node, which is reserved for a group.
std::string GroupFinder::explainTaken(ExprRef Node) const {
  Operation *Root = Owners.lookup(Match.getGraph().getNumber(Node));
  return "is part of the match of " + Root->getDescription();
}

std::string GroupFinder::explain(const Obstacle &O) const {
  switch (O.Why) {
  case Obstacle::Reason::None:
    break;
  case Obstacle::Reason::Let:
    return "a parameter cannot replace `let`s";
  case Obstacle::Reason::Taken:
    return describeNode(O.Node) + " " + explainTaken(O.Node);
  case Obstacle::Reason::UsedElsewhere:
    return "something else uses " + describeNode(O.Node);
  }
  llvm_unreachable("nothing is in the way");
}

//===- PatternProgram.cpp - Compiled patterns -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the nodes of each pattern, creates an instruction for each, and
// precomputes regrouped calls, the nodes reachable from a node, and the
// operations at which a pattern may match.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/PatternProgram.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace relay;

namespace relay {

class PatternCompiler {
public:
  explicit PatternCompiler(Context &Ctx)
      : Ctx(Ctx), Divide(Ctx.lookupOp("divide")),
        Multiply(Ctx.lookupOp("multiply")), Add(Ctx.lookupOp("add")) {}

  LogicalResult add(const Pattern &P);
  PatternProgram take();

private:
  using Key = std::tuple<const OpInfo *, uint32_t, uint32_t>;

  // Instructions.
  LogicalResult addInst(const PatternNode &Node);
  LogicalResult lookupOperator(PatternInst &I);
  uint32_t child(uint32_t N, unsigned I) const {
    return Program.getChild(Program.Insts[N], I);
  }

  // Regroupings.
  bool isCallOf(uint32_t N, const OpInfo *Op) const;
  uint32_t getCall(uint32_t Family, const OpInfo *Op, uint32_t L, uint32_t R);
  void regroup(uint32_t Family, uint32_t N);
  void addRegroupings(uint32_t Begin);
  void setRegroupings(uint32_t N, ArrayRef<uint32_t> Calls, const OpInfo *Op,
                      const OpInfo *Argument);

  // Properties of instructions.
  ArrayRef<uint32_t> getSameLevel(uint32_t N) const;
  LogicalResult checkLoops(uint32_t Begin);
  void addReach(uint32_t N);
  void addOperators(uint32_t N);

  // Candidates.
  void addRootKeys(unsigned P);
  void addKeyOf(uint32_t N, unsigned P);
  void addCandidate(const OpInfo &Op, unsigned P);
  void addCandidateAnywhere(unsigned P);
  bool addOperatorKeys(uint32_t Callee, unsigned P);

  Context &Ctx;
  const OpInfo *Divide, *Multiply, *Add;
  PatternProgram Program;
  llvm::DenseMap<const PatternNode *, uint32_t> Numbers;
  /// Regrouped calls of the call that is being regrouped.
  std::map<Key, uint32_t> Regrouped;
  /// Calls that may need regrouping, and the calls from which they were copied.
  SmallVector<std::pair<uint32_t, uint32_t>, 0> ToRegroup;
};

} // namespace relay

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

LogicalResult PatternCompiler::lookupOperator(PatternInst &I) {
  StringRef Name = I.Source->getName();
  I.Op = Ctx.lookupOp(Name);
  if (I.Op && I.Op->isOperator())
    return success();
  return Ctx.emitError(I.Source->getLoc(), "unknown operator '" + Name + "'")
         << getSuggestion(Name, Ctx.getOperatorNames());
}

LogicalResult PatternCompiler::addInst(const PatternNode &Node) {
  PatternInst I;
  I.Kind = Node.getKind();
  I.Source = &Node;
  I.AnyNumber = Node.hasAnyNumber();
  I.FirstChild = Program.Children.size();
  I.NumChildren = Node.getChildren().size();
  for (const PatternNode *Child : Node.getChildren())
    Program.Children.push_back(Numbers.lookup(Child));
  if (Node.is(PatternKind::Operator) && failed(lookupOperator(I)))
    return failure();
  if (Node.is(PatternKind::Call) &&
      Node.getChild(0).is(PatternKind::Operator)) {
    I.Op = Program.Insts[Numbers.lookup(&Node.getChild(0))].Op;
    I.Commutes = I.Op == Add || I.Op == Multiply;
    I.HasLeaves = llvm::all_of(Node.getChildren(), [&](const PatternNode *C) {
      auto It = Numbers.find(C);
      return It->second < Program.Insts.size() &&
             Program.Insts[It->second].isLeaf();
    });
  }
  I.FirstWanted = Program.Wanted.size();
  for (const WantedAttr &Wanted : Node.getAttributes())
    Program.Wanted.push_back(Wanted.second.get(Ctx));
  Program.Insts.push_back(I);
  return success();
}

//===----------------------------------------------------------------------===//
// Regrouped calls
//===----------------------------------------------------------------------===//

/// Returns true for a call of two arguments of \p Op, named directly.
bool PatternCompiler::isCallOf(uint32_t N, const OpInfo *Op) const {
  const PatternInst &I = Program.Insts[N];
  return I.Kind == PatternKind::Call && I.Op == Op && Op && I.NumChildren == 3;
}

/// Returns the hidden call of \p Op with \p L and \p R, created for the call \p
/// Family.
uint32_t PatternCompiler::getCall(uint32_t Family, const OpInfo *Op, uint32_t L,
                                  uint32_t R) {
  auto [It, IsNew] = Regrouped.try_emplace(Key(Op, L, R), 0);
  if (!IsNew)
    return It->second;
  PatternInst Callee, Call;
  Callee.Kind = PatternKind::Operator;
  Call.Kind = PatternKind::Call;
  Callee.IsHidden = Call.IsHidden = true;
  Callee.Op = Call.Op = Op;
  Callee.Source = Call.Source = Program.Insts[Family].Source;
  Call.Commutes = Op == Multiply;
  Call.FirstChild = Program.Children.size();
  Call.NumChildren = 3;
  uint32_t N = Program.Insts.size();
  Program.Children.append({N, L, R});
  Program.Insts.append({Callee, Call});
  return It->second = N + 1;
}

void PatternCompiler::setRegroupings(uint32_t N, ArrayRef<uint32_t> Calls,
                                     const OpInfo *Op, const OpInfo *Argument) {
  PatternInst &I = Program.Insts[N];
  I.FirstRegrouping = Program.Regroupings.size();
  I.NumRegroupings = Calls.size();
  I.RegroupedOp = Op;
  I.RegroupedArgument = Argument;
  Program.Regroupings.append(Calls.begin(), Calls.end());
}

/// `(a * b) / c` also matches as `b * (a / c)` and `a * (b / c)`; `a * (b / c)`
/// also matches as `(b * a) / c`, by the first argument that is a division.
/// Inner calls of the new forms may be regrouped in turn.
void PatternCompiler::regroup(uint32_t Family, uint32_t N) {
  if (isCallOf(N, Divide) && isCallOf(child(N, 1), Multiply)) {
    uint32_t A = child(child(N, 1), 1), B = child(child(N, 1), 2);
    uint32_t C = child(N, 2);
    uint32_t Inner[] = {getCall(Family, Divide, A, C),
                        getCall(Family, Divide, B, C)};
    setRegroupings(N,
                   {getCall(Family, Multiply, B, Inner[0]),
                    getCall(Family, Multiply, A, Inner[1])},
                   Multiply, Divide);
    ToRegroup.append({{Family, Inner[0]}, {Family, Inner[1]}});
    return;
  }
  if (!isCallOf(N, Multiply))
    return;
  for (unsigned I : {1, 2}) {
    uint32_t Quotient = child(N, I), A = child(N, 3 - I);
    if (!isCallOf(Quotient, Divide))
      continue;
    uint32_t Inner = getCall(Family, Multiply, child(Quotient, 1), A);
    setRegroupings(N, getCall(Family, Divide, Inner, child(Quotient, 2)),
                   Divide, Multiply);
    ToRegroup.push_back({Family, Inner});
    return;
  }
}

void PatternCompiler::addRegroupings(uint32_t Begin) {
  for (uint32_t N = Begin, End = Program.Insts.size(); N != End; ++N) {
    Regrouped.clear();
    ToRegroup.assign(1, {N, N});
    while (!ToRegroup.empty()) {
      auto [Family, Call] = ToRegroup.pop_back_val();
      if (!Program.Insts[Call].NumRegroupings)
        regroup(Family, Call);
    }
  }
}

//===----------------------------------------------------------------------===//
// Properties of instructions
//===----------------------------------------------------------------------===//

/// Returns the children that are matched against the same expression as \p N.
ArrayRef<uint32_t> PatternCompiler::getSameLevel(uint32_t N) const {
  ArrayRef<uint32_t> Children = Program.getChildren(Program.Insts[N]);
  PatternKind Kind = Program.Insts[N].Kind;
  if (Kind == PatternKind::Dominator)
    return Children.drop_front(2);
  if (Kind == PatternKind::Wildcard || matchesAsChild(Kind))
    return Children;
  return {};
}

LogicalResult PatternCompiler::checkLoops(uint32_t Begin) {
  enum State : uint8_t { New, Active, Done };
  SmallVector<State, 0> States(Program.Insts.size() - Begin, New);
  SmallVector<std::pair<uint32_t, unsigned>, 0> Stack;
  for (uint32_t Root = Begin; Root != Program.Insts.size(); ++Root) {
    if (States[Root - Begin] == New)
      Stack.push_back({Root, 0});
    while (!Stack.empty()) {
      auto &[N, Next] = Stack.back();
      States[N - Begin] = Active;
      if (Next == getSameLevel(N).size()) {
        States[N - Begin] = Done;
        Stack.pop_back();
        continue;
      }
      uint32_t Child = getSameLevel(N)[Next++];
      if (States[Child - Begin] == Active)
        return Ctx.emitError(Program.Insts[Child].Source->getLoc(),
                             "the pattern leads back to itself without a step "
                             "to an operand");
      if (States[Child - Begin] == New)
        Stack.push_back({Child, 0});
    }
  }
  return success();
}

/// Lists the nodes that a match of \p N, a redirected wildcard, or of the
/// parent of \p N, a dominator, may bind.
void PatternCompiler::addReach(uint32_t N) {
  PatternInst &I = Program.Insts[N];
  bool IsRecursive = I.Kind == PatternKind::Wildcard && I.NumChildren;
  if (!IsRecursive && I.Kind != PatternKind::Dominator)
    return;
  llvm::SetVector<uint32_t> Reach;
  Reach.insert(child(N, 0));
  for (unsigned Next = 0; Next != Reach.size(); ++Next) {
    const PatternInst &Reached = Program.Insts[Reach[Next]];
    Reach.insert(Program.getChildren(Reached).begin(),
                 Program.getChildren(Reached).end());
    ArrayRef<uint32_t> Calls = Program.getRegroupings(Reached);
    Reach.insert(Calls.begin(), Calls.end());
  }
  // An operator does not depend on bindings.
  Reach.remove_if([&](uint32_t Reached) {
    return Program.Insts[Reached].Kind == PatternKind::Operator;
  });
  I.FirstReached = Program.Reached.size();
  I.NumReached = Reach.size();
  Program.Reached.append(Reach.begin(), Reach.end());
}

/// Lists the operators whose calls match \p N, after those of its children.
void PatternCompiler::addOperators(uint32_t N) {
  llvm::BitVector Numbers;
  auto Add = [&](const OpInfo &Info) {
    unsigned Number = Info.Number.getOrAssign();
    Numbers.resize(std::max(Numbers.size(), Number + 1));
    Numbers.set(Number);
  };
  PatternInst &I = Program.Insts[N];
  if (I.Kind == PatternKind::Constant)
    Add(ConstantOp::getInfo());
  else if (I.Kind == PatternKind::Call && I.Op)
    Add(*I.Op);
  else if (!matchesAsChild(I.Kind))
    return;
  if (I.RegroupedOp)
    Add(*I.RegroupedOp);
  for (uint32_t Child : getSameLevel(N)) {
    const llvm::BitVector *Of = Program.getOperators(Program.Insts[Child]);
    if (!Of)
      return;
    Numbers |= *Of;
  }
  Program.Operators.push_back(std::move(Numbers));
  I.Operators = Program.Operators.size();
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static void addInOrder(SmallVectorImpl<uint32_t> &List, unsigned P) {
  if (List.empty() || List.back() != P)
    List.push_back(P);
}

void PatternCompiler::addCandidate(const OpInfo &Op, unsigned P) {
  unsigned N = Op.Number.getOrAssign();
  if (N >= Program.Candidates.size())
    Program.Candidates.resize(N + 1, Program.OtherCandidates);
  addInOrder(Program.Candidates[N], P);
}

void PatternCompiler::addCandidateAnywhere(unsigned P) {
  for (auto &List : Program.Candidates)
    addInOrder(List, P);
  addInOrder(Program.OtherCandidates, P);
  addInOrder(Program.LetCandidates, P);
}

/// Adds the operators that \p Callee names; returns true if it matches no
/// others.
bool PatternCompiler::addOperatorKeys(uint32_t Callee, unsigned P) {
  SmallVector<uint32_t, 4> Work = {Callee};
  SmallVector<const OpInfo *, 4> Ops;
  while (!Work.empty()) {
    uint32_t N = Work.pop_back_val();
    const PatternInst &I = Program.Insts[N];
    if (I.Kind == PatternKind::Operator)
      Ops.push_back(I.Op);
    else if (getSameLevel(N).empty())
      return false;
    else
      llvm::append_range(Work, getSameLevel(N));
  }
  for (const OpInfo *Op : Ops)
    addCandidate(*Op, P);
  return true;
}

/// Adds the operations at which \p N, which checks its expression itself, may
/// match.
void PatternCompiler::addKeyOf(uint32_t N, unsigned P) {
  const PatternInst &I = Program.Insts[N];
  switch (I.Kind) {
  case PatternKind::Call:
    if (!addOperatorKeys(child(N, 0), P))
      addCandidateAnywhere(P);
    else if (I.RegroupedOp)
      addCandidate(*I.RegroupedOp, P);
    return;
  case PatternKind::Tuple:
    return addCandidate(TupleOp::getInfo(), P);
  case PatternKind::TupleGetItem:
    return addCandidate(TupleGetItemOp::getInfo(), P);
  case PatternKind::Constant:
    return addCandidate(ConstantOp::getInfo(), P);
  case PatternKind::Function:
    return addCandidate(FnOp::getInfo(), P);
  case PatternKind::If:
    return addCandidate(IfOp::getInfo(), P);
  case PatternKind::Let:
    return addInOrder(Program.LetCandidates, P);
  case PatternKind::Operator:
  case PatternKind::Variable:
    return; // not an operation
  default:
    return addCandidateAnywhere(P);
  }
}

void PatternCompiler::addRootKeys(unsigned P) {
  llvm::SetVector<uint32_t> SameLevel;
  SameLevel.insert(Program.getRoot(P));
  for (unsigned Next = 0; Next != SameLevel.size(); ++Next) {
    uint32_t N = SameLevel[Next];
    ArrayRef<uint32_t> Inner = getSameLevel(N);
    if (Inner.empty())
      addKeyOf(N, P);
    SameLevel.insert(Inner.begin(), Inner.end());
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

LogicalResult PatternCompiler::add(const Pattern &P) {
  uint32_t Begin = Program.Insts.size();
  unsigned Number = Program.Patterns.size();
  Program.Patterns.push_back(P);
  Program.Begins.push_back(Begin);
  SmallVector<const PatternNode *, 0> Nodes = listNodes(P.getNode());
  Numbers.clear();
  for (auto [I, Node] : llvm::enumerate(Nodes))
    Numbers[Node] = Begin + I;
  for (const PatternNode *Node : Nodes)
    if (failed(addInst(*Node)))
      return failure();
  Program.Roots.push_back(Program.Insts.size() - 1);
  if (failed(checkLoops(Begin)))
    return failure();
  uint32_t End = Program.Insts.size();
  addRegroupings(Begin);
  for (uint32_t N = Begin; N != End; ++N)
    addReach(N);
  for (uint32_t N = Begin; N != Program.Insts.size(); ++N)
    addOperators(N);
  addRootKeys(Number);
  return success();
}

PatternProgram PatternCompiler::take() {
  Program.Begins.push_back(Program.Insts.size());
  return std::move(Program);
}

FailureOr<PatternProgram> PatternProgram::compile(Context &Ctx,
                                                  ArrayRef<Pattern> Patterns,
                                                  ConstantEquality Constants) {
  PatternCompiler Compiler(Ctx);
  bool Failed = false;
  for (const Pattern &P : Patterns)
    Failed |= failed(Compiler.add(P));
  if (Failed)
    return failure();
  PatternProgram Program = Compiler.take();
  Program.Constants = Constants;
  return Program;
}

std::optional<uint32_t> PatternProgram::lookup(unsigned I,
                                               const PatternNode &Node) const {
  for (uint32_t N = Begins[I]; N != Begins[I + 1]; ++N)
    if (Insts[N].Source == &Node && !Insts[N].IsHidden)
      return N;
  return std::nullopt;
}

std::optional<uint32_t> PatternProgram::lookup(unsigned I,
                                               StringRef Label) const {
  for (uint32_t N = Begins[I]; N != Begins[I + 1]; ++N)
    if (Insts[N].Source->getLabel() == Label && !Insts[N].IsHidden)
      return N;
  return std::nullopt;
}

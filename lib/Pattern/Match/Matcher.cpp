//===- Matcher.cpp - Running compiled patterns ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine: visit() decides simple cases at once, and pushes a frame for the
// others; step() continues with the top frame after its child succeeded or
// failed. Bindings are a list and a table, so that a failure removes the
// bindings made since its frame was pushed. MatchKinds.cpp handles each kind of
// instruction.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/Matcher.h"
#include "ExprComparison.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include <tuple>

using namespace relay;

/// More than enough for an operation and a pattern: a pattern of ten nodes
/// takes twenty steps. Refused matches follow the same long paths again from
/// each operation of the path.
static constexpr uint64_t StepsPerOperation = 1000;

Matcher::Matcher(const PatternProgram &Program, Function &F)
    : Program(Program), F(F), First(Program.getInsts().size()),
      Counts(Program.getInsts().size(), 0) {
  reset();
}

Matcher::~Matcher() = default;

void Matcher::reset() {
  undo(0);
  Graph.reset();
  Hopeless.clear();
  StepsLeft = StepsPerOperation * (uint64_t(F.getNumValues()) + 10000) *
              std::max(Program.getNumPatterns(), 1u);
}

const ExprGraph &Matcher::getGraph() {
  if (!Graph)
    Graph = std::make_unique<ExprGraph>(F);
  return *Graph;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

void Matcher::bind(uint32_t N, ExprRef E) {
  Trail.push_back({N, E});
  if (Counts[N]++ == 0)
    First[N] = E;
}

void Matcher::undo(size_t Mark) {
  while (Trail.size() > Mark)
    --Counts[Trail.pop_back_val().Inst];
}

bool Matcher::isAnyBound(ArrayRef<uint32_t> Insts) const {
  return llvm::any_of(Insts, [&](uint32_t N) { return Counts[N] != 0; });
}

ExprRef Matcher::lookup(const Pattern &Node) const {
  std::optional<uint32_t> N = Program.lookup(LastPattern, Node.getNode());
  return N && Counts[*N] ? First[*N] : ExprRef();
}

ExprRef Matcher::lookup(StringRef Label) const {
  std::optional<uint32_t> N = Program.lookup(LastPattern, Label);
  return N && Counts[*N] ? First[*N] : ExprRef();
}

SmallVector<ExprRef, 4> Matcher::lookupAll(const Pattern &Node) const {
  std::optional<uint32_t> N = Program.lookup(LastPattern, Node.getNode());
  SmallVector<ExprRef, 4> Found;
  for (const Binding &B : Trail)
    if (N && B.Inst == *N)
      Found.push_back(B.Expr);
  return Found;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// Returns true if a node that has matched \p A may also match \p B.
bool Matcher::isSame(ExprRef A, ExprRef B) const {
  return A == B ||
         (Program.getConstantEquality() == ConstantEquality::ByValue &&
          isEqualConstant(A, B));
}

Matcher::Outcome Matcher::visit(uint32_t N, ExprRef E) {
  if (LLVM_LIKELY(InPath || !Counts[N]))
    return visitNew(N, E);
  if (Counts[N] == 1 && isSame(First[N], E))
    return Outcome::Yes;
  return fail(N, E, MatchFailure::Reason::NotTheSame);
}

Matcher::Frame &Matcher::push(uint32_t N, ExprRef E) {
  Stack.push_back(
      {N, 0, E, uint32_t(Trail.size()), 0, 0, false, false, InPath});
  return Stack.back();
}

/// Ends the frame on top.
Matcher::Outcome Matcher::finish(Outcome O) {
  Frame Top = Stack.pop_back_val();
  const PatternInst &I = Program.getInst(Top.Inst);
  if (I.Kind == PatternKind::Dominator)
    Ways.pop_back();
  if (O == Outcome::Yes) {
    bind(Top.Inst, Top.E);
    // A failure in a part that has matched in another form is not the reason
    // for later failures.
    if (LLVM_UNLIKELY(Failure))
      Failure->Depth = std::min<uint32_t>(Failure->Depth, Stack.size());
    return O;
  }
  undo(Top.Mark);
  if (LLVM_UNLIKELY(Top.IsClean))
    Hopeless.insert(getHopelessKey(Top.Inst, Top.E));
  return O;
}

bool Matcher::run(uint32_t Root, ExprRef E) {
  undo(0);
  Outcome Last = visit(Root, E);
  while (!Stack.empty() && StepsLeft) {
    spendSteps(1);
    Last = step(Stack.back(), Last);
    if (Last != Outcome::Pending)
      Last = finish(Last);
  }
  if (LLVM_LIKELY(StepsLeft || Stack.empty()))
    return Last == Outcome::Yes;
  undo(0);
  Stack.clear();
  Ways.clear();
  InPath = false;
  return false;
}

bool Matcher::match(unsigned I, ExprRef E) {
  LastPattern = I;
  return LLVM_LIKELY(StepsLeft) && run(Program.getRoot(I), E);
}

bool Matcher::match(unsigned I, ExprRef E, MatchFailure &Into) {
  Into = MatchFailure();
  // Known failures would not be visited again.
  Hopeless.clear();
  Failure = &Into;
  bool Matches = match(I, E);
  Failure = nullptr;
  return Matches;
}

bool Matcher::matchAll(Operation &Op,
                       function_ref<bool(unsigned, ExprRef)> Callback) {
  auto MatchEach = [&](ArrayRef<uint32_t> Patterns, ExprRef E) {
    for (uint32_t I : Patterns)
      if (match(I, E) && !Callback(I, E))
        return false;
    return true;
  };
  ArrayRef<uint32_t> Candidates = Program.getCandidates(Op);
  if (!Candidates.empty() &&
      !MatchEach(Candidates, ExprRef::getDefinition(&Op)))
    return false;
  return !Op.isBound() ||
         MatchEach(Program.getLetCandidates(), ExprRef::getLet(&Op));
}

/// Returns how close \p E, which does not match \p Part because of \p Why, is:
/// 1 if it is a constant where the pattern has one, otherwise 0.
static uint32_t getCloseness(const PatternNode &Part, MatchFailure::Reason Why,
                             ExprRef E) {
  if (Why != MatchFailure::Reason::NotEqual || !E.isConstant())
    return 0;
  auto *Wanted = dyn_cast<Operation>(Part.getExpression());
  return Wanted && Wanted->is(OpCode::Constant);
}

/// Keeps the failure that got farthest; the first, if several are equal. It
/// therefore explains the better order of operands.
void Matcher::recordFailure(uint32_t N, ExprRef E, MatchFailure::Reason Why,
                            StringRef Attribute) {
  const PatternNode *Part = Program.getInst(N).Source;
  uint32_t Depth = Stack.size() + 1, NumMatched = Trail.size(),
           Closeness = getCloseness(*Part, Why, E);
  if (Failure->Part &&
      std::tie(Failure->Depth, Failure->NumMatched, Failure->Closeness) >=
          std::tie(Depth, NumMatched, Closeness))
    return;
  ExprRef Bound =
      Why == MatchFailure::Reason::NotTheSame ? First[N] : ExprRef();
  *Failure = {Part, Why, E, Bound, Attribute, Depth, NumMatched, Closeness};
}

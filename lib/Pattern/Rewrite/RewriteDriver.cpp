//===- RewriteDriver.cpp - Applying rules ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver listens to its own Rewriter: created and changed operations are
// added to the worklist, erased ones removed. The initial operations come
// first, in a plain list, so that the cost is that of a walk if no rule
// applies. Both lists contain only operations at which some rule may match.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/RewriteDriver.h"
#include "EffectOrder.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassRun.h"
#include "relay/Pattern/Composite/Partition.h"
#include "relay/Pattern/Match/MatchExplanation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// OperationQueue
//===----------------------------------------------------------------------===//

namespace {

/// A queue of operations, first in, first out; each at most once.
class OperationQueue {
public:
  void push(Operation *Op) {
    if (Places.try_emplace(Op, End).second) {
      Queue.push_back(Op);
      ++End;
    }
  }
  /// Returns null if the queue is empty.
  Operation *pop() {
    while (Next != Queue.size()) {
      Operation *Op = Queue[Next++];
      if (!Op)
        continue;
      Places.erase(Op);
      return Op;
    }
    Begin = End;
    Next = 0;
    Queue.clear();
    return nullptr;
  }
  void remove(Operation *Op) {
    auto It = Places.find(Op);
    if (It == Places.end())
      return;
    Queue[It->second - Begin] = nullptr;
    Places.erase(It);
  }

private:
  SmallVector<Operation *, 0> Queue;
  size_t Next = 0;
  /// Positions count from the first push on; Queue starts with position Begin.
  size_t Begin = 0, End = 0;
  llvm::DenseMap<Operation *, size_t> Places;
};

//===----------------------------------------------------------------------===//
// RewriteDriver
//===----------------------------------------------------------------------===//

class RewriteDriver : public RewriteListener {
public:
  RewriteDriver(Function &F, Rewriter &R, const RuleSet &Rules,
                const RewriteOptions &Options)
      : F(F), R(R), Rules(Rules), Options(Options), M(Rules.getProgram(), F),
        Effects(F), Limit(Options.MinApplications +
                          Options.ApplicationsPerOperation * F.getNumValues()),
        Applications(Rules.getRules().size(), 0),
        RefusedForType(Rules.getRules().size()) {
    R.keepResultAnnotations(); // callers rely on the type of the result
    if (Effects.hasEffects())
      R.addListener(&Effects);
    R.addListener(this);
  }
  ~RewriteDriver() override {
    R.removeListener(this);
    R.removeListener(&Effects);
  }

  LogicalResult run();

  // Overrides of RewriteListener.
  void notifyCreated(Operation *Op) override;
  void notifyModified(Operation *Op) override { push(Op); }
  void notifyErased(Operation *Op) override;

private:
  void seed();
  void push(Operation *Op) {
    if (Rules.hasCandidates(*Op) && !isInPartition(Op))
      Worklist.push(Op);
  }
  bool isInPartition(const Operation *Op) const;
  void pushUpwards(Operation *Op);
  Operation *pop();
  LogicalResult visit(Operation *Op);
  bool matches(unsigned Rule, Operation *Op);
  bool checkRule(unsigned Rule, Operation *Op);
  bool capture(unsigned Rule);
  llvm::SmallSetVector<Operation *, 8> getInner(Operation *Root) const;
  Operation *findSharedInner(Operation *Root) const;
  bool leadsTo(Use &U, Operation *Root) const;
  LogicalResult apply(unsigned Rule, Operation *Op);
  Value *foldCreated(Value *New);
  Value *keepEffects(Operation *Op, Value *New);
  void eraseDead();
  LogicalResult checkLimit(Location Loc);
  StringRef getLoggedPass(unsigned Level) const;
  std::string explain(unsigned Rule, Operation *Op);
  std::string explainCheck(unsigned Rule, Operation *Op);
  void explainRest(DebugLog &Log, StringRef Pass);

  Function &F;
  Rewriter &R;
  const RuleSet &Rules;
  const RewriteOptions &Options;
  Matcher M;
  /// Unvisited operations of the function; the last element is visited next.
  /// May contain erased operations, see `ErasedSeeds`.
  SmallVector<Operation *, 0> Seeds;
  llvm::DenseSet<Operation *> ErasedSeeds;
  OperationQueue Worklist;
  /// Applications that a listener has refused, which are not retried.
  llvm::DenseSet<std::pair<Operation *, unsigned>> Refused;
  /// True if the function has closures created by a partition.
  bool HasPartitions = false;
  /// Operations created by the current application, if they are to be folded.
  llvm::SmallSetVector<Operation *, 8> Created;
  /// Operations that the current application may leave without uses or erase.
  llvm::SmallSetVector<Operation *, 16> MaybeDead;
  llvm::SmallPtrSet<Operation *, 16> Erased;
  SmallVector<Value *, 16> Captured;
  EffectOrder Effects;
  uint64_t NumApplications = 0, Limit;
  /// True if a replacement had a less dynamic type.
  bool HasChangedTypes = false;
  SmallVector<uint64_t, 16> Applications;
  /// Rules that would have changed a type.
  llvm::BitVector RefusedForType;
};

} // namespace

//===----------------------------------------------------------------------===//
// The worklist
//===----------------------------------------------------------------------===//

void RewriteDriver::seed() {
  ErasedSeeds.clear();
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (Rules.hasCandidates(*Op))
      Seeds.push_back(Op);
    if (!isPartition(Op))
      return WalkResult::advance();
    HasPartitions = true;
    return WalkResult::skip();
  });
}

bool RewriteDriver::isInPartition(const Operation *Op) const {
  if (LLVM_LIKELY(!HasPartitions))
    return false;
  while ((Op = Op->getParentOp()))
    if (isPartition(Op))
      return true;
  return false;
}

/// Returns the next operation to visit; null if there is none.
Operation *RewriteDriver::pop() {
  while (!Seeds.empty()) {
    Operation *Op = Seeds.pop_back_val();
    // Its replacement is on the worklist.
    if (LLVM_UNLIKELY(ErasedSeeds.contains(Op)))
      continue;
    // An operation that changed while it waited here is visited only once.
    Worklist.remove(Op);
    return Op;
  }
  return Worklist.pop();
}

/// Returns the only operation that uses \p Op; null if there are others, or
/// none.
static Operation *getSingleUser(const Operation *Op) {
  if (Op->use_empty())
    return nullptr;
  Operation *User = Op->use_begin()->getUserOp();
  unsigned NumUses = 0;
  for (const Use &U : Op->uses())
    if (U.getUserOp() != User || ++NumUses > 4)
      return nullptr;
  return User;
}

/// Adds operations that may match because of \p Op to the worklist: the
/// operations above it through which all its flow passes.
void RewriteDriver::pushUpwards(Operation *Op) {
  for (unsigned Level = 0; Op && Level != Rules.getDepth(); ++Level) {
    push(Op);
    Op = getSingleUser(Op);
  }
}

void RewriteDriver::notifyCreated(Operation *Op) {
  Erased.erase(Op); // the memory was reused
  MaybeDead.insert(Op);
  if (Options.Fold)
    Created.insert(Op);
  push(Op);
}

void RewriteDriver::notifyErased(Operation *Op) {
  Worklist.remove(Op);
  if (!Seeds.empty())
    ErasedSeeds.insert(Op);
  MaybeDead.remove(Op);
  Created.remove(Op);
  Erased.insert(Op);
  for (unsigned Rule : Rules.getProgram().getCandidates(*Op))
    Refused.erase({Op, Rule});
  for (Value *V : Op->operands())
    if (Operation *Operand = V ? V->getDefiningOp() : nullptr)
      if (!Erased.contains(Operand))
        MaybeDead.insert(Operand);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Reads the values of the captures of the last match. Returns false if one of
/// them is not a value, or belongs to another operator than the rule expects.
bool RewriteDriver::capture(unsigned Rule) {
  Captured.clear();
  for (auto [C, Inst] :
       llvm::zip_equal(Rules.getRule(Rule).Captures, Rules.getCaptured(Rule))) {
    ExprRef E = M.lookup(Inst);
    Value *V = E ? E.getValue() : nullptr;
    if (!V && !C.IsOptional)
      return false;
    auto *Op = dyn_cast_or_null<Operation>(V);
    if (V && C.Op && !(Op && Op->is(*C.Op)))
      return false;
    Captured.push_back(V);
  }
  return true;
}

/// Returns true if all flow out of \p U leads to \p Root. A limited search may
/// return false in other cases.
bool RewriteDriver::leadsTo(Use &U, Operation *Root) const {
  constexpr unsigned MaxSteps = 64;
  llvm::SmallSetVector<Operation *, 8> Above;
  auto Follow = [&](Use &Next) {
    Operation *User = Next.getUserOp();
    if (!User)
      User = Next.getUserBlock()->getParentOp();
    if (User && User != Root)
      Above.insert(User);
    return User && Above.size() <= MaxSteps;
  };
  if (!Follow(U))
    return false;
  for (unsigned I = 0; I != Above.size(); ++I) {
    if (Above[I]->isBound() || Above[I]->use_empty())
      return false;
    for (Use &Next : Above[I]->uses())
      if (!Follow(Next))
        return false;
  }
  return true;
}

/// Returns the operations below \p Root that the last match describes.
llvm::SmallSetVector<Operation *, 8>
RewriteDriver::getInner(Operation *Root) const {
  llvm::SmallSetVector<Operation *, 8> Inner;
  for (const Matcher::Binding &B : M.getBindings()) {
    Operation *Op = B.Expr.getOperation();
    switch (Rules.getProgram().getInst(B.Inst).Kind) {
    case PatternKind::Call:
    case PatternKind::Tuple:
    case PatternKind::TupleGetItem:
    case PatternKind::If:
      if (Op && Op != Root)
        Inner.insert(Op);
      break;
    default:
      break;
    }
  }
  return Inner;
}

/// Returns an operation below \p Root that the last match describes and that
/// has other users than Root; null if no operation does.
Operation *RewriteDriver::findSharedInner(Operation *Root) const {
  llvm::SmallSetVector<Operation *, 8> Inner = getInner(Root);
  llvm::SmallPtrSet<Operation *, 8> Leaves;
  for (const Matcher::Binding &B : M.getBindings())
    if (Rules.getProgram().getInst(B.Inst).Kind == PatternKind::Wildcard)
      if (Operation *Op = B.Expr.getOperation())
        Leaves.insert(Op);
  for (Operation *Op : Inner) {
    if (Leaves.contains(Op))
      continue;
    for (Use &U : Op->uses()) {
      Operation *User = U.getUserOp();
      if (User != Root && !Inner.contains(User) && !leadsTo(U, Root))
        return Op;
    }
  }
  return nullptr;
}

/// Returns true if the conditions of \p Rule hold for the captured values. The
/// first refusal because of a type alone is reported to
/// Options.OnRefusedForType.
bool RewriteDriver::checkRule(unsigned Rule, Operation *Op) {
  const RewriteRule &Declared = Rules.getRule(Rule);
  RuleMatch Match(Op, Captured);
  if (Declared.Check(Match))
    return true;
  if (!Declared.ExplainCheck || !Options.OnRefusedForType ||
      RefusedForType.test(Rule))
    return false;
  if ((Declared.SharesInner || !findSharedInner(Op)) &&
      !Declared.ExplainCheck(Match).empty()) {
    RefusedForType.set(Rule);
    Options.OnRefusedForType(Rule);
  }
  return false;
}

bool RewriteDriver::matches(unsigned Rule, Operation *Op) {
  if (!M.match(Rule, ExprRef::getDefinition(Op)) || !capture(Rule))
    return false;
  const RewriteRule &Declared = Rules.getRule(Rule);
  return checkRule(Rule, Op) &&
         (Declared.SharesInner || !findSharedInner(Op)) &&
         !Refused.contains({Op, Rule});
}

/// Returns the running pass if its log is enabled at \p Level; otherwise empty.
StringRef RewriteDriver::getLoggedPass(unsigned Level) const {
  const DebugLog &Log = F.getContext().getDebugLog();
  const PassRun *Run = Log.isOn() ? PassRun::getCurrent() : nullptr;
  return Run && Log.getLevel(Run->getName()) >= Level ? Run->getName() : "";
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

/// Erases unused operations, and revisits operands that lost a use.
void RewriteDriver::eraseDead() {
  SmallVector<Operation *, 16> Kept;
  while (!MaybeDead.empty()) {
    Operation *Op = MaybeDead.pop_back_val();
    if (Op->isFloating() && Op->use_empty())
      R.eraseOp(Op);
    else
      Kept.push_back(Op);
  }
  for (Operation *Op : Kept)
    if (!Erased.contains(Op) && !Op->is(OpCode::Constant))
      pushUpwards(Op);
  Erased.clear();
}

/// Adds the location of the rule's declaration, if it is known.
static void addDeclaration(InFlightDiagnostic &D, const RewriteRule &Rule) {
  if (Rule.Loc.isKnown())
    D.note(Rule.Loc, "the rule is declared here");
}

LogicalResult RewriteDriver::checkLimit(Location Loc) {
  if (++NumApplications <= Limit)
    return success();
  unsigned Most =
      std::distance(Applications.begin(), llvm::max_element(Applications));
  const RewriteRule &Rule = Rules.getRule(Most);
  InFlightDiagnostic D = F.getContext().emitError(
      Loc, "rules keep applying to @" + F.getName() + ": '" + Rule.Name + "' " +
               Twine(Applications[Most]) + " times among " +
               Twine(NumApplications) + " applications");
  addDeclaration(D, Rule);
  return D;
}

/// Returns true if \p V can replace \p Op without a change of types, including
/// users whose types follow an operand.
static bool keepsTypes(const Operation *Op, const Value *V) {
  return Op->getType() && isSameType(Op->getType(), V->getType()) &&
         llvm::none_of(Op->uses(), [](const Use &U) {
           const Operation *User = U.getUserOp();
           return User && User->getInfo().mirrorsOperand(U.getOperandNo());
         });
}

/// Folds the operations created by the current application, operands first.
/// Returns the replacement of \p New.
Value *RewriteDriver::foldCreated(Value *New) {
  for (Operation *Op : Created.takeVector()) {
    R.setInsertionPoint(Op);
    Value *Folded = Options.Fold(R, Op);
    if (!Folded || !keepsTypes(Op, Folded))
      continue;
    if (StringRef Pass = getLoggedPass(1); !Pass.empty())
      F.getContext().getDebugLog().print(Pass,
                                         "evaluated " + Op->getDescription());
    if (New == Op)
      New = Folded;
    R.replaceOp(Op, Folded);
  }
  return New;
}

/// Returns the replacement of \p Op, with the effects that \p New would drop or
/// reorder. Rules do not match the projection that keeps the effects.
Value *RewriteDriver::keepEffects(Operation *Op, Value *New) {
  Value *Kept = Effects.end(R, Op, New);
  if (Kept == New)
    return New;
  auto *Projection = cast<Operation>(Kept);
  for (unsigned Rule : Rules.getProgram().getCandidates(*Projection))
    Refused.insert({Projection, Rule});
  return Kept;
}

LogicalResult RewriteDriver::apply(unsigned Rule, Operation *Op) {
  const RewriteRule &Declared = Rules.getRule(Rule);
  Location Loc = Op->getLoc();
  Type *Old = Op->getType();
  ++Applications[Rule];
  if (failed(checkLimit(Loc)))
    return failure();
  if (Effects.hasEffects())
    Effects.begin(Op, getInner(Op).getArrayRef());
  R.setInsertionPoint(Op);
  Value *New = Declared.Build(R, RuleMatch(Op, Captured));
  if (!New)
    return failure();
  if (Options.Fold)
    New = foldCreated(New);
  if (!isLessDynamic(F.getContext(), New->getType(), Old)) {
    InFlightDiagnostic D = F.getContext().emitError(
        Loc, "rule '" + Declared.Name + "' replaces a value of type " +
                 toString(Old) + " by one of type " + toString(New->getType()));
    addDeclaration(D, Declared);
    return D;
  }
  if (Effects.hasEffects())
    New = keepEffects(Op, New);
  HasChangedTypes |= R.replaceOpByLessDynamic(Op, New);
  Created.clear();
  if (Options.OnApplied)
    Options.OnApplied(Rule);
  eraseDead();
  return success();
}

LogicalResult RewriteDriver::visit(Operation *Op) {
  for (unsigned Rule : Rules.getCandidates(*Op)) {
    if (!matches(Rule, Op))
      continue;
    R.setInsertionPoint(Op);
    if (R.startRewrite(Rules.getRule(Rule).Name, Op))
      return apply(Rule, Op);
    Refused.insert({Op, Rule});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The debug log
//===----------------------------------------------------------------------===//

/// Explains why \p Rule, which may match at operations like \p Op, does not
/// apply to it.
std::string RewriteDriver::explain(unsigned Rule, Operation *Op) {
  if (!M.match(Rule, ExprRef::getDefinition(Op)))
    return explainMatch(M, Rule, Op);
  if (!capture(Rule))
    return "it matches in another order than the rule is for";
  const RewriteRule &Declared = Rules.getRule(Rule);
  if (Operation *Inner = findSharedInner(Op); Inner && !Declared.SharesInner)
    return "something else uses " + Inner->getDescription();
  RuleMatch Match(Op, Captured);
  if (Declared.Check(Match))
    return "a flag such as -debug-counter rejected it";
  std::string Why = Declared.ExplainCheck ? Declared.ExplainCheck(Match) : "";
  if (!Why.empty())
    return Why;
  Why = "a condition of the rule does not hold";
  return Declared.NameFailed ? Why + ": " + Declared.NameFailed(Match) : Why;
}

/// Returns the rule's own explanation why it does not apply to \p Op; empty if
/// it has none, or if that is not the reason.
std::string RewriteDriver::explainCheck(unsigned Rule, Operation *Op) {
  const RewriteRule &Declared = Rules.getRule(Rule);
  if (!Declared.ExplainCheck || !M.match(Rule, ExprRef::getDefinition(Op)) ||
      !capture(Rule) || (!Declared.SharesInner && findSharedInner(Op)))
    return "";
  return Declared.ExplainCheck(RuleMatch(Op, Captured));
}

/// Logs for \p Pass, for each operation at which some rule may match, why none
/// does; below level 2 only explanations of the rules. A separate walk over the
/// result ensures that nothing is logged twice, and that the log does not
/// affect rewriting.
void RewriteDriver::explainRest(DebugLog &Log, StringRef Pass) {
  bool All = Log.getLevel(Pass) >= 2;
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    for (unsigned Rule : Rules.getProgram().getCandidates(*Op)) {
      std::string Why = All ? explain(Rule, Op) : explainCheck(Rule, Op);
      if (!Why.empty())
        Log.print(Pass, Rules.getRule(Rule).Name + " does not apply to " +
                            Op->getDescription() + ": " + Why);
    }
    return isPartition(Op) ? WalkResult::skip() : WalkResult::advance();
  });
}

LogicalResult RewriteDriver::run() {
  uint64_t Before;
  do {
    Before = NumApplications;
    seed();
    while (Operation *Op = pop())
      if (failed(visit(Op)))
        return failure();
  } while (NumApplications != Before);
  if (M.isExhausted())
    return F.getContext().emitError(
        F.getLoc(), "patterns of rules take too many steps in @" + F.getName());
  if (StringRef Pass = getLoggedPass(1); !Pass.empty())
    explainRest(F.getContext().getDebugLog(), Pass);
  return HasChangedTypes ? retype(F) : success();
}

LogicalResult relay::applyRules(Function &F, Rewriter &R, const RuleSet &Rules,
                                const RewriteOptions &Options) {
  return RewriteDriver(F, R, Rules, Options).run();
}

//===- PatternRewrite.cpp - Rewrites by callbacks -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A round begins with one walk that determines which patterns match anywhere;
// only these get a separate pass. A hash detects two rewrites that undo each
// other and leave the function unchanged. Effects that a replacement would drop
// or reorder are kept as for rules, see EffectOrder.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/PatternRewrite.h"
#include "EffectOrder.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Pattern/Composite/PatternGroups.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <functional>

using namespace relay;

//===----------------------------------------------------------------------===//
// Matches
//===----------------------------------------------------------------------===//

Value *PatternMatch::getValue(ExprRef E) const {
  if (!E)
    return nullptr;
  auto New = Replaced.find(E);
  return New == Replaced.end() ? getOutsideValue(E) : New->second;
}

SmallVector<ExprRef, 4>
PatternMatch::getBindings(std::optional<uint32_t> Inst) const {
  SmallVector<ExprRef, 4> Found;
  for (const Matcher::Binding &B : G.Bindings)
    if (Inst && B.Inst == *Inst)
      Found.push_back(B.Expr);
  return Found;
}

Operation *PatternMatch::getRoot() const { return G.Root; }

ExprRef PatternMatch::lookupExpr(const relay::Pattern &Node) const {
  auto Found = getBindings(Program.lookup(Pattern, Node.getNode()));
  return Found.empty() ? ExprRef() : Found.front();
}

Value *PatternMatch::lookup(const relay::Pattern &Node) const {
  return getValue(lookupExpr(Node));
}

Value *PatternMatch::lookup(StringRef Label) const {
  auto Found = getBindings(Program.lookup(Pattern, Label));
  return Found.empty() ? nullptr : getValue(Found.front());
}

SmallVector<Value *, 4>
PatternMatch::lookupAll(const relay::Pattern &Node) const {
  SmallVector<Value *, 4> Values;
  for (ExprRef E : getBindings(Program.lookup(Pattern, Node.getNode())))
    Values.push_back(getValue(E));
  return Values;
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

namespace relay {

/// One call of PatternRewrites::run().
class PatternRewriteRun {
public:
  PatternRewriteRun(const PatternRewrites &All, Function &F)
      : All(All), F(F), Match(All.Program, F), R(F),
        Active(All.Rewrites.size(), true), Matching(All.Rewrites.size()),
        MaxOperations(F.getNumOperations() +
                      F.getContext().getLimits().Operations) {
    R.addListener(&New);
    R.keepResultAnnotations(); // callers are not typed again
  }
  FailureOr<unsigned> run();

private:
  /// Records the operations that a callback creates.
  class NewOperations : public RewriteListener {
  public:
    void notifyCreated(Operation *Op) override { Ops.insert(Op); }
    void notifyErased(Operation *Op) override { Ops.erase(Op); }
    llvm::DenseSet<const Operation *> Ops;
  };

  LogicalResult findMatching();
  LogicalResult runRound();
  LogicalResult runPass(unsigned I);
  bool applyAll(unsigned I, ArrayRef<PatternGroup> Groups);
  bool apply(unsigned I, const PatternGroup &G, EffectOrder &Effects);
  Value *makeReplacement(unsigned I, const PatternGroup &G,
                         EffectOrder &Effects);
  void replace(Operation *Root, Value *By);
  LogicalResult checkGrowth(const PatternRewrite &Rewrite);
  LogicalResult reportNoEnd();

  const PatternRewrites &All;
  Function &F;
  Matcher Match;
  Rewriter R;
  NewOperations New;
  llvm::BitVector Active, Matching;
  uint64_t MaxOperations;
  unsigned NumReplaced = 0;
  StringRef LastApplied;
  ReplacedExprs Replaced; ///< of the current pass
  /// True if a callback of the current pass has left its root unchanged after
  /// it created operations.
  bool HasUnused = false;
  /// The hash of the function before the current round, once a pattern matches.
  std::optional<uint64_t> Before;
};

} // namespace relay

/// Determines the patterns of active rewrites that match anywhere.
LogicalResult PatternRewriteRun::findMatching() {
  FailureOr<llvm::BitVector> Found = findMatchingPatterns(Match, Active);
  if (failed(Found))
    return failure();
  Matching = std::move(*Found);
  return success();
}

/// Replaces uses of \p Root by \p By. Operations created by the callback
/// continue to use a copy of Root.
void PatternRewriteRun::replace(Operation *Root, Value *By) {
  auto IsNew = [&](Use &U) {
    return U.getUserOp() && New.Ops.contains(U.getUserOp());
  };
  if (llvm::any_of(Root->uses(), IsNew)) {
    Builder::InsertionGuard Guard(R);
    R.setInsertionPoint(Root);
    llvm::DenseMap<const Value *, Value *> Map;
    R.replaceUsesIf(Root, R.clone(*Root, Map), IsNew);
  }
  replaceRoot(R, Root, By, Replaced);
}

/// Returns true if both are the same field of tuples of the same values.
static bool isSameField(Value *L, Value *R) {
  auto Left = dyn_cast<TupleGetItemOp>(L), Right = dyn_cast<TupleGetItemOp>(R);
  if (!Left || !Right || Left->getAttrs() != Right->getAttrs())
    return false;
  auto LeftTuple = dyn_cast<TupleOp>(Left.tuple());
  auto RightTuple = dyn_cast<TupleOp>(Right.tuple());
  return LeftTuple && RightTuple &&
         llvm::equal(LeftTuple->operands(), RightTuple->operands());
}

/// Returns the replacement of the root of \p G; null if there is none. A root
/// that already keeps the effects around its replacement has none.
Value *PatternRewriteRun::makeReplacement(unsigned I, const PatternGroup &G,
                                          EffectOrder &Effects) {
  if (Effects.hasEffects())
    Effects.begin(G.Root, G.getOperations());
  R.setInsertionPoint(G.Root);
  PatternMatch M(All.Program, I, G, Replaced);
  Value *By = All.Rewrites[I].Apply(M, R);
  if (!By || By == G.Root || !Effects.hasEffects())
    return By == G.Root ? nullptr : By;
  By = Effects.end(R, G.Root, By);
  return isSameField(By, G.Root) ? nullptr : By;
}

/// Returns true if \p G has been replaced.
bool PatternRewriteRun::apply(unsigned I, const PatternGroup &G,
                              EffectOrder &Effects) {
  const PatternRewrite &Rewrite = All.Rewrites[I];
  if (!R.startRewrite(Rewrite.Name, G.Root))
    return false;
  New.Ops.clear();
  Value *By = makeReplacement(I, G, Effects);
  if (!By) {
    HasUnused |= !New.Ops.empty();
    return false;
  }
  replace(G.Root, By);
  ++NumReplaced;
  LastApplied = Rewrite.Name;
  return true;
}

/// Returns true if any of \p Groups has been replaced.
bool PatternRewriteRun::applyAll(unsigned I, ArrayRef<PatternGroup> Groups) {
  if (Groups.empty())
    return false;
  EffectOrder Effects(F);
  R.addListener(&Effects);
  bool HasChanged = false;
  for (const PatternGroup &G : Groups)
    HasChanged |= apply(I, G, Effects);
  R.removeListener(&Effects);
  return HasChanged;
}

LogicalResult PatternRewriteRun::checkGrowth(const PatternRewrite &Rewrite) {
  if (F.getNumOperations() <= MaxOperations)
    return success();
  return F.getContext().emitError(
      F.getLoc(), "rewriting @" + F.getName() + " by '" + Rewrite.Name +
                      "' makes " +
                      describeLimit(F.getContext().getLimits().Operations,
                                    "operations", "-max-operations"));
}

LogicalResult PatternRewriteRun::reportNoEnd() {
  return F.getContext().emitError(
      F.getLoc(), "rewriting @" + F.getName() + " does not end: after " +
                      Twine(PatternRewrites::MaxRounds) + " rounds '" +
                      LastApplied + "' still applies");
}

/// Replaces all matches of the rewrite \p I that do not overlap.
LogicalResult PatternRewriteRun::runPass(unsigned I) {
  const PatternRewrite &Rewrite = All.Rewrites[I];
  if (Rewrite.RequireType) {
    if (failed(retype(F)))
      return failure();
    Match.reset();
  }
  std::vector<PatternGroup> Groups = findPatternGroups(Match, I);
  if (failed(checkSteps(Match, "'" + Rewrite.Name + "'")))
    return failure();
  if (!Groups.empty() && !Before)
    Before = getStructuralHash(F, false);
  Replaced.clear();
  HasUnused = false;
  bool HasChanged = applyAll(I, Groups);
  if (HasChanged || HasUnused) {
    F.normalize();
    Match.reset();
  }
  if (!HasChanged)
    return success();
  if (Rewrite.Once)
    Active.reset(I);
  if (failed(checkGrowth(Rewrite)))
    return failure();
  return findMatching();
}

LogicalResult PatternRewriteRun::runRound() {
  Before.reset();
  if (failed(findMatching()))
    return failure();
  for (unsigned I = 0; I != All.Rewrites.size(); ++I)
    if (Active[I] && Matching[I] && failed(runPass(I)))
      return failure();
  return success();
}

FailureOr<unsigned> PatternRewriteRun::run() {
  for (unsigned Round = 0; Round != PatternRewrites::MaxRounds; ++Round) {
    unsigned NumBefore = NumReplaced;
    if (failed(runRound()))
      return failure();
    if (NumReplaced == NumBefore || getStructuralHash(F, false) == *Before)
      return NumReplaced;
  }
  return reportNoEnd();
}

FailureOr<PatternRewrites>
PatternRewrites::get(Context &Ctx, std::vector<PatternRewrite> Rewrites) {
  FailureOr<PatternProgram> Program = PatternProgram::compile(
      Ctx, llvm::map_to_vector(Rewrites, std::mem_fn(&PatternRewrite::P)));
  if (failed(Program))
    return failure();
  return PatternRewrites(std::move(Rewrites), std::move(*Program));
}

FailureOr<unsigned> PatternRewrites::run(Function &F) const {
  return PatternRewriteRun(*this, F).run();
}

//===- DeadCodeElimination.cpp - Remove unused bindings -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating operations that nothing uses are not here: they do not exist, see
// Function::normalize(). Three steps a function, each linear: purity of its
// values (room Analysis), uses of its variables, and the change itself.
//
// Uses are counted as TVM's pass counts them, by a walk from the result through
// operands and regions: a graph node that is reached twice counts twice, a
// `let` chain once, and the value of a variable is walked at its first use, at
// the level of closures of that use. Only then do the results agree.
//
//===----------------------------------------------------------------------===//

#include "Inline/Scopes.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassContext.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;

namespace {

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// How often the variables of a function are used.
class UsageCounter {
public:
  UsageCounter(Function &F, function_ref<bool(const Operation *)> IsPure)
      : IsPure(IsPure), Info(F.getNumValues()) {
    enterBlock(F.getBody(), 0);
    while (!Stack.empty())
      step();
  }

  bool isUnused(const Operation *Op) const { return !get(Op).Uses; }
  /// Used once, at the level of closures of its binding.
  bool isUsedOnce(const Operation *Op) const {
    return get(Op).Uses == 1 && !get(Op).UsedInside;
  }
  /// Returns true if what computes \p Op was walked at all.
  bool isReached(const Operation *Op) const { return get(Op).Visits; }

private:
  struct OpInfo {
    uint8_t Visits = 0;      ///< of the operation, up to 2
    uint8_t Uses = 0;        ///< of the variable, up to 2
    bool UsedInside = false; ///< in a closure that the binding is outside of
    uint32_t Level = 0;      ///< closures around the binding
  };
  /// An operation's children are its operands, then its regions; a block's, its
  /// bindings, then its result.
  struct Frame {
    Operation *Op; // null: a block
    Block *B;
    Block::iterator It;
    unsigned Next, Level;
  };

  OpInfo &get(const Operation *Op) { return Info[Op->getIndex()]; }
  const OpInfo &get(const Operation *Op) const { return Info[Op->getIndex()]; }
  void step();
  void stepOperation(Frame &Top);
  void stepBlock(Frame &Top);
  void enterBlock(Block &B, unsigned Level);
  void enterOperation(Operation *Op, unsigned Level);
  void use(Value *V, unsigned Level);

  function_ref<bool(const Operation *)> IsPure;
  SmallVector<OpInfo, 0> Info; // by Value::getIndex()
  llvm::DenseSet<const Block *> Chains;
  SmallVector<Frame, 16> Stack;
};

void UsageCounter::step() {
  Frame &Top = Stack.back();
  if (Top.Op)
    stepOperation(Top);
  else
    stepBlock(Top);
}

void UsageCounter::stepOperation(Frame &Top) {
  Operation *Op = Top.Op;
  unsigned Level = Top.Level, Next = Top.Next++;
  if (Next < Op->getNumOperands())
    return use(Op->getOperand(Next), Level);
  Next -= Op->getNumOperands();
  if (Next < Op->getNumRegions())
    return enterBlock(Op->getRegion(Next), Level + Op->is(OpCode::Fn));
  Stack.pop_back();
}

void UsageCounter::stepBlock(Frame &Top) {
  while (Top.It != Top.B->end()) {
    Operation &Op = *Top.It++;
    if (!Op.isBound())
      continue;
    get(&Op).Level = Top.Level;
    if (!IsPure(&Op))
      return enterOperation(&Op, Top.Level);
  }
  Frame Done = Stack.pop_back_val();
  use(Done.B->getResult(), Done.Level);
}

/// A `let` chain is walked once, however often it is reached.
void UsageCounter::enterBlock(Block &B, unsigned Level) {
  if (B.bindings().empty() || Chains.insert(&B).second)
    Stack.push_back({nullptr, &B, B.begin(), 0, Level});
}

/// A node is walked twice at most: with two uses no variable is inlined.
void UsageCounter::enterOperation(Operation *Op, unsigned Level) {
  uint8_t &Visits = get(Op).Visits;
  if (Visits == 2)
    return;
  ++Visits;
  Stack.push_back({Op, nullptr, {}, 0, Level});
}

void UsageCounter::use(Value *V, unsigned Level) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op)
    return;
  if (Op->isFloating())
    return enterOperation(Op, Level);
  OpInfo &Var = get(Op);
  Var.UsedInside |= Var.Level != Level;
  Var.Uses = std::min(2, Var.Uses + 1);
  if (Var.Uses == 1 && IsPure(Op))
    enterOperation(Op, Level);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

class DeadCodeElimination
    : public DeadCodeEliminationBase<DeadCodeElimination> {
public:
  using DeadCodeEliminationBase::DeadCodeEliminationBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  /// Counts of the changes to a function.
  struct Counts {
    uint64_t Removed = 0, Inlined = 0;
    bool HasChanged = false;
    Function *Retyped = nullptr; ///< without an annotation it is less dynamic
  };
  Counts runOnFunction(Function &F, const Purity *Calls) const;
};

} // namespace

/// Returns true if \p Op has users other than a closure that is \p Op itself.
static bool isUsedByOthers(const Operation *Op) {
  return llvm::any_of(Op->uses(), [&](const Use &U) {
    Block *B = U.getUserOp() ? U.getUserOp()->getBlock() : U.getUserBlock();
    return !B->isInRegionOf(*Op);
  });
}

/// Erases \p Dead, with operands before users, except for operations that
/// remaining bindings need. Returns the number of bindings erased.
static unsigned eraseAll(Rewriter &R, ArrayRef<Operation *> Dead) {
  unsigned NumErased = 0;
  for (Operation *Op : llvm::reverse(Dead)) {
    if (isUsedByOthers(Op) ||
        (Op->isBound() && !R.startRewrite("remove-binding", Op)))
      continue;
    NumErased += Op->isBound();
    R.eraseOp(Op);
  }
  return NumErased;
}

DeadCodeElimination::Counts
DeadCodeElimination::runOnFunction(Function &F, const Purity *Calls) const {
  RELAY_DEBUG(F.getContext(), 2)
      << "looks at " << F.getNumBindings() << " bindings of @" << F.getName();
  if (!F.getNumBindings())
    return {};
  std::optional<ValuePurity> Values;
  if (Calls)
    Values.emplace(F, [&](StringRef Name) { return Calls->isCallPure(Name); });
  // The body of an external function is unknown.
  bool IsExtern = isExtern(F.getSignature());
  auto IsPure = [&](const Operation *Op) {
    if (!Values)
      return true;
    return !IsExtern &&
           (Op->isBound() ? Values->mayUnbind(Op) : Values->isEvalPure(Op));
  };
  UsageCounter Uses(F, IsPure);
  SmallVector<Operation *> Dead, Inlined;
  walk(F, [&](Operation *Op) {
    Operation *Parent = Op->getParentOp();
    if (!Uses.isReached(Op)) {
      if (!Parent || Uses.isReached(Parent))
        Dead.push_back(Op); // with all in its regions
    } else if (Options.InlineOnce && Op->isBound() && IsPure(Op) &&
               Uses.isUsedOnce(Op)) {
      Inlined.push_back(Op);
    }
  });
  if (Dead.empty() && Inlined.empty())
    return {};

  Counts Done;
  Rewriter R(F);
  if (llvm::any_of(Dead, hasDynamicAnnotation) ||
      llvm::any_of(Inlined, hasDynamicAnnotation))
    Done.Retyped = &F;
  Done.Removed = eraseAll(R, Dead);
  for (Operation *Op : llvm::reverse(Inlined)) { // aliases before their values
    if (!R.startRewrite("inline-binding", Op))
      continue;
    inlineBinding(R, Op);
    ++Done.Inlined;
  }
  Done.HasChanged = R.getNumRewrites();
  if (Done.HasChanged)
    dissolveEmptyScopes(R, F);
  else
    Done.Retyped = nullptr;
  return Done;
}

FailureOr<PreservedAnalyses> DeadCodeElimination::run(Module &M,
                                                      ModuleAnalysisManager &AM,
                                                      PassContext &Ctx) {
  bool NeedsPurity = !Options.IgnoreImpurity && hasBindings(M);
  const Purity *Calls =
      NeedsPurity ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  bool Changed = false;
  for (const Counts &Done : mapFunctions<Counts>(
           M, Ctx, [&](Function &F) { return runOnFunction(F, Calls); })) {
    NumRemoved += Done.Removed;
    NumInlined += Done.Inlined;
    Changed |= Done.HasChanged;
    if (Done.Retyped && failed(retype(*Done.Retyped)))
      return failure();
  }
  return preserved(Changed);
}

std::unique_ptr<Pass>
relay::createDeadCodeEliminationPass(DeadCodeEliminationOptions Options) {
  return std::make_unique<DeadCodeElimination>(std::move(Options));
}

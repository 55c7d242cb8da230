//===- ManifestLifetimes.cpp - Free variables after their last uses -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inserts memory.kill after the last uses of variables, in three steps:
//
//   1. A walk forwards lists the operations and the ends of blocks in
//      pre-order, and finds the variable that each alias names.
//   2. A walk backwards lists the uses of variables, each with the binding that
//      needs it.
//   3. A second walk backwards finds the last uses. A use is the last one on a
//      path if the variable has no later use, or if an operation has this use
//      and the later one in different regions.
//
// Step 3 takes logarithmic time in the depth of the regions per use; the rest
// is linear.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"

using namespace relay;

namespace {

/// The last uses of the variables of a function.
///
/// An alias and its source are one variable, and so are a scope and its result.
/// A floating operation uses its operands where the last binding needs it.
/// Variables and blocks of closures are left out: a closure uses the variables
/// that it captures.
class LastUses : public IRVisitor {
public:
  explicit LastUses(Function &F);

  /// A variable that can be freed after a binding.
  struct Death {
    Operation *After;
    Value *Variable;
  };
  /// Returns the deaths in the order of the bindings. Deaths after one binding
  /// are in the order in which it first uses the variables.
  SmallVector<Death, 0> findDeaths();

  // The walk forwards.
  void enter(Operation *Op);
  void leave(Operation *Op);
  void enterBlock(Block &B);
  void leaveBlock(Block &B);

private:
  /// An operation, or the end of a block, in pre-order.
  struct Step {
    Operation *Op; ///< null at the end of a block
    Block *B;
    Operation *Closure; ///< the outermost one around it, or null
  };
  struct BlockInfo {
    unsigned Depth;       ///< number of enclosing blocks
    unsigned NumFloating; ///< number of enclosing floating operations
    unsigned End = 0;     ///< the step at its end
  };
  /// A use by a binding, or by the result of a block.
  struct VariableUse {
    Value *Variable;
    unsigned At; ///< the step of the binding, or of the end of the block
  };
  /// A binding that needs a value; its block if the result does.
  struct User {
    Operation *Op; ///< null for the result
    Block *B;
  };

  static constexpr unsigned Never = ~0u;

  const BlockInfo &getInfo(const Block *B) const {
    return Blocks.find(B)->second;
  }
  void setRoot(Operation *Op, Value *Root);
  void addToPath(Block *B);
  void visit(const Step &S);
  void addUse(Value *V, User U);
  void addVariable(Value *V, User U);
  User getUser(Operation *Op) const;
  SmallVector<VariableUse, 0> takeSortedUses();
  bool isInOtherRegion(unsigned At, unsigned Later) const;

  SmallVector<Step, 0> Steps;
  llvm::DenseMap<const Block *, BlockInfo> Blocks;
  SmallVector<unsigned, 0> StepOf; ///< of an operation, by Value::getIndex()
  llvm::BitVector IsOfClosure;     ///< by Value::getIndex()
  /// The value that an alias or a scope stands for; other values are their own
  /// roots. By Value::getIndex().
  SmallVector<Value *, 0> Roots;
  /// The variable of a root that is a floating operation: the first operation
  /// of its own block that stands for it.
  llvm::DenseMap<Value *, Operation *> FloatingVariables;
  SmallVector<VariableUse, 0> Uses;
  /// The last binding that needs each floating operation; null for the result
  /// of the block.
  llvm::DenseMap<Operation *, Operation *> Users;

  // During a walk:
  Operation *Closure = nullptr;
  SmallVector<Block *> Path; ///< the enclosing blocks, by BlockInfo::Depth
  /// The blocks of Path whose parents are floating operations, by
  /// BlockInfo::NumFloating less one.
  SmallVector<Block *> FloatingPath;
};

} // namespace

//===----------------------------------------------------------------------===//
// The walk forwards
//===----------------------------------------------------------------------===//

LastUses::LastUses(Function &F)
    : StepOf(F.getNumValues()), IsOfClosure(F.getNumValues()),
      Roots(F.getNumValues()) {
  traverse(F.getBody(), *this);
  for (const Step &S : llvm::reverse(Steps))
    visit(S);
}

void LastUses::enterBlock(Block &B) {
  BlockInfo Info = {0, 0};
  if (Operation *Parent = B.getParentOp()) {
    const BlockInfo &Outer = getInfo(Parent->getBlock());
    Info = {Outer.Depth + 1, Outer.NumFloating + !Parent->isBound()};
  }
  Blocks[&B] = Info;
  for (BlockArgument *Arg : B.getArguments()) {
    Roots[Arg->getIndex()] = Arg;
    if (Closure)
      IsOfClosure.set(Arg->getIndex());
  }
}

void LastUses::leaveBlock(Block &B) {
  Blocks[&B].End = Steps.size();
  Steps.push_back({nullptr, &B, Closure});
}

void LastUses::enter(Operation *Op) {
  StepOf[Op->getIndex()] = Steps.size();
  Steps.push_back({Op, Op->getBlock(), Closure});
  Roots[Op->getIndex()] = Op;
  if (Closure)
    IsOfClosure.set(Op->getIndex());
  else if (Op->is(OpCode::Fn))
    Closure = Op;
  if (Op->is(OpCode::Alias))
    setRoot(Op, Roots[Op->getOperand(0)->getIndex()]);
}

void LastUses::leave(Operation *Op) {
  if (Closure == Op)
    Closure = nullptr;
  if (!Op->is(OpCode::Scope))
    return;
  Value *Root = Roots[Op->getRegion().getResult()->getIndex()];
  if (Root->getParentBlock() != &Op->getRegion())
    setRoot(Op, Root);
}

/// Returns true if \p V is not a variable.
static bool isFloating(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && !Op->isBound();
}

void LastUses::setRoot(Operation *Op, Value *Root) {
  Roots[Op->getIndex()] = Root;
  if (isFloating(Root) && Op->isBound() &&
      Op->getBlock() == Root->getParentBlock())
    FloatingVariables.try_emplace(Root, Op);
}

//===----------------------------------------------------------------------===//
// The walk backwards
//===----------------------------------------------------------------------===//

/// Enters \p B from its end. Deeper blocks are left.
void LastUses::addToPath(Block *B) {
  const BlockInfo &Info = getInfo(B);
  Path.resize(Info.Depth);
  Path.push_back(B);
  if (Info.Depth == 0 || B->getParentOp()->isBound())
    return;
  FloatingPath.resize(Info.NumFloating - 1);
  FloatingPath.push_back(B);
}

/// Returns the binding that needs \p Op last.
LastUses::User LastUses::getUser(Operation *Op) const {
  return {Op->isBound() ? Op : Users.lookup(Op), Op->getBlock()};
}

void LastUses::visit(const Step &S) {
  if (!S.Op)
    addToPath(S.B);
  User U = {nullptr, S.B};
  if (S.Closure)
    U = getUser(S.Closure);
  else if (S.Op)
    U = getUser(S.Op);
  if (S.Op)
    for (Value *V : llvm::reverse(S.Op->operands()))
      addUse(V, U);
  else if (Value *Result = S.B->getResult())
    addUse(Result, U);
}

/// Adds a use of \p V, whose user \p U is in a block of Path.
void LastUses::addUse(Value *V, User U) {
  if (IsOfClosure.test(V->getIndex()) || V == U.Op)
    return;
  if (isFloating(V)) {
    Block *B = V->getParentBlock();
    Users.try_emplace(
        cast<Operation>(V),
        U.B == B ? U.Op
                 : getUser(Path[getInfo(B).Depth + 1]->getParentOp()).Op);
  }
  addVariable(Roots[V->getIndex()], U);
}

/// Adds a use of the root \p V. A use in a floating operation counts where the
/// operation is needed: its other operands may be read after the region.
void LastUses::addVariable(Value *V, User U) {
  if (isFloating(V))
    V = FloatingVariables.lookup(V);
  if (!V)
    return;
  if (Block *B = V->getParentBlock(); B != U.B) {
    unsigned NumFloating = getInfo(B).NumFloating;
    if (NumFloating != getInfo(U.B).NumFloating)
      U = getUser(FloatingPath[NumFloating]->getParentOp());
  }
  Uses.push_back({V, U.Op ? StepOf[U.Op->getIndex()] : getInfo(U.B).End});
}

//===----------------------------------------------------------------------===//
// Deaths
//===----------------------------------------------------------------------===//

/// Returns the uses in the order of their steps, those of one step in the order
/// of the operands.
SmallVector<LastUses::VariableUse, 0> LastUses::takeSortedUses() {
  SmallVector<unsigned, 0> Begins(Steps.size() + 1);
  for (const VariableUse &U : Uses)
    ++Begins[U.At + 1];
  for (size_t I = 1; I != Begins.size(); ++I)
    Begins[I] += Begins[I - 1];
  SmallVector<VariableUse, 0> Sorted(Uses.size());
  for (const VariableUse &U : llvm::reverse(Uses))
    Sorted[Begins[U.At]++] = U;
  Uses.clear();
  return Sorted;
}

/// Returns true if an operation has the steps \p At, at the end of Path, and
/// \p Later, which comes after it, in different regions.
bool LastUses::isInOtherRegion(unsigned At, unsigned Later) const {
  auto Enclosing = ArrayRef(Path).take_front(getInfo(Steps[At].B).Depth + 1);
  auto *Inner = llvm::partition_point(
      Enclosing, [&](Block *B) { return Later <= getInfo(B).End; });
  if (Inner == Enclosing.end())
    return false;
  Operation *Parent = (*Inner)->getParentOp();
  return Later <= getInfo(&Parent->getRegion(Parent->getNumRegions() - 1)).End;
}

SmallVector<LastUses::Death, 0> LastUses::findDeaths() {
  SmallVector<VariableUse, 0> Sorted = takeSortedUses();
  llvm::BitVector IsLast(Sorted.size());
  /// The steps of the last uses, by Value::getIndex(): the earliest found.
  SmallVector<unsigned, 0> LastSteps(Roots.size(), Never);
  size_t End = Sorted.size();
  for (unsigned At = Steps.size(); At--;) {
    if (!Steps[At].Op)
      addToPath(Steps[At].B);
    size_t Begin = End;
    while (Begin && Sorted[Begin - 1].At == At)
      --Begin;
    for (size_t I = Begin; I != End; ++I) {
      unsigned &Last = LastSteps[Sorted[I].Variable->getIndex()];
      if (Last == At || (Last != Never && !isInOtherRegion(At, Last)))
        continue;
      Last = At;
      IsLast.set(I);
    }
    End = Begin;
  }
  SmallVector<Death, 0> Deaths;
  for (unsigned I : IsLast.set_bits())
    if (Operation *User = Steps[Sorted[I].At].Op; User && !isa<KillOp>(User))
      Deaths.push_back({User, Sorted[I].Variable});
  return Deaths;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class ManifestLifetimes : public ManifestLifetimesBase<ManifestLifetimes> {
public:
  using ManifestLifetimesBase::ManifestLifetimesBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    removeAliases(R, F);
    free(R, F);
    return preserved(R.getNumRewrites() != 0);
  }

private:
  void removeAliases(Rewriter &R, Function &F);
  void free(Rewriter &R, Function &F);
};
} // namespace

/// Replaces the aliases of variables. An alias of a floating operation stays:
/// it evaluates the operation.
void ManifestLifetimes::removeAliases(Rewriter &R, Function &F) {
  SmallVector<Operation *> Aliases;
  walk(F, [&](AliasOp Alias) {
    auto *Source = dyn_cast<Operation>(Alias->getOperand(0));
    if (!Source || Source->isBound())
      Aliases.push_back(Alias);
  });
  for (Operation *Alias : Aliases) {
    if (!R.startRewrite("alias", Alias))
      continue;
    R.replaceAllUses(Alias, Alias->getOperand(0));
    R.eraseOp(Alias);
  }
}

void ManifestLifetimes::free(Rewriter &R, Function &F) {
  StringRef Name = F.getContext().intern("x");
  llvm::DenseMap<Operation *, Operation *> LastAfter;
  for (auto [After, Variable] : LastUses(F).findDeaths()) {
    if (!R.startRewrite("free-variable", After))
      continue;
    Operation *&Previous = LastAfter[After];
    R.setInsertionPointAfter(Previous ? Previous : After);
    Previous = R.create<KillOp>(Variable);
    R.bind(Previous, Name);
    ++NumKills;
  }
}

std::unique_ptr<Pass> relay::createManifestLifetimesPass() {
  return std::make_unique<ManifestLifetimes>();
}

//===- ManifestLifetimes.cpp - Free variables after their last uses -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the last binding of each block that uses a variable, from the end of
// the function to its beginning, and inserts memory.kill after it.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace relay;

namespace {

/// The last use of each variable in each block that uses it.
///
/// A use in a block of an operation is also a use by the operation. A floating
/// operation uses its operands where the last binding needs it that it is an
/// operand of, directly or not. Variables and blocks of closures are left out:
/// a closure uses the variables that it captures.
class LastUses : public IRVisitor {
public:
  explicit LastUses(Function &F) : IsOfClosure(F.getNumValues()) {
    traverse(F.getBody(), *this);
    for (const Step &S : llvm::reverse(Steps))
      visit(S);
  }

  /// A block and a variable that it uses.
  using Key = std::pair<Block *, Value *>;
  /// A variable that can be freed after a binding.
  struct Death {
    Operation *After;
    Value *Variable;
  };
  /// Returns the places; those after the same binding are in the order of its
  /// operands.
  SmallVector<Death, 0> findDeaths() const;

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

  void visit(const Step &S);
  void addUse(Value *V, Block *At, Operation *User);
  void addVariable(Value *V, Block *At, Operation *User);
  Operation *getUser(Operation *Op) const;
  bool isLiveAfter(Block *B, Value *V,
                   const llvm::DenseMap<Key, bool> &LiveAfter) const;
  bool isUsedInRegions(Operation *Op, Value *V) const;

  SmallVector<Step, 0> Steps;
  Operation *Closure = nullptr;                   ///< during the walk
  llvm::DenseMap<Block *, unsigned> BlockNumbers; ///< outer ones first
  llvm::BitVector IsOfClosure;                    ///< by Value::getIndex()
  /// The last binding that needs each floating operation; null for the result
  /// of the block.
  llvm::DenseMap<Operation *, Operation *> Users;
  /// The last binding that uses a variable; null for the result of the block.
  llvm::MapVector<Key, Operation *> Last;
};

} // namespace

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void LastUses::enterBlock(Block &B) {
  BlockNumbers.try_emplace(&B, BlockNumbers.size());
  if (!Closure)
    return;
  for (BlockArgument *Arg : B.getArguments())
    IsOfClosure.set(Arg->getIndex());
}

void LastUses::leaveBlock(Block &B) { Steps.push_back({nullptr, &B, Closure}); }

void LastUses::enter(Operation *Op) {
  Steps.push_back({Op, Op->getBlock(), Closure});
  if (Closure)
    IsOfClosure.set(Op->getIndex());
  else if (Op->is(OpCode::Fn))
    Closure = Op;
}

void LastUses::leave(Operation *Op) {
  if (Closure == Op)
    Closure = nullptr;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Returns the binding that needs \p Op last; null for the result of its block.
Operation *LastUses::getUser(Operation *Op) const {
  return Op->isBound() ? Op : Users.lookup(Op);
}

void LastUses::visit(const Step &S) {
  Block *At = S.Closure ? S.Closure->getBlock() : S.B;
  Operation *User = nullptr;
  if (S.Closure)
    User = getUser(S.Closure);
  else if (S.Op)
    User = getUser(S.Op);
  if (S.Op)
    for (Value *V : llvm::reverse(S.Op->operands()))
      addUse(V, At, User);
  else if (Value *Result = S.B->getResult())
    addUse(Result, At, User);
}

/// Adds a use in \p At by the binding \p User, or by its result if User is
/// null.
void LastUses::addUse(Value *V, Block *At, Operation *User) {
  if (IsOfClosure.test(V->getIndex()) || V == User)
    return;
  auto *Op = dyn_cast<Operation>(V);
  if (!Op || Op->isBound())
    return addVariable(V, At, User);
  for (; At != Op->getBlock(); At = At->getParentBlock())
    User = getUser(At->getParentOp());
  Users.try_emplace(Op, User);
}

/// Returns true if \p A comes after \p B, bindings of one block or null for its
/// result.
static bool isLater(const Operation *A, const Operation *B) {
  return B && (!A || A->getIndex() > B->getIndex());
}

/// Adds the use in \p At and in the blocks around it, up to that of \p V. Where
/// At has another use, the blocks around it have it, too.
void LastUses::addVariable(Value *V, Block *At, Operation *User) {
  for (;;) {
    auto [It, IsNew] = Last.insert({Key(At, V), User});
    if (!IsNew && isLater(User, It->second))
      It->second = User; // of a floating operation that is needed later
    if (!IsNew || At == V->getParentBlock())
      return;
    User = getUser(At->getParentOp());
    At = At->getParentBlock();
  }
}

//===----------------------------------------------------------------------===//
// Deaths
//===----------------------------------------------------------------------===//

/// Returns true if \p V is used after \p B. \p LiveAfter has the answers for
/// the enclosing blocks.
bool LastUses::isLiveAfter(Block *B, Value *V,
                           const llvm::DenseMap<Key, bool> &LiveAfter) const {
  if (B == V->getParentBlock())
    return false;
  Operation *Parent = B->getParentOp();
  Key Outer(B->getParentBlock(), V);
  // What another operation of the same binding uses after a region is not
  // known.
  return !Parent->isBound() || Last.lookup(Outer) != Parent ||
         LiveAfter.lookup(Outer);
}

/// Returns true if a region of \p Op uses \p V. Regions of closures do not
/// count.
bool LastUses::isUsedInRegions(Operation *Op, Value *V) const {
  return llvm::any_of(Op->getRegions(),
                      [&](Block &B) { return Last.count(Key(&B, V)); });
}

SmallVector<LastUses::Death, 0> LastUses::findDeaths() const {
  SmallVector<Death, 0> Deaths;
  llvm::DenseMap<Key, bool> LiveAfter;
  SmallVector<std::pair<Key, Operation *>, 0> Uses(llvm::reverse(Last));
  llvm::stable_sort(Uses, [&](auto &A, auto &B) {
    return BlockNumbers.lookup(A.first.first) <
           BlockNumbers.lookup(B.first.first);
  });
  for (auto [Where, User] : Uses) {
    auto [B, V] = Where;
    bool IsLive = isLiveAfter(B, V, LiveAfter);
    LiveAfter[Where] = IsLive;
    if (User && !IsLive && !isUsedInRegions(User, V))
      Deaths.push_back({User, V});
  }
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

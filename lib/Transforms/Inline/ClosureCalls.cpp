//===- ClosureCalls.cpp - Inline calls of closures ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ClosureCalls.h. Calls in closures come before calls of the closures.
//
//===----------------------------------------------------------------------===//

#include "ClosureCalls.h"
#include "Forms/DepthFirstWalk.h"
#include "Fusion/DynamicResult.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

namespace {

/// Compares the order in which the inlined body would evaluate the arguments
/// with that of the call.
class ArgumentOrder final : DepthFirstWalk {
public:
  ArgumentOrder(Block &Body, const ValuePurity &Purity)
      : Body(Body), Purity(Purity) {
    walk(Body);
  }

  /// Returns true if the inlined body would evaluate the arguments of all
  /// parameters \p Wanted, in this order and before any other effect.
  bool keepsOrderOf(ArrayRef<Value *> Wanted) const {
    ArrayRef<Value *> Found = Params.getArrayRef();
    auto IsWanted = [&](Value *V) { return llvm::is_contained(Wanted, V); };
    SmallVector<Value *, 4> Evaluated;
    llvm::copy_if(Found, std::back_inserter(Evaluated), IsWanted);
    return ArrayRef<Value *>(Evaluated) == Wanted;
  }

private:
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *, Block *) override {
    Operation *Op = V->getDefiningOp();
    if (Op)
      return Op->isFloating() && Seen.insert(Op).second;
    if (!Depth && !HasEffect && V->getParentBlock() == &Body)
      Params.insert(V);
    return false;
  }
  void leave(Operation *Op) override { HasEffect |= !Purity.isEvalPure(Op); }
  void enterBlock(Block &B) override { Depth += &B != &Body; }
  void leaveBlock(Block &B) override { Depth -= &B != &Body; }

  Block &Body;
  const ValuePurity &Purity;
  llvm::DenseSet<Operation *> Seen;
  /// Parameters in the order of their first uses outside of inner regions.
  llvm::SmallSetVector<Value *, 8> Params;
  unsigned Depth = 0; ///< inner regions around
  bool HasEffect = false;
};

/// The arguments with effects of all calls. They are collected before the first
/// call is replaced: inlining replaces parameters by arguments, which may have
/// effects that ValuePurity does not know of.
class CallEffects {
public:
  CallEffects(const ValuePurity &Purity, ArrayRef<Operation *> Calls)
      : Purity(Purity) {
    for (Operation *Call : Calls)
      for (auto [I, V] : llvm::enumerate(CallValueOp(Call).arguments()))
        if (!Purity.isUsePure(V))
          Arguments[Call].push_back(I);
  }

  /// Returns true if replacing \p Call by the body of \p Fn keeps all effects
  /// and their order. If \p Fn has other uses, its body is copied and must have
  /// no effects.
  bool keepsEffects(Operation *Call, Operation *Fn) const {
    if (!Fn->hasOneUse() && !Purity.isCallPure(Fn))
      return false;
    Block &Body = Fn->getRegion();
    SmallVector<Value *, 4> Params; // of arguments with effects
    for (unsigned I : Arguments.lookup(Call))
      Params.push_back(Body.getArguments()[I]);
    // The closure evaluates shared values before the arguments and its body.
    if (Purity.hoistsEffects(Fn) && !(Params.empty() && Purity.isCallPure(Fn)))
      return false;
    return Params.empty() || ArgumentOrder(Body, Purity).keepsOrderOf(Params);
  }

private:
  const ValuePurity &Purity;
  /// Calls, and which of their arguments have effects.
  llvm::DenseMap<const Operation *, SmallVector<unsigned, 2>> Arguments;
};

} // namespace

/// Returns the closure that \p Op calls if its body can replace the call, else
/// null. \p Known is null if nothing in the function has an effect.
static Operation *getInlinedCallee(Operation *Op, const CallEffects *Known) {
  auto Fn = dyn_cast<FnOp>(Op->getOperand(0));
  if (!Fn || Fn->isBound() || !Fn->getRegion().bindings().empty())
    return nullptr;
  if (Known && !Known->keepsEffects(Op, Fn))
    return nullptr;
  // The body of a polymorphic closure takes the types of the call.
  size_t NumTypeParams = Fn->getSignature().TypeParams.size();
  return Op->getTypeArgs().size() == NumTypeParams ? Fn.getOperation()
                                                   : nullptr;
}

/// Moves operations that do not depend on the parameters of \p Fn out of it,
/// so that all copies of the body share them.
static void hoistInvariants(Rewriter &R, Operation *Fn) {
  Block &Body = Fn->getRegion();
  for (Operation &Op : llvm::make_early_inc_range(Body)) {
    bool Varies = llvm::any_of(
        Op.operands(), [&](Value *V) { return V->getParentBlock() == &Body; });
    if (!Varies && !Op.getNumRegions())
      R.moveBefore(&Op, Fn);
  }
}

/// Returns a copy of \p Fn, which only \p Call uses. Subtracts the number of
/// copied operations from \p NumLeft; if that is too small, reports an error
/// and returns null.
static Operation *copyCallee(Rewriter &R, Operation *Fn, Operation *Call,
                             uint64_t &NumLeft) {
  hoistInvariants(R, Fn);
  uint64_t Size = 0;
  walk(Fn->getRegion(), [&](Operation *) { ++Size; });
  Context &Ctx = R.getContext();
  if (Size > NumLeft) {
    Ctx.emitError(Call->getLoc(),
                  "calls of closures make " +
                      describeLimit(Ctx.getLimits().Operations, "operations",
                                    "-max-operations"));
    return nullptr;
  }
  NumLeft -= Size;
  llvm::DenseMap<const Value *, Value *> Map;
  R.setInsertionPoint(Call);
  Operation *Copy = R.clone(*Fn, Map);
  R.setOperand(Call, 0, Copy);
  return Copy;
}

/// Replaces \p Call by the body of \p Fn, which has no other use.
static void inlineClosureCall(Rewriter &R, Operation *Call, Operation *Fn) {
  Block &Body = Fn->getRegion();
  SmallVector<Value *, 8> Arguments(CallValueOp(Call).arguments());
  if (!Call->getTypeArgs().empty())
    R.substituteTypes(Body, Fn->getSignature().TypeParams, Call->getTypeArgs());
  R.inlineBlock(Body, *Call->getBlock(), Call, Arguments);
  // The declared type of the result may be less specific than the body's type.
  R.replaceOpAndRetype(Call, Body.getResult());
  R.eraseOp(Fn);
}

/// Returns the calls in \p F of values, inner ones first.
static SmallVector<Operation *, 0> getCallsOfValues(Function &F) {
  SmallVector<Operation *, 0> Calls;
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::CallValue))
      Calls.push_back(Op);
  });
  return Calls;
}

FailureOr<unsigned> relay::inlineClosureCalls(
    Function &F, function_ref<bool(const Operation &Fn)> ShouldInline) {
  if (!F.getNumRegions())
    return 0;
  SmallVector<Operation *, 0> Calls = getCallsOfValues(F);
  // Purity is looked up by number. Operations of a copied closure have the
  // number 0, like a parameter or the first operation. Only closures without
  // effects are copied, so that the answer is right or conservative.
  std::optional<ValuePurity> Purity = findEffects(F);
  std::optional<CallEffects> Known;
  if (Purity)
    Known.emplace(*Purity, Calls);
  Rewriter R(F);
  R.keepResultAnnotations();
  uint64_t NumLeft = F.getContext().getLimits().Operations;
  unsigned NumInlined = 0;
  for (Operation *Call : Calls) {
    Operation *Fn = getInlinedCallee(Call, Known ? &*Known : nullptr);
    if (!Fn || !ShouldInline(*Fn) || !R.startRewrite("inline-closure", Call))
      continue;
    if (!Fn->hasOneUse())
      Fn = copyCallee(R, Fn, Call, NumLeft);
    if (!Fn)
      return failure();
    inlineClosureCall(R, Call, Fn);
    ++NumInlined;
  }
  if (NumInlined != 0 && isLessDynamicThanDeclared(F) && failed(retype(F)))
    return failure();
  return NumInlined;
}

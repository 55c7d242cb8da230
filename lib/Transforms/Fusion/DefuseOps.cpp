//===- DefuseOps.cpp - Put primitive functions back in place --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of FuseOps: a call of a closure that stands in the call itself
// becomes the closure's body, as long as that is a graph. Closures that a `let`
// names, and calls of others, stay, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "Inline/Calls.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// Whether \p Body in place of \p Call would not evaluate an argument, or only
/// in a branch or a closure, though evaluating that may have an effect.
static bool dropsArgument(Operation *Call, Block &Body) {
  auto IsEvaluated = [&](Value *Param) {
    return llvm::any_of(Param->uses(), [&](const Use &U) {
      return U.getUserOp() ? U.getUserOp()->getBlock() == &Body
                           : U.getUserBlock() == &Body;
    });
  };
  for (auto [Param, Argument] :
       llvm::zip(Body.getArguments(), CallValueOp(Call).arguments())) {
    auto *Op = dyn_cast<Operation>(Argument);
    if (Op && Op->isFloating() && Op->getNumOperands() && !IsEvaluated(Param))
      return true;
  }
  return false;
}

/// The closure that \p Op calls if its body is to replace the call, else null.
static Operation *getInlinedCallee(Operation *Op) {
  auto Fn = dyn_cast<FnOp>(Op->getOperand(0));
  if (!Fn || Fn->isBound() || !Fn->getRegion().bindings().empty())
    return nullptr;
  if (dropsArgument(Op, Fn->getRegion()))
    return nullptr;
  // The body of a polymorphic closure takes the types of the call.
  size_t NumTypeParams = Fn->getSignature().TypeParams.size();
  return Op->getTypeArgs().size() == NumTypeParams ? Fn.getOperation()
                                                   : nullptr;
}

/// Moves what does not depend on the parameters of \p Fn out of it: it is
/// computed once for all calls, as what two expressions share.
static void hoistInvariants(Rewriter &R, Operation *Fn) {
  Block &Body = Fn->getRegion();
  for (Operation &Op : llvm::make_early_inc_range(Body)) {
    bool Varies = llvm::any_of(
        Op.operands(), [&](Value *V) { return V->getParentBlock() == &Body; });
    if (!Varies && !Op.getNumRegions())
      R.moveBefore(&Op, Fn);
  }
}

/// A copy of \p Fn for \p Call alone. Takes what is copied off \p NumLeft;
/// null, with an error, when that is not enough.
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
static void inlineCall(Rewriter &R, Operation *Call, Operation *Fn) {
  Block &Body = Fn->getRegion();
  SmallVector<Value *, 8> Arguments(CallValueOp(Call).arguments());
  if (!Call->getTypeArgs().empty())
    substituteTypes(R, Body, Fn->getSignature().TypeParams,
                    Call->getTypeArgs());
  R.inlineBlock(Body, *Call->getBlock(), Call, Arguments);
  // The type declared for the result may say less than that of the body.
  R.replaceOpAndRetype(Call, Body.getResult());
  R.eraseOp(Fn);
}

namespace {

class DefuseOps final : public DefuseOpsBase<DefuseOps> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (!F.getNumRegions())
      return preserved(false);
    // Calls in closures come before calls of these closures.
    SmallVector<Operation *, 0> Calls;
    walk(F, [&](Operation *Op) {
      if (Op->is(OpCode::CallValue))
        Calls.push_back(Op);
    });
    Rewriter R(F);
    R.keepResultAnnotations();
    uint64_t NumLeft = F.getContext().getLimits().Operations;
    for (Operation *Call : Calls) {
      Operation *Fn = getInlinedCallee(Call);
      if (!Fn || !R.startRewrite("inline-closure", Call))
        continue;
      if (!Fn->hasOneUse())
        Fn = copyCallee(R, Fn, Call, NumLeft);
      if (!Fn)
        return failure();
      inlineCall(R, Call, Fn);
      ++NumInlined;
    }
    return preserved(R.getNumRewrites() != 0);
  }
};

} // namespace

std::unique_ptr<Pass> relay::createDefuseOpsPass() {
  return std::make_unique<DefuseOps>();
}

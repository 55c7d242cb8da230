//===- Scopes.cpp - Remove and create bindings ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Removes bindings, and binds values in place of operations. See Scopes.h.
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"
#include "relay/IR/Module.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

using namespace relay;

/// Returns true if \p Op, or the result of its region, is the only use of \p
/// Node.
static bool isUsedOnlyBy(const Operation *Node, const Operation *Op) {
  if (!Node->hasOneUse())
    return false;
  const Use &U = *Node->use_begin();
  return U.getUserOp() == Op ||
         (U.getUserBlock() && U.getUserBlock()->getParentOp() == Op);
}

void relay::rebind(Rewriter &R, Operation *Op, Value *V) {
  Operation *Node = V->getDefiningOp();
  if (!Node || Node->isBound() || !isUsedOnlyBy(Node, Op))
    return R.replaceOp(Op, V);
  R.moveBefore(Node, Op);
  R.bindLike(Node, Op);
  R.replaceAllUses(Op, Node);
  R.eraseOp(Op);
}

/// The only user of \p Op if that is an alias, else null.
static Operation *getSoleAlias(Operation *Op) {
  if (!Op->hasOneUse())
    return nullptr;
  Operation *User = Op->use_begin()->getUserOp();
  return User && User->is(OpCode::Alias) ? User : nullptr;
}

bool relay::hasDynamicAnnotation(const Operation *Op) {
  Type *Annotation = Op->isBound() ? Op->getVarAnnotation() : nullptr;
  return Annotation && isDynamic(Annotation);
}

void relay::inlineBinding(Rewriter &R, Operation *Op) {
  if (Op->is(OpCode::Alias)) {
    R.replaceAllUses(Op, Op->getOperand(0));
    return R.eraseOp(Op);
  }
  R.unbind(Op);
  if (Operation *Alias = getSoleAlias(Op))
    rebind(R, Alias, Op);
}

/// Returns true if a `let` is left in \p B.
static bool hasBinding(Block &B) { return !B.bindings().empty(); }

static void dissolve(Rewriter &R, Operation *Scope) {
  Block &Body = Scope->getRegion();
  Value *Result = Body.getResult();
  R.inlineBlock(Body, *Scope->getBlock(), Scope, {});
  if (Scope->isBound())
    return rebind(R, Scope, Result);
  R.replaceAllUses(Scope, Result);
  R.eraseOp(Scope);
}

void relay::dissolveEmptyScopes(Rewriter &R, Function &F) {
  SmallVector<Operation *> Scopes; // inner ones first
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::Scope) && !hasBinding(Op->getRegion()))
      Scopes.push_back(Op);
  });
  if (Scopes.empty())
    return;
  R.noteRewrite("dissolve-scopes");
  // Outer ones first, so that nothing moves through all of them.
  for (Operation *Scope : llvm::reverse(Scopes))
    dissolve(R, Scope);
}

bool relay::hasBindings(Module &M) {
  return llvm::any_of(M.functions(),
                      [](Function &F) { return F.getNumBindings() != 0; });
}

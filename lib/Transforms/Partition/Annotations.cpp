//===- Annotations.cpp - Removing annotations of regions ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Annotations.h.
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "AnnotatedRegions.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Partition/TargetSupport.h"

using namespace relay;

bool relay::removeAnnotations(
    Rewriter &R, Function &F, StringRef Rule,
    function_ref<bool(const Operation &)> ShouldRemove) {
  SmallVector<Operation *> Found;
  walk(F, [&](Operation *Op) {
    if (ShouldRemove(*Op))
      Found.push_back(Op);
  });
  if (Found.empty() || !R.startRewrite(Rule))
    return false;
  for (Operation *Op : Found)
    R.replaceOpByLessDynamic(Op, Op->getOperand(0));
  return true;
}

/// Returns true if a type, or the annotation of a variable, is dynamic.
static bool hasDynamicTypes(Function &F) {
  auto IsDynamic = [](Type *T) { return T && isDynamic(T); };
  return walk(F,
              [&](Operation *Op) -> WalkResult {
                return success(!IsDynamic(Op->getType()) &&
                               !IsDynamic(Op->getVarAnnotation()));
              })
      .wasInterrupted();
}

LogicalResult relay::updateDynamicTypes(Module &M,
                                        ArrayRef<Function *> Changed) {
  if (llvm::none_of(Changed, [](Function *F) { return hasDynamicTypes(*F); }))
    return success();
  for (Function *F : Changed)
    F->normalize();
  return inferTypes(M);
}

LogicalResult relay::updateDynamicTypes(Function &F) {
  return hasDynamicTypes(F) ? retype(F) : success();
}

bool relay::removeDefaultAnnotations(Rewriter &R, Function &F) {
  return removeAnnotations(R, F, "remove-default-annotations",
                           [](const Operation &Op) {
                             return getAnnotatedCompiler(Op) == DefaultCompiler;
                           });
}

//===- LoweringDriver.h - Apply hooks that replace operations ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk that legalize, qnn-legalize and qnn-canonicalize share.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LOWERINGDRIVER_H
#define RELAY_LIB_TRANSFORMS_LOWERINGDRIVER_H

#include "relay/IR/OpHooks.h"
#include "relay/Transforms/Lowering.h"

namespace relay {

/// The answer of the hooks of an operation.
struct LoweringAnswer {
  FailureOr<Value *> New = nullptr; ///< null if there is no opinion
  const OpHookNode *Hook = nullptr; ///< the one that answered
};

/// Replaces each operation of \p F for which \p Ask returns a value. Does not
/// visit the operations that hooks create. Returns the number of replacements;
/// fails after a diagnostic.
FailureOr<unsigned>
lowerOperations(Rewriter &R, Function &F,
                function_ref<LoweringAnswer(Operation &)> Ask);

/// lowerOperations() with the hooks of the kind KindT. \p MakeLowering returns
/// the argument of the hooks. \p CanLower returns false for operations for
/// which no hook is asked, and fails after a diagnostic.
template <typename KindT, typename MakeLoweringT, typename CanLowerT>
FailureOr<unsigned>
lowerByHooks(Rewriter &R, Function &F, ArrayRef<StringRef> Keys,
             MakeLoweringT MakeLowering, CanLowerT CanLower) {
  OpHooks<KindT> Hooks(F.getContext(), Keys);
  return lowerOperations(R, F, [&](Operation &Op) {
    LoweringAnswer Answer;
    OpHook<KindT> Hook = Hooks.lookup(Op);
    if (!Hook)
      return Answer;
    auto Lowered = MakeLowering(Op);
    FailureOr<bool> IsAsked = CanLower(Lowered);
    if (failed(IsAsked))
      Answer.New = failure();
    else if (*IsAsked)
      Answer.New = Hook.ask(Answer.Hook, R, Lowered);
    return Answer;
  });
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LOWERINGDRIVER_H

//===- QnnDriver.h - Apply the hooks of QnnLowerings.td ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk that qnn-legalize and qnn-canonicalize share.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H
#define RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H

#include "relay/IR/OpHooks.h"
#include "relay/Transforms/QNN/QnnLowering.h"

namespace relay {

/// The answer of the hooks of an operation.
struct QnnAnswer {
  FailureOr<Value *> New = nullptr; ///< null if there is no opinion
  const OpHookNode *Hook = nullptr; ///< the one that answered
};

/// Returns false if the types of \p Op and its operands are not known. Fails if
/// they are in no form that lowerings take, after a diagnostic.
FailureOr<bool> canLower(const QnnLowering &Op);

/// Replaces each operation of \p F for which \p Ask returns a value. Does not
/// visit the operations that hooks create. Returns the number of replacements;
/// fails after a diagnostic.
FailureOr<unsigned>
lowerQnnOperations(Rewriter &R, Function &F, const QnnSettings &Settings,
                   function_ref<QnnAnswer(QnnLowering &)> Ask);

/// lowerQnnOperations() with the hooks of the kind KindT.
template <typename KindT>
FailureOr<unsigned> lowerByHooks(Rewriter &R, Function &F,
                                 const QnnSettings &Settings,
                                 ArrayRef<StringRef> Keys) {
  OpHooks<KindT> Hooks(F.getContext(), Keys);
  return lowerQnnOperations(R, F, Settings, [&](QnnLowering &Op) {
    QnnAnswer Answer;
    OpHook<KindT> Hook = Hooks.lookup(*Op.getOp());
    if (!Hook)
      return Answer;
    FailureOr<bool> IsTyped = canLower(Op);
    if (failed(IsTyped))
      Answer.New = failure();
    else if (*IsTyped)
      Answer.New = Hook.ask(Answer.Hook, R, Op);
    return Answer;
  });
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H

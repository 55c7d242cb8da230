//===- DefuseOps.cpp - Inline fused functions -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of FuseOps: replaces a direct call of a closure by the closure's
// body, if that has no `let`. As in TVM, closures that a `let` binds, and calls
// of other values, are kept. Unlike in TVM, calls with arguments whose effects
// would be dropped or reordered are kept, too.
//
//===----------------------------------------------------------------------===//

#include "Inline/ClosureCalls.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class DefuseOps final : public DefuseOpsBase<DefuseOps> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    FailureOr<unsigned> Number =
        inlineClosureCalls(F, [](const Operation &) { return true; });
    if (failed(Number))
      return failure();
    NumInlined += *Number;
    return preserved(*Number != 0);
  }
};

} // namespace

std::unique_ptr<Pass> relay::createDefuseOpsPass() {
  return std::make_unique<DefuseOps>();
}

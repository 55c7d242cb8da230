//===- AlterOpLayout.cpp - Layouts that a target computes with ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a LayoutConverter with the hooks LayoutAlteration of the target.
//
//===----------------------------------------------------------------------===//

#include "LayoutConverter.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class AlterOpLayout : public AlterOpLayoutBase<AlterOpLayout> {
public:
  using AlterOpLayoutBase::AlterOpLayoutBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    ArrayRef<StringRef> Keys = PC.getTargetKeys();
    OpHooks<LayoutAlteration> Hooks(F.getContext(), Keys);
    auto Alter = [&](Rewriter &R, Operation &Op) -> FailureOr<ConvertedOp> {
      OpHook<LayoutAlteration> Hook = Hooks.lookup(Op);
      return Hook ? Hook(R, PC.getTarget(), Op) : ConvertedOp();
    };
    LayoutConverter C(F, Alter, Keys,
                      PC.getTarget()
                          ? "the target has no other layout for it"
                          : "no layout is requested without a target");
    if (failed(C.run()))
      return failure();
    NumAltered += C.getNumConverted();
    NumFollowed += C.getNumFollowed();
    NumTransforms += C.getNumTransforms();
    return preserved(C.hasChanged());
  }
};
} // namespace

std::unique_ptr<Pass> relay::createAlterOpLayoutPass() {
  return std::make_unique<AlterOpLayout>();
}

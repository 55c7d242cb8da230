//===- InferType.cpp - Infer the types of all values ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the inference of room Analysis and tells whether a type changed.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class InferType : public InferTypeBase<InferType> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};
} // namespace

/// The types of all values of \p F, in the order of a walk.
static SmallVector<const Type *, 0> getTypes(Function &F) {
  SmallVector<const Type *, 0> Types;
  auto AddArguments = [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Types.push_back(Arg->getType());
  };
  AddArguments(F.getBody());
  walk(F, [&](Operation *Op) {
    Types.push_back(Op->getType());
    for (Block &B : Op->getRegions())
      AddArguments(B);
  });
  return Types;
}

FailureOr<PreservedAnalyses> InferType::run(Module &M, ModuleAnalysisManager &,
                                            PassContext &) {
  std::vector<SmallVector<const Type *, 0>> Before;
  for (Function &F : M.functions())
    Before.push_back(getTypes(F));
  if (failed(inferTypes(M)))
    return failure();
  bool Changed = false;
  for (auto [F, Types] : llvm::zip(M.functions(), Before)) {
    if (getTypes(F) == Types)
      continue;
    // Inference sets types without a Rewriter.
    Rewriter R(F);
    R.noteRewrite("infer-type");
    R.noteModified(F);
    Changed = true;
  }
  return preserved(Changed);
}

std::unique_ptr<Pass> relay::createInferTypePass() {
  return std::make_unique<InferType>();
}

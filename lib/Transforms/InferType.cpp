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

/// The types of all values, in the order of a walk.
static SmallVector<const Type *, 0> getTypes(Module &M) {
  SmallVector<const Type *, 0> Types;
  auto AddArguments = [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Types.push_back(Arg->getType());
  };
  for (Function &F : M.functions()) {
    AddArguments(F.getBody());
    walk(F, [&](Operation *Op) {
      Types.push_back(Op->getType());
      for (Block &B : Op->getRegions())
        AddArguments(B);
    });
  }
  return Types;
}

FailureOr<PreservedAnalyses> InferType::run(Module &M, ModuleAnalysisManager &,
                                            PassContext &) {
  SmallVector<const Type *, 0> Before = getTypes(M);
  if (failed(inferTypes(M)))
    return failure();
  return preserved(getTypes(M) != Before);
}

std::unique_ptr<Pass> relay::createInferTypePass() {
  return std::make_unique<InferType>();
}

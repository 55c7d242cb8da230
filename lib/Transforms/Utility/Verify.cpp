//===- Verify.cpp - Check that the module is valid ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the Verifier of room IR.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Verifier.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class Verify : public VerifyBase<Verify> {
public:
  using VerifyBase::VerifyBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    if (failed(verify(M, Options.AllowUndefinedGlobals)))
      return failure();
    return preserved(false);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createVerifyPass(VerifyOptions Options) {
  return std::make_unique<Verify>(std::move(Options));
}

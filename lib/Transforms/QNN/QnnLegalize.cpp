//===- QnnLegalize.cpp - Adapt quantized operators to a target ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces quantized operators by the hooks QnnLegalization.
//
//===----------------------------------------------------------------------===//

#include "QnnDriver.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class QnnLegalize : public QnnLegalizeBase<QnnLegalize> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    Rewriter R(F);
    R.keepResultAnnotations(); // callers rely on the type of the result
    QnnSettings Settings;
    Settings.T = PC.getTarget();
    FailureOr<unsigned> Legalized =
        lowerQnnByHooks<QnnLegalization>(R, F, Settings, PC.getTargetKeys());
    if (failed(Legalized))
      return failure();
    NumLegalized += *Legalized;
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createQnnLegalizePass() {
  return std::make_unique<QnnLegalize>();
}

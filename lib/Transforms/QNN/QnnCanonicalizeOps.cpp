//===- QnnCanonicalizeOps.cpp - Lower quantized operators -----------------===//
//--------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces quantized operators by the hooks QnnCanonicalization. Determines how
// requantizations compute that do not state it.
//
//===----------------------------------------------------------------------===//

#include "QnnDriver.h"
#include "QnnUtils.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class QnnCanonicalizeOps : public QnnCanonicalizeOpsBase<QnnCanonicalizeOps> {
public:
  using QnnCanonicalizeOpsBase::QnnCanonicalizeOpsBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    Rewriter R(F);
    R.keepResultAnnotations(); // callers rely on the type of the result
    FailureOr<unsigned> Lowered = lowerQnnByHooks<QnnCanonicalization>(
        R, F, getSettings(PC.getTarget()), PC.getTargetKeys());
    if (failed(Lowered))
      return failure();
    NumLowered += *Lowered;
    return preserved(R.getNumRewrites() != 0);
  }

  RequantizeMode getRequantizeMode(const PassContext &PC) const override {
    return getSettings(PC.getTarget()).Mode;
  }

private:
  QnnSettings getSettings(const Target *T) const {
    using Rounding = QnnCanonicalizeOpsOptions::RoundingValue;
    using Compute = QnnCanonicalizeOpsOptions::ComputeDtypeValue;
    QnnSettings Settings;
    Settings.T = T;
    if (Options.Rounding == Rounding::Tonearest)
      Settings.Mode.Rounding = HalfRounding::ToNearest;
    // As in TVM, floats are faster where the processor rounds them.
    if (Options.ComputeDtype == Compute::Float32 ||
        (Options.ComputeDtype == Compute::Target && hasX86Feature(T, "sse4.1")))
      Settings.Mode.In = RequantizeMode::Compute::Float32;
    else if (Options.ComputeDtype == Compute::Float64)
      Settings.Mode.In = RequantizeMode::Compute::Float64;
    Settings.Mode.RoundsByCasts = !hasX86Feature(T, "sse4.1");
    return Settings;
  }
};
} // namespace

std::unique_ptr<Pass>
relay::createQnnCanonicalizeOpsPass(QnnCanonicalizeOpsOptions Options) {
  return std::make_unique<QnnCanonicalizeOps>(Options);
}

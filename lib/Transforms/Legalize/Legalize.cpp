//===- Legalize.cpp - Replace operators by forms for a target -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces operators by the hooks Legalization. Here are the hooks of single
// operators that need few lines.
//
//===----------------------------------------------------------------------===//

#include "LoweringDriver.h"
#include "relay/IR/ElementRange.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Transforms/Legalize/Legalization.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Legalize/Legalizations.h.inc"

using namespace relay;

/// Removes a clip of a qnn.requantize to the full range of its type.
FailureOr<Value *> relay::legalizeClip(Rewriter &R, Lowering &Op) {
  ClipOp Clip(Op.getOp());
  const TensorType *T = Op.getTensor(0);
  Operation *Data = Clip.data()->getDefiningOp();
  if (!T || (!T->getDType().isInt() && !T->getDType().isUInt()) || !Data ||
      Data->isBound() || !isa<QnnRequantizeOp>(Data))
    return nullptr;
  std::optional<ElementRange> Range = getElementRange(T->getDType());
  if (!Range || Clip.attrs().aMin() != Range->Lowest ||
      Clip.attrs().aMax() != Range->Highest || !Op.start(R))
    return nullptr;
  return Clip.data();
}

/// Stops fusion of dynamic data with its producer.
FailureOr<Value *> relay::legalizeTake(Rewriter &R, Lowering &Op) {
  TakeOp Take(Op.getOp());
  const TensorType *T = Op.getTensor(0);
  if (!T || T->isStatic() || !Op.start(R))
    return nullptr;
  Value *V = R.create<TakeOp>(R.create<StopFusionOp>(Take.data()),
                              Take.indices(), &Take.attrs());
  return V;
}

/// Computes erf in float32, the only type that the CPU kernel supports.
FailureOr<Value *> relay::legalizeErf(Rewriter &R, Lowering &Op) {
  DType Float32 = DType::getFloat(32);
  const TensorType *T = Op.getTensor(0);
  if (!T || T->getDType() == Float32 || !Op.start(R))
    return nullptr;
  Value *Data = R.create<CastOp>(ErfOp(Op.getOp()).data(), Float32);
  Value *V = R.create<CastOp>(R.create<ErfOp>(Data), T->getDType());
  return V;
}

namespace {
class Legalize : public LegalizeBase<Legalize> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    Rewriter R(F);
    R.keepResultAnnotations(); // callers rely on the type of the result
    FailureOr<unsigned> Legalized = lowerByHooks<Legalization>(
        R, F, PC.getTargetKeys(),
        [&](Operation &Op) { return Lowering(&Op, PC.getTarget()); },
        [](const Lowering &Op) -> FailureOr<bool> { return Op.isTyped(); });
    if (failed(Legalized))
      return failure();
    NumLegalized += *Legalized;
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createLegalizePass() {
  return std::make_unique<Legalize>();
}

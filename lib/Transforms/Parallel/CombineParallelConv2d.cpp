//===- CombineParallelConv2d.cpp - One convolution for several ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges convolutions of the same data into one, whose weight is the
// concatenation of the weights along the output channels. Grouped convolutions
// stay: their channels would be mixed, as in TVM if there is one without
// groups, too. Packed layouts, for which TVM creates an ill-typed module, and
// weights of unknown shape stay as well.
//
//===----------------------------------------------------------------------===//

#include "ParallelCombiner.h"
#include "relay/Ops/Conv.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class Conv2DCombiner final : public ConcatenatingCombiner {
public:
  using ConcatenatingCombiner::ConcatenatingCombiner;

  const OpInfo &getOp() const override { return Conv2DOp::getInfo(); }
  bool isCandidate(const Operation *Call) const override {
    return Conv2DOp(Call).attrs().groups() == 1;
  }
  Key getKey(const Operation *Call) const override;
  bool areCompatible(const ParallelGroup &G, const Operation *A,
                     const Operation *B, unsigned I,
                     unsigned Parent) const override;

protected:
  Operation *combineCalls(const ParallelGroup &G) override;
  Value *combineOperands(const ParallelGroup &G, unsigned L,
                         unsigned I) override;
  unsigned getAxis(const ParallelGroup &G, unsigned) const override {
    return getChannelAxis(Conv2DOp(G.getCalls()[0]));
  }

private:
  static unsigned getChannelAxis(Conv2DOp Conv);
  static unsigned getWeightAxis(Conv2DOp Conv) {
    return Conv.attrs().kernelLayout().find('O');
  }
  unsigned getArgumentAxis(const ParallelGroup &G, const Operation *Op,
                           unsigned I) const;
};

} // namespace

/// The axis of the channels in the result of \p Conv.
unsigned Conv2DCombiner::getChannelAxis(Conv2DOp Conv) {
  const Conv2DAttrs &Attrs = Conv.attrs();
  StringRef Layout =
      Attrs.outLayout().empty() ? Attrs.dataLayout() : Attrs.outLayout();
  return Layout.find('C');
}

ParallelRules::Key Conv2DCombiner::getKey(const Operation *Call) const {
  Conv2DOp Conv(Call);
  auto *Weight = dyn_cast_or_null<TensorType>(Conv.weight()->getType());
  auto *Result = dyn_cast_or_null<TensorType>(Call->getType());
  unsigned Axis = getWeightAxis(Conv), Channels = getChannelAxis(Conv);
  if (!Weight || !Weight->isStatic() || Weight->getRank() != 4 || Axis >= 4 ||
      !Result || Result->getRank() != 4 || Channels >= 4 ||
      Result->getDim(Channels) != Weight->getDim(Axis))
    return {};
  Context &Ctx = R.getContext();
  return {Conv.attrs()
              .toBuilder(Ctx)
              .channels(std::nullopt)
              .kernelSize(std::nullopt)
              .get(),
          withoutAxis(Ctx, Weight, Axis)};
}

/// The axis of operand \p I of \p Op, which follows in a branch of \p G, that
/// meets the channels when the operand is broadcast; large if there is none.
unsigned Conv2DCombiner::getArgumentAxis(const ParallelGroup &G,
                                         const Operation *Op,
                                         unsigned I) const {
  return getAxis(G, 0) - getTensorType(Op)->getRank() +
         getTensorType(Op->getOperand(I))->getRank();
}

bool Conv2DCombiner::areCompatible(const ParallelGroup &G, const Operation *A,
                                   const Operation *B, unsigned I,
                                   unsigned) const {
  TensorType *TypeA = getTensorType(A->getOperand(I));
  TensorType *TypeB = getTensorType(B->getOperand(I));
  unsigned Axis = getArgumentAxis(G, A, I), Channels = getAxis(G, 0);
  if (Axis > Channels || !canConcatenate(TypeA, TypeB, Axis))
    return false;
  auto MeetsChannels = [&](const Operation *Op, TensorType *T) {
    TensorType *Result = getTensorType(Op);
    return Channels < Result->getRank() &&
           T->getDim(Axis) == Result->getDim(Channels);
  };
  return MeetsChannels(A, TypeA) && MeetsChannels(B, TypeB);
}

Operation *Conv2DCombiner::combineCalls(const ParallelGroup &G) {
  Conv2DOp First(G.getCalls()[0]);
  Operation *Weight =
      concatenate(getOperands(G, 0, /*I=*/1), getWeightAxis(First));
  return R.create<Conv2DOp>(
      First.data(), Weight,
      First.attrs().toBuilder(R.getContext()).channels(getExtent(G)).get());
}

Value *Conv2DCombiner::combineOperands(const ParallelGroup &G, unsigned L,
                                       unsigned I) {
  return concatenate(getOperands(G, L, I),
                     getArgumentAxis(G, G.Levels[L].Ops[0], I));
}

namespace {
class CombineParallelConv2d
    : public ParallelPass<CombineParallelConv2dBase<CombineParallelConv2d>> {
public:
  using ParallelPass::ParallelPass;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    return combine(Conv2DCombiner(F));
  }
};
} // namespace

std::unique_ptr<Pass>
relay::createCombineParallelConv2dPass(CombineParallelConv2dOptions Options) {
  return std::make_unique<CombineParallelConv2d>(Options);
}

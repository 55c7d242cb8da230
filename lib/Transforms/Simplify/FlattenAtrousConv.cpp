//===- FlattenAtrousConv.cpp - Find convolutions with holes ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rules of FlattenAtrousConv.td. TVM ignores padding, crops and
// strides of the operators; here they must form one convolution.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/FlattenAtrousConv.h.inc"

using namespace relay;

/// The extents of the kernel \p Weight along H and W; none if they are not
/// known.
static std::optional<std::array<int64_t, 2>>
getKernelExtents(const Conv2DAttrs &A, const Value *Weight) {
  auto *T = dyn_cast_or_null<TensorType>(Weight->getType());
  StringRef Layout = A.kernelLayout();
  std::array<int64_t, 2> Extents;
  for (auto [I, Letter] : llvm::enumerate(StringRef("HW"))) {
    size_t Axis = Layout.find(Letter);
    if (!T || Layout.size() != T->getRank() || Axis == StringRef::npos ||
        !T->getDim(Axis).isConst())
      return std::nullopt;
    Extents[I] = T->getDim(Axis).getInt();
  }
  return Extents;
}

/// Before H, before W, after H, after W: what keeps the extents of the data
/// when the kernel has holes.
static std::optional<SmallVector<int64_t>>
computePadding(const Conv2DAttrs &A, const Value *Weight, ArrayRef<Dim> Block) {
  auto Kernel = getKernelExtents(A, Weight);
  if (!Kernel || Block.size() != 2 || !Block[0].isConst() ||
      !Block[1].isConst())
    return std::nullopt;
  SmallVector<int64_t> Padding(4);
  for (unsigned I : {0, 1}) {
    int64_t Total = Block[I].getInt() * ((*Kernel)[I] - 1);
    Padding[I] = Total / 2;
    Padding[2 + I] = Total - Total / 2;
  }
  return Padding;
}

SmallVector<int64_t> relay::getSamePadding(Rewriter &, Conv2DOp Conv,
                                           ArrayRef<Dim> Block) {
  return *computePadding(Conv.attrs(), Conv.weight(), Block);
}

SmallVector<int64_t> relay::getSameQnnPadding(Rewriter &, QnnConv2DOp Conv,
                                              ArrayRef<Dim> Block) {
  return *computePadding(Conv.attrs(), Conv.weight(), Block);
}

/// Element \p Side of axis \p Axis of a list of pairs; none if it is not a
/// number.
static std::optional<int64_t> getSide(ArrayRef<Attr> Pairs, unsigned Axis,
                                      unsigned Side) {
  if (Axis >= Pairs.size() || !Pairs[Axis].isArray())
    return std::nullopt;
  ArrayRef<Attr> Pair = Pairs[Axis].getArray();
  if (Side >= Pair.size() || !Pair[Side].isInt())
    return std::nullopt;
  return Pair[Side].getInt();
}

/// Returns true if a convolution of \p Weight with the attributes \p A, of data
/// in blocks, pads, cuts and steps as one with holes.
static bool keepsExtents(const Conv2DAttrs &A, const Value *Weight,
                         ArrayRef<Dim> Block, ArrayRef<Attr> Paddings,
                         ArrayRef<Attr> Crops) {
  bool PadsItself =
      !llvm::all_of(A.padding(), [](Dim D) { return D.isConst(0); });
  auto Padding = computePadding(A, Weight, Block);
  if (!Padding || PadsItself ||
      (!A.outLayout().empty() && A.outLayout() != "NHWC"))
    return false;
  for (unsigned I : {0, 1}) {
    auto Before = getSide(Paddings, I, 0), After = getSide(Paddings, I, 1);
    auto CropBefore = getSide(Crops, I, 0), CropAfter = getSide(Crops, I, 1);
    if (!Before || !After || !CropBefore || !CropAfter || *CropBefore != 0 ||
        *Before != (*Padding)[I] || *After - *CropAfter != (*Padding)[2 + I])
      return false;
  }
  return true;
}

bool relay::isAtrousConv(Conv2DOp Conv, ArrayRef<Dim> Block,
                         ArrayRef<Attr> Paddings, double PadValue,
                         ArrayRef<Attr> Crops) {
  return PadValue == 0 &&
         keepsExtents(Conv.attrs(), Conv.weight(), Block, Paddings, Crops);
}

/// Returns true if \p T, an integer type of up to 16 bits, represents \p X.
static bool represents(DType T, int32_t X) {
  int32_t Count = int32_t(1) << T.getBits();
  int32_t Least = T.isUInt() ? 0 : -Count / 2;
  return X >= Least && X < Least + Count;
}

/// A zero point that the data cannot hold would wrap around in the padding.
bool relay::isAtrousQnnConv(QnnConv2DOp Conv, ArrayRef<Dim> Block,
                            ArrayRef<Attr> Paddings, double PadValue,
                            ArrayRef<Attr> Crops) {
  auto ZeroPoint = dyn_cast<ConstantOp>(Conv.inputZeroPoint());
  if (!ZeroPoint)
    return false;
  auto Number = ZeroPoint.attrs().value().getConstant()->getSplat<int32_t>();
  auto *Data = cast<TensorType>(Conv.data()->getType());
  return Number && *Number == PadValue &&
         represents(Data->getDType(), *Number) &&
         keepsExtents(Conv.attrs(), Conv.weight(), Block, Paddings, Crops);
}

namespace {
class FlattenAtrousConv
    : public RulePass<FlattenAtrousConvBase<FlattenAtrousConv>> {
public:
  FlattenAtrousConv() : RulePass(getFlattenAtrousConvRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createFlattenAtrousConvPass() {
  return std::make_unique<FlattenAtrousConv>();
}

//===- SimplifyLayouts.cpp - Transposes of transposes ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that the rules of SimplifyExpr.td call for transposes and layout
// transforms. A layout transform without blocks is a transpose; one with blocks
// absorbs adjacent transposes into its layouts.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/StructuralEqual.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Simplify/SimplifyExpr.h.inc"

using namespace relay;

namespace {
/// The composition of two rearrangements: a transpose, or a change of layout.
struct MergedRearrangement {
  SmallVector<int64_t> Axes;
  std::string From, To; ///< empty for a transpose
};
} // namespace

static std::optional<SmallVector<int64_t>>
getTransposeAxes(TransposeOp Transpose) {
  auto *T = dyn_cast_or_null<TensorType>(Transpose->getType());
  if (!T)
    return std::nullopt;
  int64_t Rank = T->getRank();
  SmallVector<int64_t> Axes;
  if (!Transpose.attrs().hasAxes())
    for (int64_t I = Rank; I-- > 0;)
      Axes.push_back(I);
  for (Dim Axis : Transpose.attrs().axes()) {
    if (!Axis.isConst())
      return std::nullopt;
    Axes.push_back(Axis.getInt() + (Axis.getInt() < 0 ? Rank : 0));
  }
  return Axes;
}

static std::optional<LayoutMap> getLayouts(LayoutTransformOp Op) {
  return LayoutMap::get(Op.attrs().srcLayout(), Op.attrs().dstLayout());
}

/// Returns the permutation of \p Op if it is a transpose, under any operator
/// name.
static std::optional<SmallVector<int64_t>> getPermutation(Operation *Op) {
  if (auto Transpose = dyn_cast<TransposeOp>(Op))
    return getTransposeAxes(Transpose);
  auto Layouts = getLayouts(LayoutTransformOp(Op));
  if (!Layouts || Layouts->getFrom().isBlocked() ||
      Layouts->getTo().isBlocked())
    return std::nullopt;
  SmallVector<int64_t> Axes;
  for (Layout::Axis Axis : Layouts->getTo().getAxes())
    Axes.push_back(Layouts->getFrom().indexOf(Axis.Name));
  return Axes;
}

bool relay::isIdentityRearrangement(TransposeOp Op) {
  auto Axes = getTransposeAxes(Op);
  return Axes && llvm::equal(*Axes, llvm::seq<int64_t>(0, Axes->size()));
}

bool relay::isIdentityRearrangement(LayoutTransformOp Op) {
  return Op.attrs().srcLayout() == Op.attrs().dstLayout();
}

/// Merges the transpose \p Inner into the layout transform \p Outer, its user.
static std::optional<MergedRearrangement> mergeBelow(const LayoutMap &Outer,
                                                     ArrayRef<int64_t> Inner) {
  if (Outer.getFrom().isBlocked() || Outer.getFrom().getRank() != Inner.size())
    return std::nullopt;
  SmallVector<Layout::Axis, 6> From(Inner.size(), Layout::Axis{'A'});
  for (auto [I, Axis] : llvm::enumerate(Inner))
    From[Axis] = Outer.getFrom().getAxes()[I];
  std::optional<Layout> Source = Layout::get(From);
  if (!Source)
    return std::nullopt;
  return MergedRearrangement{{}, Source->str(), Outer.getTo().str()};
}

/// Merges the transpose \p Outer into the layout transform \p Inner, its
/// operand.
static std::optional<MergedRearrangement> mergeAbove(ArrayRef<int64_t> Outer,
                                                     const LayoutMap &Inner) {
  if (Inner.getTo().isBlocked() || Inner.getTo().getRank() != Outer.size())
    return std::nullopt;
  SmallVector<Layout::Axis, 6> To;
  for (int64_t Axis : Outer)
    To.push_back(Inner.getTo().getAxes()[Axis]);
  std::optional<Layout> Target = Layout::get(To);
  if (!Target)
    return std::nullopt;
  return MergedRearrangement{{}, Inner.getFrom().str(), Target->str()};
}

static std::optional<MergedRearrangement> mergeLayouts(Operation *Outer,
                                                       Operation *Inner) {
  auto OuterAxes = getPermutation(Outer), InnerAxes = getPermutation(Inner);
  if (OuterAxes && InnerAxes) {
    MergedRearrangement Merged;
    if (OuterAxes->size() != InnerAxes->size())
      return std::nullopt;
    for (int64_t Axis : *OuterAxes)
      Merged.Axes.push_back((*InnerAxes)[Axis]);
    return Merged;
  }
  auto OuterLayout = dyn_cast<LayoutTransformOp>(Outer);
  auto InnerLayout = dyn_cast<LayoutTransformOp>(Inner);
  auto OuterMap = OuterLayout ? getLayouts(OuterLayout) : std::nullopt;
  auto InnerMap = InnerLayout ? getLayouts(InnerLayout) : std::nullopt;
  if (OuterMap && InnerMap) {
    if (OuterMap->getFrom().str() != InnerMap->getTo().str())
      return std::nullopt;
    return MergedRearrangement{
        {}, InnerMap->getFrom().str(), OuterMap->getTo().str()};
  }
  if (OuterMap && InnerAxes)
    return mergeBelow(*OuterMap, *InnerAxes);
  if (OuterAxes && InnerMap)
    return mergeAbove(*OuterAxes, *InnerMap);
  return std::nullopt;
}

/// If an extent is not a multiple of a block, one step and two steps give
/// different results.
bool relay::canMergeRearrangements(Operation *Outer, Operation *Inner) {
  auto *Result = dyn_cast_or_null<TensorType>(Outer->getType());
  auto *Data = dyn_cast_or_null<TensorType>(Inner->getOperand(0)->getType());
  auto Merged = mergeLayouts(Outer, Inner);
  if (!Merged || !Result || !Data || Merged->From.empty())
    return Merged && Result && Data;
  // The fill of the last block of an axis of unknown length would be lost.
  auto Blocks = isa<LayoutTransformOp>(Inner)
                    ? getLayouts(LayoutTransformOp(Inner))
                    : std::nullopt;
  if (Blocks && Blocks->getTo().isBlocked() && !Data->isStatic())
    return false;
  auto Map = LayoutMap::get(Merged->From, Merged->To);
  if (!Map || Map->getFrom().getRank() != Data->getRank())
    return false;
  Context &Ctx = Outer->getFunction()->getContext();
  auto Shape = Map->forward(Ctx, Data->getShape());
  if (failed(Shape) || ArrayRef(*Shape) != Result->getShape())
    return false;
  auto Back = Map->backward(Ctx, *Shape);
  return succeeded(Back) && ArrayRef(*Back) == Data->getShape();
}

Value *relay::mergeRearrangements(Rewriter &R, Operation *Outer,
                                  Operation *Inner) {
  MergedRearrangement Merged = *mergeLayouts(Outer, Inner);
  Value *Data = Inner->getOperand(0);
  if (Merged.From.empty())
    return R.create<TransposeOp>(Data, Merged.Axes);
  return R.create<LayoutTransformOp>(Data, Merged.From, Merged.To);
}

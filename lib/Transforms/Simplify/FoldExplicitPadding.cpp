//===- FoldExplicitPadding.cpp - Let operators pad ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rules of FoldExplicitPadding.td. Padding is written as pairs
// (before, after) for each spatial axis, in the order of the layout, for any
// original form.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/ElementRange.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/FoldExplicitPadding.h.inc"

using namespace relay;

static const ConstantData &getData(ConstantOp C) {
  return *C.attrs().value().getConstant();
}

bool relay::isZeroConstant(ConstantOp C) {
  return getData(C).getSplat<double>() == 0.0;
}

bool relay::areEqualConstants(ConstantOp A, ConstantOp B) {
  std::optional<int64_t> Number = getData(A).getSplat<int64_t>();
  return Number && Number == getData(B).getSplat<int64_t>();
}

bool relay::isLowestConstant(ConstantOp C, Value *Data) {
  auto *T = dyn_cast_or_null<TensorType>(Data->getType());
  std::optional<ElementRange> Range;
  if (T)
    Range = getElementRange(T->getDType());
  return Range && getData(C).getSplat<double>() == Range->Lowest;
}

bool relay::countsPadding(bool CountsPadding, ArrayRef<Dim> Padding) {
  return CountsPadding ||
         llvm::all_of(Padding, [](Dim D) { return D.isConst(0); });
}

/// The axes of space in \p Layout, `NCHW4c`: numbers of axes, in order. None if
/// space is in blocks.
static std::optional<SmallVector<unsigned, 3>> getSpaceAxes(StringRef Layout) {
  SmallVector<unsigned, 3> Axes;
  unsigned Axis = 0;
  for (char C : Layout) {
    if (llvm::isDigit(C))
      continue;
    if (C == 'd' || C == 'h' || C == 'w')
      return std::nullopt;
    if (C == 'D' || C == 'H' || C == 'W')
      Axes.push_back(Axis);
    ++Axis;
  }
  return Axes;
}

/// \p Padding as numbers before and then after each of \p Rank axes; none if it
/// is in no form that is known.
static std::optional<SmallVector<int64_t>> getPadding(ArrayRef<Dim> Padding,
                                                      unsigned Rank) {
  SmallVector<int64_t> Numbers;
  for (Dim D : Padding) {
    if (!D.isConst())
      return std::nullopt;
    Numbers.push_back(D.getInt());
  }
  if (Numbers.size() == 1)
    Numbers.resize(Rank, Numbers.front());
  if (Numbers.size() == Rank)
    Numbers.append(SmallVector<int64_t>(Numbers));
  if (Numbers.size() != 2 * Rank)
    return std::nullopt;
  return Numbers;
}

/// Padding that is \p Padding and \p Width together; none where it would not
/// mean the same.
static std::optional<SmallVector<int64_t>>
combinePadding(ArrayRef<Dim> Padding, StringRef Layout, ArrayRef<Attr> Width) {
  auto Space = getSpaceAxes(Layout);
  if (!Space)
    return std::nullopt;
  auto Sum = getPadding(Padding, Space->size());
  if (!Sum)
    return std::nullopt;
  for (auto [Axis, Sides] : llvm::enumerate(Width)) {
    unsigned Number = llvm::find(*Space, Axis) - Space->begin();
    ArrayRef<Attr> BeforeAndAfter = Sides.getArray();
    for (auto [I, Side] : llvm::enumerate(BeforeAndAfter)) {
      if (!Side.isInt() || Side.getInt() < 0 || I > 1)
        return std::nullopt;
      if (Number != Space->size())
        (*Sum)[Number + I * Space->size()] += Side.getInt();
      else if (Side.getInt() != 0)
        return std::nullopt;
    }
  }
  return Sum;
}

bool relay::padsOnlySpace(ArrayRef<Dim> Padding, StringRef Layout,
                          ArrayRef<Attr> Width) {
  return combinePadding(Padding, Layout, Width).has_value();
}

SmallVector<int64_t> relay::addPadding(Rewriter &, ArrayRef<Dim> Padding,
                                       StringRef Layout, ArrayRef<Attr> Width) {
  return *combinePadding(Padding, Layout, Width);
}

namespace {
class FoldExplicitPadding
    : public RulePass<FoldExplicitPaddingBase<FoldExplicitPadding>> {
public:
  FoldExplicitPadding() : RulePass(getFoldExplicitPaddingRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createFoldExplicitPaddingPass() {
  return std::make_unique<FoldExplicitPadding>();
}

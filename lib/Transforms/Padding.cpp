//===- Padding.cpp - Pad tensors and cut them back ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates nn.pad and strided_slice. See Padding.h.
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "TensorUtils.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

std::optional<SmallVector<Dim, 6>> relay::getSidePadding(ArrayRef<Dim> Padding,
                                                         unsigned NumAxes) {
  if (Padding.size() == 1)
    return SmallVector<Dim, 6>(2 * NumAxes, Padding[0]);
  if (Padding.size() != NumAxes && Padding.size() != 2 * NumAxes)
    return std::nullopt;
  SmallVector<Dim, 6> Sides(Padding);
  if (Padding.size() == NumAxes)
    llvm::append_range(Sides, Padding);
  return Sides;
}

/// Returns the padding of an axis in the form of nn.pad.
static Attr makePadding(Context &Ctx, Dim Before, Dim After) {
  Dim Padding[] = {Before, After};
  return Ctx.getArray(ArrayRef<Dim>(Padding));
}

Value *relay::padAxes(Builder &B, Value *V, Value *Number,
                      ArrayRef<AxisPadding> Paddings) {
  Context &Ctx = B.getContext();
  Dim Zero = Dim::get(0);
  SmallVector<Attr> Widths(getRank(V), makePadding(Ctx, Zero, Zero));
  for (const AxisPadding &P : Paddings)
    Widths[P.Axis] = makePadding(Ctx, P.Before, P.After);
  return B.create<PadOp>(V, Number, Widths);
}

int64_t relay::getFill(int64_t Extent, int64_t Vector) {
  return int64_t(llvm::alignTo(uint64_t(Extent), uint64_t(Vector))) - Extent;
}

Value *relay::padAfter(Builder &B, Value *V, unsigned Axis, int64_t Count,
                       Value *Number) {
  if (Count == 0)
    return V;
  return padAxes(B, V, Number, {{Axis, Dim::get(0), Dim::get(Count)}});
}

Value *relay::sliceTo(Builder &B, Value *V, const TensorType *T,
                      StringRef SliceMode) {
  SmallVector<int64_t, 4> Begin(T->getRank(), 0);
  auto Slice = StridedSliceAttrs::Builder(B.getContext());
  Slice.begin(ArrayRef<int64_t>(Begin)).end(T->getShape()).strides({1});
  return B.create<StridedSliceOp>(V, Slice.sliceMode(SliceMode).get());
}

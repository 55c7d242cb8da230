//===- Padding.h - Pad tensors and cut them back ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding of convolutions, and tensors whose axes are filled up to multiples of
// the length of vectors.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PADDING_H
#define RELAY_LIB_TRANSFORMS_PADDING_H

#include "relay/IR/Builder.h"

namespace relay {

/// \p Padding of \p NumAxes dimensions as the numbers before all and after
/// all; none if it is neither one nor NumAxes nor twice as many numbers.
std::optional<SmallVector<Dim, 6>> getSidePadding(ArrayRef<Dim> Padding,
                                                  unsigned NumAxes = 2);
/// The numbers of elements that are added at both ends of an axis.
struct AxisPadding {
  unsigned Axis;
  Dim Before, After;
};
/// Pads \p V along the axes of \p Paddings with \p Number.
Value *padAxes(Builder &B, Value *V, Value *Number,
               ArrayRef<AxisPadding> Paddings);
/// The number of elements after \p Extent up to the next multiple of \p Vector.
int64_t getFill(int64_t Extent, int64_t Vector);
/// \p V with \p Count elements \p Number after the last along \p Axis.
Value *padAfter(Builder &B, Value *V, unsigned Axis, int64_t Count,
                Value *Number);
/// The first elements of \p V, as many as the static shape of \p T has.
Value *sliceTo(Builder &B, Value *V, const TensorType *T,
               StringRef SliceMode = "end");

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PADDING_H

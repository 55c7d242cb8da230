//===- LayoutOffsets.h - Positions of elements in layouts -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads tensors of any layout by canonical positions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H
#define RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Layout.h"

namespace relay {

/// The offset of each index of each axis in a row-major tensor: the element (n,
/// c, h, w) of a tensor in NHWC, NCHW16c or another layout is at O[0][n] +
/// O[1][c] + O[2][h] + O[3][w].
class LayoutOffsets {
public:
  /// Offsets without axes.
  LayoutOffsets() = default;
  /// \p Shape has the layout \p LayoutText; \p Axes are the canonical axes.
  /// Reports texts that are not layouts of these axes, and axes of empty
  /// tensors that are too long for a table.
  static FailureOr<LayoutOffsets> get(const KernelCall &Call,
                                      StringRef LayoutText, StringRef Axes,
                                      ArrayRef<int64_t> Shape);

  ArrayRef<int64_t> operator[](unsigned Axis) const { return Offsets[Axis]; }
  /// Returns the number of indices of the axis.
  int64_t getExtent(unsigned Axis) const { return Offsets[Axis].size(); }

private:
  SmallVector<SmallVector<int64_t, 0>, 5> Offsets;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H

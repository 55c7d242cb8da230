//===- LayoutOffsets.h - Where a layout has its elements --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads tensors of any layout by the places of a canonical one.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H
#define RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Layout.h"

namespace relay {

/// The offset of each index of each axis in a row-major tensor: the element
/// (n, c, h, w) of a tensor in NHWC, NCHW16c or another layout stands at
/// O[0][n] + O[1][c] + O[2][h] + O[3][w].
class LayoutOffsets {
public:
  /// Of no axes.
  LayoutOffsets() = default;
  /// \p Shape is of \p LayoutText, \p Axes names the canonical axes. Reports
  /// texts that are no layout of these axes, and axes of empty tensors that
  /// are too long for a table.
  static FailureOr<LayoutOffsets> get(const KernelCall &Call,
                                      StringRef LayoutText, StringRef Axes,
                                      ArrayRef<int64_t> Shape);

  ArrayRef<int64_t> operator[](unsigned Axis) const { return Offsets[Axis]; }
  /// How many indices the axis has.
  int64_t getExtent(unsigned Axis) const { return Offsets[Axis].size(); }

private:
  SmallVector<SmallVector<int64_t, 0>, 5> Offsets;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_LAYOUTOFFSETS_H

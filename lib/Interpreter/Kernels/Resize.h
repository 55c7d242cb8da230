//===- Resize.h - Interpolation between elements ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resizes images with one to three spatial axes. All computations are in
// float32, as in TVM.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_RESIZE_H
#define RELAY_LIB_INTERPRETER_KERNELS_RESIZE_H

#include "LayoutOffsets.h"

namespace relay {

/// Parameters of a resize: attributes of `image.resize2d` and similar
/// operators.
struct ResizeParams {
  StringRef Axes;   ///< canonical: `NCHW`
  StringRef Layout; ///< of data and result
  StringRef Method, Mode, Rounding;
  /// Begin and end on each axis, in units of the image: first all begins, then
  /// all ends.
  SmallVector<float, 6> Region;
  /// The lengths of the spatial axes of the result for ratios, if they differ
  /// from its extents: dyn.image.resize2d rounds the extents.
  SmallVector<float, 3> Lengths;
  double CubicAlpha = -0.5;
  bool ExcludesOutside = false;
  float Extrapolation = 0;

  unsigned getNumSpatial() const { return Axes.size() - 2; }
};

/// Fills the result, whose shape is known, with \p Data resized.
LogicalResult resize(KernelCall &Call, const Tensor &Data,
                     const ResizeParams &P);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_RESIZE_H

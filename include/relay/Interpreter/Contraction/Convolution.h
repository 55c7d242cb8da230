//===- Convolution.h - Convolutions of tensors ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions in one to three dimensions, transposed ones too, of tensors in
// plain layouts: data [N, C, spatial..], weight [O, C / groups, kernel..] ->
// [N, O, spatial'..]. Sums run over channels, then over the kernel in row-major
// order, as in Contraction.h; elements outside of the data are zero.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_CONTRACTION_CONVOLUTION_H
#define RELAY_INTERPRETER_CONTRACTION_CONVOLUTION_H

#include "relay/Interpreter/Contraction/Contraction.h"

namespace relay {

/// How a window of positions moves over data. There are always three spatial
/// axes; missing ones come first, with length 1.
struct WindowGeometry {
  struct Axis {
    int64_t In = 1, Kernel = 1, Out = 1;
    int64_t Stride = 1, Dilation = 1;
    int64_t Before = 0; ///< leading padding
    int64_t Spread = 1; ///< data is at its multiples, zeros between
  };
  std::array<Axis, 3> Axes;

  int64_t getNumInputs() const { return getProduct(&Axis::In); }
  int64_t getKernelSize() const { return getProduct(&Axis::Kernel); }
  int64_t getNumOutputs() const { return getProduct(&Axis::Out); }

private:
  int64_t getProduct(int64_t Axis::*Field) const {
    return Axes[0].*Field * Axes[1].*Field * Axes[2].*Field;
  }
};

/// Attributes of a convolution or a pool, by axis.
struct WindowAttrs {
  SmallVector<int64_t, 6> Strides, Dilation, Before;

  /// Reads the attributes for \p Spatial axes; \p Padding is as in TVM: one
  /// number, one per axis, or one per side. Reports unknown sizes and sizes
  /// beyond 32 bits.
  static FailureOr<WindowAttrs> get(KernelCall &Call, unsigned Spatial,
                                    ArrayRef<Dim> Strides,
                                    ArrayRef<Dim> Dilation,
                                    ArrayRef<Dim> Padding);
  /// Returns the geometry of windows of \p Kernel over axes of \p In, with \p
  /// Out positions.
  WindowGeometry getGeometry(ArrayRef<int64_t> In, ArrayRef<int64_t> Kernel,
                             ArrayRef<int64_t> Out) const;
};

/// Returns the attribute \p Name of a pool, of at least \p Count numbers.
/// Reports lists that are too short, and sizes that are unknown or beyond 32
/// bits.
FailureOr<SmallVector<int64_t, 6>> getPoolInts(KernelCall &Call,
                                               ArrayRef<Dim> Values,
                                               unsigned Count, StringRef Name);

/// Convolves data: [N, C, ..] with weight: [O, C / groups, ..] to \p Shape, [N,
/// O, ..]. All elements have one type, a type of contractions. Reports channels
/// that do not fit.
FailureOr<Tensor> convolve(KernelCall &Call, const WindowGeometry &G,
                           int64_t Groups, const Tensor &Data,
                           const Tensor &Weight, ArrayRef<int64_t> Shape);

} // namespace relay

#endif // RELAY_INTERPRETER_CONTRACTION_CONVOLUTION_H

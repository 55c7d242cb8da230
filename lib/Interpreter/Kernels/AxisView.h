//===- AxisView.h - Views of a tensor along an axis -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor as rows along one of its axes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_AXISVIEW_H
#define RELAY_LIB_INTERPRETER_KERNELS_AXISVIEW_H

#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// A row-major tensor as [Outer, Length, Inner].
struct AxisView {
  int64_t Outer = 1, Length = 1, Inner = 1;

  AxisView(ArrayRef<int64_t> Shape, unsigned Axis) : Length(Shape[Axis]) {
    for (int64_t Extent : Shape.take_front(Axis))
      Outer *= Extent;
    for (int64_t Extent : Shape.drop_front(Axis + 1))
      Inner *= Extent;
  }

  /// Returns the offset of row \p I of Outer * Inner; its elements are Inner
  /// apart.
  int64_t getFirst(int64_t I) const {
    return I / Inner * Length * Inner + I % Inner;
  }
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_AXISVIEW_H

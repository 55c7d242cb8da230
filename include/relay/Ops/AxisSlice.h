//===- AxisSlice.h - The slice of one axis ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Begin, end and stride of a slice along one axis, with TVM's conventions. The
// type relation and the kernels of slices use it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_AXISSLICE_H
#define RELAY_OPS_AXISSLICE_H

#include <cstdint>
#include <optional>

namespace relay {

struct AxisSlice {
  int64_t Begin, End, Stride; ///< the stride is not 0

  /// Converts positions to positions from the front, within an axis of \p
  /// Length elements.
  void normalize(int64_t Length);
  /// Returns the number of elements of a normalized slice; none if it ends
  /// before it begins.
  std::optional<int64_t> getLength() const;
  /// Returns the number of elements, 0 if the slice ends before it begins.
  int64_t getCount() const { return getLength().value_or(0); }
};

} // namespace relay

#endif // RELAY_OPS_AXISSLICE_H

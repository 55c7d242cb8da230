//===- AxisSlice.h - The slice of one axis ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Begin, end and stride of a slice along one axis, counted as in TVM: by the
// type relation and by the kernels of slices.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_AXISSLICE_H
#define RELAY_OPS_AXISSLICE_H

#include <cstdint>
#include <optional>

namespace relay {

struct AxisSlice {
  int64_t Begin, End, Stride; ///< the stride is not 0

  /// Counts from the front and cuts to an axis of \p Length elements.
  void normalize(int64_t Length);
  /// Number of elements of a normalized slice; none if it ends before it
  /// begins.
  std::optional<int64_t> getLength() const;
  /// The same, 0 if it ends before it begins.
  int64_t getCount() const { return getLength().value_or(0); }
};

} // namespace relay

#endif // RELAY_OPS_AXISSLICE_H

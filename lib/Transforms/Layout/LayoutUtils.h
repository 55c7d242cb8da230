//===- LayoutUtils.h - What rules of layouts share --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes in a layout and in another, and attributes with some fields changed, for
// the hooks of Layouts.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H

#include "relay/Ops/Relations.h"
#include "relay/Transforms/Layout/LayoutInference.h"

namespace relay {

/// \p A with \p Value in the field \p Name, which there is.
const Attrs *withField(Context &Ctx, const Attrs &A, StringRef Name,
                       Attr Value);

/// The layout that the field \p Name holds; null where it holds none or there
/// is no such field.
LayoutRef getLayoutField(const LayoutQuery &Q, StringRef Name);

/// Where the axis \p Axis of \p Old, which may count from the end, is in
/// \p New; none when it is out of range, not in New, or blocks.
std::optional<unsigned> moveAxis(int64_t Axis, const Layout &Old,
                                 const Layout &New);

/// Whether \p L has blocks of the axis \p Primal.
inline bool isSplit(const Layout &L, char Primal) {
  return L.contains(Primal - 'A' + 'a');
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H

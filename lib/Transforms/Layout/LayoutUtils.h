//===- LayoutUtils.h - Utilities for rules of layouts -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions of axes in two layouts, and changes of attributes, for the hooks of
// Layouts.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H

#include "relay/Ops/Relations.h"
#include "relay/Transforms/Layout/LayoutHooks.h"

namespace relay {

/// Returns \p A with \p Value in the existing field \p Name.
const Attrs *withField(Context &Ctx, const Attrs &A, StringRef Name,
                       Attr Value);

/// Returns \p A with a `padding` before and after each of \p NumAxes axes, as
/// TVM's constructors of these operators set it.
const Attrs *spellOutPadding(Context &Ctx, const Attrs &A, unsigned NumAxes);

/// Returns the layout in the field \p Name; null if there is no such field or
/// it holds no layout.
LayoutRef getLayoutField(const LayoutQuery &Q, StringRef Name);

/// Returns the position in \p New of the axis \p Axis of \p Old, which may be
/// negative. Returns none if it is out of range, missing in New, or a block.
std::optional<unsigned> moveAxis(int64_t Axis, const Layout &Old,
                                 const Layout &New);

/// Returns true if \p L splits the axis \p Primal into blocks.
inline bool isSplit(const Layout &L, char Primal) {
  return L.contains(Primal - 'A' + 'a');
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTUTILS_H

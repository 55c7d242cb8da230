//===- DimMath.h - Arithmetic of dimensions ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shorthand for Context::getDimExpr, for type relations: constants are folded,
// `?` absorbs. Division rounds down; the divisor must not be zero.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_DIMMATH_H
#define RELAY_OPS_DIMMATH_H

#include "relay/IR/Context.h"

namespace relay {

class DimMath {
public:
  explicit DimMath(Context &Ctx) : Ctx(Ctx) {}

  Dim get(int64_t Value) const;
  /// Returns \p D as an int32 if its value fits.
  Dim toInt32(Dim D) const;

  Dim add(Dim L, Dim R) const { return apply(DimOp::Add, L, R); }
  Dim add(Dim L, int64_t R) const { return add(L, get(R)); }
  Dim sub(Dim L, Dim R) const { return apply(DimOp::Sub, L, R); }
  Dim sub(Dim L, int64_t R) const { return sub(L, get(R)); }
  Dim mul(Dim L, Dim R) const { return apply(DimOp::Mul, L, R); }
  Dim mul(Dim L, int64_t R) const { return mul(L, get(R)); }
  Dim floorDiv(Dim L, Dim R) const { return apply(DimOp::FloorDiv, L, R); }
  Dim floorDiv(Dim L, int64_t R) const { return floorDiv(L, get(R)); }
  /// Returns the quotient rounded towards zero.
  Dim truncDiv(Dim L, Dim R) const { return apply(DimOp::Div, L, R); }
  Dim max(Dim L, Dim R) const { return apply(DimOp::Max, L, R); }
  /// Returns (L + R - 1) / R.
  Dim ceilDiv(Dim L, Dim R) const;
  Dim ceilDiv(Dim L, int64_t R) const { return ceilDiv(L, get(R)); }
  Dim floorMod(Dim L, Dim R) const { return apply(DimOp::FloorMod, L, R); }
  Dim floorMod(Dim L, int64_t R) const { return floorMod(L, get(R)); }
  /// Returns the product of \p Dims; `?` if one of them is; 1 if there are
  /// none.
  Dim product(ArrayRef<Dim> Dims) const;

  /// Returns the length of a window of \p Kernel elements that are \p Dilation
  /// apart.
  Dim dilated(Dim Kernel, Dim Dilation) const {
    return add(mul(sub(Kernel, 1), Dilation), 1);
  }
  /// Returns the number of positions of a window of \p Length on \p In elements
  /// with padding \p Pad at steps of \p Stride: (In + Pad - Length) / Stride +
  /// 1. `?` gives `?`.
  Dim windows(Dim In, Dim Pad, Dim Length, Dim Stride) const;
  /// As windows(), with a division that rounds towards zero, as in pooling, or
  /// up if \p Ceil is set.
  Dim poolWindows(Dim In, Dim Pad, Dim Length, Dim Stride, bool Ceil) const;

private:
  /// An expression that would be too large becomes `?`.
  Dim apply(DimOp Op, Dim L, Dim R) const;

  Context &Ctx;
};

/// Returns the total padding of each of \p Spatial axes. \p Padding has one
/// number for all sides, one per axis, or one per side, the leading sides
/// first. Returns none for any other count. TVM: GetPaddingHeightWidth and its
/// variants.
std::optional<SmallVector<Dim, 3>>
getTotalPadding(Context &Ctx, ArrayRef<Dim> Padding, unsigned Spatial);

} // namespace relay

#endif // RELAY_OPS_DIMMATH_H

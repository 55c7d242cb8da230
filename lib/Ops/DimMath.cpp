//===- DimMath.cpp - Arithmetic of dimensions -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DimMath.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/DimMath.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

static bool fitsInt32(int64_t Value) { return Value == int32_t(Value); }

/// Returns true if \p D is written with more than \p Limit numbers, names and
/// operators.
static bool isLargerThan(Dim D, unsigned Limit) {
  SmallVector<Dim, 16> Stack = {D};
  for (; !Stack.empty(); --Limit) {
    if (Limit == 0)
      return true;
    Dim Next = Stack.pop_back_val();
    if (Next.isExpr())
      llvm::append_range(Stack, Next.getOperands());
  }
  return false;
}

/// Returns \p D as a number of type \p T.
static Dim castDim(Context &Ctx, Dim D, DType T) {
  if (D.isAny() || D.getNumberType() == T)
    return D;
  return Ctx.getDimExpr(DimOp::Cast, {D}, T);
}

Dim DimMath::apply(DimOp Op, Dim L, Dim R) const {
  constexpr unsigned Limit = 256;
  // As in TVM, both sides get the wider type of the two.
  DType Wide = DType::getInt(64);
  if (!L.isAny() && !R.isAny() && L.getNumberType() != R.getNumberType()) {
    L = castDim(Ctx, L, Wide);
    R = castDim(Ctx, R, Wide);
  }
  Dim D = Ctx.getDimExpr(Op, L, R);
  if (!D.isExpr() || !isLargerThan(D, Limit))
    return D;
  D = simplifyDim(Ctx, D);
  return isLargerThan(D, Limit) ? Dim::getAny() : D;
}

Dim DimMath::get(int64_t Value) const {
  return Ctx.getDim(Value, DType::getInt(fitsInt32(Value) ? 32 : 64));
}

Dim DimMath::toInt32(Dim D) const {
  if (D.isConst())
    return get(D.getInt());
  return castDim(Ctx, D, DType::getInt(32));
}

Dim DimMath::ceilDiv(Dim L, Dim R) const {
  if (R.isConst(1))
    return L;
  return floorDiv(add(L, sub(R, 1)), R);
}

Dim DimMath::product(ArrayRef<Dim> Dims) const {
  Dim Product = get(1);
  for (Dim D : Dims)
    Product = mul(Product, D);
  return Product;
}

Dim DimMath::windows(Dim In, Dim Pad, Dim Length, Dim Stride) const {
  if (In.isAny())
    return In;
  return add(floorDiv(sub(add(In, Pad), Length), Stride), 1);
}

Dim DimMath::poolWindows(Dim In, Dim Pad, Dim Length, Dim Stride,
                         bool Ceil) const {
  if (In.isAny())
    return In;
  Dim Range = sub(add(In, Pad), Length);
  if (Ceil)
    Range = add(Range, sub(Stride, 1));
  return add(truncDiv(Range, Stride), 1);
}

std::optional<SmallVector<Dim, 3>>
relay::getTotalPadding(Context &Ctx, ArrayRef<Dim> Padding, unsigned Spatial) {
  DimMath Math(Ctx);
  SmallVector<Dim, 3> Totals;
  for (unsigned I = 0; I != Spatial; ++I) {
    if (Padding.size() == 2 * Spatial)
      Totals.push_back(Math.add(Padding[I], Padding[I + Spatial]));
    else if (Padding.size() == Spatial)
      Totals.push_back(Math.mul(Padding[I], 2));
    else if (Padding.size() == 1)
      Totals.push_back(Math.mul(Padding[0], 2));
    else
      return std::nullopt;
  }
  return Totals;
}

//===- LayoutOffsets.cpp - Where a layout has its elements ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of offsets, one an axis.
//
//===----------------------------------------------------------------------===//

#include "LayoutOffsets.h"

using namespace relay;

/// The offsets of the axis \p Name of \p L, in blocks where it has them.
static SmallVector<int64_t, 0> getAxisOffsets(const Layout &L, char Name,
                                              ArrayRef<int64_t> Shape,
                                              const Strides &Steps) {
  int Axis = L.indexOf(Name), Blocks = L.indexOf(char(Name - 'A' + 'a'));
  int64_t Block = Blocks < 0 ? 1 : Shape[Blocks];
  int64_t BlockStep = Blocks < 0 ? 0 : Steps[Blocks];
  SmallVector<int64_t, 0> Result;
  Result.reserve(Shape[Axis] * Block);
  for (int64_t I = 0; I != Shape[Axis]; ++I)
    for (int64_t J = 0; J != Block; ++J)
      Result.push_back(I * Steps[Axis] + J * BlockStep);
  return Result;
}

FailureOr<LayoutOffsets> LayoutOffsets::get(const KernelCall &Call,
                                            StringRef LayoutText,
                                            StringRef Axes,
                                            ArrayRef<int64_t> Shape) {
  std::optional<Layout> L = Layout::parse(LayoutText);
  std::optional<Layout> Canonical = Layout::parse(Axes);
  if (!L || !L->hasSameAxes(*Canonical) || L->getRank() != Shape.size())
    return Call.emitError("\"" + LayoutText + "\" is no layout of " + Axes);
  Strides Steps = getStrides(Shape);
  LayoutOffsets Result;
  for (char Name : Axes)
    Result.Offsets.push_back(getAxisOffsets(*L, Name, Shape, Steps));
  return Result;
}

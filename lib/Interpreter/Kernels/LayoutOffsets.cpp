//===- LayoutOffsets.cpp - Positions of elements in layouts ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of offsets, one per axis.
//
//===----------------------------------------------------------------------===//

#include "LayoutOffsets.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

/// An axis of a tensor without elements may have any length, since no memory is
/// allocated; the table would need memory.
static constexpr uint64_t MaxEmptyExtent = 1 << 20;

/// Returns the number of indices of the axis \p Name of \p L.
static uint64_t getNumIndices(const Layout &L, char Name,
                              ArrayRef<int64_t> Shape) {
  int Blocks = L.indexOf(char(Name - 'A' + 'a'));
  return llvm::SaturatingMultiply<uint64_t>(Shape[L.indexOf(Name)],
                                            Blocks < 0 ? 1 : Shape[Blocks]);
}

/// Returns the offsets of the axis \p Name of \p L, including blocks.
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
    return Call.emitError("\"" + LayoutText + "\" is not a layout of " + Axes);
  Strides Steps = getStrides(Shape);
  LayoutOffsets Result;
  bool IsEmpty = llvm::is_contained(Shape, 0);
  for (char Name : Axes) {
    if (IsEmpty && getNumIndices(*L, Name, Shape) > MaxEmptyExtent)
      return Call.emitError("an axis of " + toString(Shape) + " is too long");
    Result.Offsets.push_back(getAxisOffsets(*L, Name, Shape, Steps));
  }
  return Result;
}

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

/// Returns the positions in \p L of the axis \p Name and of its blocks, from
/// the outermost to the innermost.
static SmallVector<unsigned, 3> findParts(const Layout &L, char Name) {
  SmallVector<unsigned, 3> Parts = {unsigned(L.indexOf(Name))};
  for (auto [I, Axis] : llvm::enumerate(L.getAxes()))
    if (!Axis.isPrimal() && Axis.primal() == Name)
      Parts.push_back(I);
  return Parts;
}

/// Returns the number of indices of an axis with these \p Parts.
static uint64_t getNumIndices(ArrayRef<unsigned> Parts,
                              ArrayRef<int64_t> Shape) {
  uint64_t Number = 1;
  for (unsigned I : Parts)
    Number = llvm::SaturatingMultiply<uint64_t>(Number, Shape[I]);
  return Number;
}

/// Returns the offset of each index of an axis with these \p Parts.
static SmallVector<int64_t, 0> getAxisOffsets(ArrayRef<unsigned> Parts,
                                              ArrayRef<int64_t> Shape,
                                              const Strides &Steps) {
  SmallVector<int64_t, 0> Result = {0};
  for (unsigned Part : Parts) {
    SmallVector<int64_t, 0> Outer = std::exchange(Result, {});
    Result.reserve(Outer.size() * Shape[Part]);
    for (int64_t Base : Outer)
      for (int64_t I = 0; I != Shape[Part]; ++I)
        Result.push_back(Base + I * Steps[Part]);
  }
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
    SmallVector<unsigned, 3> Parts = findParts(*L, Name);
    if (IsEmpty && getNumIndices(Parts, Shape) > MaxEmptyExtent)
      return Call.emitError("an axis of " + toString(Shape) + " is too long");
    Result.Offsets.push_back(getAxisOffsets(Parts, Shape, Steps));
  }
  return Result;
}

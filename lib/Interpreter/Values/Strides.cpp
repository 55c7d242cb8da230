//===- Strides.cpp - Walking through tensors ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Strides.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Strides.h"
#include <cstring>

using namespace relay;

Strides relay::getStrides(ArrayRef<int64_t> Shape) {
  Strides Result(Shape.size());
  int64_t Step = 1;
  for (size_t I = Shape.size(); I-- != 0;) {
    Result[I] = Step;
    Step *= Shape[I];
  }
  return Result;
}

Strides relay::getBroadcastStrides(ArrayRef<int64_t> From,
                                   ArrayRef<int64_t> To) {
  assert(From.size() <= To.size() && "broadcast to a smaller rank");
  Strides Own = getStrides(From);
  Strides Result(To.size() - From.size(), 0);
  for (auto [Extent, Step] : llvm::zip(From, Own))
    Result.push_back(Extent == 1 ? 0 : Step);
  return Result;
}

StridedWalk::StridedWalk(ArrayRef<int64_t> Shape, ArrayRef<Strides> Operands)
    : Extents(Shape), Steps(Operands) {
  for ([[maybe_unused]] const Strides &S : Steps)
    assert(S.size() == Shape.size() && "strides of another rank");
  mergeAxes();
  NumRows = Extents.back() == 0 ? 0 : 1;
  for (int64_t Extent : llvm::drop_end(Extents))
    NumRows *= Extent;
}

/// Drops axes of length 1, and merges two axes if, for every operand, a step on
/// the outer axis equals a complete walk along the inner one.
void StridedWalk::mergeAxes() {
  SmallVector<int64_t, 4> Old = std::move(Extents);
  SmallVector<Strides, 3> OldSteps = std::move(Steps);
  Extents.clear();
  Steps.assign(OldSteps.size(), {});
  for (size_t Axis = 0; Axis != Old.size(); ++Axis) {
    if (Old[Axis] == 1)
      continue;
    bool Merges = !Extents.empty();
    for (auto [New, From] : llvm::zip(Steps, OldSteps))
      Merges = Merges && New.back() == From[Axis] * Old[Axis];
    if (Merges)
      Extents.back() *= Old[Axis];
    else
      Extents.push_back(Old[Axis]);
    for (auto [New, From] : llvm::zip(Steps, OldSteps)) {
      if (Merges)
        New.back() = From[Axis];
      else
        New.push_back(From[Axis]);
    }
  }
  if (!Extents.empty())
    return;
  Extents.push_back(1);
  for (Strides &S : Steps)
    S.push_back(0);
}

void StridedWalk::forEachRow(int64_t Begin, int64_t End, RowFn Visit) const {
  if (Begin >= End)
    return;
  size_t NumOuter = Extents.size() - 1;
  SmallVector<int64_t, 4> Place(NumOuter, 0), Offsets(Steps.size(), 0);
  int64_t Rest = Begin;
  for (size_t Axis = NumOuter; Axis-- != 0;) {
    Place[Axis] = Rest % Extents[Axis];
    Rest /= Extents[Axis];
    for (size_t I = 0; I != Steps.size(); ++I)
      Offsets[I] += Place[Axis] * Steps[I][Axis];
  }
  for (int64_t Row = Begin; Row != End; ++Row) {
    Visit(Row * getRowLength(), Offsets);
    for (size_t Axis = NumOuter; Axis-- != 0;) {
      bool Wraps = ++Place[Axis] == Extents[Axis];
      for (size_t I = 0; I != Steps.size(); ++I)
        Offsets[I] +=
            Wraps ? (1 - Extents[Axis]) * Steps[I][Axis] : Steps[I][Axis];
      if (!Wraps)
        break;
      Place[Axis] = 0;
    }
  }
}

Tensor relay::readStrided(const Tensor &Data, const TensorShape &Shape,
                          const Strides &Steps) {
  Tensor Result = Tensor::allocate(Data.getDType(), Shape);
  StridedWalk Walk(Shape, Steps);
  size_t Size = Data.getDType().getByteSize();
  const char *From = Data.getBytes().data();
  char *To = Result.getMutableBytes().data();
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I)
      std::memcpy(To + (First + I) * Size,
                  From + (Offsets[0] + I * Walk.getRowStride(0)) * Size, Size);
  });
  return Result;
}

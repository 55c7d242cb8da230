//===- StridesTest.cpp - Walking through tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every position of a shape is visited once, with the right offsets, for all
// merged axes and all beginnings of parts.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Strides.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// Returns the offset of the operand with \p Steps at each position of \p
/// Shape.
std::vector<int64_t> getOffsets(ArrayRef<int64_t> Shape, const Strides &Steps) {
  std::vector<int64_t> Result;
  for (int64_t I = 0; I != *getNumElements(Shape); ++I) {
    int64_t Rest = I, Offset = 0;
    for (size_t Axis = Shape.size(); Axis-- != 0;) {
      Offset += Rest % Shape[Axis] * Steps[Axis];
      Rest /= Shape[Axis];
    }
    Result.push_back(Offset);
  }
  return Result;
}

void checkWalk(ArrayRef<int64_t> Shape, ArrayRef<Strides> Operands) {
  StridedWalk Walk(Shape, Operands);
  for (unsigned Op = 0; Op != Operands.size(); ++Op) {
    std::vector<int64_t> Expected = getOffsets(Shape, Operands[Op]);
    for (int64_t Middle = 0; Middle <= Walk.getNumRows(); ++Middle) {
      std::vector<int64_t> Found(Expected.size(), -1);
      auto Visit = [&](int64_t First, ArrayRef<int64_t> Offsets) {
        for (int64_t I = 0; I != Walk.getRowLength(); ++I)
          Found[First + I] = Offsets[Op] + I * Walk.getRowStride(Op);
      };
      Walk.forEachRow(0, Middle, Visit);
      Walk.forEachRow(Middle, Walk.getNumRows(), Visit);
      EXPECT_EQ(Found, Expected);
    }
  }
}

TEST(StridesTest, BroadcastAndTransposed) {
  SmallVector<int64_t, 4> Shape = {2, 3, 4};
  checkWalk(Shape, {getStrides(Shape), getBroadcastStrides({3, 1}, Shape)});
  checkWalk(Shape, {getStrides(Shape), getBroadcastStrides({4}, Shape)});
  checkWalk(Shape, {getBroadcastStrides({}, Shape)});
  checkWalk(Shape, {Strides{1, 8, 2}, Strides{12, 4, 1}});
  checkWalk(Shape, {Strides{-12, 4, -1}});
}

TEST(StridesTest, SmallShapes) {
  checkWalk({}, {Strides{}});
  checkWalk({1, 1}, {Strides{1, 1}});
  checkWalk({0}, {Strides{1}});
  checkWalk({2, 0, 3}, {Strides{0, 3, 1}});
  checkWalk({3, 0}, {Strides{0, 1}});
}

TEST(StridesTest, AxesThatLieTogetherAreOne) {
  SmallVector<int64_t, 4> Shape = {2, 3, 4};
  StridedWalk Whole(Shape, {getStrides(Shape), getStrides(Shape)});
  EXPECT_EQ(Whole.getNumRows(), 1);
  EXPECT_EQ(Whole.getRowLength(), 24);
  StridedWalk Bias(Shape, {getStrides(Shape), getBroadcastStrides({4}, Shape)});
  EXPECT_EQ(Bias.getNumRows(), 6);
  EXPECT_EQ(Bias.getRowLength(), 4);
}

} // namespace

//===- UniquingTraitsTest.cpp - Keys of uniqued objects -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part of a key counts for equality, even if the hashes are equal by
// chance.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/IR/UniquingTraits.h"
#include "TestIR.h"

using namespace relay;
using namespace relay::test;
using namespace relay::uniquing;

namespace {

class UniquingTraitsTest : public IRTest {};

TEST_F(UniquingTraitsTest, Functions) {
  Type *Scalar = Ctx.getScalarType(DType::getFloat(32));
  TypeVarType *A = Ctx.createTypeVar("A");
  FuncType *Fn = Ctx.getFuncType({A}, {Vector}, Scalar);
  auto IsEqual = [Fn](ArrayRef<TypeVarType *> TypeParams,
                      ArrayRef<Type *> Params, Type *Result) {
    return FuncTraits::isEqual({TypeParams, Params, Result}, Fn);
  };
  EXPECT_TRUE(IsEqual({A}, {Vector}, Scalar));
  EXPECT_FALSE(IsEqual({}, {Vector}, Scalar));
  EXPECT_FALSE(IsEqual({A}, {Scalar}, Scalar));
  EXPECT_FALSE(IsEqual({A}, {}, Scalar));
  EXPECT_FALSE(IsEqual({A}, {Vector}, Vector));
}

TEST_F(UniquingTraitsTest, Tensors) {
  DType Float = DType::getFloat(32);
  ArrayRef<Dim> Other =
      Ctx.getTensorType(ArrayRef<int64_t>{4}, Float)->getShape();
  auto IsEqual = [this](ArrayRef<Dim> Shape, DType T) {
    return TensorTraits::isEqual({Shape, T.getRaw()}, Vector);
  };
  EXPECT_TRUE(IsEqual(Vector->getShape(), Float));
  EXPECT_FALSE(IsEqual(Other, Float));
  EXPECT_FALSE(IsEqual({}, Float));
  EXPECT_FALSE(IsEqual(Vector->getShape(), DType::getInt(32)));
}

} // namespace

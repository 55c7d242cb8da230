//===- TypeMatchTest.cpp - Types with type variables ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// matchTypeVars() and joinTypes(): matches, and the resulting bindings.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;
using namespace relay::test;

namespace {

class TypeMatchTest : public IRTest {
protected:
  TypeMatchTest() {
    A = Ctx.createTypeVar("A");
    B = Ctx.createTypeVar("B");
    Int = Ctx.getScalarType(DType::getInt(32));
    Float = Ctx.getScalarType(DType::getFloat(32));
    Vector4 = tensor(4);
    Any = tensor(std::nullopt);
  }

  Type *tensor(std::optional<int64_t> Length) {
    Dim D = Length ? Ctx.getDim(*Length) : Dim::getAny();
    return Ctx.getTensorType(ArrayRef<Dim>(D), DType::getFloat(32));
  }
  Type *pair(Type *L, Type *R) { return Ctx.getTupleType({L, R}); }
  /// Returns the values of A and B after \p Pattern has matched \p T.
  std::string match(Type *Pattern, Type *T) {
    TypeVarMap Map;
    Map[A] = nullptr;
    Map[B] = nullptr;
    if (failed(matchTypeVars(Ctx, Pattern, T, Map)))
      return "no match";
    auto Text = [&](TypeVarType *Var) {
      return Map[Var] ? toString(Map[Var]) : std::string("-");
    };
    return Text(A) + ", " + Text(B);
  }
  std::string join(Type *L, Type *R) {
    Type *T = joinTypes(Ctx, L, R);
    Type *Back = joinTypes(Ctx, R, L);
    EXPECT_EQ(T, Back);
    return T ? toString(T) : "none";
  }

  TypeVarType *A, *B;
  Type *Int, *Float, *Vector4, *Any;
};

TEST_F(TypeMatchTest, Variables) {
  EXPECT_EQ(match(A, Int), "int32, -");
  EXPECT_EQ(match(pair(A, B), pair(Int, Float)), "int32, float32");
  EXPECT_EQ(match(pair(A, A), pair(Int, Int)), "int32, -");
  EXPECT_EQ(match(pair(A, A), pair(Int, Float)), "no match");
  EXPECT_EQ(match(pair(A, A), pair(Any, Vector4)), "Tensor[(?), float32], -");
  EXPECT_EQ(match(pair(A, B), pair(B, Int)), "B, int32");
  // A variable of another function cannot be bound.
  EXPECT_EQ(match(Ctx.createTypeVar("C"), Int), "no match");
  EXPECT_EQ(match(pair(A, Ctx.createTypeVar("C")), pair(Int, Int)), "no match");
}

TEST_F(TypeMatchTest, Parts) {
  EXPECT_EQ(match(Int, Int), "-, -");
  EXPECT_EQ(match(Int, Float), "no match");
  EXPECT_EQ(match(Any, Vector4), "-, -");
  EXPECT_EQ(match(pair(A, B), Ctx.getTupleType({Int, Int, Int})), "no match");
  EXPECT_EQ(match(pair(A, B), Int), "no match");
  EXPECT_EQ(match(pair(A, B), nullptr), "no match");
  EXPECT_EQ(match(Ctx.getRefType(A), Ctx.getRefType(Int)), "int32, -");
  EXPECT_EQ(match(Ctx.getRefType(A), Ctx.getTupleType({Int})), "no match");
  EXPECT_EQ(match(Ctx.getTypeCall("List", {A}), Ctx.getTypeCall("List", {Int})),
            "int32, -");
  EXPECT_EQ(match(Ctx.getTypeCall("List", {A}), Ctx.getTypeCall("Tree", {Int})),
            "no match");
  EXPECT_EQ(
      match(Ctx.getTypeCall("List", {A}), Ctx.getTypeCall("List", {Int, Int})),
      "no match");
}

TEST_F(TypeMatchTest, Functions) {
  auto Func = [&](ArrayRef<TypeVarType *> Vars, ArrayRef<Type *> Params,
                  Type *Result) {
    return Ctx.getFuncType(Vars, Params, Result);
  };
  EXPECT_EQ(match(Func({}, A, B), Func({}, Int, Float)), "int32, float32");
  EXPECT_EQ(match(Func({}, A, B), Func({}, {Int, Int}, Float)), "no match");
  // Variables that a function type binds match variables that the other binds.
  TypeVarType *C = Ctx.createTypeVar("C"), *D = Ctx.createTypeVar("D");
  EXPECT_EQ(match(Func(C, {C, A}, C), Func(D, {D, Int}, D)), "int32, -");
  EXPECT_EQ(match(Func(C, {C, A}, C), Func(D, {D, Int}, Int)), "no match");
  EXPECT_EQ(match(Func(C, {C, A}, C), Func({}, {Int, Int}, Int)), "no match");
}

TEST_F(TypeMatchTest, Joins) {
  EXPECT_EQ(join(Int, Int), "int32");
  EXPECT_EQ(join(Int, Float), "none");
  EXPECT_EQ(join(Any, Vector4), "Tensor[(?), float32]");
  EXPECT_EQ(join(tensor(3), Vector4), "none");
  EXPECT_EQ(join(Int, Vector4), "none");
  EXPECT_EQ(join(pair(Any, Int), pair(Vector4, Int)),
            "(Tensor[(?), float32], int32)");
  EXPECT_EQ(join(pair(Any, Int), pair(Vector4, Float)), "none");
  EXPECT_EQ(join(pair(Int, Int), Ctx.getTupleType({Int})), "none");
  EXPECT_EQ(join(A, Int), "none");
  EXPECT_EQ(join(A, A), "A");
}

} // namespace

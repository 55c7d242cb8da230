//===- TypeTest.cpp - Types -----------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniquing, properties and text of types; isSameType().
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;
using namespace relay::test;

namespace {

class TypeTest : public IRTest {};

TEST_F(TypeTest, Uniqued) {
  Dim Three = Dim::get(3);
  EXPECT_EQ(Vector, Ctx.getTensorType(Three, DType::getFloat(32)));
  EXPECT_NE(Vector, Ctx.getTensorType(Three, DType::getFloat(16)));
  EXPECT_NE(Vector, Ctx.getTensorType(Ctx.getDim(3, DType::getInt(64)),
                                      DType::getFloat(32)));
  EXPECT_EQ(Ctx.getTupleType({Vector}), Ctx.getTupleType({Vector}));
  EXPECT_NE(static_cast<Type *>(Ctx.getTupleType({Vector})), Vector);
  EXPECT_EQ(Ctx.getRefType(Vector), Ctx.getRefType(Vector));
  EXPECT_EQ(Ctx.getFuncType({}, {Vector}, Vector),
            Ctx.getFuncType({}, {Vector}, Vector));
  EXPECT_NE(Ctx.getFuncType({}, {Vector}, Vector),
            Ctx.getFuncType({}, {Vector, Vector}, Vector));
  std::string Name = "List";
  EXPECT_EQ(Ctx.getTypeCall(Name, {Vector}), Ctx.getTypeCall("List", {Vector}));
  EXPECT_NE(Ctx.getTypeCall("List", {Vector}), Ctx.getTypeCall("List", {}));
  EXPECT_NE(Ctx.createTypeVar("A"), Ctx.createTypeVar("A"));
  EXPECT_EQ(Ctx.getIncompleteType(4), Ctx.getIncompleteType(4));
  EXPECT_NE(Ctx.getIncompleteType(4), Ctx.getIncompleteType(5));
}

TEST_F(TypeTest, Properties) {
  Type *A = Ctx.createTypeVar("A");
  Type *Nested = Ctx.getFuncType({}, {Ctx.getTupleType({A})},
                                 Ctx.getRefType(Ctx.getIncompleteType(0)));
  EXPECT_TRUE(Nested->hasTypeVar());
  EXPECT_TRUE(Nested->isIncomplete());
  EXPECT_EQ(Nested->getDepth(), 3u);
  EXPECT_FALSE(Vector->hasTypeVar());
  EXPECT_EQ(Vector->getNumElements(), 3);
  EXPECT_TRUE(Vector->isStatic());
  auto Count = [&](ArrayRef<int64_t> Shape) {
    return Ctx.getTensorType(Shape, DType::getInt(8))->getNumElements();
  };
  EXPECT_EQ(Count({}), 1);
  EXPECT_EQ(Count({4, 0, 3}), 0);
  EXPECT_EQ(Count({int64_t(1) << 31, int64_t(1) << 31, 1}), int64_t(1) << 62);
  EXPECT_EQ(Count({int64_t(1) << 31, int64_t(1) << 31, 2}), std::nullopt);
  TensorType *Dynamic = Ctx.getTensorType(Dim::getAny(), DType::getInt(8));
  EXPECT_FALSE(Dynamic->isStatic());
  EXPECT_EQ(Dynamic->getNumElements(), std::nullopt);
}

TEST_F(TypeTest, VariablesAreUsedAgain) {
  TypeVarType *A = Ctx.createTypeVar("A");
  {
    Signature S;
    S.TypeParams = {A};
    Signature Copy = S;
    S.TypeParams = {};
    EXPECT_NE(Ctx.createTypeVar("A"), A) << "bound by the copy";
    Signature Moved = std::move(Copy);
    EXPECT_NE(Ctx.createTypeVar("A"), A);
  }
  EXPECT_NE(Ctx.createTypeVar("B"), A);
  EXPECT_NE(Ctx.createTypeVar("A", TypeVarKind::Shape), A);
  EXPECT_EQ(Ctx.createTypeVar("A"), A);
  EXPECT_NE(Ctx.createTypeVar("A"), A);
}

TEST_F(TypeTest, BoundVariablesStay) {
  TypeVarType *A = Ctx.createTypeVar("A"), *B = Ctx.createTypeVar("B");
  Type *Identity = Ctx.getFuncType({A}, {A}, A);
  EXPECT_EQ(substituteTypeVars(Ctx, Identity, {{A, Vector}}), Identity);
  Type *Pair = Ctx.getTupleType({A, Identity, B});
  EXPECT_EQ(substituteTypeVars(Ctx, Pair, {{A, Vector}, {B, A}}),
            Ctx.getTupleType({Vector, Identity, A}));
  EXPECT_EQ(joinTypes(Ctx, Identity, Ctx.getFuncType({B}, {B}, B)),
            Ctx.getFuncType({B}, {B}, B));
  EXPECT_TRUE(Ctx.getFuncType({A}, {}, Vector)->hasTypeVar());
}

TEST_F(TypeTest, Text) {
  Dim N = Ctx.createDimVar("n", DType::getInt(32), /*SizeVar=*/false);
  Dim Sum = Ctx.getDimExpr(DimOp::Add, N, Ctx.getDim(1));
  TensorType *T =
      Ctx.getTensorType({Dim::getAny(), Ctx.getDim(10, DType::getInt(64)), Sum},
                        DType::getBool());
  EXPECT_EQ(toString(T), "Tensor[(?, 10i64, (n + 1)), bool]");
  EXPECT_EQ(toString(Ctx.getScalarType(DType::getInt(64))), "int64");
  EXPECT_EQ(toString(Ctx.getTupleType({})), "()");
  EXPECT_EQ(toString(Ctx.getTupleType({Vector})), "(Tensor[(3), float32],)");
  TypeVarType *A = Ctx.createTypeVar("A");
  Type *List = Ctx.getTypeCall("List", {A});
  EXPECT_EQ(toString(Ctx.getFuncType({A}, {A, List}, Ctx.getRefType(A))),
            "fn [A](A, List[A]) -> ref(A)");
  EXPECT_EQ(toString(Ctx.getTypeCall("Storage", {})), "Storage[]");
}

TEST_F(TypeTest, SameUpToNamesOfTypeParameters) {
  TypeVarType *A = Ctx.createTypeVar("A"), *B = Ctx.createTypeVar("B");
  auto Func = [&](TypeVarType *P, Type *Param, Type *Result) {
    return Ctx.getFuncType(P, Param, Result);
  };
  EXPECT_NE(Func(A, A, A), Func(B, B, B));
  EXPECT_TRUE(isSameType(Func(A, A, A), Func(B, B, B)));
  EXPECT_TRUE(isSameType(Ctx.getTupleType({Func(A, A, A), Func(A, A, A)}),
                         Ctx.getTupleType({Func(A, A, A), Func(B, B, B)})));
  EXPECT_FALSE(isSameType(Func(A, A, Vector), Func(B, B, B)));
  // Free variables equal only themselves, even if the other side binds them.
  EXPECT_FALSE(isSameType(A, B));
  EXPECT_TRUE(isSameType(A, A));
  EXPECT_FALSE(isSameType(Func(A, A, B), Func(B, B, B)));
  EXPECT_FALSE(isSameType(Func(A, A, A), Func(B, B, A)));
  EXPECT_FALSE(isSameType(Vector, nullptr));
  EXPECT_TRUE(isSameType(nullptr, nullptr));
}

/// A variable that temporarily belonged to no list is not reused while one has
/// it.
TEST_F(TypeTest, ParametersMayComeBack) {
  TypeVarType *A = Ctx.createTypeVar("A");
  TypeParamList List = {A};
  List = {};
  List = {A};
  EXPECT_NE(Ctx.createTypeVar("A"), A);
  List = {};
  List = {A};
  List = {};
  EXPECT_EQ(Ctx.createTypeVar("A"), A);
  EXPECT_NE(Ctx.createTypeVar("A"), A);
}

/// Existing bindings of a variable remain after a mismatch.
TEST_F(TypeTest, MatchingKeepsWhatIsKnown) {
  TypeVarType *A = Ctx.createTypeVar("A");
  Type *Other = Ctx.getTensorType({Dim::get(9)}, DType::getFloat(32));
  TypeVarMap Map;
  Map[A] = Other;
  EXPECT_TRUE(failed(matchTypeVars(Ctx, A, Vector, Map)));
  EXPECT_EQ(Map[A], Other);
  Map[A] = nullptr;
  EXPECT_TRUE(succeeded(matchTypeVars(Ctx, A, Vector, Map)));
  EXPECT_EQ(Map[A], Vector);
}

TEST_F(TypeTest, SharedPartsAreComparedOnce) {
  // 2^64 leaves, twice.
  TypeVarType *A = Ctx.createTypeVar("A"), *B = Ctx.createTypeVar("B");
  Type *L = A, *R = B;
  for (int I = 0; I != 64; ++I) {
    L = Ctx.getTupleType({L, L});
    R = Ctx.getTupleType({R, R});
  }
  EXPECT_TRUE(isSameType(Ctx.getFuncType(A, {}, L), Ctx.getFuncType(B, {}, R)));
}

/// Types of every kind and their parts.
TEST_F(TypeTest, Parts) {
  TypeVarType *A = Ctx.createTypeVar("A");
  Type *Pair = Ctx.getTupleType({Vector, A}), *Ref = Ctx.getRefType(Pair);
  using Parts = SmallVector<Type *, 4>;
  EXPECT_EQ(getParts(Vector), Parts());
  EXPECT_EQ(getParts(A), Parts());
  EXPECT_EQ(getParts(Pair), (Parts{Vector, A}));
  EXPECT_EQ(getParts(Ref), Parts{Pair});
  EXPECT_EQ(getParts(Ctx.getFuncType(A, {Pair, A}, Ref)),
            (Parts{Pair, A, Ref}));
  EXPECT_EQ(getParts(Ctx.getTypeCall(Ctx.intern("List"), {A})), Parts{A});
}

TEST_F(TypeTest, Rebuilds) {
  TypeVarType *A = Ctx.createTypeVar("A");
  StringRef List = Ctx.intern("List");
  auto ToVector = [&](Type *Part) -> Type * {
    return Part == A ? Vector : Part;
  };
  auto Check = [&](Type *From, Type *To) {
    EXPECT_EQ(rebuild(Ctx, From, ToVector), To);
    EXPECT_EQ(withParts(Ctx, From, getParts(From)), From);
  };
  Check(Vector, Vector);
  Check(A, A);
  Check(Ctx.getTupleType({A, Vector}), Ctx.getTupleType({Vector, Vector}));
  Check(Ctx.getTupleType({}), Ctx.getTupleType({}));
  Check(Ctx.getRefType(A), Ctx.getRefType(Vector));
  Check(Ctx.getTypeCall(List, {A}), Ctx.getTypeCall(List, {Vector}));
  Check(Ctx.getFuncType(A, {A}, A), Ctx.getFuncType(A, {Vector}, Vector));
  // Nested parts are not included.
  Type *Nested = Ctx.getTupleType({Ctx.getRefType(A)});
  Check(Nested, Nested);
}

TEST_F(TypeTest, WalksOuterTypesFirst) {
  TypeVarType *A = Ctx.createTypeVar("A");
  Type *Ref = Ctx.getRefType(A), *Pair = Ctx.getTupleType({Ref, Vector});
  Type *Func = Ctx.getFuncType(A, {Pair}, Ref);
  SmallVector<Type *> Seen;
  walkTypes(Func, [&](Type *T) {
    Seen.push_back(T);
    return true;
  });
  EXPECT_EQ(Seen, (SmallVector<Type *>{Func, Pair, Ref, A, Vector, Ref, A}));
  Seen.clear();
  walkTypes(Func, [&](Type *T) {
    Seen.push_back(T);
    return T != Pair;
  });
  EXPECT_EQ(Seen, (SmallVector<Type *>{Func, Pair, Ref, A}));
  // Deep types do not recurse.
  Type *Deep = A;
  for (int I = 0; I != 500'000; ++I)
    Deep = Ctx.getRefType(Deep);
  size_t Count = 0;
  walkTypes(Deep, [&](Type *) { return ++Count != 0; });
  EXPECT_EQ(Count, 500'001u);
}

TEST_F(TypeTest, Dynamic) {
  Type *Any =
      Ctx.getTensorType({Dim::get(3), Dim::getAny()}, DType::getFloat(32));
  EXPECT_TRUE(isDynamic(Any));
  EXPECT_FALSE(isDynamic(Vector));
  EXPECT_FALSE(isDynamic(nullptr));
  EXPECT_TRUE(isDynamic(Ctx.getTupleType({Vector, Any})));
  EXPECT_TRUE(isDynamic(Ctx.getFuncType({}, {Any}, Vector)));
  EXPECT_TRUE(isDynamic(Ctx.getRefType(Ctx.getFuncType({}, {}, Any))));
  EXPECT_FALSE(isDynamic(Ctx.getFuncType({}, {Vector}, Vector)));
}

} // namespace

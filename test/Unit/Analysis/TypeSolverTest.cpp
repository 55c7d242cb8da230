//===- TypeSolverTest.cpp - Unification of types --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type solver, without IR.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeSolver.h"
#include "relay/Ops/RegisterOps.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class TypeSolverTest : public testing::Test {
protected:
  TypeSolverTest()
      : S(Ctx, [this](const RelationTerm &, StringRef Message) {
          Errors.push_back(Message.str());
        }) {
    registerAllOps(Ctx);
  }

  Type *tensor(ArrayRef<Dim> Shape) {
    return Ctx.getTensorType(Shape, DType::getFloat(32));
  }
  Type *tensor(ArrayRef<int64_t> Shape) {
    return Ctx.getTensorType(Shape, DType::getFloat(32));
  }
  std::string show(TypeTerm *T) { return toString(S.resolve(T)); }
  void add(StringRef Op, ArrayRef<TypeTerm *> Operands, TypeTerm *Result) {
    const OpInfo *Info = Ctx.lookupOp(Op);
    ASSERT_TRUE(Info);
    const Attrs *A =
        Info->Attributes ? Ctx.getDefaultAttrs(*Info->Attributes) : nullptr;
    S.addRelation(*Info, A, nullptr, Operands, Result);
  }

  Context Ctx;
  std::vector<std::string> Errors;
  TypeSolver S;
};

TEST_F(TypeSolverTest, UnknownTakesWhatItMeets) {
  TypeTerm *U = S.createUnknown(), *V = S.createUnknown();
  EXPECT_TRUE(succeeded(S.unify(U, V)));
  EXPECT_TRUE(S.isUnknown(U));
  EXPECT_TRUE(succeeded(S.unify(V, S.create(tensor({2, 3})))));
  EXPECT_EQ(S.resolve(U), tensor({2, 3}));
  EXPECT_FALSE(S.isUnknown(U));
}

TEST_F(TypeSolverTest, DifferentTypesDoNotUnify) {
  TypeTerm *T = S.create(tensor({2, 3}));
  EXPECT_TRUE(failed(S.unify(T, S.create(tensor({2, 4})))));
  EXPECT_TRUE(failed(S.unify(T, S.create(tensor({2})))));
  Type *Half = Ctx.getTensorType(ArrayRef<int64_t>{2, 3}, DType::getFloat(16));
  EXPECT_TRUE(failed(S.unify(T, S.create(Half))));
  EXPECT_TRUE(failed(S.unify(T, S.createTuple({}))));
  EXPECT_EQ(S.getReason(), "");
  EXPECT_EQ(S.resolve(T), tensor({2, 3}));
}

TEST_F(TypeSolverTest, AnyWinsForAllOfOneIdentity) {
  TypeTerm *A = S.create(tensor({3})), *Alias = S.createUnknown();
  TypeTerm *Equal = S.create(tensor({3}));
  EXPECT_TRUE(succeeded(S.unify(Alias, A)));
  TypeTerm *Dynamic = S.create(tensor({Dim::getAny()}));
  EXPECT_TRUE(succeeded(S.unify(A, Dynamic)));
  EXPECT_EQ(show(A), "Tensor[(?), float32]");
  EXPECT_EQ(show(Alias), "Tensor[(?), float32]");
  // A type that is only equal remains unchanged.
  EXPECT_EQ(show(Equal), "Tensor[(3), float32]");
}

TEST_F(TypeSolverTest, VariableDimensionIsTheConstantThatItMeets) {
  Dim N = Ctx.createDimVar("n", DType::getInt(32), false);
  TypeTerm *T = S.create(tensor({N}));
  EXPECT_TRUE(succeeded(S.unify(T, S.create(tensor({5})))));
  EXPECT_EQ(show(T), "Tensor[(5), float32]");
  // It remains so in the whole solver.
  EXPECT_TRUE(failed(S.unify(S.create(tensor({N})), S.create(tensor({6})))));
}

TEST_F(TypeSolverTest, PartsAreUnified) {
  TypeTerm *U = S.createUnknown(), *V = S.createUnknown();
  TypeTerm *L = S.createTuple({U, S.create(tensor({2}))});
  TypeTerm *R = S.create(Ctx.getTupleType({tensor({1}), tensor({2})}));
  EXPECT_TRUE(succeeded(S.unify(L, R)));
  EXPECT_EQ(show(U), "Tensor[(1), float32]");
  TypeTerm *Fn = S.createFunc({}, {V}, S.createRef(V));
  Type *Written =
      Ctx.getFuncType({}, {tensor({4})}, Ctx.getRefType(tensor({4})));
  EXPECT_TRUE(succeeded(S.unify(Fn, S.create(Written))));
  EXPECT_EQ(S.resolve(Fn), Written);
  EXPECT_EQ(S.resolve(V), tensor({4}));
}

TEST_F(TypeSolverTest, ResolvesWhatIsPartlyKnown) {
  TypeTerm *T = S.createCall(Ctx.intern("List"), {S.createUnknown()});
  Type *Partly = S.resolve(T);
  ASSERT_TRUE(Partly);
  EXPECT_TRUE(Partly->isIncomplete());
  // The unknown is found again in the resolved type.
  TypeTerm *Again = S.create(Partly);
  EXPECT_TRUE(succeeded(S.unify(
      Again, S.createCall(Ctx.intern("List"), {S.create(tensor({1}))}))));
  EXPECT_EQ(show(T), "List[Tensor[(1), float32]]");
}

TEST_F(TypeSolverTest, NoTypeContainsItself) {
  TypeTerm *U = S.createUnknown();
  EXPECT_TRUE(failed(S.unify(U, S.createTuple({S.createRef(U)}))));
  EXPECT_EQ(S.getReason(), "the type would contain itself");
  EXPECT_TRUE(S.isUnknown(U));
}

TEST_F(TypeSolverTest, UntypedUnifiesAndChangesNothing) {
  TypeTerm *T = S.create(tensor({1})), *None = S.createUntyped();
  EXPECT_TRUE(succeeded(S.unify(T, None)));
  EXPECT_EQ(S.resolve(T), tensor({1}));
  EXPECT_EQ(S.resolve(S.createTuple({T, None})), nullptr);
}

TEST_F(TypeSolverTest, PolymorphicTypesAreEqualUpToNames) {
  auto MakeIdentity = [&](StringRef Name) {
    TypeVarType *A = Ctx.createTypeVar(Name);
    return S.create(Ctx.getFuncType({A}, {A}, A));
  };
  EXPECT_TRUE(succeeded(S.unify(MakeIdentity("A"), MakeIdentity("B"))));
}

TEST_F(TypeSolverTest, PolymorphicTypeBecomesAnInstance) {
  TypeVarType *A = Ctx.createTypeVar("A");
  TypeTerm *Poly = S.create(Ctx.getFuncType({A}, {A}, A));
  TypeTerm *Result = S.createUnknown();
  TypeTerm *Used = S.createFunc({}, {S.create(tensor({7}))}, Result);
  EXPECT_TRUE(succeeded(S.unify(Poly, Used)));
  EXPECT_EQ(S.resolve(Result), tensor({7}));
}

TEST_F(TypeSolverTest, SubstitutionLeavesOtherVariables) {
  TypeVarType *A = Ctx.createTypeVar("A"), *B = Ctx.createTypeVar("B");
  TypeTerm *T = S.create(Ctx.getTupleType({A, Ctx.getRefType(B), A}));
  TypeTerm *New = S.substitute({T}, {A}, {S.create(tensor({1}))}).front();
  EXPECT_EQ(show(New), "(Tensor[(1), float32], ref(B), Tensor[(1), float32])");
  EXPECT_EQ(show(T), "(A, ref(B), A)");
}

TEST_F(TypeSolverTest, SharedPartsCostTheirNumberOnly) {
  // Written out, these types have 2^500 parts.
  TypeTerm *L = S.createUnknown(), *R = S.createUnknown();
  for (int I = 0; I != 500; ++I) {
    L = S.createTuple({L, L});
    R = S.createTuple({R, R});
  }
  EXPECT_TRUE(succeeded(S.unify(L, R)));
  EXPECT_EQ(S.resolve(L), nullptr);
  EXPECT_EQ(S.getReason(), Type::TooLarge);
}

TEST_F(TypeSolverTest, DeepTypesAreRefused) {
  TypeTerm *L = S.createUnknown(), *R = S.createUnknown();
  for (int I = 0; I != 100000; ++I) {
    L = S.createRef(L);
    R = S.createRef(R);
  }
  EXPECT_TRUE(failed(S.unify(L, R)));
  EXPECT_EQ(S.getReason(), Type::TooDeep);
  EXPECT_EQ(S.resolve(L), nullptr);
}

TEST_F(TypeSolverTest, RelationRunsWhenOperandsAreKnown) {
  TypeTerm *X = S.createUnknown(), *Y = S.createUnknown();
  TypeTerm *Sum = S.createUnknown(), *Twice = S.createUnknown();
  add("add", {Sum, Sum}, Twice);
  add("add", {X, Y}, Sum);
  S.solve();
  EXPECT_EQ(S.getUnsolvedRelations().size(), 2u);
  EXPECT_TRUE(succeeded(S.unify(X, S.create(tensor({2, 1})))));
  S.solve();
  EXPECT_TRUE(S.isUnknown(Sum));
  EXPECT_TRUE(succeeded(S.unify(Y, S.create(tensor({3})))));
  S.solve();
  EXPECT_EQ(S.resolve(Twice), tensor({2, 3}));
  EXPECT_TRUE(S.getUnsolvedRelations().empty());
  EXPECT_TRUE(Errors.empty());
}

TEST_F(TypeSolverTest, IdentityHoldsBeforeAnythingIsKnown) {
  TypeTerm *X = S.createUnknown(), *Y = S.createUnknown();
  add("tanh", {X}, Y);
  S.solve();
  EXPECT_TRUE(succeeded(S.unify(Y, S.create(tensor({9})))));
  EXPECT_EQ(S.resolve(X), tensor({9}));
}

TEST_F(TypeSolverTest, RelationAssignsOperands) {
  TypeTerm *Data = S.create(tensor({1, 8, 4, 4})), *Bias = S.createUnknown();
  TypeTerm *Result = S.createUnknown();
  add("nn.bias_add", {Data, Bias}, Result);
  S.solve();
  EXPECT_EQ(S.resolve(Bias), tensor({8}));
  EXPECT_EQ(S.resolve(Result), tensor({1, 8, 4, 4}));
}

/// An operator of a plugin need not name its operands.
TEST_F(TypeSolverTest, OperandsWithoutNamesHaveNumbers) {
  OpInfo Unnamed;
  Unnamed.Name = "test.unnamed";
  Unnamed.NumOperands = 2;
  TypeTerm *T = S.create(tensor({2})), *U = S.create(tensor({3}));
  Unnamed.InferType = [](TypeRelation &R) {
    return R.unresolved(1, "a tuple");
  };
  S.addRelation(Unnamed, nullptr, nullptr, {T, U}, S.createUnknown());
  S.solve();
  Unnamed.InferType = [](TypeRelation &R) {
    (void)R.setOperand(1, R.getOperand(0));
    return RelationResult::Failed;
  };
  S.addRelation(Unnamed, nullptr, nullptr, {T, U}, S.createUnknown());
  S.solve();
  std::vector<std::string> Expected = {
      "'test.unnamed': operand 2 is not a tuple: Tensor[(2), float32] and "
      "Tensor[(3), float32]",
      "'test.unnamed': operand 2 must have type Tensor[(2), float32]; the "
      "operands have types: Tensor[(2), float32] and Tensor[(3), float32]"};
  EXPECT_EQ(Errors, Expected);
}

TEST_F(TypeSolverTest, OneErrorDoesNotCauseOthers) {
  TypeTerm *Sum = S.createUnknown(), *Twice = S.createUnknown();
  add("add", {S.create(tensor({2})), S.create(tensor({3}))}, Sum);
  add("add", {Sum, S.create(tensor({3}))}, Twice);
  S.solve();
  ASSERT_EQ(Errors.size(), 1u);
  EXPECT_EQ(Errors[0],
            "'add': operands have shapes (2) and (3) that do not broadcast: "
            "Tensor[(2), float32] and Tensor[(3), float32]");
  EXPECT_TRUE(S.isUntyped(Twice));
}

} // namespace

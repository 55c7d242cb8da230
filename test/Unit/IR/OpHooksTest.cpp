//===- OpHooksTest.cpp - Unit tests of hooks of operators -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/IR/OpHooks.h"
#include "TestIR.h"
#include "relay/IR/Core.h"

using namespace relay;
using namespace relay::test;

namespace {

int getOne() { return 1; }
int getTwo() { return 2; }

/// As relay-tblgen writes it.
struct Count {
  using Fn = int();
  static const OpHookKind Kind;
};
void bindCountHooks(OpHookTable &Table) {
  Table.bind(TupleOp::getInfo(), reinterpret_cast<AnyHookFn>(&getOne));
}
const OpHookKind Count::Kind = {"Count", &bindCountHooks};

using OpHooksTest = IRTest;

TEST_F(OpHooksTest, HooksOfTheKindNeedNoRegistration) {
  OpHooks<Count> Counts(Ctx);
  ASSERT_TRUE(Counts.lookup(TupleOp::getInfo()));
  EXPECT_EQ(Counts.lookup(TupleOp::getInfo())(), 1);
  EXPECT_EQ(Counts.lookup(FnOp::getInfo()), nullptr);
}

TEST_F(OpHooksTest, FurtherHooksAreOfOneContext) {
  const OpInfo &Neg = *Ctx.lookupOp("test.neg");
  EXPECT_TRUE(bindOpHook<Count>(Ctx, Neg, &getTwo));
  EXPECT_EQ(OpHooks<Count>(Ctx).lookup(Neg)(), 2);
  Context Other;
  EXPECT_EQ(OpHooks<Count>(Other).lookup(Neg), nullptr);
}

TEST_F(OpHooksTest, SecondHookIsRefused) {
  EXPECT_FALSE(bindOpHook<Count>(Ctx, TupleOp::getInfo(), &getTwo));
  EXPECT_EQ(OpHooks<Count>(Ctx).lookup(TupleOp::getInfo())(), 1);
  ASSERT_EQ(Ctx.getRefusedRegistrations().size(), 1u);
  EXPECT_EQ(Ctx.getRefusedRegistrations()[0], "hook Count of 'relay.tuple'");
}

TEST_F(OpHooksTest, UnregisteredOpsHaveNone) {
  const OpInfo &Unknown = Ctx.getOrCreateUnregisteredOp("my.op");
  EXPECT_EQ(Unknown.Number.get(), 0u);
  EXPECT_EQ(OpHooks<Count>(Ctx).lookup(Unknown), nullptr);
}

TEST_F(OpHooksTest, NumbersAreTheSameInEveryContext) {
  unsigned Number = Ctx.lookupOp("test.add")->Number.get();
  EXPECT_NE(Number, 0u);
  EXPECT_NE(Number, Ctx.lookupOp("test.neg")->Number.get());
  Context Other;
  registerTestOps(Other);
  EXPECT_EQ(Other.lookupOp("test.add")->Number.get(), Number);
}

//===----------------------------------------------------------------------===//
// Builders of attributes
//===----------------------------------------------------------------------===//

using AttrsBuilderTest = IRTest;

TEST_F(AttrsBuilderTest, SetsFieldsAndInternsOnce) {
  const CallGlobalAttrs *A = CallGlobalAttrs::Builder(Ctx).callee("f").get();
  EXPECT_EQ(A, CallGlobalAttrs::get(Ctx, "f", Attr()));
  const CallGlobalAttrs *B = A->toBuilder(Ctx).callee("g").get();
  EXPECT_EQ(B->callee(), "g");
  EXPECT_EQ(A->callee(), "f");
}

TEST_F(AttrsBuilderTest, ListsOfIntegersAndOfDimensions) {
  SmallVector<int64_t> Ints = {0, 0, 3};
  SmallVector<Dim> Dims = {Dim::get(0), Dim::get(0), Dim::get(3)};
  Attr Expected = Ctx.getIntArray({0, 0, 3});
  auto Get = [&](DimListArg List) { return List.get(Ctx); };
  EXPECT_EQ(Get({0, 0, 3}), Expected);
  EXPECT_EQ(Get(Ints), Expected);
  EXPECT_EQ(Get(ArrayRef<int64_t>(Ints)), Expected);
  EXPECT_EQ(Get(Dims), Expected);
  EXPECT_EQ(Get({0, 0}), Ctx.getIntArray({0, 0}));
  EXPECT_EQ(Get(std::nullopt), Attr());
  EXPECT_EQ(DimArg(64).get(Ctx), Ctx.getInt(64));
  EXPECT_EQ(DimArg(Dim::getAny()).get(Ctx), Dim::getAny());
}

TEST_F(AttrsBuilderTest, OpsTakeTheirFirstFields) {
  Function *F = createFunction();
  BlockArgument *X = param(F, "x");
  Builder B(F->getBody());
  auto Tuple = B.create<TupleOp>(ArrayRef<Value *>(X));
  auto Field = B.create<TupleGetItemOp>(Tuple, 0);
  EXPECT_EQ(Field.attrs().index(), 0);
  EXPECT_EQ(Field->getType(), Vector);
  auto Call = B.create<CallGlobalOp>(ArrayRef<Value *>(X), "main");
  EXPECT_EQ(Call.attrs().callee(), "main");
  EXPECT_EQ(Call.attrs().attributes(), Attr());
}

} // namespace

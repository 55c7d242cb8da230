//===- HandlesTest.cpp - Handles to erased IR -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle detects that its operation or function was erased, even after the
// memory is reused.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Handles.h"
#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class HandlesTest : public IRTest {
protected:
  HandlesTest() : F(createFunction()), B(F->getBody()), X(param(F, "x")) {}

  static std::string getError(const OperationHandle &H) {
    auto Op = H.getOrError();
    return Op ? "" : llvm::toString(Op.takeError());
  }

  Function *F;
  Block &B;
  Value *X;
};

TEST_F(HandlesTest, NoOperation) {
  OperationHandle None;
  EXPECT_EQ(None.get(), nullptr);
  EXPECT_EQ(getError(None), "the handle refers to no operation");
  auto NoFunction = FunctionHandle().getOrError();
  EXPECT_EQ(llvm::toString(NoFunction.takeError()),
            "the handle refers to no function");
}

TEST_F(HandlesTest, ErasedOperation) {
  Operation *Op = neg(B, X), *Other = neg(B, X);
  OperationHandle H(*Op), Same(*Op), OfOther(*Other);
  EXPECT_EQ(H.get(), Op);
  EXPECT_EQ(H, Same);
  EXPECT_NE(H, OfOther);
  EXPECT_EQ(getError(H), "");
  Op->erase();
  EXPECT_EQ(H.get(), nullptr);
  EXPECT_EQ(getError(H), "the operation has been erased from @main");
  EXPECT_EQ(OfOther.get(), Other);
}

/// The memory and the table entry are reused by another operation.
TEST_F(HandlesTest, MemoryIsUsedAgain) {
  Operation *Op = neg(B, X);
  OperationHandle First(*Op);
  EXPECT_EQ(F->getHandles()->size(), 1u);
  Op->erase();
  EXPECT_EQ(F->getHandles()->size(), 0u);
  Operation *Next = neg(B, X);
  ASSERT_EQ(Next, Op);
  EXPECT_EQ(First.get(), nullptr);
  OperationHandle Second(*Next);
  EXPECT_EQ(F->getHandles()->size(), 1u);
  EXPECT_EQ(Second.get(), Next);
  EXPECT_EQ(First.get(), nullptr);
  EXPECT_NE(First, Second);
}

TEST_F(HandlesTest, OperationsInRegionsGoToo) {
  Operation *If = makeIf(B, X);
  Operation *Inner = neg(If->getRegion(0), X);
  If->getRegion(0).setResultRaw(Inner);
  OperationHandle H(*Inner);
  If->erase();
  EXPECT_EQ(H.get(), nullptr);
}

TEST_F(HandlesTest, OperationOutsideOfABlock) {
  Operation *Op = neg(B, X);
  OperationHandle H(*Op);
  B.remove(Op);
  EXPECT_EQ(H.get(), Op);
  Op->erase();
  EXPECT_EQ(H.get(), nullptr);
  EXPECT_EQ(getError(H), "the operation has been erased from @main");
}

/// normalize() erases unused operations, a Rewriter replaced ones.
TEST_F(HandlesTest, OtherWaysToGo) {
  Operation *Unused = neg(B, X), *Replaced = neg(B, X);
  Operation *Result = neg(B, Replaced);
  B.setResultRaw(Result);
  OperationHandle OfUnused(*Unused), OfReplaced(*Replaced), OfResult(*Result);
  F->normalize();
  EXPECT_EQ(OfUnused.get(), nullptr);
  EXPECT_EQ(OfReplaced.get(), Replaced);
  Rewriter R(*F);
  ASSERT_TRUE(R.startRewrite("test"));
  R.replaceOp(Replaced, X);
  EXPECT_EQ(OfReplaced.get(), nullptr);
  EXPECT_EQ(OfResult.get(), Result);
}

TEST_F(HandlesTest, ErasedFunction) {
  OperationHandle H(*neg(B, X));
  FunctionHandle OfFunction(*F), Same(*F);
  EXPECT_EQ(OfFunction, Same);
  EXPECT_FALSE(OfFunction != Same);
  EXPECT_NE(OfFunction, FunctionHandle());
  EXPECT_FALSE(OfFunction == FunctionHandle());
  EXPECT_EQ(OfFunction.get(), F);
  M.eraseFunction(F);
  EXPECT_EQ(H.get(), nullptr);
  EXPECT_EQ(getError(H), "the function of the operation has been erased");
  EXPECT_EQ(OfFunction.get(), nullptr);
  auto None = OfFunction.getOrError();
  EXPECT_EQ(llvm::toString(None.takeError()), "the function has been erased");
}

} // namespace

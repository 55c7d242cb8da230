//===- InferTypeTest.cpp - Changes of types -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass reports a change if and only if it changed a function.
// test/Transforms covers the other tests.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// The text of a call does not show its type arguments.
TEST(InferTypeTest, TypeArgumentsAreAChange) {
  Context Ctx;
  registerAllOps(Ctx);
  PassRegistry Registry;
  registerAllPasses(Registry);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBuffer(R"(#[version = "0.0.5"]
def @id[A](%x: A) -> A { %x }
def @main(%x: float32) -> float32 { @id(%x) })"),
                  Ctx);
  ASSERT_TRUE(M && succeeded(inferTypes(*M)));
  Function &Main = *M->lookupFunction("main");
  auto *Call = cast<Operation>(Main.getBody().getResult());
  Type *Scalar = Ctx.getScalarType(DType::getFloat(32));
  ASSERT_EQ(Call->getTypeArgs(), ArrayRef<Type *>(Scalar));
  Call->setTypeArgs(Main, {});

  PassContext PC(Ctx, Registry);
  AnalysisManagers AMs(PC);
  std::unique_ptr<Pass> P = createInferTypePass();
  uint64_t Before = Main.getNumChanges();
  ASSERT_TRUE(succeeded(runPass(*P, *M, AMs.Modules, PC)));
  EXPECT_EQ(Call->getTypeArgs(), ArrayRef<Type *>(Scalar));
  EXPECT_NE(Main.getNumChanges(), Before);
  Before = Main.getNumChanges();
  ASSERT_TRUE(succeeded(runPass(*P, *M, AMs.Modules, PC)));
  EXPECT_EQ(Main.getNumChanges(), Before);
}

} // namespace

//===- EliminateCommonSubexprTest.cpp - Merging of different types --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal operations with different types, which may occur after passes over an
// untyped module. test/Transforms covers the rest.
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

/// Users of a merged operation would get another type.
TEST(EliminateCommonSubexprTest, OperationsOfDifferentTypesStay) {
  Context Ctx;
  registerAllOps(Ctx);
  PassRegistry Registry;
  registerAllPasses(Registry);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBuffer(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) { (nn.relu(%x), exp(nn.relu(%x))) })"),
                  Ctx);
  ASSERT_TRUE(M && succeeded(inferTypes(*M)));
  Function &Main = *M->lookupFunction("main");
  Type *Dynamic = Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32));
  Main.getBody().begin()->setTypeRaw(Dynamic);
  Type *Before = Main.getBody().getResult()->getType();

  PassContext PC(Ctx, Registry);
  AnalysisManagers AMs(PC);
  std::unique_ptr<Pass> P = createEliminateCommonSubexprPass();
  ASSERT_TRUE(
      succeeded(static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC)));
  EXPECT_EQ(Main.getNumChanges(), 0u);
  EXPECT_EQ(Main.getBody().getResult()->getType(), Before);
}

} // namespace

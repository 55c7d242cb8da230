//===- ListenersTest.cpp - Listeners during passes ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a pass, a listener of the module knows which operations created by the
// pass still exist.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/RewriteListener.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// Keeps the operations that were created and not erased.
class LiveOperations : public RewriteListener {
public:
  void notifyCreated(Operation *Op) override { Live.insert(Op); }
  void notifyErased(Operation *Op) override { Live.erase(Op); }
  llvm::DenseSet<Operation *> Live;
};

/// Two equal closures become one function: the second one's is discarded.
TEST(ListenersTest, LambdaLiftDiscardsEqualFunctions) {
  Context Ctx;
  registerAllOps(Ctx);
  PassRegistry Registry;
  registerAllPasses(Registry);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBuffer(R"(#[version = "0.0.5"]
def @main(%x: float32) {
  let %f = fn (%a: float32) { exp(add(%a, %x)) };
  let %g = fn (%b: float32) { exp(add(%b, %x)) };
  add(%f(%x), %g(%x))
})"),
                  Ctx);
  ASSERT_TRUE(M && succeeded(inferTypes(*M)));
  LiveOperations Listener;
  PassContext PC(Ctx, Registry);
  PC.getCallbacks().registerRewriteListener(&Listener);
  AnalysisManagers AMs(PC);
  std::unique_ptr<Pass> P = createLambdaLiftPass();
  ASSERT_TRUE(succeeded(runPass(*P, *M, AMs.Modules, PC)));
  EXPECT_EQ(M->getNumFunctions(), 2u);
  llvm::DenseSet<Operation *> InModule;
  for (Function &F : M->functions())
    walk(F, [&](Operation *Op) { InModule.insert(Op); });
  EXPECT_FALSE(Listener.Live.empty());
  for (Operation *Op : Listener.Live)
    EXPECT_TRUE(InModule.contains(Op));
}

/// The operations of removed functions are erased, too.
TEST(ListenersTest, RemovedFunctions) {
  Context Ctx;
  registerAllOps(Ctx);
  PassRegistry Registry;
  registerAllPasses(Registry);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBuffer(R"(#[version = "0.0.5"]
def @unused(%x: float32) { let %f = fn (%a: float32) { exp(%a) }; %f(%x) }
def @main(%x: float32) { tanh(%x) }
)"),
                  Ctx);
  ASSERT_TRUE(M && succeeded(inferTypes(*M)));
  LiveOperations Listener;
  for (Function &F : M->functions())
    walk(F, [&](Operation *Op) { Listener.Live.insert(Op); });
  EXPECT_EQ(Listener.Live.size(), 4u);
  PassContext PC(Ctx, Registry);
  PC.getCallbacks().registerRewriteListener(&Listener);
  AnalysisManagers AMs(PC);
  std::unique_ptr<Pass> P = createRemoveUnusedFunctionsPass();
  ASSERT_TRUE(succeeded(runPass(*P, *M, AMs.Modules, PC)));
  EXPECT_EQ(M->getNumFunctions(), 1u);
  EXPECT_EQ(Listener.Live.size(), 1u);
}

} // namespace

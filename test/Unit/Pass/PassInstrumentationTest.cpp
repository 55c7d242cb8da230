//===- PassInstrumentationTest.cpp - Callbacks around passes --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The callbacks that run for each unit, and their order.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

class PassInstrumentationTest : public PassTest {
protected:
  /// Logs every event of a pass, after \p Prefix.
  void registerLog(StringRef Prefix) {
    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    auto Event = [this, Prefix](StringRef What) {
      return [this, Prefix, What](const PassRun &Run) {
        log(Prefix + What + Run.getName() + " on " + Run.getUnit().getName());
      };
    };
    PIC.registerBeforeSkippedPassCallback(Event("skip "));
    PIC.registerBeforeNonSkippedPassCallback(Event("before "));
    PIC.registerAfterPassFailedCallback(Event("failed "));
    PIC.registerAfterPassCallback([this, Prefix](const PassRun &Run) {
      log(Prefix + "after " + Run.getName() + " on " + Run.getUnit().getName() +
          (Run.getPreservedAnalyses().areAllPreserved() ? " (same)" : ""));
      return success();
    });
  }

  ModulePassManager PM;
};

TEST_F(PassInstrumentationTest, EveryFunctionOfAFunctionPass) {
  addFunction("f");
  addFunction("g");
  registerLog("");
  FunctionPassManager FPM;
  FPM.addPass(functionPass("First"));
  FPM.addPass(functionPass("Second", PreservedAnalyses::none()));
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  PM.addPass(modulePass("Last"));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "before First on @f\nrun First @f\n"
                       "after First on @f (same)\n"
                       "before Second on @f\nrun Second @f\n"
                       "after Second on @f\n"
                       "before First on @g\nrun First @g\n"
                       "after First on @g (same)\n"
                       "before Second on @g\nrun Second @g\n"
                       "after Second on @g\n"
                       "before Last on [module]\nrun Last\n"
                       "after Last on [module] (same)\n");
}

TEST_F(PassInstrumentationTest, FunctionsOfOtherCompilersAreNotSeen) {
  addFunction("f");
  for (StringRef Key : {"Compiler", "Extern", "SkipOptimization"})
    addFunction(Key).getSignature().Attributes =
        Ctx.getDictAttrs({{Ctx.getString(Key), Ctx.getInt(1)}});
  for (StringRef Key : {"Extern", "SkipOptimization"})
    addFunction(("no" + Key).str()).getSignature().Attributes =
        Ctx.getDictAttrs({{Ctx.getString(Key), Ctx.getInt(0)}});
  FunctionPassManager FPM;
  FPM.addPass(functionPass("Only"));
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run Only @f\nrun Only @noExtern\n"
                       "run Only @noSkipOptimization\n");
}

TEST_F(PassInstrumentationTest, OrderOfRegistration) {
  registerLog("1 ");
  registerLog("2 ");
  PM.addPass(modulePass("P"));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "1 before P on [module]\n2 before P on [module]\n"
                       "run P\n"
                       "1 after P on [module] (same)\n"
                       "2 after P on [module] (same)\n");
}

TEST_F(PassInstrumentationTest, FailureStopsAndIsToldInReverse) {
  registerLog("1 ");
  registerLog("2 ");
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(failingPass("Bad"));
  Group->addPass(modulePass("NotReached"));
  PM.addPass(std::move(Group));
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(takeLog(), "1 before sequential on [module]\n"
                       "2 before sequential on [module]\n"
                       "1 before Bad on [module]\n2 before Bad on [module]\n"
                       "fail Bad\n"
                       "2 failed Bad on [module]\n1 failed Bad on [module]\n"
                       "2 failed sequential on [module]\n"
                       "1 failed sequential on [module]\n");
}

TEST_F(PassInstrumentationTest, OneRefusalSkipsButNotRequiredPasses) {
  registerLog("");
  bool Asked = false;
  PC.getCallbacks().registerShouldRunOptionalPassCallback(
      "first", [](const PassRun &) { return false; });
  PC.getCallbacks().registerShouldRunOptionalPassCallback(
      "second", [&](const PassRun &Run) {
        EXPECT_EQ(Run.getName(), "Optional");
        Asked = true;
        return true;
      });
  PassInfo &Needed = makeInfo("Needed", PassUnit::Module);
  Needed.IsRequired = true;
  PM.addPass(modulePass("Optional"));
  PM.addPass(modulePass(Needed));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_TRUE(Asked);
  EXPECT_EQ(takeLog(), "skip Optional on [module]\n"
                       "before Needed on [module]\nrun Needed\n"
                       "after Needed on [module] (same)\n");
}

TEST_F(PassInstrumentationTest, FailingCheckStops) {
  addFunction("f");
  addFunction("g");
  PC.getCallbacks().registerAfterPassCallback(
      [](const PassRun &) -> LogicalResult { return failure(); });
  FunctionPassManager FPM;
  FPM.addPass(functionPass("P"));
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(takeLog(), "run P @f\n");
}

TEST_F(PassInstrumentationTest, ContextIsEnteredAndLeft) {
  PC.getCallbacks().registerEnterPassContextCallback(
      [&](PassContext &C) { log(&C == &PC ? "enter" : "other"); });
  PC.getCallbacks().registerExitPassContextCallback(
      [&](PassContext &) { log("exit"); });
  {
    auto Scope = PassContext::Scope::enter(PC);
    ASSERT_TRUE(bool(Scope));
    log("inside");
  }
  EXPECT_EQ(takeLog(), "enter\ninside\nexit\n");
}

/// Counts the operations that passes create and, if requested, refuses
/// rewrites.
class Counter : public RewriteListener {
public:
  bool shouldRewrite(const Rewrite &) override { return !Refuses; }
  void notifyCreated(Operation *) override {
    EXPECT_EQ(PassRun::getCurrent()->getName(), "Change");
    ++NumCreated;
  }
  bool Refuses = false;
  unsigned NumCreated = 0;
};

TEST_F(PassInstrumentationTest, ListenersHearOfRewrites) {
  Function &F = addFunction("f");
  PM.addPass(std::make_unique<LambdaPass<Module>>(
      makeInfo("Change", PassUnit::Module),
      [&](Module &, ModuleAnalysisManager &, PassContext &) {
        Rewriter R(F);
        if (R.startRewrite("relu"))
          R.createOperation(*Ctx.lookupOp("nn.relu"), F.getParams()[0]);
        return PreservedAnalyses::none();
      }));
  Counter C;
  PC.getCallbacks().registerRewriteListener(&C);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(C.NumCreated, 1u);
  EXPECT_TRUE(M.getRewriteListeners().empty());
  C.Refuses = true;
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(C.NumCreated, 1u);
}

/// As after the end of a scope, where analyses may still be requested.
TEST_F(PassInstrumentationTest, NobodyListens) {
  addFunction("f");
  IRUnit Unit(M);
  PassInstrumentation PI;
  PI.runBeforeAnalysis("A", Unit);
  PI.runAfterAnalysis("A", Unit);
  PI.runAnalysisFailed("A", Unit);
  PI.runAnalysisInvalidated("A", Unit, "");
  PI.runAnalysesCleared("[module]");
  PI.runEnterPassContext(PC);
  PI.runExitPassContext(PC);
  EXPECT_EQ(takeLog(), "");
}

} // namespace

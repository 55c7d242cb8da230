//===- PassTimingTest.cpp - What counts as a pass's time ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How times are printed is tested by lit.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassTiming.h"
#include "../../Pass/TestPass.h"
#include <thread>

using namespace relay;
using namespace relay::test;

namespace {

class PassTimingTest : public PassTest {
protected:
  /// Runs a group of two passes on the functions f and g, while callbacks
  /// before and after each pass take their time, SleptInAll together.
  void runGroup() {
    addFunction("f");
    addFunction("g");
    M.normalize();
    auto Nothing = [](Function &, FunctionAnalysisManager &, PassContext &) {
      return PreservedAnalyses::all();
    };
    auto Group = std::make_unique<SequentialPass>();
    for (StringRef Name : {"first", "second"})
      Group->addPass(std::make_unique<LambdaPass<Function>>(
          makeInfo(Name, PassUnit::Function), Nothing));
    ModulePassManager PM;
    PM.addPass(std::move(Group));

    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    PIC.registerBeforeNonSkippedPassCallback(
        [this](const PassRun &) { sleep(); });
    Timing.registerCallbacks(PC); // in whatever order
    PIC.registerAfterPassCallback([this](const PassRun &) {
      sleep();
      return success();
    });
    ASSERT_TRUE(succeeded(run(PM)));
  }
  void sleep() {
    PassTiming::Duration D = std::chrono::milliseconds(50);
    std::this_thread::sleep_for(D);
    SleptInAll += D;
  }

  PassTimingOptions Options;
  PassTiming Timing{Options, InstrumentationSetup()};
  PassTiming::Duration SleptInAll{};
};

} // namespace

TEST_F(PassTimingTest, CallbacksDoNotCount) {
  runGroup();
  ASSERT_EQ(Timing.getRoot().Children.size(), 1u);
  const PassTiming::Node &Group = *Timing.getRoot().Children[0];
  EXPECT_EQ(Group.Name, "sequential");
  EXPECT_EQ(Group.Children.size(), 2u);
  EXPECT_EQ(SleptInAll, std::chrono::milliseconds(500));
  EXPECT_LT(Group.getTotal(), SleptInAll / 2);
}

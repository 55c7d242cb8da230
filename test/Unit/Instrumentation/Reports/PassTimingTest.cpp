//===- PassTimingTest.cpp - The time of a pass ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lit tests cover the printing of times.
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
  /// Runs a group of two passes on the functions f and g, with callbacks before
  /// and after each pass that take SleptInAll in total.
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
    Timing.registerCallbacks(PC); // in any order
    PIC.registerAfterPassCallback([this](const PassRun &) {
      sleep();
      return success();
    });
    auto Start = Clock::now();
    ASSERT_TRUE(succeeded(run(PM)));
    Whole = Clock::now() - Start;
  }
  void sleep() {
    auto Start = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    SleptInAll += Clock::now() - Start;
    ++NumSleeps;
  }

  using Clock = std::chrono::steady_clock;

  PassTimingOptions Options;
  PassTiming Timing{Options, InstrumentationSetup()};
  PassTiming::Duration SleptInAll{}, Whole{};
  unsigned NumSleeps = 0;
};

} // namespace

TEST_F(PassTimingTest, CallbacksDoNotCount) {
  runGroup();
  ASSERT_EQ(Timing.getRoot().Children.size(), 1u);
  const PassTiming::Node &Group = *Timing.getRoot().Children[0];
  EXPECT_EQ(Group.Name, "sequential");
  EXPECT_EQ(Group.Children.size(), 2u);
  EXPECT_EQ(NumSleeps, 10u);
  // Holds on a slow machine, too.
  EXPECT_LE(Group.getTotal(), Whole - SleptInAll);
}

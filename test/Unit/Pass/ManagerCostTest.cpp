//===- ManagerCostTest.cpp - The cost of the pass manager -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs 100 function passes that do nothing over 1,000 functions, without
// callbacks, and prints the CPU time per pass and function (nanoseconds, the
// best of ten runs). utils/benchmark includes the figures in its table:
//
//   RelayPassTests --gtest_filter='ManagerCost*'
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include <cmath>
#include <cstdio>
#include <ctime>

using namespace relay;
using namespace relay::test;

namespace {

constexpr unsigned NumPasses = 100, NumFunctions = 1000;

class ManagerCostTest : public PassTest {
protected:
  ManagerCostTest() {
    for (unsigned I = 0; I != NumFunctions; ++I)
      addFunction("f" + std::to_string(I));
  }

  /// Returns the passes as one function pipeline, or as separate ones.
  ModulePassManager makePipeline(bool Nested) {
    ModulePassManager PM;
    FunctionPassManager FPM;
    for (unsigned I = 0; I != NumPasses; ++I) {
      FPM.addPass(std::make_unique<LambdaPass<Function>>(
          Info, [](Function &, FunctionAnalysisManager &, PassContext &) {
            return PreservedAnalyses::all();
          }));
      if (!Nested)
        PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(
            std::exchange(FPM, FunctionPassManager())));
    }
    if (Nested)
      PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
    return PM;
  }

  static double getCPUTime() {
    timespec Time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time);
    return 1e9 * Time.tv_sec + Time.tv_nsec;
  }

  /// Returns nanoseconds per pass and function.
  double measure(ModulePassManager PM) {
    AnalysisManagers AMs(PC);
    double Best = HUGE_VAL;
    for (unsigned Run = 0; Run != 10; ++Run) {
      double Start = getCPUTime();
      EXPECT_TRUE(succeeded(PM.run(M, AMs.Modules, PC)));
      Best = std::min(Best, getCPUTime() - Start);
    }
    return Best / (NumPasses * NumFunctions);
  }

  static void print(const char *What, double Nanoseconds) {
    std::printf("%s: %.0f ns a pass and function\n", What, Nanoseconds);
  }

  PassInfo &Info = makeInfo("nothing", PassUnit::Function);
};

TEST_F(ManagerCostTest, OnePipeline) {
  print("function(p, p, ...)", measure(makePipeline(/*Nested=*/true)));
}

TEST_F(ManagerCostTest, EachForItself) {
  print("function(p), function(p), ...",
        measure(makePipeline(/*Nested=*/false)));
}

TEST_F(ManagerCostTest, OnSeveralThreads) {
  Ctx.setNumThreads(2);
  Ctx.setMinParallelWork(0);
  print("function(p, p, ...) on two threads",
        measure(makePipeline(/*Nested=*/true)));
}

} // namespace

//===- WalkCostTest.cpp - The cost of visiting operations -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over chains that do nothing with the operations. They show how the time
// per operation grows once the operations exceed the caches, a lower bound for
// every pass. The test prints the figures (nanoseconds per operation, the best
// of ten walks); utils/benchmark includes them in its table of growth.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include <chrono>
#include <cmath>
#include <cstdio>

using namespace relay;
using namespace relay::test;

namespace {

class WalkCostTest : public IRTest {
protected:
  Function *makeChain(unsigned NumOps) {
    Function *F = createFunction("chain" + std::to_string(NumOps));
    Block &B = F->getBody();
    Value *V = param(F, "x");
    for (unsigned I = 0; I != NumOps; ++I)
      V = neg(B, V);
    B.setResultRaw(V);
    return F;
  }

  /// Returns nanoseconds per operation.
  static double measure(Function &F, unsigned NumOps) {
    using Clock = std::chrono::steady_clock;
    double Best = HUGE_VAL;
    for (unsigned Run = 0; Run != 10; ++Run) {
      unsigned NumSeen = 0;
      Clock::time_point Start = Clock::now();
      walk(F, [&](Operation *Op) { NumSeen += !Op->is(OpCode::CallValue); });
      std::chrono::duration<double, std::nano> Time = Clock::now() - Start;
      Best = std::min(Best, Time.count());
      EXPECT_EQ(NumSeen, NumOps);
    }
    return Best / NumOps;
  }
};

TEST_F(WalkCostTest, Chains) {
  for (unsigned NumOps : {10'000, 100'000, 1'000'000})
    std::printf("walk over %u operations: %.2f ns an operation\n", NumOps,
                measure(*makeChain(NumOps), NumOps));
}

} // namespace

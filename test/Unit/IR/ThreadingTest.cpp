//===- ThreadingTest.cpp - Tasks in order and in parallel -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tasks that runTasks() runs and finishes, and its result, if a task fails.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Threading.h"
#include "TestIR.h"
#include <atomic>

using namespace relay;
using namespace relay::test;

namespace {

class ThreadingTest : public IRTest {
protected:
  /// Runs five tasks, of which \p Failing fails; returns the numbers of
  /// finished tasks, in order.
  std::vector<size_t> run(size_t Failing) {
    std::vector<size_t> Finished;
    LogicalResult Result = runTasks(
        Ctx, 5, /*Work=*/UINT64_MAX,
        [&]() -> TaskFn {
          ++NumWorkers;
          return [this, Failing](size_t I) {
            ++NumRuns;
            return success(I != Failing);
          };
        },
        [&](size_t I) { Finished.push_back(I); });
    EXPECT_EQ(succeeded(Result), Failing >= 5);
    EXPECT_FALSE(Ctx.isMultithreaded());
    return Finished;
  }

  std::atomic<unsigned> NumWorkers{0}, NumRuns{0};
};

TEST_F(ThreadingTest, WhatIsWorthThreads) {
  Ctx.setMinParallelWork(100);
  Ctx.setNumThreads(2);
  EXPECT_TRUE(isWorthThreads(Ctx, 2, 100));
  EXPECT_FALSE(isWorthThreads(Ctx, 2, 99));
  EXPECT_FALSE(isWorthThreads(Ctx, 1, 100));
  Ctx.setNumThreads(1);
  EXPECT_FALSE(isWorthThreads(Ctx, 2, 100));
}

TEST_F(ThreadingTest, OneThread) {
  Ctx.setNumThreads(1);
  EXPECT_EQ(run(5), std::vector<size_t>({0, 1, 2, 3, 4}));
  EXPECT_EQ(NumWorkers, 1u);
  EXPECT_EQ(NumRuns, 5u);
}

TEST_F(ThreadingTest, OneThreadStopsAtTheFailure) {
  Ctx.setNumThreads(1);
  EXPECT_EQ(run(2), std::vector<size_t>({0, 1}));
  EXPECT_EQ(NumRuns, 3u);
}

TEST_F(ThreadingTest, ManyThreads) {
  Ctx.setNumThreads(3);
  EXPECT_EQ(run(5), std::vector<size_t>({0, 1, 2, 3, 4}));
  EXPECT_EQ(NumRuns, 5u);
}

/// The finished tasks are the same as on one thread.
TEST_F(ThreadingTest, ManyThreadsFinishUpToTheFailure) {
  Ctx.setNumThreads(3);
  EXPECT_EQ(run(2), std::vector<size_t>({0, 1}));
}

} // namespace

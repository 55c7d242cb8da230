//===- OrderedTasksTest.cpp - Tasks on several threads, in order ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of Finish, failures, and that threads do not wait for a slow
// Finish. test/Driver covers crashes.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OrderedTasks.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <condition_variable>

using namespace relay;

namespace {

class OrderedTasksTest : public testing::Test {
protected:
  static constexpr unsigned NumThreads = 3;

  LogicalResult run(size_t NumTasks,
                    llvm::function_ref<LogicalResult(size_t)> Task,
                    llvm::function_ref<void(size_t)> Finish) {
    auto MakeWorker = [&]() -> TaskFn {
      return [Task](size_t I) { return Task(I); };
    };
    return OrderedTasks(NumTasks).run(Pool, NumThreads, MakeWorker, Finish);
  }

  llvm::DefaultThreadPool Pool{llvm::hardware_concurrency(NumThreads - 1)};
  std::vector<size_t> Finished;
};

TEST_F(OrderedTasksTest, FinishesInOrder) {
  constexpr size_t NumTasks = 5000;
  std::vector<int> Runs(NumTasks);
  auto Task = [&](size_t I) {
    ++Runs[I];
    return success();
  };
  EXPECT_TRUE(
      succeeded(run(NumTasks, Task, [&](size_t I) { Finished.push_back(I); })));
  EXPECT_EQ(Runs, std::vector<int>(NumTasks, 1));
  ASSERT_EQ(Finished.size(), NumTasks);
  for (size_t I = 0; I != NumTasks; ++I)
    EXPECT_EQ(Finished[I], I);
}

TEST_F(OrderedTasksTest, StopsAtTheFirstFailure) {
  for (unsigned Round = 0; Round != 200; ++Round) {
    Finished.clear();
    auto Task = [](size_t I) { return failure(I == 20 || I == 23); };
    auto Finish = [&](size_t I) { Finished.push_back(I); };
    EXPECT_TRUE(failed(run(40, Task, Finish)));
    ASSERT_EQ(Finished.size(), 20u);
    EXPECT_EQ(Finished.back(), 19u);
  }
}

/// Finish of the first task returns when all other tasks have ended.
TEST_F(OrderedTasksTest, DoesNotWaitForFinish) {
  constexpr size_t NumTasks = 100;
  std::mutex Lock;
  std::condition_variable Changed;
  size_t NumEnded = 0;
  bool HaveEnded = false;
  auto Task = [&](size_t) {
    std::lock_guard<std::mutex> Guard(Lock);
    ++NumEnded;
    Changed.notify_all();
    return success();
  };
  auto Finish = [&](size_t I) {
    Finished.push_back(I);
    if (I != 0)
      return;
    std::unique_lock<std::mutex> Guard(Lock);
    HaveEnded = Changed.wait_for(Guard, std::chrono::minutes(1),
                                 [&] { return NumEnded == NumTasks; });
  };
  EXPECT_TRUE(succeeded(run(NumTasks, Task, Finish)));
  EXPECT_TRUE(HaveEnded);
  EXPECT_EQ(Finished.size(), NumTasks);
}

} // namespace

//===- OrderedTasksTest.cpp - Tasks on several threads, in order ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of Finish, failures, that threads do not wait for a slow Finish,
// and the output before a crash. test/Pass/threads-crash.test covers crashes.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OrderedTasks.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <condition_variable>
#include <thread>

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

/// Runs two tasks at the same time; each prints its place first.
class TwoTasksTest : public OrderedTasksTest {
protected:
  /// Writes \p Text to the output of this task.
  void print(StringRef Text) { DeferredOutput::getCurrent()->write(OS, Text); }

  /// Runs \p First and \p Second at the same time; returns the result. A crash
  /// waits for the other thread, at most five seconds.
  LogicalResult runBoth(llvm::function_ref<LogicalResult()> First,
                        llvm::function_ref<LogicalResult()> Second) {
    std::atomic<unsigned> NumBegun{0};
    auto MakeWorker = [&]() -> TaskFn {
      return [&](size_t I) {
        print(I == 0 ? "first\n" : "second\n");
        ++NumBegun;
        while (NumBegun != 2)
          std::this_thread::yield();
        return I == 0 ? First() : Second();
      };
    };
    auto Start = std::chrono::steady_clock::now();
    LogicalResult Result = Tasks.run(Pool, 2, MakeWorker,
                                     [&](size_t I) { Finished.push_back(I); });
    EXPECT_LT(std::chrono::steady_clock::now() - Start,
              std::chrono::seconds(4));
    return Result;
  }

  OrderedTasks Tasks{2};
  std::string Text;
  llvm::raw_string_ostream OS{Text};
};

/// A crash finishes earlier tasks and writes the output of its own.
TEST_F(TwoTasksTest, CrashAfterASuccess) {
  testing::internal::CaptureStderr();
  bool IsReported = false;
  auto Crash = [&] {
    IsReported = Tasks.finishBeforeCrash();
    return success();
  };
  EXPECT_TRUE(succeeded(runBoth([] { return success(); }, Crash)));
  EXPECT_TRUE(IsReported);
  EXPECT_EQ(Text, "first\n");
  EXPECT_EQ(Finished, std::vector<size_t>{0});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "second\n");
}

/// After a failure, a crash writes nothing.
TEST_F(TwoTasksTest, CrashAfterAFailure) {
  testing::internal::CaptureStderr();
  auto Crash = [&] {
    Tasks.finishBeforeCrash();
    return success();
  };
  EXPECT_TRUE(failed(runBoth([] { return failure(); }, Crash)));
  EXPECT_EQ(Text, "first\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(Finished.empty());
}

/// Of two crashes the first one in order counts.
TEST_F(TwoTasksTest, CrashBeforeACrash) {
  testing::internal::CaptureStderr();
  std::atomic<bool> HasCrashed{false};
  bool IsFirstReported = false, IsSecondReported = true;
  auto First = [&] {
    while (!HasCrashed)
      std::this_thread::yield();
    IsFirstReported = Tasks.finishBeforeCrash();
    return success();
  };
  auto Second = [&] {
    HasCrashed = true;
    IsSecondReported = Tasks.finishBeforeCrash();
    return success();
  };
  (void)runBoth(First, Second);
  EXPECT_TRUE(IsFirstReported);
  EXPECT_FALSE(IsSecondReported);
  EXPECT_EQ(Text, "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "first\n");
}

/// After a crash no task is taken.
TEST_F(TwoTasksTest, NoTaskAfterACrash) {
  testing::internal::CaptureStderr();
  std::vector<size_t> Runs;
  auto MakeWorker = [&]() -> TaskFn {
    return [&](size_t I) {
      Runs.push_back(I);
      EXPECT_TRUE(Tasks.finishBeforeCrash());
      return success();
    };
  };
  (void)Tasks.run(Pool, 1, MakeWorker, [](size_t) {});
  EXPECT_EQ(Runs, std::vector<size_t>{0});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// A thread without a task may crash, too.
TEST_F(TwoTasksTest, CrashWithoutATask) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(Tasks.finishBeforeCrash());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
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

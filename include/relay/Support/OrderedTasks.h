//===- OrderedTasks.h - Tasks on several threads, in order ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs numbered tasks on several threads so that all observable behavior
// (output, diagnostics, failures and crashes) is as if one thread had run them
// in order.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_ORDEREDTASKS_H
#define RELAY_SUPPORT_ORDEREDTASKS_H

#include "relay/Support/CrashHandler.h"
#include "relay/Support/OrderedOutput.h"
#include <atomic>

namespace llvm {
class ThreadPoolInterface;
}

namespace relay {

/// Runs the task \p I; failure, which has been reported, stops the run.
using TaskFn = llvm::unique_function<LogicalResult(size_t I)>;

/// One run of tasks on several threads. Each thread takes the next task; the
/// output of the task waits for its turn (DeferredOutput). After a task fails,
/// no further tasks are taken. Earlier tasks have been taken and run to their
/// end, so that the first failure in order counts, as on one thread; likewise
/// for crashes.
class OrderedTasks final : public PendingOutput {
public:
  explicit OrderedTasks(size_t NumTasks) : Tasks(NumTasks), End(NumTasks) {}

  /// Runs the tasks on \p NumThreads threads: this one and others of \p Pool.
  /// Each thread calls \p MakeWorker once and runs its tasks with the result.
  /// \p Finish is called for each task in order, after its output, one at a
  /// time; not for a failed task nor for later ones.
  LogicalResult run(llvm::ThreadPoolInterface &Pool, unsigned NumThreads,
                    function_ref<TaskFn()> MakeWorker,
                    function_ref<void(size_t)> Finish);

  bool finishBeforeCrash() override;

private:
  enum class TaskState : uint8_t { Pending, Succeeded, Failed };
  /// The output of a task, until it is written in order.
  struct Task {
    DeferredOutput Output;
    std::atomic<TaskState> State{TaskState::Pending};
  };

  /// The main function of each thread.
  void work(TaskFn Run, function_ref<void(size_t)> Finish);
  /// Records the result of task \p I, and flushes the tasks whose turn it is
  /// unless another thread does.
  void end(size_t I, LogicalResult Result, function_ref<void(size_t)> Finish);
  bool isNextDone() const;
  /// Returns true if there is a task \p I that has failed.
  bool hasFailedAt(size_t I) const;
  /// Flushes ended tasks in order, up to the first pending or failed one.
  /// Returns false if that one has failed.
  bool flush(function_ref<void(size_t)> Finish);
  /// Returns the task that this thread works on; none if there is none.
  std::optional<size_t> getPresent() const;
  /// Waits a limited time for other threads to finish all tasks before \p I.
  void waitForTurn(size_t I) const;
  /// Writes the output of the tasks up to \p I, unless an earlier task has
  /// failed.
  void writeUpTo(size_t I);
  bool takeOverFlushing();

  std::vector<Task> Tasks;
  /// The next task to take, and the end of tasks to take.
  std::atomic<size_t> Next{0}, End;
  /// The first task in which a thread crashed.
  std::atomic<size_t> Crashed{SIZE_MAX};
  /// The first task that is not flushed, or has failed. Only the thread that
  /// has set IsFlushing changes it. Other threads do not wait for that thread.
  /// IsFlushing stays set after a failed task.
  std::atomic<size_t> NumFlushed{0};
  std::atomic<bool> IsFlushing{false};
};

} // namespace relay

#endif // RELAY_SUPPORT_ORDEREDTASKS_H

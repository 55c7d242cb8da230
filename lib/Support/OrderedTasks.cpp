//===- OrderedTasks.cpp - Tasks on several threads, in order --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OrderedTasks.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OrderedTasks.h"
#include "llvm/Support/ThreadPool.h"
#include <ctime>
#include <unistd.h>

using namespace relay;

static void lowerTo(std::atomic<size_t> &Limit, size_t I) {
  size_t Present = Limit;
  while (I < Present && !Limit.compare_exchange_weak(Present, I))
    ;
}

void OrderedTasks::end(size_t I, LogicalResult Result,
                       function_ref<void(size_t)> Finish) {
  if (failed(Result))
    lowerTo(End, I);
  Tasks[I].State = failed(Result) ? TaskState::Failed : TaskState::Succeeded;
  // A task that ends while another thread flushes is flushed by that thread or,
  // if it ends after that thread's last check, by this one.
  while (isNextDone() && !IsFlushing.exchange(true)) {
    if (!flush(Finish))
      return; // keeps IsFlushing
    IsFlushing = false;
  }
}

/// Returns true if the first task that is not flushed has ended.
bool OrderedTasks::isNextDone() const {
  size_t I = NumFlushed;
  return I != Tasks.size() && Tasks[I].State != TaskState::Pending;
}

bool OrderedTasks::hasFailedAt(size_t I) const {
  return I != Tasks.size() && Tasks[I].State == TaskState::Failed;
}

bool OrderedTasks::flush(function_ref<void(size_t)> Finish) {
  for (; isNextDone(); ++NumFlushed) {
    Task &T = Tasks[NumFlushed];
    T.Output.flush();
    if (T.State == TaskState::Failed)
      return false;
    Finish(NumFlushed);
  }
  return true;
}

void OrderedTasks::work(TaskFn Run, function_ref<void(size_t)> Finish) {
  for (size_t I; (I = Next++) < End;) {
    LogicalResult Result = success();
    {
      DeferredOutput::Scope Deferred(Tasks[I].Output);
      Result = Run(I);
    }
    end(I, Result, Finish);
  }
}

LogicalResult OrderedTasks::run(llvm::ThreadPoolInterface &Pool,
                                unsigned NumThreads,
                                function_ref<TaskFn()> MakeWorker,
                                function_ref<void(size_t)> Finish) {
  CrashHandler::setPending(this);
  CrashActivity *Activity = CrashActivity::getInnermost();
  llvm::ThreadPoolTaskGroup Others(Pool);
  for (unsigned T = 1; T != NumThreads; ++T)
    Others.async([&] {
      CrashActivity::ThreadScope Scope(Activity);
      work(MakeWorker(), Finish);
    });
  work(MakeWorker(), Finish);
  Others.wait();
  CrashHandler::setPending(nullptr);
  return failure(hasFailedAt(NumFlushed));
}

//===----------------------------------------------------------------------===//
// A crash of one of several threads
//===----------------------------------------------------------------------===//

std::optional<size_t> OrderedTasks::getPresent() const {
  for (size_t I = 0; I != Tasks.size(); ++I)
    if (&Tasks[I].Output == DeferredOutput::getCurrent())
      return I;
  return std::nullopt;
}

static int64_t getThreadNanoseconds() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return T.tv_sec * int64_t(1000000000) + T.tv_nsec;
}

/// Sleeps and then uses the processor for a moment. On a busy machine that
/// takes longer, so that other threads get as much time as on an idle one.
static void waitOneStep() {
  constexpr timespec Asleep = {0, 2250 * 1000};
  constexpr int64_t Awake = 250 * 1000;
  nanosleep(&Asleep, nullptr);
  int64_t Start = getThreadNanoseconds();
  while (getThreadNanoseconds() - Start < Awake)
    ;
}

void OrderedTasks::waitForTurn(size_t I) const {
  // Five seconds without progress, half a second of them processor time.
  constexpr unsigned MaxSteps = 2000;
  size_t Before = NumFlushed;
  for (unsigned Steps = 0; Steps != MaxSteps; ++Steps) {
    size_t Present = NumFlushed;
    if (Present >= I || hasFailedAt(Present) || Crashed < I)
      return;
    if (std::exchange(Before, Present) != Present)
      Steps = 0;
    waitOneStep();
  }
}

/// Keeps other threads from flushing. Returns false if a task has failed, after
/// which nothing is written. A thread that does not end flushing waits for a
/// lock that this thread holds; its output may then be written twice.
bool OrderedTasks::takeOverFlushing() {
  constexpr unsigned MaxSteps = 200;
  for (unsigned Steps = 0; IsFlushing.exchange(true); ++Steps) {
    if (hasFailedAt(NumFlushed))
      return false;
    if (Steps == MaxSteps)
      break;
    waitOneStep();
  }
  return true;
}

void OrderedTasks::writeUpTo(size_t I) {
  if (!takeOverFlushing())
    return;
  for (size_t J = NumFlushed; J <= I; ++J)
    if (Tasks[J].State != TaskState::Pending || J == I)
      Tasks[J].Output.writeAfterCrash(STDERR_FILENO);
}

/// Other threads continue, as far as the crash permits: they finish and write
/// earlier tasks. If they cannot, because this thread holds a lock, their
/// output is written here.
bool OrderedTasks::finishBeforeCrash() {
  std::optional<size_t> I = getPresent();
  if (!I)
    return true;
  lowerTo(Crashed, *I);
  lowerTo(End, *I);
  waitForTurn(*I);
  if (Crashed < *I)
    return false;
  writeUpTo(*I);
  return true;
}

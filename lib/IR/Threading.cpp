//===- Threading.cpp - Parallel work on functions -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Threading.h. The threads themselves belong to the Context, and stay until
// their number changes.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Threading.h"
#include "ContextImpl.h"
#include "relay/IR/Context.h"
#include <pthread.h>

using namespace relay;

//===----------------------------------------------------------------------===//
// Threads of a Context
//===----------------------------------------------------------------------===//

void Context::setNumThreads(unsigned Number) {
  assert(Number && "no thread to run on");
  Impl->NumThreads = Number;
  stopThreads();
}
unsigned Context::getNumThreads() const { return Impl->NumThreads; }
void Context::setMinParallelWork(uint64_t Work) { Impl->MinWork = Work; }
uint64_t Context::getMinParallelWork() const { return Impl->MinWork; }

/// Returns the memory that is reserved for the stack of a thread.
static uint64_t getStackSize() {
  pthread_attr_t Default;
  size_t Size = 0, Guard = 0;
  if (pthread_attr_init(&Default))
    return 0;
  pthread_attr_getstacksize(&Default, &Size);
  pthread_attr_getguardsize(&Default, &Guard);
  pthread_attr_destroy(&Default);
  return Size + Guard;
}

llvm::ThreadPoolInterface &Context::getThreadPool(unsigned NumOthers) {
  assert(NumOthers < Impl->NumThreads && "more threads than there may be");
  if (NumOthers > Impl->NumStacks) {
    Impl->NumStacks = NumOthers;
    Impl->Stacks.emplace(NumOthers * getStackSize());
  }
  if (!Impl->Threads)
    Impl->Threads = std::make_unique<llvm::DefaultThreadPool>(
        llvm::hardware_concurrency(Impl->NumThreads - 1));
  return *Impl->Threads;
}

void Context::stopThreads() {
  Impl->Threads.reset();
  Impl->Stacks.reset();
  Impl->NumStacks = 0;
}

void Context::setMultithreaded(bool On) { Impl->Multithreaded = On; }
bool Context::isMultithreaded() const { return Impl->Multithreaded; }

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

bool relay::isWorthThreads(const Context &Ctx, size_t NumTasks, uint64_t Work) {
  return Ctx.getNumThreads() > 1 && NumTasks > 1 &&
         Work >= Ctx.getMinParallelWork() && !Ctx.isMultithreaded();
}

LogicalResult relay::runTasks(Context &Ctx, size_t NumTasks, uint64_t Work,
                              function_ref<TaskFn()> MakeWorker,
                              function_ref<void(size_t)> Finish) {
  if (isWorthThreads(Ctx, NumTasks, Work)) {
    Ctx.setMultithreaded(true);
    unsigned Threads = std::min<size_t>(Ctx.getNumThreads(), NumTasks);
    LogicalResult Result = OrderedTasks(NumTasks).run(
        Ctx.getThreadPool(Threads - 1), Threads, MakeWorker, Finish);
    Ctx.setMultithreaded(false);
    return Result;
  }
  TaskFn Run = MakeWorker();
  for (size_t I = 0; I != NumTasks; ++I) {
    if (failed(Run(I)))
      return failure();
    Finish(I);
  }
  return success();
}

void relay::forEachInParallel(ArrayRef<Function *> Functions,
                              function_ref<void(size_t)> Visit) {
  forEachInParallel(Functions, getNumOperations(Functions), Visit);
}

void relay::forEachInParallel(ArrayRef<Function *> Functions, uint64_t Work,
                              function_ref<void(size_t)> Visit) {
  if (Functions.empty())
    return;
  auto MakeWorker = [&]() -> TaskFn {
    return [&](size_t I) {
      Visit(I);
      return success();
    };
  };
  (void)runTasks(Functions.front()->getContext(), Functions.size(), Work,
                 MakeWorker);
}

SmallVector<Function *, 0> relay::getFunctions(Module &M) {
  SmallVector<Function *, 0> Functions;
  Functions.reserve(M.getNumFunctions());
  for (Function &F : M.functions())
    Functions.push_back(&F);
  return Functions;
}

uint64_t relay::getNumOperations(ArrayRef<Function *> Functions) {
  uint64_t Sum = 0;
  for (Function *F : Functions)
    Sum += F->getNumOperations();
  return Sum;
}

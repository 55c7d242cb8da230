//===- Threading.h - Work on functions on several threads -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs tasks, mostly one a function, on the threads of a Context, as MLIR's
// header of this name does. Everything comes out as on one thread.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_THREADING_H
#define RELAY_IR_THREADING_H

#include "relay/IR/Module.h"
#include "relay/Support/OrderedTasks.h"

namespace relay {

/// Returns true if \p NumTasks tasks with \p Work (in operations visited) are
/// worth threads: there are several tasks and threads, the caller is not a
/// worker thread itself, and the work is at least
/// Context::getMinParallelWork().
bool isWorthThreads(const Context &Ctx, size_t NumTasks, uint64_t Work);

/// Runs \p NumTasks tasks: on the threads of \p Ctx, with its tables locked, if
/// they are worth it, else sequentially. See OrderedTasks::run() for \p
/// MakeWorker and \p Finish.
LogicalResult runTasks(
    Context &Ctx, size_t NumTasks, uint64_t Work,
    function_ref<TaskFn()> MakeWorker,
    function_ref<void(size_t)> Finish = [](size_t) {});

/// Calls \p Visit with the index of each of \p Functions, on several threads if
/// that is worth it.
void forEachInParallel(ArrayRef<Function *> Functions,
                       function_ref<void(size_t)> Visit);
/// The same for functions that have \p Work operations together, which
/// functions that are not normalized yet cannot tell.
void forEachInParallel(ArrayRef<Function *> Functions, uint64_t Work,
                       function_ref<void(size_t)> Visit);

/// The functions of \p M, in order.
SmallVector<Function *, 0> getFunctions(Module &M);
/// How many operations \p Functions have.
uint64_t getNumOperations(ArrayRef<Function *> Functions);

} // namespace relay

#endif // RELAY_IR_THREADING_H

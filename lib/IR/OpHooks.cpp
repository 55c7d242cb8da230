//===- OpHooks.cpp - What rooms do with operators -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of operators, and the tables that are indexed by them. The Context
// owns the tables; see Context.cpp.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/OpHooks.h"
#include <mutex>

using namespace relay;

unsigned OpNumber::getOrAssign() const {
  if (unsigned Known = get())
    return Known;
  // Operators are static and may be new to two Contexts at once.
  static std::mutex Mutex;
  static unsigned Last = 0;
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!get())
    Value.store(++Last, std::memory_order_relaxed);
  return get();
}

bool OpHookTable::bind(const OpInfo &Op, AnyHookFn Function) {
  unsigned N = Op.Number.getOrAssign();
  if (N >= Functions.size())
    Functions.resize(N + 1, nullptr);
  if (Functions[N])
    return false;
  Functions[N] = Function;
  return true;
}

//===- TestCrash.cpp - A pass that ends the process -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each way to crash is the real one: its assertion is there in release builds
// too.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#undef NDEBUG
#include <cassert>

using namespace relay;
using namespace relay::test;

/// Takes the stack until there is no more.
static uint64_t overflow(volatile uint64_t *Outer) {
  volatile uint64_t Frame[64] = {*Outer + 1};
  return Frame[0] ? overflow(Frame) + Frame[1] : 0;
}

static void crash(StringRef How) {
  volatile uint64_t Zero = 0, One = 1;
  volatile uint64_t *volatile Nowhere = nullptr;
  assert(How != "assert" && "told to fail");
  if (How == "abort" || How == "deadlock")
    std::abort();
  if (How == "segfault")
    std::raise(SIGSEGV);
  if (How == "null")
    *Nowhere = 1;
  if (How == "divide")
    Zero = One / Zero;
  if (How == "trap")
    __builtin_trap();
  if (How == "overflow")
    overflow(&Zero);
  while (How == "hang")
    pause();
  if (How == "exit")
    std::_Exit(0);
  if (How == "unreachable")
    llvm::report_fatal_error("reached what cannot be reached");
}

/// Whether this is not the main thread, which waits until there is another one,
/// and \p ForEver if that holds what it needs.
static bool isOnOtherThread(bool ForEver) {
  static std::atomic<bool> Started{false};
  if (getpid() != gettid())
    return Started = true;
  while (!Started || ForEver)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return false;
}

namespace {

class TestCrash final : public TestCrashBase<TestCrash> {
public:
  using TestCrashBase::TestCrashBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (Options.Function.empty() ? isOnOtherThread(Options.How == "deadlock")
                                 : F.getName() == Options.Function)
      crash(Options.How);
    return PreservedAnalyses::all();
  }
};

} // namespace

std::unique_ptr<Pass> test::createTestCrashPass(TestCrashOptions Options) {
  return std::make_unique<TestCrash>(std::move(Options));
}

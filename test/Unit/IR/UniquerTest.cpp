//===- UniquerTest.cpp - Tables of uniqued storage ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that add concurrently each get the storage of their own key.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/IR/Uniquer.h"
#include <gtest/gtest.h>
#include <thread>

using namespace relay;

namespace {

struct UniquedNumber {
  unsigned Value;
};

/// All keys have the same hash, so that they collide.
struct OneHashTraits {
  using KeyT = unsigned;
  static unsigned hash(const KeyT &) { return 0; }
  static bool isEqual(const KeyT &Key, const UniquedNumber *N) {
    return N->Value == Key;
  }
};

using UniquedNumbers = Uniquer<UniquedNumber, OneHashTraits>;

constexpr unsigned NumKeys = 24;

UniquedNumber *getUniqued(UniquedNumbers &Numbers, unsigned Key) {
  return Numbers.get(
      Key, /*Multithreaded=*/true, [Key](llvm::BumpPtrAllocator &Allocator) {
        return new (Allocator.Allocate<UniquedNumber>()) UniquedNumber{Key};
      });
}

/// Adds different keys to each of many tables, both threads to the same table
/// at once, and counts keys that get another key's storage.
class TwoThreads {
public:
  unsigned countWrong() {
    std::thread Other([this] { add(NumKeys); });
    add(0);
    Other.join();
    return NumWrong;
  }

private:
  void add(unsigned FirstKey) {
    for (unsigned Round = 0; Round != NumRounds; ++Round) {
      waitForOther(Round);
      for (unsigned Key = FirstKey; Key != FirstKey + NumKeys; ++Key)
        NumWrong += getUniqued(Tables[Round], Key)->Value != Key;
    }
  }
  void waitForOther(unsigned Round) {
    ++NumArrived;
    for (unsigned Spins = 0; NumArrived < 2 * (Round + 1); ++Spins)
      if (Spins > 200) // the other has no processor
        std::this_thread::yield();
  }

  static constexpr unsigned NumRounds = 2000;
  std::vector<UniquedNumbers> Tables{NumRounds};
  std::atomic<unsigned> NumArrived{0}, NumWrong{0};
};

/// A slot that one thread found empty is filled by another thread's key.
TEST(UniquerTest, ThreadsThatAddAtOnceGetTheirOwn) {
  EXPECT_EQ(TwoThreads().countWrong(), 0u);
}

} // namespace

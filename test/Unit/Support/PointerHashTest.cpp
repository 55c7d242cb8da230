//===- PointerHashTest.cpp ------------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Support/PointerHash.h"
#include "gtest/gtest.h"
#include <vector>

using namespace relay;

/// Returns the largest number of the addresses Base, Base + Distance, … that
/// share a bucket of a half full map of \p NumBuckets.
static unsigned getMaxCollisions(uintptr_t Base, size_t Distance,
                                 size_t NumBuckets) {
  std::vector<unsigned> Counts(NumBuckets);
  unsigned Max = 0;
  for (size_t I = 0; I != NumBuckets / 2; ++I) {
    auto *P = reinterpret_cast<const int *>(Base + I * Distance);
    unsigned Hash = MixedPointerInfo<const int>::getHashValue(P);
    Max = std::max(Max, ++Counts[Hash & (NumBuckets - 1)]);
  }
  return Max;
}

TEST(PointerHashTest, DistancesThatRepeatDoNotCollide) {
  for (size_t Distance : {8, 16, 144, 160, 208, 512, 4096, 65536})
    for (size_t NumBuckets : {64, 4096, 1 << 17, 1 << 20})
      EXPECT_LE(getMaxCollisions(0x7f12345678a0, Distance, NumBuckets), 12u)
          << "distance " << Distance << ", buckets " << NumBuckets;
}

TEST(PointerHashTest, MapsHoldTheirEntries) {
  int Objects[100];
  PointerMap<const int, unsigned> Map;
  for (unsigned I = 0; I != 100; ++I)
    Map[&Objects[I]] = I;
  EXPECT_EQ(Map.size(), 100u);
  for (unsigned I = 0; I != 100; ++I)
    EXPECT_EQ(Map.lookup(&Objects[I]), I);
  EXPECT_TRUE(Map.erase(&Objects[7]));
  EXPECT_FALSE(Map.contains(&Objects[7]));
}

//===- DiffTest.cpp - Differences between sequences -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// diffSequences(): correct on all sequences, minimal on small ones, and fast on
// large ones without common elements.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diff.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace relay;

namespace {

using Sequence = std::vector<unsigned>;

/// Returns \p Left after the differences are applied, which insert from \p
/// Right.
Sequence apply(ArrayRef<DiffRange> Ranges, const Sequence &Left,
               const Sequence &Right) {
  Sequence Result;
  size_t L = 0;
  for (const DiffRange &R : Ranges) {
    Result.insert(Result.end(), Left.begin() + L, Left.begin() + R.LeftBegin);
    Result.insert(Result.end(), Right.begin() + R.RightBegin,
                  Right.begin() + R.RightEnd);
    L = R.LeftEnd;
  }
  Result.insert(Result.end(), Left.begin() + L, Left.end());
  return Result;
}

size_t countElements(ArrayRef<DiffRange> Ranges) {
  size_t Sum = 0;
  for (const DiffRange &R : Ranges)
    Sum += R.LeftEnd - R.LeftBegin + R.RightEnd - R.RightBegin;
  return Sum;
}

/// Returns the length of the shortest edit script, by the quadratic algorithm.
size_t getDistance(const Sequence &Left, const Sequence &Right) {
  std::vector<size_t> Row(Right.size() + 1);
  std::iota(Row.begin(), Row.end(), 0);
  for (size_t I = 0; I != Left.size(); ++I) {
    size_t Diagonal = Row[0]++;
    for (size_t J = 0; J != Right.size(); ++J) {
      size_t Above = Row[J + 1];
      Row[J + 1] = Left[I] == Right[J] ? Diagonal : 1 + std::min(Above, Row[J]);
      Diagonal = Above;
    }
  }
  return Row.back();
}

Sequence makeSequence(std::mt19937 &Random, size_t Size, unsigned Alphabet) {
  Sequence S(Size);
  for (unsigned &Element : S)
    Element = Random() % Alphabet;
  return S;
}

TEST(DiffTest, Equal) {
  EXPECT_TRUE(diffSequences({}, {}).empty());
  EXPECT_TRUE(diffSequences({1, 2, 3}, {1, 2, 3}).empty());
}

TEST(DiffTest, Ranges) {
  using Ranges = SmallVector<DiffRange, 0>;
  EXPECT_EQ(diffSequences({}, {1, 2}), (Ranges{{0, 0, 0, 2}}));
  EXPECT_EQ(diffSequences({1, 2}, {}), (Ranges{{0, 2, 0, 0}}));
  EXPECT_EQ(diffSequences({1, 2, 3}, {1, 4, 3}), (Ranges{{1, 2, 1, 2}}));
  EXPECT_EQ(diffSequences({1, 2, 3, 4}, {2, 3, 5, 4, 6}),
            (Ranges{{0, 1, 0, 0}, {3, 3, 2, 3}, {4, 4, 4, 5}}));
}

TEST(DiffTest, ShortestScript) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    unsigned Alphabet = 1 + Random() % 6;
    Sequence Left = makeSequence(Random, Random() % 20, Alphabet);
    Sequence Right = makeSequence(Random, Random() % 20, Alphabet);
    SmallVector<DiffRange, 0> Ranges = diffSequences(Left, Right);
    ASSERT_EQ(apply(Ranges, Left, Right), Right);
    ASSERT_EQ(countElements(Ranges), getDistance(Left, Right));
  }
}

/// More differences than the search allows: the result is correct nevertheless,
/// even if the search reaches the end of one side much earlier.
TEST(DiffTest, ManyDifferences) {
  std::mt19937 Random(2);
  std::pair<size_t, size_t> Sizes[] = {
      {3000, 2000}, {10, 5000}, {5000, 10}, {1, 5000}, {5000, 1}};
  for (auto [LeftSize, RightSize] : Sizes)
    for (unsigned Alphabet : {2, 20, 1000}) {
      Sequence Left = makeSequence(Random, LeftSize, Alphabet);
      Sequence Right = makeSequence(Random, RightSize, Alphabet);
      SmallVector<DiffRange, 0> Ranges = diffSequences(Left, Right);
      EXPECT_EQ(apply(Ranges, Left, Right), Right);
      EXPECT_LE(countElements(Ranges), Left.size() + Right.size());
    }
}

/// Elements that only one side has are not searched for.
TEST(DiffTest, NothingInCommon) {
  Sequence Left(200000), Right(200000);
  std::iota(Left.begin(), Left.end(), 0);
  std::iota(Right.begin(), Right.end(), 200000);
  SmallVector<DiffRange, 0> Expected = {{0, 200000, 0, 200000}};
  EXPECT_EQ(diffSequences(Left, Right), Expected);
}

/// Seven elements between differences separate hunks, which have up to three
/// elements of context.
TEST(DiffTest, Hunks) {
  SmallVector<DiffRange, 0> Differences = {
      {1, 2, 1, 1}, {8, 8, 7, 9}, {15, 17, 16, 16}};
  auto Hunks = groupIntoHunks(Differences, 19);
  ASSERT_EQ(Hunks.size(), 2u);
  EXPECT_EQ(Hunks[0].Whole, (DiffRange{0, 11, 0, 12}));
  EXPECT_EQ(Hunks[0].Differences, ArrayRef(Differences).take_front(2));
  EXPECT_EQ(Hunks[1].Whole, (DiffRange{12, 19, 13, 18}));
  EXPECT_EQ(Hunks[1].Differences, ArrayRef(Differences).take_back(1));
  EXPECT_EQ(groupIntoHunks(Differences, 19, /*Context=*/4).size(), 1u);
  EXPECT_TRUE(groupIntoHunks({}, 5).empty());
}

} // namespace

//===- ContractionTest.cpp - Products of matrices -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products with sizes near those of tiles, panels and blocks are bit-identical
// to sums in order, for each vector set of the machine.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Contraction.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

struct ProductSizes {
  int64_t NumRows, Depth, NumColumns;
};

/// Returns \p Count distinct numbers whose sums depend on their order if T is a
/// float.
template <typename T> std::vector<T> getNumbers(int64_t Count, uint32_t Seed) {
  std::vector<T> Result(Count);
  for (T &Value : Result) {
    Seed = Seed * 1664525 + 1013904223;
    Value = std::is_integral_v<T> ? T(Seed * uint64_t(0x100000001))
                                  : T(int32_t(Seed)) / T(1 << 28);
  }
  return Result;
}

/// Products of a common left matrix, [Rows, Depth], and several right matrices.
template <typename T> class ProductCheck {
public:
  ProductCheck(const ProductSizes &S, int64_t NumProducts, bool IsTransposed)
      : S(S), NumProducts(NumProducts), IsTransposed(IsTransposed),
        Left(getNumbers<T>(S.NumRows * S.Depth, 1)),
        Right(getNumbers<T>(NumProducts * S.Depth * S.NumColumns, 2)) {}

  T getLeft(int64_t Row, int64_t K) const {
    return Left[IsTransposed ? K * S.NumRows + Row : Row * S.Depth + K];
  }
  T getRight(int64_t Product, int64_t K, int64_t Column) const {
    return Right[(Product * S.Depth + K) * S.NumColumns + Column];
  }

  std::vector<T> getExpected() const {
    std::vector<T> Result;
    for (int64_t P = 0; P != NumProducts; ++P)
      for (int64_t Row = 0; Row != S.NumRows; ++Row)
        for (int64_t Column = 0; Column != S.NumColumns; ++Column) {
          T Sum = 0;
          for (int64_t K = 0; K != S.Depth; ++K)
            Sum += getLeft(Row, K) * getRight(P, K, Column);
          Result.push_back(Sum);
        }
    return Result;
  }

  /// Computes the products in blocks of at most \p BlockRows and \p
  /// BlockColumns.
  std::vector<T> compute(VectorSet Set, int64_t BlockRows,
                         int64_t BlockColumns) const {
    std::vector<T> Out(NumProducts * S.NumRows * S.NumColumns, T(7));
    auto Pack = [&](int64_t Product, int64_t Row, int64_t NumRows,
                    int64_t Column, unsigned NumColumns, T *Panel) {
      for (int64_t I = 0; I != NumRows; ++I)
        for (unsigned J = 0; J != NumColumns; ++J)
          Panel[I * PanelWidth<T> + J] = getRight(Product, Row + I, Column + J);
    };
    MatrixProducts<T> Products{NumProducts,
                               S.NumRows,
                               S.Depth,
                               S.NumColumns,
                               {Left.data(), 1, 0, IsTransposed ? 1 : S.Depth,
                                IsTransposed ? S.NumRows : 1},
                               Pack,
                               Out.data()};
    for (int64_t P = 0; P != NumProducts; ++P)
      for (int64_t Row = 0; Row < S.NumRows; Row += BlockRows)
        for (int64_t Column = 0; Column < S.NumColumns; Column += BlockColumns)
          Products.computeBlock({P, Row, std::min(BlockRows, S.NumRows - Row),
                                 Column,
                                 std::min(BlockColumns, S.NumColumns - Column)},
                                Set);
    return Out;
  }

private:
  ProductSizes S;
  int64_t NumProducts;
  bool IsTransposed;
  std::vector<T> Left, Right;
};

template <typename T> class ContractionTest : public testing::Test {
protected:
  void check(const ProductSizes &S) {
    ProductCheck<T> Check(S, 1, false);
    std::vector<T> Expected = Check.getExpected();
    for (VectorSet Set : getVectorSets())
      EXPECT_EQ(Check.compute(Set, S.NumRows, S.NumColumns), Expected)
          << S.NumRows << "x" << S.Depth << "x" << S.NumColumns << ", set "
          << int(Set);
  }
};

using ContractionTypes = testing::Types<float, double, uint32_t, uint64_t>;
TYPED_TEST_SUITE(ContractionTest, ContractionTypes);

TYPED_TEST(ContractionTest, SizesAroundTiles) {
  for (int64_t Rows : {1, 2, 5, 6, 7, 13})
    for (int64_t Columns : {1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129})
      for (int64_t Depth : {0, 1, 3})
        this->check({Rows, Depth, Columns});
}

TYPED_TEST(ContractionTest, DepthsAroundBlocks) {
  for (int64_t Depth : {255, 256, 257, 512, 600})
    for (int64_t Columns : {1, 17, 65})
      this->check({7, Depth, Columns});
}

TYPED_TEST(ContractionTest, BlocksMakeTheWhole) {
  ProductCheck<TypeParam> Check({25, 300, 83}, 1, false);
  std::vector<TypeParam> Expected = Check.getExpected();
  for (VectorSet Set : getVectorSets()) {
    EXPECT_EQ(Check.compute(Set, 6, 16), Expected);
    EXPECT_EQ(Check.compute(Set, 7, 33), Expected);
    EXPECT_EQ(Check.compute(Set, 25, 50), Expected);
  }
}

TYPED_TEST(ContractionTest, LeftIsTransposedAndShared) {
  ProductCheck<TypeParam> Check({9, 259, 21}, 3, true);
  for (VectorSet Set : getVectorSets())
    EXPECT_EQ(Check.compute(Set, 9, 21), Check.getExpected());
}

TEST(VectorSetsTest, PortableComesFirst) {
  EXPECT_EQ(getVectorSets().front(), VectorSet::Portable);
}

} // namespace

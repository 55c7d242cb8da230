//===- Contraction.cpp - Products of matrices -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Contraction.h. A tile of the result, of a few rows and a panel's columns,
// stays in vector registers while the depth goes by; a lane is one element, so
// that vectors of any length add up in the same order. Products are those of
// the machine's widest instructions that are known here, chosen at run time.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types that are contracted in
//===----------------------------------------------------------------------===//

DType relay::getContractDType(DType T) {
  if (T.isFloat() || T.isBFloat())
    return T.isFloat(64) ? T : DType::getFloat(32);
  return DType::getUInt(T.getByteSize() == 8 ? 64 : 32);
}

/// Whether elements of \p T are contracted as they are stored.
static bool isContractedInPlace(DType T) {
  return T == getContractDType(T) || T.isInt(32) || T.isInt(64);
}

FailureOr<Tensor> relay::loadContracted(KernelCall &Call, const Tensor &Data,
                                        DType T) {
  FailureOr<Tensor> Cast = castTensor(Call, Data, T);
  if (failed(Cast))
    return failure();
  if (isContractedInPlace(T))
    return Cast->reinterpret(getContractDType(T));
  // Integers of few bits are extended by their sign or zeros, floats exactly.
  DType Wide = getContractDType(T);
  return castTensor(Call, *Cast, Wide);
}

FailureOr<Tensor> relay::storeContracted(KernelCall &Call, const Tensor &Sums,
                                         DType T) {
  if (isContractedInPlace(T))
    return Sums.reinterpret(T);
  return castTensor(Call, Sums, T);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// Tile[R][J] += Left[K][R] * Right[K][J] for each K in order. The body stands
// in a macro since GCC takes the instructions of a template from where it is
// defined; a part is two vectors of columns.
#define RELAY_DEFINE_TILE(Name, Attribute, Bytes)                              \
  template <typename T, unsigned Rows>                                         \
  Attribute static void Name(const T *Left, const T *Right, int64_t Depth,     \
                             T *Tile) {                                        \
    typedef T Vector __attribute__((vector_size(Bytes)));                      \
    constexpr unsigned Lanes = Bytes / sizeof(T);                              \
    constexpr unsigned Step = PackedMatrix<T>::TileRows;                       \
    for (unsigned J = 0; J != PanelWidth<T>; J += 2 * Lanes) {                 \
      Vector Sum[Rows][2];                                                     \
      for (unsigned R = 0; R != Rows; ++R)                                     \
        std::memcpy(Sum[R], Tile + R * PanelWidth<T> + J, 2 * Bytes);          \
      for (int64_t K = 0; K != Depth; ++K) {                                   \
        Vector Row[2];                                                         \
        std::memcpy(Row, Right + K * PanelWidth<T> + J, 2 * Bytes);            \
        for (unsigned R = 0; R != Rows; ++R) {                                 \
          Sum[R][0] += Left[K * Step + R] * Row[0];                            \
          Sum[R][1] += Left[K * Step + R] * Row[1];                            \
        }                                                                      \
      }                                                                        \
      for (unsigned R = 0; R != Rows; ++R)                                     \
        std::memcpy(Tile + R * PanelWidth<T> + J, Sum[R], 2 * Bytes);          \
    }                                                                          \
  }

RELAY_DEFINE_TILE(addTile, , 16)
#if defined(__x86_64__)
RELAY_DEFINE_TILE(addTileAVX2, __attribute__((target("avx2"))), 32)
#endif
#undef RELAY_DEFINE_TILE

namespace {
template <typename T>
using TileFn = void (*)(const T *Left, const T *Right, int64_t Depth, T *Tile);
} // namespace

/// The function for a tile of \p Rows rows, 1 to TileRows.
template <typename T> static TileFn<T> getTileFn(unsigned Rows) {
  static_assert(PackedMatrix<T>::TileRows == 6);
#if defined(__x86_64__)
  static constexpr TileFn<T> WithAVX2[] = {
      addTileAVX2<T, 1>, addTileAVX2<T, 2>, addTileAVX2<T, 3>,
      addTileAVX2<T, 4>, addTileAVX2<T, 5>, addTileAVX2<T, 6>};
  if (__builtin_cpu_supports("avx2"))
    return WithAVX2[Rows - 1];
#endif
  static constexpr TileFn<T> Portable[] = {addTile<T, 1>, addTile<T, 2>,
                                           addTile<T, 3>, addTile<T, 4>,
                                           addTile<T, 5>, addTile<T, 6>};
  return Portable[Rows - 1];
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// Rows of the right matrix that are packed together: with BlockWidth columns
/// they fit into a core's second cache.
static constexpr int64_t BlockDepth = 256;

template <typename T>
FailureOr<PackedMatrix<T>> PackedMatrix<T>::get(KernelCall &Call,
                                                const Source &S) {
  PackedMatrix P;
  P.NumRows = S.NumRows;
  P.Depth = S.Depth;
  P.NumTiles = llvm::divideCeil(S.NumRows, TileRows);
  bool IsWide = sizeof(T) == 8;
  DType Element = std::is_integral_v<T> ? DType::getUInt(IsWide ? 64 : 32)
                                        : DType::getFloat(IsWide ? 64 : 32);
  std::optional<Tensor> Storage =
      Call.allocate(Element, {S.NumMatrices, P.NumTiles, S.Depth, TileRows});
  if (!Storage)
    return failure();
  P.Storage = std::move(*Storage);
  MutableArrayRef<T> To = P.Storage.template getMutableElements<T>();
  P.Elements = To.data();
  int64_t TileSize = S.Depth * TileRows;
  Call.parallelFor(
      S.NumMatrices * P.NumTiles, TileSize, [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t Row = I % P.NumTiles * TileRows;
          const T *From = S.Data + I / P.NumTiles * S.MatrixStep;
          T *Tile = To.data() + I * TileSize;
          for (unsigned R = 0; R != TileRows; ++R)
            for (int64_t K = 0; K != S.Depth; ++K)
              Tile[K * TileRows + R] =
                  Row + R < S.NumRows
                      ? From[(Row + R) * S.RowStep + K * S.DepthStep]
                      : T(0);
        }
      });
  return P;
}

namespace {
/// Part of a result: as many rows as a tile, as many columns as a panel.
template <typename T> struct TileOfResult {
  T *Out;
  int64_t OutStep;
  unsigned NumRows, NumColumns;

  /// Adds the products of \p Depth columns and rows; to zero at \p IsFirst.
  void add(const T *Left, const T *Right, int64_t Depth, bool IsFirst) const {
    alignas(64) T Sums[PackedMatrix<T>::TileRows * PanelWidth<T>] = {};
    if (!IsFirst)
      for (unsigned R = 0; R != NumRows; ++R)
        std::copy_n(Out + R * OutStep, NumColumns, Sums + R * PanelWidth<T>);
    getTileFn<T>(NumRows)(Left, Right, Depth, Sums);
    for (unsigned R = 0; R != NumRows; ++R)
      std::copy_n(Sums + R * PanelWidth<T>, NumColumns, Out + R * OutStep);
  }
};
} // namespace

template <typename T>
void relay::multiplyColumns(const PackedMatrix<T> &Left, int64_t I,
                            PackPanelFn<T> PackRight, int64_t Column,
                            int64_t NumColumns, T *Out, int64_t OutStep) {
  constexpr unsigned Width = PanelWidth<T>, Rows = PackedMatrix<T>::TileRows;
  int64_t Depth = Left.getDepth();
  int64_t NumPanels = llvm::divideCeil(NumColumns, Width);
  SmallVector<T, 0> Right(NumPanels * Width * std::min(Depth, BlockDepth));
  auto GetColumns = [&](int64_t Panel) {
    return unsigned(std::min<int64_t>(Width, NumColumns - Panel * Width));
  };
  // At least once, so that a depth of zero gives zeros.
  for (int64_t K = 0; K < std::max<int64_t>(Depth, 1); K += BlockDepth) {
    int64_t BlockRows = std::min(BlockDepth, Depth - K);
    for (int64_t P = 0; P != NumPanels; ++P)
      PackRight(K, BlockRows, Column + P * Width, GetColumns(P),
                Right.data() + P * Width * BlockRows);
    for (int64_t Row = 0; Row < Left.getNumRows(); Row += Rows) {
      const T *Tile = Left.getMatrix(I) + Row * Depth + K * Rows;
      auto NumRows = unsigned(std::min<int64_t>(Rows, Left.getNumRows() - Row));
      for (int64_t P = 0; P != NumPanels; ++P)
        TileOfResult<T>{Out + Row * OutStep + Column + P * Width, OutStep,
                        NumRows, GetColumns(P)}
            .add(Tile, Right.data() + P * Width * BlockRows, BlockRows, K == 0);
    }
  }
}

#define RELAY_INSTANTIATE(T)                                                   \
  template class relay::PackedMatrix<T>;                                       \
  template void relay::multiplyColumns(const PackedMatrix<T> &, int64_t,       \
                                       PackPanelFn<T>, int64_t, int64_t, T *,  \
                                       int64_t);
RELAY_INSTANTIATE(float)
RELAY_INSTANTIATE(double)
RELAY_INSTANTIATE(uint32_t)
RELAY_INSTANTIATE(uint64_t)
#undef RELAY_INSTANTIATE

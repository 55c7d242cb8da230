//===- Contraction.cpp - Products of matrices -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Contraction.h. A tile of the result, a few rows by one or more panels of
// columns, stays in vector registers while the loop runs over the depth. A lane
// is one element, so that vectors of any length add in the same order. Tiles
// use the widest supported vectors of the machine, selected at run time. The
// depth is split, so that the packed part of the right matrix fits a core's
// second-level cache.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Contraction.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types of contractions
//===----------------------------------------------------------------------===//

DType relay::getContractDType(DType T) {
  if (T.isAnyFloat())
    return T.isFloat(64) ? T : DType::getFloat(32);
  return DType::getUInt(T.getByteSize() == 8 ? 64 : 32);
}

/// Returns true if elements of \p T are contracted in their stored form.
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
  // Few-bit integers are extended by their sign or by zeros, floats exactly.
  DType Wide = getContractDType(T);
  return castTensor(Call, *Cast, Wide);
}

FailureOr<Tensor> relay::storeContracted(KernelCall &Call, const Tensor &Sums,
                                         DType T) {
  if (isContractedInPlace(T))
    return Sums.reinterpret(T);
  if (!T.isBool())
    return castTensor(Call, Sums, T);
  // Sums of bool have one bit, see Wrapping<bool>.
  auto Bits = Call.allocate(T, Sums.getShape());
  if (!Bits)
    return failure();
  for (auto [Bit, Sum] : llvm::zip(Bits->getMutableElements<bool>(),
                                   Sums.getElements<uint32_t>()))
    Bit = Sum & 1;
  return std::move(*Bits);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static constexpr unsigned TileRows = 6;

namespace {
/// Adds Left[R * RowStep + K * DepthStep] * Right(K, J) to Out[R * OutStep + J]
/// for each K below Depth in order, starting at zero if IsFirst, for columns J
/// below NumColumns, and possibly the rest of their panels. Right(K, J) is at
/// position K, J % PanelWidth of panel J / PanelWidth; panels are PanelStep
/// apart.
template <typename T> struct TileArgs {
  const T *Left;
  int64_t RowStep, DepthStep;
  const T *Right;
  int64_t PanelStep, Depth;
  T *Out;
  int64_t OutStep;
  unsigned NumColumns;
  bool IsFirst;
};
template <typename T> using TileFn = void (*)(const TileArgs<T> &Args);
} // namespace

// Sums indexed by variables would not stay in registers.
#if defined(__clang__)
#define RELAY_UNROLL _Pragma("unroll")
#else
#define RELAY_UNROLL _Pragma("GCC unroll 8")
#endif

// Tiles of NumVectors vectors per row; a remainder smaller than a panel is
// computed in parts. The body is a macro, since GCC uses the target attributes
// of the place where a template is defined.
// clang-format off
#define RELAY_DEFINE_TILE(Name, Attribute, Bytes)                              \
  template <typename T, unsigned Rows, unsigned NumVectors>                    \
  Attribute static void Name(const TileArgs<T> &A) {                           \
    typedef T Vector __attribute__((vector_size(Bytes)));                      \
    typedef Vector Unaligned __attribute__((aligned(sizeof(T)), may_alias));   \
    constexpr unsigned Lanes = Bytes / sizeof(T), Width = PanelWidth<T>;       \
    for (unsigned J = 0; J < A.NumColumns; J += NumVectors * Lanes) {          \
      const T *Left = A.Left, *Right = A.Right + J;                            \
      T *Out = A.Out + J;                                                      \
      Vector Sum[Rows][NumVectors] = {};                                       \
      if (!A.IsFirst)                                                          \
        RELAY_UNROLL for (unsigned R = 0; R != Rows; ++R)                      \
          RELAY_UNROLL for (unsigned V = 0; V != NumVectors; ++V)              \
            Sum[R][V] = *reinterpret_cast<const Unaligned *>(                  \
                Out + R * A.OutStep + V * Lanes);                              \
      for (int64_t K = 0; K != A.Depth; ++K) {                                 \
        Vector Row[NumVectors];                                                \
        RELAY_UNROLL for (unsigned V = 0; V != NumVectors; ++V)                \
          Row[V] = *reinterpret_cast<const Unaligned *>(                       \
              Right + V * Lanes / Width * A.PanelStep + V * Lanes % Width);    \
        RELAY_UNROLL for (unsigned R = 0; R != Rows; ++R)                      \
          RELAY_UNROLL for (unsigned V = 0; V != NumVectors; ++V)              \
            Sum[R][V] += Left[R * A.RowStep] * Row[V];                         \
        Left += A.DepthStep;                                                   \
        Right += Width;                                                        \
      }                                                                        \
      RELAY_UNROLL for (unsigned R = 0; R != Rows; ++R)                        \
        RELAY_UNROLL for (unsigned V = 0; V != NumVectors; ++V)                \
          *reinterpret_cast<Unaligned *>(Out + R * A.OutStep + V * Lanes) =    \
              Sum[R][V];                                                       \
    }                                                                          \
  }
// clang-format on

RELAY_DEFINE_TILE(addTilePortable, , 16)
#if defined(__x86_64__)
RELAY_DEFINE_TILE(addTileAVX2, __attribute__((target("avx2"))), 32)
RELAY_DEFINE_TILE(addTileAVX512, __attribute__((target("avx512f,avx512dq"))),
                  64)
#endif
#undef RELAY_DEFINE_TILE
#undef RELAY_UNROLL

#define RELAY_TILES_OF_ROWS(Name, NumVectors)                                  \
  {Name<T, 1, NumVectors>, Name<T, 2, NumVectors>, Name<T, 3, NumVectors>,     \
   Name<T, 4, NumVectors>, Name<T, 5, NumVectors>, Name<T, 6, NumVectors>}

/// Returns the maximum number of panels of a tile.
static unsigned getMaxPanels(VectorSet Set) {
  return Set == VectorSet::AVX512 ? 4 : 1;
}

/// Returns the function for a tile of \p Rows rows, 1 to TileRows, and \p
/// NumColumns columns, in 1 to getMaxPanels() panels.
template <typename T>
static TileFn<T> getTileFn(VectorSet Set, unsigned Rows, unsigned NumColumns) {
  static_assert(TileRows == 6);
  assert(NumColumns <= getMaxPanels(Set) * PanelWidth<T>);
#if defined(__x86_64__)
  static constexpr TileFn<T> WithAVX2[][TileRows] = {
      RELAY_TILES_OF_ROWS(addTileAVX2, 1), RELAY_TILES_OF_ROWS(addTileAVX2, 2)};
  static constexpr TileFn<T> WithAVX512[][TileRows] = {
      RELAY_TILES_OF_ROWS(addTileAVX512, 1),
      RELAY_TILES_OF_ROWS(addTileAVX512, 2),
      RELAY_TILES_OF_ROWS(addTileAVX512, 3),
      RELAY_TILES_OF_ROWS(addTileAVX512, 4)};
  if (Set == VectorSet::AVX512)
    return WithAVX512[(NumColumns - 1) / PanelWidth<T>][Rows - 1];
  if (Set == VectorSet::AVX2)
    return WithAVX2[(NumColumns - 1) / (PanelWidth<T> / 2)][Rows - 1];
#endif
  static constexpr TileFn<T> Portable[] =
      RELAY_TILES_OF_ROWS(addTilePortable, 2);
  return Portable[Rows - 1];
}
#undef RELAY_TILES_OF_ROWS

ArrayRef<VectorSet> relay::getVectorSets() {
  static constexpr VectorSet All[] = {VectorSet::Portable, VectorSet::AVX2,
                                      VectorSet::AVX512};
  unsigned Count = 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    Count = 2;
  if (Count == 2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512dq"))
    Count = 3;
#endif
  return ArrayRef(All).take_front(Count);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// Rows and columns of the right matrix that are packed together, multiples of
/// the panel's: 128 KB for 4-byte elements.
static constexpr int64_t BlockDepth = 256;
template <typename T> static constexpr int64_t BlockWidth = 8 * PanelWidth<T>;
/// The minimum number of rows of a block.
static constexpr int64_t MinBlockRows = 8 * TileRows;

/// Computes a tile of \p NumRows rows.
template <typename T>
static void addTile(VectorSet Set, const TileArgs<T> &Args, unsigned NumRows) {
  TileFn<T> Add = getTileFn<T>(Set, NumRows, Args.NumColumns);
  if (Args.NumColumns % PanelWidth<T> == 0)
    return Add(Args);
  // The last panel is not full: its other columns are discarded.
  constexpr unsigned MaxWidth = 4 * PanelWidth<T>;
  alignas(64) T Sums[TileRows * MaxWidth] = {};
  if (!Args.IsFirst)
    for (unsigned R = 0; R != NumRows; ++R)
      std::copy_n(Args.Out + R * Args.OutStep, Args.NumColumns,
                  Sums + R * MaxWidth);
  TileArgs<T> Local = Args;
  Local.Out = Sums;
  Local.OutStep = MaxWidth;
  Add(Local);
  for (unsigned R = 0; R != NumRows; ++R)
    std::copy_n(Sums + R * MaxWidth, Args.NumColumns,
                Args.Out + R * Args.OutStep);
}

template <typename T>
void MatrixProducts<T>::computeBlock(const Block &B, VectorSet Set) const {
  constexpr unsigned Width = PanelWidth<T>;
  int64_t NumPanels = llvm::divideCeil(B.NumColumns, Width);
  int64_t TileWidth = getMaxPanels(Set) * Width;
  SmallVector<T, 0> Right(NumPanels * Width * std::min(Depth, BlockDepth));
  const T *LeftRows = Left.Data +
                      B.Product % Left.NumMatrices * Left.MatrixStep +
                      B.Row * Left.RowStep;
  T *OutRows = Out + (B.Product * NumRows + B.Row) * NumColumns + B.Column;
  // At least one iteration, so that a depth of zero gives zeros.
  for (int64_t K = 0; K < std::max<int64_t>(Depth, 1); K += BlockDepth) {
    int64_t PartDepth = std::min(BlockDepth, Depth - K);
    for (int64_t J = 0; J < B.NumColumns; J += Width)
      PackRight(B.Product, K, PartDepth, B.Column + J,
                unsigned(std::min<int64_t>(Width, B.NumColumns - J)),
                Right.data() + J * PartDepth);
    TileArgs<T> Args;
    Args.RowStep = Left.RowStep;
    Args.DepthStep = Left.DepthStep;
    Args.PanelStep = PartDepth * Width;
    Args.Depth = PartDepth;
    Args.OutStep = NumColumns;
    Args.IsFirst = K == 0;
    // The rows of a tile stay in the first-level cache for all columns.
    for (int64_t Row = 0; Row < B.NumRows; Row += TileRows)
      for (int64_t J = 0; J < B.NumColumns; J += TileWidth) {
        Args.Left = LeftRows + Row * Left.RowStep + K * Left.DepthStep;
        Args.Right = Right.data() + J * PartDepth;
        Args.Out = OutRows + Row * NumColumns + J;
        Args.NumColumns = unsigned(std::min(TileWidth, B.NumColumns - J));
        addTile(Set, Args,
                unsigned(std::min<int64_t>(TileRows, B.NumRows - Row)));
      }
  }
}

template <typename T>
LogicalResult MatrixProducts<T>::compute(const KernelCall &Call) const {
  if (NumProducts == 0 || NumRows == 0 || NumColumns == 0)
    return success();
  uint64_t OfRow = llvm::SaturatingMultiply<uint64_t>(
      NumColumns, std::max<int64_t>(Depth, 1));
  if (failed(Call.countWork(NumProducts * NumRows, OfRow)))
    return failure();
  // Several blocks per thread balance the load. Rows are split if there are too
  // few columns: each of these blocks packs separately.
  int64_t NumThreads = Call.getNumThreads(), Columns = BlockWidth<T>;
  if (NumThreads > 1) {
    int64_t Share = llvm::divideCeil(NumProducts * NumColumns, 4 * NumThreads);
    Columns = std::clamp<int64_t>(llvm::alignTo(Share, PanelWidth<T>),
                                  2 * PanelWidth<T>, BlockWidth<T>);
  }
  int64_t ColumnBlocks = llvm::divideCeil(NumColumns, Columns);
  int64_t RowBlocks =
      NumThreads == 1
          ? 1
          : std::clamp<int64_t>(
                llvm::divideCeil(2 * NumThreads, NumProducts * ColumnBlocks), 1,
                std::max<int64_t>(NumRows / MinBlockRows, 1));
  int64_t Rows = llvm::alignTo(llvm::divideCeil(NumRows, RowBlocks), TileRows);
  RowBlocks = llvm::divideCeil(NumRows, Rows);
  Call.countedFor(NumProducts * RowBlocks * ColumnBlocks,
                  llvm::SaturatingMultiply<uint64_t>(Rows * Columns, Depth),
                  [&](int64_t Begin, int64_t End) {
                    for (int64_t I = Begin; I != End; ++I) {
                      Block B;
                      B.Column = I % ColumnBlocks * Columns;
                      B.NumColumns = std::min(Columns, NumColumns - B.Column);
                      B.Row = I / ColumnBlocks % RowBlocks * Rows;
                      B.NumRows = std::min(Rows, NumRows - B.Row);
                      B.Product = I / ColumnBlocks / RowBlocks;
                      computeBlock(B);
                    }
                  });
  return success();
}

template struct relay::MatrixProducts<float>;
template struct relay::MatrixProducts<double>;
template struct relay::MatrixProducts<uint32_t>;
template struct relay::MatrixProducts<uint64_t>;

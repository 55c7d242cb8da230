//===- PackedConvKernels.cpp - Weights in tiles, numbers of few bits ------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Conv.td and Ops/NN.td whose weight is a tiled matrix, and
// kernels for products of few-bit numbers. Both compute the equivalent plain
// convolutions and products.
//
//===----------------------------------------------------------------------===//

#include "ConvKernels.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Weights as a matrix in tiles
//===----------------------------------------------------------------------===//

namespace {
/// The positions of the elements of a matrix [K, N] in a tensor of tiles: [N
/// tiles, K tiles, tile_N, tile_K] for 8-bit elements, otherwise with the last
/// two axes swapped.
struct TiledMatrix {
  int64_t NTiles, KTiles, TileN, TileK;
  bool HasByteElements;

  TiledMatrix(ArrayRef<int64_t> Shape, DType T)
      : NTiles(Shape[0]), KTiles(Shape[1]), TileN(Shape[2]), TileK(Shape[3]),
        HasByteElements(T.getBits() == 8) {
    if (!HasByteElements)
      std::swap(TileN, TileK);
  }
  int64_t getOffset(int64_t K, int64_t N) const {
    int64_t Tile = N / TileN * KTiles + K / TileK;
    int64_t Row = HasByteElements ? N % TileN * TileK + K % TileK
                                  : K % TileK * TileN + N % TileN;
    return Tile * TileN * TileK + Row;
  }
  bool hasRoomFor(int64_t K, int64_t N) const {
    return NTiles * TileN >= N && KTiles * TileK >= K;
  }
};
} // namespace

/// weights: [H, W, I, O] -> the matrix [H * W * I, O] in tiles, padded with
/// zeros.
LogicalResult relay::evalConv2DGemmWeightTransform(KernelCall &Call) {
  const Tensor &Weight = Call.getInput(0);
  int64_t N = Weight.getDim(3), K = N ? Weight.getNumElements() / N : 0;
  TiledMatrix M(Call.getOutputShape(), Weight.getDType());
  Tensor &Out = Call.getOutputTensor();
  MutableArrayRef<char> Bytes = Out.getMutableBytes();
  std::fill(Bytes.begin(), Bytes.end(), 0);
  if (!M.hasRoomFor(K, N))
    return Call.emitError("the tiles have no room for " + Twine(K) + " by " +
                          Twine(N) + " elements");
  dispatchSize(Weight.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Weight);
    E *To = getMutableRawElements<E>(Out);
    for (int64_t I = 0; I != K * N; ++I)
      To[M.getOffset(I / N, I % N)] = From[I];
  });
  return success();
}

/// Returns operand 1, a matrix [KH * KW * C, O] in tiles, as \p Shape: [O, C,
/// KH, KW].
static FailureOr<Tensor> loadTiledWeight(KernelCall &Call,
                                         ArrayRef<int64_t> Shape) {
  const Tensor &Weight = Call.getInput(1);
  if (Weight.getRank() != 4 || Weight.getNumElements() == 0)
    return Call.emitError("the weight has the shape " +
                          toString(Weight.getShape()) + ", no tiles");
  TiledMatrix M(Weight.getShape(), Weight.getDType());
  int64_t Channels = Shape[1], Kernel = Shape[2] * Shape[3];
  std::optional<Tensor> Plain = Call.allocate(Weight.getDType(), Shape);
  if (!Plain)
    return failure();
  if (!M.hasRoomFor(Kernel * Channels, Shape[0]))
    return Call.emitError("the weight, of the shape " +
                          toString(Weight.getShape()) + ", is too small for " +
                          toString(Shape));
  dispatchSize(Weight.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Weight);
    E *To = getMutableRawElements<E>(*Plain);
    for (int64_t I = 0; I != Plain->getNumElements(); ++I) {
      int64_t Place = I % Kernel, Row = I / Kernel;
      To[I] =
          From[M.getOffset(Place * Channels + Row % Channels, Row / Channels)];
    }
  });
  return loadContracted(Call, *Plain, Call.getOutputDType());
}

/// data: [N, H, W, C] in its layout, weight: the result of the operator above.
LogicalResult relay::evalConv2DGemm(KernelCall &Call) {
  const auto &A = Call.getAttrs<Conv2DAttrs>();
  ConvParams P = ConvParams::get(A, "NCHW", "OIHW");
  FailureOr<PlainConv> C = PlainConv::getWithoutWeight(Call, P);
  auto Kernel = getInts(Call, A.kernelSize(), "kernel_size");
  if (failed(C) || failed(Kernel))
    return failure();
  if (Kernel->size() != 2 || P.Groups != 1)
    return Call.emitError("'kernel_size' has " + Twine(Kernel->size()) +
                          " numbers, and there are " + Twine(P.Groups) +
                          " groups");
  auto Weight = loadTiledWeight(
      Call, {C->Out[1], C->Data.getDim(1), (*Kernel)[0], (*Kernel)[1]});
  if (failed(Weight))
    return failure();
  C->Weight = std::move(*Weight);
  return C->evaluate(Call, P, C->getGeometry());
}

//===----------------------------------------------------------------------===//
// Numbers of few bits
//===----------------------------------------------------------------------===//

/// Returns \p Data, in the element type of contractions, with only its low \p
/// Bits. If \p AreSigns, a cleared bit means -1.
static FailureOr<Tensor> keepBits(KernelCall &Call, const Tensor &Data,
                                  int64_t Bits, bool AreSigns) {
  if (Bits < 1 || Bits > 31)
    return Call.emitError("expected 1 to 31 bits, got " + Twine(Bits));
  std::optional<Tensor> Kept = Call.allocate(Data.getDType(), Data.getShape());
  if (!Kept)
    return failure();
  LogicalResult Done =
      dispatchContraction(Call, Data.getDType(), [&](auto Zero) {
        using T = decltype(Zero);
        if constexpr (std::is_integral_v<T>) {
          T Mask = (T(1) << Bits) - 1;
          for (auto [To, From] : llvm::zip_equal(Kept->getMutableElements<T>(),
                                                 Data.getElements<T>()))
            To = AreSigns ? 2 * (From & Mask) - Mask : From & Mask;
          return success();
        } else {
          return Call.emitUnsupported(Call.getOutputDType());
        }
      });
  if (failed(Done))
    return failure();
  return std::move(*Kept);
}

static bool isBitInteger(DType T) {
  return (T.isInt() || T.isUInt()) && !T.isBool();
}

/// Reports operands other than integers, and packed weights.
static LogicalResult checkBitOperands(KernelCall &Call, unsigned WeightRank) {
  for (unsigned I : {0, 1})
    if (!isBitInteger(Call.getInput(I).getDType()))
      return Call.emitUnsupported(Call.getInput(I).getDType());
  if (Call.getInput(1).getRank() != WeightRank)
    return Call.emitError("the weight has rank " +
                          Twine(Call.getInput(1).getRank()) + ", not " +
                          Twine(WeightRank) + "; packed ones are not read");
  return success();
}

/// data: [N, C, H, W] or [N, H, W, C], weight: [O, C, KH, KW] or [KH, KW, C,
/// O].
LogicalResult relay::evalBitserialConv2D(KernelCall &Call) {
  const auto &A = Call.getAttrs<BinaryConv2DAttrs>();
  Dim Ones[] = {Dim::get(1), Dim::get(1)};
  ConvParams P{"NCHW", "OIHW", A.strides(), A.padding(), Ones, {}, {},
               {},     1,      {},          {},          {},   {}};
  P.DataLayout = A.dataLayout();
  P.KernelLayout = A.dataLayout() == "NHWC" ? "HWIO" : "OIHW";
  if (failed(checkBitOperands(Call, 4)))
    return failure();
  FailureOr<PlainConv> C = PlainConv::get(Call, P);
  if (failed(C))
    return failure();
  auto Data = keepBits(Call, C->Data, A.activationBits(), /*AreSigns=*/false);
  auto Weight = keepBits(Call, C->Weight, A.weightBits(), A.unipolar());
  if (failed(Data) || failed(Weight))
    return failure();
  C->Data = std::move(*Data);
  C->Weight = std::move(*Weight);
  return C->evaluate(Call, P, C->getGeometry());
}

/// data: [.., k], weight: [units, k] -> [.., units].
LogicalResult relay::evalBitserialDense(KernelCall &Call) {
  const auto &A = Call.getAttrs<BinaryDenseAttrs>();
  DType T = Call.getOutputDType();
  if (failed(checkBitOperands(Call, 2)))
    return failure();
  auto Left = loadContracted(Call, Call.getInput(0), T);
  auto Right = loadContracted(Call, Call.getInput(1), T);
  if (failed(Left) || failed(Right))
    return failure();
  auto Data = keepBits(Call, *Left, A.dataBits(), /*AreSigns=*/false);
  auto Weight = keepBits(Call, *Right, A.weightBits(), A.unipolar());
  if (failed(Data) || failed(Weight))
    return failure();
  int64_t K = Data->getShape().back(), Units = Call.getOutputShape().back();
  if (K != Weight->getDim(1) || Units != Weight->getDim(0))
    return Call.emitError("data and weight, of the shapes " +
                          toString(Data->getShape()) + " and " +
                          toString(Weight->getShape()) + ", do not fit");
  // A convolution of one position by a kernel with one position.
  int64_t Rows =
      Call.getOutputTensor().getNumElements() / std::max<int64_t>(Units, 1);
  auto Sums = convolve(Call, WindowGeometry(), 1, Data->reshape({Rows, K}),
                       *Weight, {Rows, Units});
  if (failed(Sums))
    return failure();
  auto Stored = storeContracted(Call, *Sums, T);
  if (failed(Stored))
    return failure();
  Call.setOutput(0, Stored->reshape(Call.getOutputShape()));
  return success();
}

/// data: [.., n, ..] of integers or bool -> a word for each bit and each
/// `WordBits` numbers on the axis; the bit of the first number is the highest.
LogicalResult relay::evalBitPack(KernelCall &Call) {
  const auto &A = Call.getAttrs<BitPackAttrs>();
  Tensor Data = Call.getInput(0);
  int64_t Rank = Data.getRank(), WordBits = A.packType().getBits();
  if (Data.getDType().isBool()) {
    auto Bytes = castTensor(Call, Data, DType::getUInt(8));
    if (failed(Bytes))
      return failure();
    Data = std::move(*Bytes);
  }
  if (!isBitInteger(Data.getDType()))
    return Call.emitUnsupported(Data.getDType());
  if (A.packAxis() < 0 || A.packAxis() >= Rank || A.bitAxis() < 0 ||
      A.bitAxis() > Rank)
    return Call.emitError("'pack_axis' " + Twine(A.packAxis()) +
                          " or 'bit_axis' " + Twine(A.bitAxis()) +
                          " is out of range");
  if (A.bits() < 1 || A.bits() > 64 || Data.getDim(A.packAxis()) % WordBits)
    return Call.emitError(Twine(Data.getDim(A.packAxis())) + " numbers of " +
                          Twine(A.bits()) + " bits are no whole words of " +
                          Twine(WordBits));
  // The position of a word in data, with the axis of bits as a kept axis.
  Strides Steps = getStrides(Data.getShape());
  int64_t PackStep = Steps[A.packAxis()];
  Steps[A.packAxis()] *= WordBits;
  Steps.insert(Steps.begin() + A.bitAxis(), 0);
  Strides BitSteps(Steps.size(), 0);
  BitSteps[A.bitAxis()] = 1;
  StridedWalk Walk(Call.getOutputShape(), {Steps, BitSteps});
  if (getNumberType(A.packType()).isFloat() || A.packType().isBool())
    return Call.emitUnsupported(A.packType());
  ElementReader<uint64_t> From(Data);
  ElementWriter<uint64_t> Out(Call.getOutputTensor());
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I) {
      int64_t At = Offsets[0] + I * Walk.getRowStride(0);
      int64_t Bit = Offsets[1] + I * Walk.getRowStride(1);
      uint64_t Packed = 0;
      for (int64_t J = 0; J != WordBits; ++J)
        Packed = Packed << 1 | (From[At + J * PackStep] >> Bit & 1);
      Out.write(First + I, 1, &Packed);
    }
  });
  return success();
}

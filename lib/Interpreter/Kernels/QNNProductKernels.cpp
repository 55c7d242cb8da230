//===- QNNProductKernels.cpp - Products of quantized tensors --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and products of matrices of Ops/QNN.td: sums of products of
// integers without their zero points, exact except for wrap-around. Zero points
// are subtracted first, so that padding is zero; the rest are the convolutions
// and products of Ops/Conv.td and Ops/NN.td.
//
//===----------------------------------------------------------------------===//

#include "ConvKernels.h"
#include "MatrixKernels.h"
#include "Requantizer.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"

using namespace relay;

// Operands are data, weight, zero point of data, of the weight, scale of data,
// of the weight. The scales have no effect on the integer result.
static constexpr unsigned DataOperand = 0, WeightOperand = 1;
static constexpr unsigned FirstZeroPoint = 2; ///< of operand 0

//===----------------------------------------------------------------------===//
// Zero points
//===----------------------------------------------------------------------===//

/// Returns the zero points of operand \p I: one, or one of \p Lengths; reports
/// other numbers.
static FailureOr<SmallVector<int32_t>>
getZeroPoints(const KernelCall &Call, unsigned I, ArrayRef<int64_t> Lengths) {
  StringRef Name = Call.getInfo().OperandNames[I];
  const Tensor &T = Call.getInput(I);
  if (T.getNumElements() != 1 &&
      !llvm::is_contained(Lengths, T.getNumElements()))
    return Call.emitError("'" + Name + "' has " + Twine(T.getNumElements()) +
                          " numbers, expected one or one per channel");
  SmallVector<int32_t> Result;
  for (int64_t Value : T.getInts())
    Result.push_back(int32_t(Value));
  return Result;
}

/// Fills \p Length positions of \p To, starting at \p First, with elements
/// minus \p Zero.
static void subtractNumber(const ElementReader<int64_t> &From, int64_t First,
                           int64_t Length, int32_t Zero, int32_t *To) {
  int64_t Numbers[BlockSize];
  for (int64_t Count; Length != 0; Length -= Count, First += Count) {
    Count = std::min(BlockSize, Length);
    const int64_t *X = From.read(First, 1, Count, Numbers);
    for (int64_t I = 0; I != Count; ++I)
      To[First + I] = Wrapping<int32_t>::subtract(int32_t(X[I]), Zero);
  }
}

/// Returns \p Data minus \p Zeros, one number or one for each position on the
/// first axis, cyclically: int32 with wrap-around, as elements of the output's
/// type of contractions.
static FailureOr<Tensor> subtractZeroPoints(KernelCall &Call,
                                            const Tensor &Data,
                                            ArrayRef<int32_t> Zeros) {
  auto Result = Call.allocate(DType::getInt(32), Data.getShape());
  if (!Result)
    return failure();
  int32_t *To = Result->getMutableElements<int32_t>().data();
  int64_t Rows = Zeros.size() == 1 ? 1 : Data.getDim(0);
  int64_t Length = Rows ? Data.getNumElements() / Rows : 0;
  DType Out = Call.getOutputDType();
  if (failed(checkQuantized(Call, Data.getDType())) ||
      failed(checkQuantized(Call, Out)))
    return failure();
  ElementReader<int64_t> From(Data);
  for (int64_t Row = 0; Row != Rows; ++Row)
    subtractNumber(From, Row * Length, Length, Zeros[Row % Zeros.size()], To);
  return loadContracted(Call, *Result, Out);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Returns the zero points of the \p NumRows positions of a weight's axis O,
/// for each of \p NumOut outputs: there are fewer positions if every input
/// channel is a group.
static SmallVector<int32_t> spreadZeroPoints(ArrayRef<int32_t> Zeros,
                                             int64_t NumRows, int64_t NumOut) {
  SmallVector<int32_t> Result(Zeros);
  if (int64_t(Zeros.size()) != NumRows || NumOut % NumRows != 0)
    return Result;
  Result.clear();
  for (int32_t Zero : Zeros)
    Result.append(NumOut / NumRows, Zero);
  return Result;
}

/// data: [N, C, H, W], weight: [O, C / groups, h, w], or [C, O / groups, h, w]
/// where it \p IsTransposed, in the layouts of \p P.
static LogicalResult evalQnnConv(KernelCall &Call, const ConvParams &P,
                                 bool IsTransposed) {
  FailureOr<PlainConv> C = PlainConv::getWithoutOperands(Call, P);
  auto Data =
      toPlainLayout(Call, Call.getInput(DataOperand), P.DataLayout, P.DataAxes);
  auto Weight = toPlainLayout(Call, Call.getInput(WeightOperand),
                              P.KernelLayout, P.KernelAxes);
  auto Zero = getZeroPoints(Call, FirstZeroPoint, {});
  if (failed(C) || failed(Data) || failed(Weight) || failed(Zero))
    return failure();
  int64_t NumOut = C->Out[1], NumRows = Weight->getDim(0),
          PerGroup = NumOut / std::max<int64_t>(P.Groups, 1);
  auto WeightZeros =
      getZeroPoints(Call, FirstZeroPoint + 1, {PerGroup, NumRows, NumOut});
  if (succeeded(WeightZeros) && !IsTransposed)
    WeightZeros = spreadZeroPoints(*WeightZeros, NumRows, NumOut);
  if (IsTransposed)
    Weight = transposeWeight(Call, *Weight, P.Groups);
  else
    Weight = getGroupedWeight(*Weight, P, Data->getDim(1));
  if (failed(WeightZeros) || failed(Weight))
    return failure();
  Data = subtractZeroPoints(Call, *Data, *Zero);
  Weight = subtractZeroPoints(Call, *Weight, *WeightZeros);
  if (failed(Data) || failed(Weight))
    return failure();
  C->Data = std::move(*Data);
  C->Weight = std::move(*Weight);
  return C->evaluate(
      Call, P, IsTransposed ? C->getTransposedGeometry() : C->getGeometry());
}

LogicalResult relay::evalQnnConv2D(KernelCall &Call) {
  return evalQnnConv(
      Call, ConvParams::get(Call.getAttrs<Conv2DAttrs>(), "NCHW", "OIHW"),
      /*IsTransposed=*/false);
}

LogicalResult relay::evalQnnConv2DTranspose(KernelCall &Call) {
  return evalQnnConv(Call,
                     ConvParams::getTransposed(
                         Call.getAttrs<Conv2DTransposeAttrs>(), "NCHW", "IOHW"),
                     /*IsTransposed=*/true);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// data: [.., k], weight: [n, k] -> [.., n].
static LogicalResult multiplyRows(KernelCall &Call, const Tensor &Weight) {
  const Tensor &Data = Call.getInput(DataOperand);
  int64_t N = Weight.getDim(0), K = Weight.getDim(1);
  int64_t Depth = Data.getShape().back();
  auto Zero = getZeroPoints(Call, FirstZeroPoint, {});
  auto WeightZeros = getZeroPoints(Call, FirstZeroPoint + 1, {N});
  if (failed(Zero) || failed(WeightZeros))
    return failure();
  auto Left = subtractZeroPoints(Call, Data, *Zero);
  auto Right = subtractZeroPoints(Call, Weight, *WeightZeros);
  if (failed(Left) || failed(Right))
    return failure();
  int64_t M = *getNumElements(Data.getShape().drop_back());
  return multiplyMatrices(Call,
                          MatrixView(std::move(*Left), 1, M, Depth, false),
                          MatrixView(std::move(*Right), 1, N, K, true));
}

/// data: [.., k], weight: [n, k] -> [.., n].
LogicalResult relay::evalQnnDense(KernelCall &Call) {
  return multiplyRows(Call, Call.getInput(WeightOperand));
}

/// data: [m, k], weight: [n / a, k / b, a, b] -> [m, n]; TVM does not implement
/// it for a CPU.
LogicalResult relay::evalQnnDensePack(KernelCall &Call) {
  std::optional<Tensor> Plain =
      unpackWeight(Call, Call.getInput(WeightOperand));
  if (!Plain)
    return failure();
  return multiplyRows(Call, *Plain);
}

/// Returns operand \p I minus its zero point.
static FailureOr<Tensor> loadQnnFactor(KernelCall &Call, unsigned I) {
  auto Zero = getZeroPoints(Call, FirstZeroPoint + I, {});
  if (failed(Zero))
    return failure();
  return subtractZeroPoints(Call, Call.getInput(I), *Zero);
}

/// x: [batch, m, k], y: [batch, n, k], or transposed -> [batch, m, n].
LogicalResult relay::evalQnnBatchMatmul(KernelCall &Call) {
  const auto &A = Call.getAttrs<BatchMatmulAttrs>();
  FailureOr<Tensor> X = loadQnnFactor(Call, 0), Y = loadQnnFactor(Call, 1);
  if (failed(X) || failed(Y))
    return failure();
  return multiplyMatrices(Call, MatrixView::getBatch(*X, A.transposeA()),
                          MatrixView::getBatch(*Y, A.transposeB()));
}

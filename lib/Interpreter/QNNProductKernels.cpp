//===- QNNProductKernels.cpp - Products of quantized tensors --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and products of matrices of Ops/QNN.td: sums of products of
// integers without their zero points, exact but for wrapping around. A weight
// becomes a matrix with a row an output channel; each result is the product of
// such a row with gathered data.
//
//===----------------------------------------------------------------------===//

#include "LayoutOffsets.h"
#include "Requantize.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/QNN.h"

using namespace relay;

// Operands are data, weight, zero point of data, of the weight, scale of data,
// of the weight. Scales say what the result stands for and change nothing.
static constexpr unsigned DataOperand = 0, WeightOperand = 1;

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// The sum of products of \p Length numbers, in Acc, which is unsigned.
template <typename Acc>
static Acc contract(const int32_t *Left, const int32_t *Right, int64_t Length) {
  Acc Sum = 0;
  for (int64_t I = 0; I != Length; ++I)
    Sum += Acc(Left[I]) * Acc(Right[I]);
  return Sum;
}

/// \p X without its zero point.
template <typename E> static int32_t shift(E X, int32_t ZeroPoint) {
  return Wrapping<int32_t>::subtract(int32_t(X), ZeroPoint);
}

/// The zero points of operand \p I: one, or as many as one of \p Lengths;
/// reports others.
static FailureOr<SmallVector<int32_t>>
getZeroPoints(const KernelCall &Call, unsigned I, ArrayRef<int64_t> Lengths) {
  StringRef Name = Call.getInfo().OperandNames[I];
  if (!Call.getValue(I).isTensor())
    return Call.emitError("'" + Name + "' is " + Call.getValue(I).describe());
  const Tensor &T = Call.getInput(I);
  if (T.getNumElements() != 1 &&
      !llvm::is_contained(Lengths, T.getNumElements()))
    return Call.emitError("'" + Name + "' has " + Twine(T.getNumElements()) +
                          " numbers for " + Twine(Lengths.back()) +
                          " channels");
  SmallVector<int32_t> Result;
  for (int64_t Value : T.getInts())
    Result.push_back(int32_t(Value));
  return Result;
}

/// Calls \p F with a zero of the type that sums for the result are of, and one
/// of the result's type.
template <typename Fn>
static LogicalResult dispatchResult(const KernelCall &Call, Fn &&F) {
  return dispatchIntegers(Call, Call.getOutputDType(), [&](auto Out) {
    if constexpr (sizeof(Out) == 8)
      return F(uint64_t(0), Out);
    else
      return F(uint32_t(0), Out);
  });
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// A spatial axis of a convolution. The data, \p Spread places apart, with
/// \p Before zeros before it, is read by windows.
struct ConvAxis {
  int64_t In, Kernel, Out;
  int64_t Stride = 1, Dilation = 1, Spread = 1, Before = 0;

  /// The index of the data that tap \p K of window \p I reads; -1: a zero.
  int64_t getIndex(int64_t I, int64_t K) const {
    int64_t Place = I * Stride + K * Dilation - Before;
    if (Place < 0 || Place % Spread != 0 || Place / Spread >= In)
      return -1;
    return Place / Spread;
  }
};

/// A convolution in two dimensions, transposed or not.
struct IntegerConv {
  ConvAxis H, W;
  int64_t Groups, InPerGroup, OutPerGroup;
  LayoutOffsets Data, Out; ///< by N, C, H, W
  int32_t DataZero;
  /// [groups * OutPerGroup, InPerGroup * kernel], without its zero points.
  Tensor Weight;

  int64_t getRowLength() const { return InPerGroup * H.Kernel * W.Kernel; }
};
} // namespace

/// What the output at (\p Y, \p X) of \p Group reads of entry \p N.
template <typename E>
static void gatherWindow(const IntegerConv &C, const E *Data, int64_t N,
                         int64_t Group, int64_t Y, int64_t X, int32_t *Row) {
  for (int64_t I = 0; I != C.InPerGroup; ++I) {
    const E *Plane = Data + C.Data[0][N] + C.Data[1][Group * C.InPerGroup + I];
    for (int64_t KY = 0; KY != C.H.Kernel; ++KY) {
      int64_t InY = C.H.getIndex(Y, KY);
      for (int64_t KX = 0; KX != C.W.Kernel; ++KX) {
        int64_t InX = InY < 0 ? -1 : C.W.getIndex(X, KX);
        *Row++ =
            InX < 0 ? 0
                    : shift(Plane[C.Data[2][InY] + C.Data[3][InX]], C.DataZero);
      }
    }
  }
}

/// All outputs of entry \p N in line \p Y.
template <typename Acc, typename E, typename R>
static void convolveLine(const IntegerConv &C, const E *Data, R *Out, int64_t N,
                         int64_t Y, MutableArrayRef<int32_t> Window) {
  const int32_t *Weight = C.Weight.getElements<int32_t>().data();
  int64_t Length = C.getRowLength();
  for (int64_t X = 0; X != C.W.Out; ++X)
    for (int64_t G = 0; G != C.Groups; ++G) {
      gatherWindow(C, Data, N, G, Y, X, Window.data());
      for (int64_t O = G * C.OutPerGroup; O != (G + 1) * C.OutPerGroup; ++O) {
        Acc Sum = contract<Acc>(Weight + O * Length, Window.data(), Length);
        Out[C.Out[0][N] + C.Out[1][O] + C.Out[2][Y] + C.Out[3][X]] = R(Sum);
      }
    }
}

static LogicalResult convolveIntegers(KernelCall &Call, const IntegerConv &C) {
  const Tensor &Data = Call.getInput(DataOperand);
  int64_t Length = C.getRowLength();
  auto Run = [&](auto From, auto Acc, auto To) {
    using E = decltype(From);
    const E *In = Data.getElements<E>().data();
    auto *Out = Call.getOutput<decltype(To)>().data();
    Call.parallelFor(C.Data.getExtent(0) * C.H.Out,
                     C.W.Out * Length * (C.OutPerGroup + 4) * C.Groups,
                     [&](int64_t Begin, int64_t End) {
                       SmallVector<int32_t, 0> Window(Length);
                       for (int64_t I = Begin; I != End; ++I)
                         convolveLine<decltype(Acc)>(C, In, Out, I / C.H.Out,
                                                     I % C.H.Out, Window);
                     });
    return success();
  };
  return dispatchIntegers(Call, Data.getDType(), [&](auto From) {
    return dispatchResult(
        Call, [&](auto Acc, auto To) { return Run(From, Acc, To); });
  });
}

/// The weight as the matrix of IntegerConv. Of a transposed convolution it is
/// [I, O / groups, H, W] and turned around, else [O, I / groups, H, W], or
/// [I, O / I, H, W] where every input channel is a group, which is the same
/// sequence of numbers.
static LogicalResult packWeight(KernelCall &Call, IntegerConv &C,
                                const LayoutOffsets &From, bool IsTransposed) {
  int64_t NumOut = C.Groups * C.OutPerGroup, Columns = From.getExtent(1);
  // They belong to places of the weight's axis O, which has the input channels
  // where each of these is a group.
  auto Zeros =
      getZeroPoints(Call, 3, {C.OutPerGroup, From.getExtent(0), NumOut});
  auto Packed = Call.allocate(DType::getInt(32), {NumOut, C.getRowLength()});
  if (failed(Zeros) || !Packed)
    return failure();
  int32_t *To = Packed->getMutableElements<int32_t>().data();
  const Tensor &Weight = Call.getInput(WeightOperand);
  auto Pack = [&](auto Kind) {
    const auto *In = Weight.getElements<decltype(Kind)>().data();
    auto CopyKernel = [&](const decltype(Kind) *Plane, int32_t Zero) {
      for (int64_t Y = 0; Y != C.H.Kernel; ++Y)
        for (int64_t X = 0; X != C.W.Kernel; ++X) {
          int64_t InY = IsTransposed ? C.H.Kernel - 1 - Y : Y;
          int64_t InX = IsTransposed ? C.W.Kernel - 1 - X : X;
          *To++ = shift(Plane[From[2][InY] + From[3][InX]], Zero);
        }
    };
    for (int64_t O = 0; O != NumOut; ++O)
      for (int64_t I = 0; I != C.InPerGroup; ++I) {
        int64_t Flat = O * C.InPerGroup + I;
        int64_t Row = Flat / Columns, Column = Flat % Columns;
        if (IsTransposed) {
          Row = O / C.OutPerGroup * C.InPerGroup + I;
          Column = O % C.OutPerGroup;
        }
        bool IsOfRow =
            !IsTransposed && int64_t(Zeros->size()) == From.getExtent(0);
        CopyKernel(In + From[0][Row] + From[1][Column],
                   (*Zeros)[IsOfRow ? Row : O % Zeros->size()]);
      }
    return success();
  };
  if (failed(dispatchIntegers(Call, Weight.getDType(), Pack)))
    return failure();
  C.Weight = *Packed;
  return success();
}

/// Entry \p I of a list that may have one for all; \p Default where it is
/// empty.
static int64_t getLastingEntry(ArrayRef<int64_t> List, unsigned I,
                               int64_t Default) {
  if (List.empty())
    return Default;
  return List.size() == 1 ? List[0]
                          : List[std::min<size_t>(I, List.size() - 1)];
}

/// Geometry and layouts from the attributes that both kinds of convolution
/// have; then the weight.
template <typename AttrsT>
static FailureOr<IntegerConv> getConv(KernelCall &Call, StringRef WeightAxes,
                                      bool IsTransposed) {
  const auto &A = Call.getAttrs<AttrsT>();
  auto Strides = getInts(Call, A.strides(), "strides");
  auto Padding = getInts(Call, A.padding(), "padding");
  auto Dilation = getInts(Call, A.dilation(), "dilation");
  if (failed(Strides) || failed(Padding) || failed(Dilation))
    return failure();
  StringRef OutLayout = A.outLayout().empty() ? A.dataLayout() : A.outLayout();
  auto Data = LayoutOffsets::get(Call, A.dataLayout(), "NCHW",
                                 Call.getInput(DataOperand).getShape());
  auto Weight = LayoutOffsets::get(Call, A.kernelLayout(), WeightAxes,
                                   Call.getInput(WeightOperand).getShape());
  auto Out = LayoutOffsets::get(Call, OutLayout, "NCHW", Call.getOutputShape());
  auto Zero = getZeroPoints(Call, 2, {});
  if (failed(Data) || failed(Weight) || failed(Out) || failed(Zero))
    return failure();
  int64_t In = Data->getExtent(1), NumOut = Out->getExtent(1);
  int64_t Groups = A.groups();
  if (Groups <= 0 || In % Groups != 0 || NumOut % Groups != 0)
    return Call.emitError("channels are not divided by the groups");
  IntegerConv C{{},    {},   Groups,     In / Groups, NumOut / Groups,
                *Data, *Out, (*Zero)[0], Tensor()};
  for (unsigned I : {0, 1}) {
    ConvAxis &Axis = I == 0 ? C.H : C.W;
    int64_t Step = getLastingEntry(*Strides, I, 1);
    Axis = {Data->getExtent(2 + I), Weight->getExtent(2 + I),
            Out->getExtent(2 + I)};
    Axis.Dilation = getLastingEntry(*Dilation, I, 1);
    Axis.Before = getLastingEntry(*Padding, I, 0);
    if (Step <= 0 || Axis.Dilation <= 0)
      return Call.emitError("a stride or dilation is not positive");
    (IsTransposed ? Axis.Spread : Axis.Stride) = Step;
    if (IsTransposed)
      Axis.Before = (Axis.Kernel - 1) * Axis.Dilation - Axis.Before;
  }
  if (Weight->getExtent(0) * Weight->getExtent(1) !=
      (IsTransposed ? In * C.OutPerGroup : NumOut * C.InPerGroup))
    return Call.emitError("the weight does not fit the channels");
  if (failed(packWeight(Call, C, *Weight, IsTransposed)))
    return failure();
  return C;
}

/// data: [N, C, H, W], weight: [O, C / groups, h, w], in their layouts.
LogicalResult relay::evalQnnConv2D(KernelCall &Call) {
  auto C = getConv<Conv2DAttrs>(Call, "OIHW", /*IsTransposed=*/false);
  return failed(C) ? failure() : convolveIntegers(Call, *C);
}

/// data: [N, C, H, W], weight: [C, O / groups, h, w], in their layouts.
LogicalResult relay::evalQnnConv2DTranspose(KernelCall &Call) {
  auto C = getConv<Conv2DTransposeAttrs>(Call, "IOHW", /*IsTransposed=*/true);
  return failed(C) ? failure() : convolveIntegers(Call, *C);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

namespace {
/// Where a matrix, one an entry of a batch, has its elements.
struct MatrixSteps {
  int64_t Rows, Columns, RowStep, ColumnStep;
};
} // namespace

/// Operand \p I as rows of int32 without their zero points: \p Batch matrices,
/// which lie together, row-major. \p Zeros are one, or one a row.
static std::optional<Tensor> packRows(KernelCall &Call, unsigned I,
                                      int64_t Batch, const MatrixSteps &View,
                                      ArrayRef<int32_t> Zeros) {
  const Tensor &From = Call.getInput(I);
  auto Packed =
      Call.allocate(DType::getInt(32), {Batch, View.Rows, View.Columns});
  if (!Packed)
    return std::nullopt;
  int32_t *To = Packed->getMutableElements<int32_t>().data();
  auto Pack = [&](auto Kind) {
    const auto *In = From.getElements<decltype(Kind)>().data();
    for (int64_t B = 0; B != Batch; ++B, In += View.Rows * View.Columns)
      for (int64_t R = 0; R != View.Rows; ++R) {
        int32_t Zero = Zeros[R % Zeros.size()];
        for (int64_t K = 0; K != View.Columns; ++K)
          *To++ = shift(In[R * View.RowStep + K * View.ColumnStep], Zero);
      }
    return success();
  };
  if (failed(dispatchIntegers(Call, From.getDType(), Pack)))
    return std::nullopt;
  return Packed;
}

/// Left: [batch or 1, m, k], right: [batch or 1, n, k], packed -> [batch, m,
/// n].
static LogicalResult multiplyRows(KernelCall &Call, const Tensor &Left,
                                  const Tensor &Right) {
  int64_t M = Left.getDim(1), N = Right.getDim(1), K = Left.getDim(2);
  int64_t Batch = std::max(Left.getDim(0), Right.getDim(0));
  int64_t LeftStep = Left.getDim(0) == 1 ? 0 : M * K;
  int64_t RightStep = Right.getDim(0) == 1 ? 0 : N * K;
  const int32_t *L = Left.getElements<int32_t>().data();
  const int32_t *Weight = Right.getElements<int32_t>().data();
  return dispatchResult(Call, [&](auto Acc, auto To) {
    auto *Out = Call.getOutput<decltype(To)>().data();
    Call.parallelFor(Batch * M, N * K, [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I != End; ++I) {
        const int32_t *Row = L + I / M * LeftStep + I % M * K;
        const int32_t *Columns = Weight + I / M * RightStep;
        for (int64_t J = 0; J != N; ++J)
          Out[I * N + J] =
              decltype(To)(contract<decltype(Acc)>(Row, Columns + J * K, K));
      }
    });
    return success();
  });
}

/// data: [.., k], weight: [n, k] -> [.., n].
LogicalResult relay::evalQnnDense(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getInput(DataOperand).getShape();
  ArrayRef<int64_t> Weight = Call.getInput(WeightOperand).getShape();
  auto Zero = getZeroPoints(Call, 2, {});
  auto WeightZeros = getZeroPoints(Call, 3, {Weight[0]});
  if (failed(Zero) || failed(WeightZeros))
    return failure();
  int64_t K = Shape.back(), M = *getNumElements(Shape.drop_back());
  auto Left = packRows(Call, DataOperand, 1, {M, K, K, 1}, *Zero);
  auto Right =
      packRows(Call, WeightOperand, 1, {Weight[0], K, K, 1}, *WeightZeros);
  if (!Left || !Right)
    return failure();
  return multiplyRows(Call, *Left, *Right);
}

/// data: [m, k], weight: [n / a, k / b, a, b] -> [m, n]; TVM has it for no CPU.
LogicalResult relay::evalQnnDensePack(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getInput(DataOperand).getShape();
  const Tensor &Weight = Call.getInput(WeightOperand);
  int64_t BlockN = Weight.getDim(2), BlockK = Weight.getDim(3);
  int64_t N = Weight.getDim(0) * BlockN, K = Weight.getDim(1) * BlockK;
  if (K != Shape[1])
    return Call.emitError("data has " + Twine(Shape[1]) +
                          " columns, and the weight " + Twine(K));
  auto Zero = getZeroPoints(Call, 2, {});
  auto WeightZeros = getZeroPoints(Call, 3, {N});
  auto Right = Call.allocate(DType::getInt(32), {1, N, K});
  if (failed(Zero) || failed(WeightZeros) || !Right)
    return failure();
  auto Left = packRows(Call, DataOperand, 1, {Shape[0], K, K, 1}, *Zero);
  if (!Left)
    return failure();
  auto Unpack = [&](auto Kind) {
    ArrayRef<decltype(Kind)> In = Weight.getElements<decltype(Kind)>();
    MutableArrayRef<int32_t> To = Right->getMutableElements<int32_t>();
    for (int64_t R = 0; R != N; ++R)
      for (int64_t C = 0; C != K; ++C) {
        int64_t Block = R / BlockN * Weight.getDim(1) + C / BlockK;
        To[R * K + C] =
            shift(In[(Block * BlockN + R % BlockN) * BlockK + C % BlockK],
                  (*WeightZeros)[R % WeightZeros->size()]);
      }
    return success();
  };
  if (failed(dispatchIntegers(Call, Weight.getDType(), Unpack)))
    return failure();
  return multiplyRows(Call, *Left, *Right);
}

/// The rows of operand \p I, [batch, rows, k], or [batch, k, rows] where it is
/// \p Transposed.
static std::optional<Tensor> packMatrices(KernelCall &Call, unsigned I,
                                          bool Transposed) {
  ArrayRef<int64_t> Shape = Call.getInput(I).getShape();
  MatrixSteps View = Transposed ? MatrixSteps{Shape[2], Shape[1], 1, Shape[2]}
                                : MatrixSteps{Shape[1], Shape[2], Shape[2], 1};
  auto Zero = getZeroPoints(Call, 2 + I, {});
  if (failed(Zero))
    return std::nullopt;
  return packRows(Call, I, Shape[0], View, *Zero);
}

/// x: [batch, m, k], y: [batch, n, k], or transposed -> [batch, m, n].
LogicalResult relay::evalQnnBatchMatmul(KernelCall &Call) {
  const auto &A = Call.getAttrs<BatchMatmulAttrs>();
  auto Left = packMatrices(Call, 0, A.transposeA());
  auto Right =
      Left ? packMatrices(Call, 1, !A.transposeB()) : std::optional<Tensor>();
  if (!Right)
    return failure();
  return multiplyRows(Call, *Left, *Right);
}

//===- SampledConvKernels.cpp - Deformable convolution, correlation -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of operators of Ops/Conv.td that read data at computed positions.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Convolution.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Conv.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Deformable convolution
//===----------------------------------------------------------------------===//

namespace {
/// The matrix [channels * kernel, windows] of an image and group, with
/// interpolated data.
template <typename T> struct DeformedWindows {
  const WindowGeometry &G;
  const T *Data;   ///< [C, H, W] of the image
  const T *Offset; ///< [groups of offsets * kernel * 2, H', W'] of the image
  int64_t FirstChannel, ChannelsPerOffset;

  void pack(int64_t Row, int64_t NumRows, int64_t Column, unsigned NumColumns,
            T *Panel) const;

private:
  T sample(const T *Image, T Y, T X) const;
};
} // namespace

/// Returns zero outside of the data; neighbours outside of the data are zero,
/// too.
template <typename T>
T DeformedWindows<T>::sample(const T *Image, T Y, T X) const {
  int64_t Height = G.Axes[1].In, Width = G.Axes[2].In;
  if (!(Y >= 0 && X >= 0 && Y < T(Height) && X < T(Width)))
    return T(0);
  auto Top = int64_t(Y), Left = int64_t(X);
  T YPart = Y - T(Top), XPart = X - T(Left);
  auto Read = [&](int64_t Row, int64_t Column) {
    return Row < Height && Column < Width ? Image[Row * Width + Column] : T(0);
  };
  auto Mix = [&](int64_t Row) {
    return Read(Row, Left) * (T(1) - XPart) + Read(Row, Left + 1) * XPart;
  };
  return Mix(Top) * (T(1) - YPart) + Mix(Top + 1) * YPart;
}

template <typename T>
void DeformedWindows<T>::pack(int64_t Row, int64_t NumRows, int64_t Column,
                              unsigned NumColumns, T *Panel) const {
  const WindowGeometry::Axis &V = G.Axes[1], &H = G.Axes[2];
  int64_t KernelSize = G.getKernelSize(), Columns = G.getNumOutputs();
  for (int64_t I = Row; I != Row + NumRows; ++I, Panel += PanelWidth<T>) {
    int64_t Channel = FirstChannel + I / KernelSize, Place = I % KernelSize;
    int64_t KY = Place / H.Kernel, KX = Place % H.Kernel;
    const T *Moved =
        Offset +
        (Channel / ChannelsPerOffset * KernelSize + Place) * 2 * Columns;
    for (unsigned J = 0; J != NumColumns; ++J) {
      int64_t At = Column + J;
      T Y = T(At / H.Out * V.Stride - V.Before + KY * V.Dilation);
      T X = T(At % H.Out * H.Stride - H.Before + KX * H.Dilation);
      Panel[J] = sample(Data + Channel * V.In * H.In, Y + Moved[At],
                        X + Moved[At + Columns]);
    }
  }
}

/// All operands are in plain layouts with compatible channels.
template <typename T>
static LogicalResult convolveDeformed(const KernelCall &Call,
                                      const WindowGeometry &G, int64_t Groups,
                                      int64_t OffsetGroups,
                                      ArrayRef<Tensor> Operands, Tensor &Out) {
  const Tensor &Data = Operands[0], &Offset = Operands[1];
  const Tensor &Weight = Operands[2];
  int64_t GroupIn = Weight.getDim(1), GroupOut = Weight.getDim(0) / Groups;
  int64_t Depth = GroupIn * G.getKernelSize(), Columns = G.getNumOutputs();
  const T *In = Data.getElements<T>().data();
  const T *Moved = Offset.getElements<T>().data();
  int64_t ImageSize = Data.getDim(1) * G.getNumInputs();
  int64_t OffsetSize = OffsetGroups * G.getKernelSize() * 2 * Columns;
  auto Pack = [&](int64_t Product, int64_t Row, int64_t NumRows, int64_t Column,
                  unsigned NumColumns, T *Panel) {
    int64_t Image = Product / Groups, Group = Product % Groups;
    DeformedWindows<T>{G, In + Image * ImageSize, Moved + Image * OffsetSize,
                       Group * GroupIn, Data.getDim(1) / OffsetGroups}
        .pack(Row, NumRows, Column, NumColumns, Panel);
  };
  return MatrixProducts<T>{
      Data.getDim(0) * Groups,
      GroupOut,
      Depth,
      Columns,
      {Weight.getElements<T>().data(), Groups, GroupOut * Depth, Depth, 1},
      Pack,
      Out.getMutableElements<T>().data()}
      .compute(Call);
}

/// data: [N, C, H, W], offset: [N, groups of offsets * kernel * (y, x), H',
/// W'], weight: [O, C / groups, ..] -> [N, O, H', W'], in their layouts.
LogicalResult relay::evalDeformableConv2D(KernelCall &Call) {
  const auto &A = Call.getAttrs<DeformableConv2DAttrs>();
  auto Attributes =
      WindowAttrs::get(Call, 2, A.strides(), A.dilation(), A.padding());
  if (failed(Attributes))
    return failure();
  DType T = Call.getOutputDType();
  if (!T.isFloat() && !T.isBFloat())
    return Call.emitUnsupported(T);
  SmallVector<Tensor, 3> Operands;
  for (unsigned I = 0; I != 3; ++I) {
    auto Plain = toPlainLayout(Call, Call.getInput(I),
                               I == 2 ? A.kernelLayout() : A.dataLayout(),
                               I == 2 ? "OIHW" : "NCHW");
    auto Loaded = failed(Plain) ? Plain : loadContracted(Call, *Plain, T);
    if (failed(Loaded))
      return failure();
    Operands.push_back(std::move(*Loaded));
  }
  const Tensor &Data = Operands[0], &Offset = Operands[1];
  const Tensor &Weight = Operands[2];
  int64_t Groups = A.groups(), OffsetGroups = A.deformableGroups();
  WindowGeometry G = Attributes->getGeometry(Data.getShape().drop_front(2),
                                             Weight.getShape().drop_front(2),
                                             Offset.getShape().drop_front(2));
  if (Groups <= 0 || OffsetGroups <= 0 ||
      Weight.getDim(1) * Groups != Data.getDim(1) ||
      Weight.getDim(0) % Groups != 0 || Data.getDim(1) % OffsetGroups != 0 ||
      Offset.getDim(0) != Data.getDim(0) ||
      Offset.getDim(1) != 2 * OffsetGroups * G.getKernelSize())
    return Call.emitError("the channels of its operands do not fit");
  std::optional<Tensor> Out =
      Call.allocate(Data.getDType(), {Data.getDim(0), Weight.getDim(0),
                                      Offset.getDim(2), Offset.getDim(3)});
  if (!Out)
    return failure();
  auto Convolve =
      T.isFloat(64) ? convolveDeformed<double> : convolveDeformed<float>;
  if (failed(Convolve(Call, G, Groups, OffsetGroups, Operands, *Out)))
    return failure();
  FailureOr<Tensor> Stored = storeContracted(Call, *Out, T);
  if (failed(Stored))
    return failure();
  StringRef OutLayout = A.outLayout().empty() ? A.dataLayout() : A.outLayout();
  auto Result = fromPlainLayout(Call, *Stored, "NCHW", OutLayout);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

//===----------------------------------------------------------------------===//
// Correlation
//===----------------------------------------------------------------------===//

namespace {
/// The positions of a patch along an axis where one of both tensors may have
/// data: padding of both has no effect, and may be most of a patch.
struct Places {
  int64_t First, End;
  int64_t GapBegin, GapEnd; ///< between the data of both

  /// \p Length positions starting at \p Begin. The data covers \p Extent
  /// positions starting at \p Before; the other tensor is shifted by \p Move.
  Places(int64_t Begin, int64_t Length, int64_t Move, int64_t Before,
         int64_t Extent) {
    int64_t Lower = Before - std::max<int64_t>(Move, 0);
    int64_t Upper = Before - std::min<int64_t>(Move, 0);
    GapBegin = Lower + Extent;
    GapEnd = Upper;
    First = skipGap(std::max(Begin, Lower));
    End = std::min(Begin + Length, Upper + Extent);
  }
  int64_t getNext(int64_t At) const { return skipGap(At + 1); }

private:
  int64_t skipGap(int64_t At) const {
    return At >= GapBegin && At < GapEnd ? GapEnd : At;
  }
};

/// The computation of nn.correlation at a position of its result.
template <typename E> struct Correlation {
  ArrayRef<E> Left, Right;
  int64_t Channels, Height, LeftWidth, RightWidth, Top, Side, Kernel;
  bool IsMultiply;

  /// Returns the mean over channels and patches with these first positions.
  E compare(int64_t Image, int64_t Y, int64_t X, int64_t YMove,
            int64_t XMove) const {
    ComputeType<E> Sum = 0;
    Places Ys(Y, Kernel, YMove, Top, Height);
    Places Xs(X, Kernel, XMove, Side, std::max(LeftWidth, RightWidth));
    for (int64_t C = 0; C != Channels; ++C)
      for (int64_t AtY = Ys.First; AtY < Ys.End; AtY = Ys.getNext(AtY))
        for (int64_t AtX = Xs.First; AtX < Xs.End; AtX = Xs.getNext(AtX)) {
          auto L = read(Left, LeftWidth, Image * Channels + C, AtY, AtX);
          auto R = read(Right, RightWidth, Image * Channels + C, AtY + YMove,
                        AtX + XMove);
          Sum += IsMultiply ? L * R : std::fabs(L - R);
        }
    return store<E>(Sum / ComputeType<E>(Kernel * Kernel * Channels));
  }
  /// Returns the maximum number of positions of a patch inside at least one of
  /// the tensors.
  uint64_t getCost() const {
    int64_t Width = std::max(LeftWidth, RightWidth);
    return llvm::SaturatingMultiply<uint64_t>(
        Channels * std::min(Kernel, 2 * Height), std::min(Kernel, 2 * Width));
  }

private:
  /// Returns an element of the padded channel \p Plane.
  ComputeType<E> read(ArrayRef<E> Data, int64_t Width, int64_t Plane, int64_t Y,
                      int64_t X) const {
    Y -= Top;
    X -= Side;
    bool IsData = Y >= 0 && Y < Height && X >= 0 && X < Width;
    return IsData ? load(Data[(Plane * Height + Y) * Width + X])
                  : ComputeType<E>(0);
  }
};
} // namespace

/// Fills the output; \p Border is the position of the first patch without a
/// move.
template <typename E>
static LogicalResult correlate(KernelCall &Call, const Correlation<E> &C) {
  const auto &A = Call.getAttrs<CorrelationAttrs>();
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  MutableArrayRef<E> Out = Call.getOutput<E>();
  int64_t Radius = A.maxDisplacement() / A.stride2(), Moves = 2 * Radius + 1;
  return Call.limitedFor(
      Out.size(), C.getCost(), [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t X = I % Shape[3], Y = I / Shape[3] % Shape[2];
          int64_t Move = I / (Shape[3] * Shape[2]) % Shape[1];
          Out[I] = C.compare(I / (Shape[3] * Shape[2] * Shape[1]),
                             Y * A.stride1() + A.maxDisplacement(),
                             X * A.stride1() + A.maxDisplacement(),
                             (Move / Moves - Radius) * A.stride2(),
                             (Move % Moves - Radius) * A.stride2());
        }
      });
}

/// data1, data2: [N, C, H, W] -> [N, moves, H', W']: the similarity of patches
/// of data1 and moved patches of data2.
LogicalResult relay::evalCorrelation(KernelCall &Call) {
  const auto &A = Call.getAttrs<CorrelationAttrs>();
  const Tensor &Left = Call.getInput(0), &Right = Call.getInput(1);
  auto Window = WindowAttrs::get(Call, 2, {}, {}, A.padding());
  if (failed(Window))
    return failure();
  if (Left.getRank() != 4 || Right.getRank() != 4 ||
      Left.getShape().take_front(3) != Right.getShape().take_front(3) ||
      Left.getDType() != Right.getDType())
    return Call.emitError("data1 and data2 differ in shape or type");
  if (A.kernelSize() <= 0 || A.maxDisplacement() < 0)
    return Call.emitError("'kernel_size' or 'max_displacement' is negative");
  int64_t Top = Window->Before[0], Side = Window->Before[1];
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return correlate<E>(Call, {Left.getElements<E>(), Right.getElements<E>(),
                               Left.getDim(1), Left.getDim(2), Left.getDim(3),
                               Right.getDim(3), Top, Side, A.kernelSize(),
                               A.isMultiply()});
  });
}

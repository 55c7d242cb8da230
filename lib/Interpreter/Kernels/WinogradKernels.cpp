//===- WinogradKernels.cpp - Convolutions by Winograd's method ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Conv.td that transform a weight, and that convolve with a
// transformed weight. On a spatial axis, a tile of m results of a kernel of r
// positions is A^T (G w * B^T d): polynomials are multiplied by their values at
// n - 1 points and at infinity, n = m + r - 1. Floats are computed in double;
// integers wrap around, and the elements of the matrices are truncated, as in
// TVM.
//
//===----------------------------------------------------------------------===//

#include "ConvKernels.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Conv.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// TVM's interpolation points for \p Count of them, 3 to 13: weights
/// transformed by TVM are read here.
static ArrayRef<double> getPoints(unsigned Count) {
  static constexpr double UpTo6[] = {0, -1, 1, .5, -2, -.5};
  static constexpr double UpTo12[] = {0,  -1,   1, .5,  -.5,     2,
                                      -2, -.25, 4, .75, -4. / 3, .25};
  static constexpr double Ten[] = {0, -1, 1,    .5,  -.5,
                                   2, -2, -.25, .75, -4. / 3};
  static constexpr double Thirteen[] = {0,    -1, 1,   .5,   -.5,    2, -2,
                                        -.25, 4,  .25, -.75, 4. / 3, -4};
  if (Count <= 6)
    return ArrayRef(UpTo6).take_front(Count);
  if (Count == 10)
    return Ten;
  return Count == 13 ? ArrayRef(Thirteen) : ArrayRef(UpTo12).take_front(Count);
}

namespace {
/// Row-major.
struct DoubleMatrix {
  int64_t Rows = 0, Columns = 0;
  SmallVector<double, 0> Elements;

  DoubleMatrix() = default;
  DoubleMatrix(int64_t NumRows, int64_t NumColumns)
      : Rows(NumRows), Columns(NumColumns), Elements(NumRows * NumColumns) {}
  double &at(int64_t I, int64_t J) { return Elements[I * Columns + J]; }
};

/// The transformation of a spatial axis.
struct WinogradAxis {
  DoubleMatrix Weight; ///< G: [n, r]
  DoubleMatrix Data;   ///< B^T: [n, n]
  DoubleMatrix Result; ///< A^T: [m, n]

  int64_t getTile() const { return Result.Rows; }
  int64_t getNumPlaces() const { return Data.Rows; }

  /// Returns the axis for tiles of \p Tile results and kernels of \p Kernel
  /// positions; reports, as TVM does, sizes without interpolation points.
  static FailureOr<WinogradAxis> get(const KernelCall &Call, int64_t Tile,
                                     int64_t Kernel);
  /// Returns an axis without transformation: tiles of one result.
  static WinogradAxis getPlain(int64_t Kernel);
};
} // namespace

/// Returns the coefficients of the product of x - P over \p Points except \p
/// Without.
static SmallVector<double, 16> getRootPolynomial(ArrayRef<double> Points,
                                                 size_t Without) {
  SmallVector<double, 16> Result = {1};
  for (auto [I, P] : llvm::enumerate(Points)) {
    if (I == Without)
      continue;
    Result.push_back(0);
    for (size_t J = Result.size(); J-- != 0;)
      Result[J] = (J ? Result[J - 1] : 0) - P * Result[J];
  }
  return Result;
}

FailureOr<WinogradAxis> WinogradAxis::get(const KernelCall &Call, int64_t Tile,
                                          int64_t Kernel) {
  if (Tile < 2 || Tile > 8 || Kernel < 3 || Kernel > 7)
    return Call.emitError("tiles of " + Twine(Tile) + " for a kernel of " +
                          Twine(Kernel) + ", not 2 to 8 for 3 to 7");
  int64_t N = Tile + Kernel - 1;
  ArrayRef<double> Points = getPoints(N - 1);
  WinogradAxis A;
  A.Weight = DoubleMatrix(N, Kernel);
  A.Data = DoubleMatrix(N, N);
  A.Result = DoubleMatrix(Tile, N);
  for (int64_t I = 0; I != N - 1; ++I) {
    double Scale = 1; // of the interpolation; positive for the first point
    for (int64_t J = 0; J != N - 1; ++J)
      Scale *= J == I ? 1 : Points[I] - Points[J];
    double Sign = I == 0 && Scale < 0 ? -1 : 1;
    for (int64_t J = 0; J != Kernel; ++J)
      A.Weight.at(I, J) = std::pow(Points[I], J) / (Sign * Scale);
    for (int64_t J = 0; J != Tile; ++J)
      A.Result.at(J, I) = std::pow(Points[I], J);
    for (auto [J, C] : llvm::enumerate(getRootPolynomial(Points, I)))
      A.Data.at(I, J) = Sign * C;
  }
  A.Weight.at(N - 1, Kernel - 1) = 1;
  A.Result.at(Tile - 1, N - 1) = 1;
  for (auto [J, C] : llvm::enumerate(getRootPolynomial(Points, N)))
    A.Data.at(N - 1, J) = C;
  return A;
}

WinogradAxis WinogradAxis::getPlain(int64_t Kernel) {
  WinogradAxis A;
  A.Weight = A.Data = DoubleMatrix(Kernel, Kernel);
  A.Result = DoubleMatrix(1, Kernel);
  for (int64_t I = 0; I != Kernel; ++I)
    A.Weight.at(I, I) = A.Data.at(I, I) = A.Result.at(0, I) = 1;
  return A;
}

/// Returns an element of a matrix as a factor in T: double, or uint64_t for
/// integers.
template <typename T> static T getFactor(double Element) {
  if constexpr (std::is_same_v<T, double>)
    return Element;
  else
    return T(int64_t(Element));
}

/// data: [Outer, columns of M, Inner] -> [Outer, rows of M, Inner]. As in TVM,
/// factors of zeros are ignored, including NaN and infinities.
template <typename T>
static void transformAxis(const DoubleMatrix &M, const T *Data, int64_t Outer,
                          int64_t Inner, T *Out) {
  for (int64_t O = 0; O != Outer; ++O, Data += M.Columns * Inner)
    for (int64_t I = 0; I != M.Rows; ++I)
      for (int64_t K = 0; K != Inner; ++K) {
        T Sum = 0;
        for (int64_t J = 0; J != M.Columns; ++J)
          if (T Factor = getFactor<T>(M.Elements[I * M.Columns + J]);
              Factor != 0)
            Sum += Factor * Data[J * Inner + K];
        *Out++ = Sum;
      }
}

/// Transforms \p Data, [D, H, W], in place along all axes, by the matrix \p
/// Which of each; Data and \p Scratch have room for both shapes.
template <typename T>
static void transformAxes(ArrayRef<WinogradAxis> Axes,
                          DoubleMatrix WinogradAxis::*Which, T *Data,
                          T *Scratch) {
  const DoubleMatrix &D = Axes[0].*Which, &H = Axes[1].*Which,
                     &W = Axes[2].*Which;
  transformAxis(W, Data, D.Columns * H.Columns, 1, Scratch);
  transformAxis(H, Scratch, D.Columns, W.Rows, Data);
  transformAxis(D, Data, 1, H.Rows * W.Rows, Scratch);
  std::copy_n(Scratch, D.Rows * H.Rows * W.Rows, Data);
}

/// Returns the axes for \p Kernel, of two or three dimensions.
static FailureOr<SmallVector<WinogradAxis, 3>>
getWinogradAxes(const KernelCall &Call, ArrayRef<int64_t> Kernel,
                int64_t Tile) {
  SmallVector<WinogradAxis, 3> Axes;
  if (Kernel.size() == 2)
    Axes.push_back(WinogradAxis::getPlain(1));
  for (auto [I, Extent] : llvm::enumerate(Kernel)) {
    // In three dimensions some depths are not transformed.
    if (Kernel.size() == 3 && I == 0 && (Extent <= 2 || Extent >= 8)) {
      if (Extent < 1 || Extent > 64)
        return Call.emitError("the kernel has the depth " + Twine(Extent));
      Axes.push_back(WinogradAxis::getPlain(Extent));
      continue;
    }
    auto Axis = WinogradAxis::get(Call, Tile, Extent);
    if (failed(Axis))
      return failure(); // reported
    Axes.push_back(std::move(*Axis));
  }
  return Axes;
}

/// Returns the axes of a transformed weight for [D, H, W]: a depth that is not
/// transformed comes last.
static std::array<unsigned, 3> getWeightOrder(ArrayRef<WinogradAxis> Axes) {
  if (Axes[0].getTile() == 1)
    return {2, 0, 1};
  return {0, 1, 2};
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Returns the type in which tensors of \p T are transformed.
static FailureOr<DType> getWideDType(const KernelCall &Call, DType T) {
  if (T.isBool())
    return Call.emitUnsupported(T);
  return T.isAnyFloat() ? DType::getFloat(64) : DType::getUInt(64);
}

/// weight: [O, I, spatial..] -> [spatial in tiles.., O, I], computed in \p
/// Wide, the data type of T.
template <typename T>
static LogicalResult transformWeightIn(KernelCall &Call, DType Wide) {
  const Tensor &Weight = Call.getInput(0);
  int64_t Tile = Call.getAttrs<ConvWinogradWeightTransformAttrs>().tileSize();
  auto Axes = getWinogradAxes(Call, Weight.getShape().drop_front(2), Tile);
  if (failed(Axes))
    return failure();
  int64_t Size = 1, KernelSize = 1;
  for (const WinogradAxis &A : *Axes) {
    Size *= A.Weight.Rows;
    KernelSize *= A.Weight.Columns;
  }
  int64_t Pairs = Weight.getDim(0) * Weight.getDim(1);
  if (failed(Call.countWork(Pairs, 8 * Size)))
    return failure(); // reported
  auto Data = castTensor(Call, Weight, Wide);
  auto Out = Call.allocate(Wide, Call.getOutputShape());
  auto Scratch = Call.allocate(Wide, {2, Size});
  if (failed(Data) || !Out || !Scratch)
    return failure();
  const T *From = Data->getElements<T>().data();
  T *To = Out->getMutableElements<T>().data();
  T *Room = Scratch->getMutableElements<T>().data();
  // Loops over the transformed [D, H, W], and their positions in the result.
  auto Order = getWeightOrder(*Axes);
  std::array<int64_t, 3> Extents;
  for (unsigned I = 0; I != 3; ++I)
    Extents[Order[I]] = (*Axes)[I].Weight.Rows;
  Strides Own = getStrides(Extents);
  for (int64_t Pair = 0; Pair != Pairs; ++Pair) {
    std::copy_n(From + Pair * KernelSize, KernelSize, Room);
    transformAxes(*Axes, &WinogradAxis::Weight, Room, Room + Size);
    const T *Element = Room;
    for (int64_t D = 0; D != (*Axes)[0].Weight.Rows; ++D)
      for (int64_t H = 0; H != (*Axes)[1].Weight.Rows; ++H)
        for (int64_t W = 0; W != (*Axes)[2].Weight.Rows; ++W)
          To[(D * Own[Order[0]] + H * Own[Order[1]] + W * Own[Order[2]]) *
                 Pairs +
             Pair] = *Element++;
  }
  auto Result = castTensor(Call, *Out, Call.getOutputDType());
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

static LogicalResult transformWeight(KernelCall &Call) {
  auto Wide = getWideDType(Call, Call.getOutputDType());
  if (failed(Wide))
    return failure();
  return Wide->isFloat() ? transformWeightIn<double>(Call, *Wide)
                         : transformWeightIn<uint64_t>(Call, *Wide);
}

LogicalResult relay::evalConv2DWinogradWeightTransform(KernelCall &Call) {
  return transformWeight(Call);
}
LogicalResult relay::evalConv3DWinogradWeightTransform(KernelCall &Call) {
  return transformWeight(Call);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// A convolution by tiles; all elements are T, double or uint64_t.
template <typename T> class WinogradConv {
public:
  WinogradConv(ArrayRef<WinogradAxis> Axes, const WindowGeometry &G,
               int64_t Channels, int64_t OutChannels)
      : Axes(Axes), G(G), Channels(Channels), OutChannels(OutChannels) {
    for (unsigned I = 0; I != 3; ++I) {
      Size *= Axes[I].getNumPlaces();
      Extents[getWeightOrder(Axes)[I]] = Axes[I].getNumPlaces();
    }
  }
  /// Returns the size of the scratch memory of run().
  int64_t getScratchSize() const { return (Channels + 2) * Size; }
  /// Returns the shape of the weight, with three or two spatial axes.
  TensorShape getWeightShape(bool HasDepth) const;
  /// data: [C, D, H, W] -> out: [O, D', H', W'].
  void run(const T *Data, const T *Weight, T *Scratch, T *Out) const;

private:
  using Place = std::array<int64_t, 3>;
  void loadTile(const T *Data, const Place &First, T *Tile) const;
  void storeTile(const T *Tile, const Place &First, T *Out) const;
  /// Returns the offset of a position of a tile in the transformed weight, in
  /// pairs of channels.
  int64_t getWeightOffset(int64_t Index) const;

  ArrayRef<WinogradAxis> Axes;
  const WindowGeometry &G;
  int64_t Channels, OutChannels;
  int64_t Size = 1; ///< positions of a tile of data
  Place Extents;    ///< of the weight
};
} // namespace

template <typename T>
TensorShape WinogradConv<T>::getWeightShape(bool HasDepth) const {
  TensorShape Shape(Extents.begin(), Extents.end());
  if (!HasDepth)
    Shape.erase(Shape.begin() + getWeightOrder(Axes)[0]);
  Shape.append({OutChannels, Channels});
  return Shape;
}

template <typename T>
int64_t WinogradConv<T>::getWeightOffset(int64_t Index) const {
  Strides Own = getStrides(Extents);
  auto Order = getWeightOrder(Axes);
  int64_t Offset = 0;
  for (unsigned I = 3; I-- != 0;) {
    Offset += Index % Axes[I].getNumPlaces() * Own[Order[I]];
    Index /= Axes[I].getNumPlaces();
  }
  return Offset;
}

template <typename T>
void WinogradConv<T>::loadTile(const T *Data, const Place &First,
                               T *Tile) const {
  auto IsInside = [&](unsigned Axis, int64_t At) {
    return At >= 0 && At < G.Axes[Axis].In;
  };
  for (int64_t D = First[0]; D != First[0] + Axes[0].getNumPlaces(); ++D)
    for (int64_t H = First[1]; H != First[1] + Axes[1].getNumPlaces(); ++H)
      for (int64_t W = First[2]; W != First[2] + Axes[2].getNumPlaces(); ++W)
        *Tile++ = IsInside(0, D) && IsInside(1, H) && IsInside(2, W)
                      ? Data[(D * G.Axes[1].In + H) * G.Axes[2].In + W]
                      : 0;
}

template <typename T>
void WinogradConv<T>::storeTile(const T *Tile, const Place &First,
                                T *Out) const {
  for (int64_t D = First[0]; D != First[0] + Axes[0].getTile(); ++D)
    for (int64_t H = First[1]; H != First[1] + Axes[1].getTile(); ++H)
      for (int64_t W = First[2]; W != First[2] + Axes[2].getTile(); ++W, ++Tile)
        if (D < G.Axes[0].Out && H < G.Axes[1].Out && W < G.Axes[2].Out)
          Out[(D * G.Axes[1].Out + H) * G.Axes[2].Out + W] = *Tile;
}

template <typename T>
void WinogradConv<T>::run(const T *Data, const T *Weight, T *Scratch,
                          T *Out) const {
  T *Result = Scratch + Channels * Size, *Room = Result + Size;
  Place First;
  for (First[0] = 0; First[0] < G.Axes[0].Out; First[0] += Axes[0].getTile())
    for (First[1] = 0; First[1] < G.Axes[1].Out; First[1] += Axes[1].getTile())
      for (First[2] = 0; First[2] < G.Axes[2].Out;
           First[2] += Axes[2].getTile()) {
        Place From;
        for (unsigned I = 0; I != 3; ++I)
          From[I] = First[I] - G.Axes[I].Before;
        for (int64_t C = 0; C != Channels; ++C) {
          loadTile(Data + C * G.getNumInputs(), From, Scratch + C * Size);
          transformAxes(Axes, &WinogradAxis::Data, Scratch + C * Size, Room);
        }
        for (int64_t O = 0; O != OutChannels; ++O) {
          for (int64_t I = 0; I != Size; ++I) {
            const T *W =
                Weight + (getWeightOffset(I) * OutChannels + O) * Channels;
            Result[I] = 0;
            for (int64_t C = 0; C != Channels; ++C)
              Result[I] += W[C] * Scratch[C * Size + I];
          }
          transformAxes(Axes, &WinogradAxis::Result, Result, Room);
          storeTile(Result, First, Out + O * G.getNumOutputs());
        }
      }
}

/// data: [N, C, ..] in its layout, weight: transformed as above. Without
/// strides, dilation and groups. Computed in \p Wide, the data type of T.
template <typename AttrsT, typename T>
static LogicalResult evalWinogradIn(KernelCall &Call, const ConvParams &P,
                                    DType Wide) {
  const auto &A = Call.getAttrs<AttrsT>();
  auto Kernel = getInts(Call, A.kernelSize(), "kernel_size");
  auto C = PlainConv::getWithoutWeight(Call, P);
  if (failed(Kernel) || failed(C))
    return failure();
  auto IsOne = [](int64_t Number) { return Number == 1; };
  if (P.Groups != 1 || !llvm::all_of(C->Window.Strides, IsOne) ||
      !llvm::all_of(C->Window.Dilation, IsOne) ||
      Kernel->size() != P.getNumSpatial())
    return Call.emitError("strides, dilation or groups are not 1");
  auto Axes = getWinogradAxes(Call, *Kernel, A.tileSize());
  if (failed(Axes))
    return failure();
  WindowGeometry G =
      C->Window.getGeometry(C->Data.getShape().drop_front(2), *Kernel,
                            ArrayRef(C->Out).drop_front(2));
  int64_t Channels = C->Data.getDim(1), OutChannels = C->Out[1];
  WinogradConv<T> Conv(*Axes, G, Channels, OutChannels);
  if (Call.getInput(1).getShape() !=
      ArrayRef<int64_t>(Conv.getWeightShape(P.getNumSpatial() == 3)))
    return Call.emitError(
        "the weight has the shape " + toString(Call.getInput(1).getShape()) +
        ", not " + toString(Conv.getWeightShape(P.getNumSpatial() == 3)));
  auto Data = castTensor(Call, C->Data, Wide);
  auto Weight = castTensor(Call, Call.getInput(1), Wide);
  auto Scratch = Call.allocate(Wide, {Conv.getScratchSize()});
  auto Out = Call.allocate(Wide, C->Out);
  if (failed(Data) || failed(Weight) || !Scratch || !Out)
    return failure();
  uint64_t Products = llvm::SaturatingMultiply<uint64_t>(
      Call.getInput(1).getNumElements(), G.getNumOutputs());
  if (failed(Call.countWork(C->Out[0], Products)))
    return failure();
  for (int64_t N = 0; N != C->Out[0]; ++N)
    Conv.run(Data->template getElements<T>().data() +
                 N * Channels * G.getNumInputs(),
             Weight->template getElements<T>().data(),
             Scratch->template getMutableElements<T>().data(),
             Out->template getMutableElements<T>().data() +
                 N * OutChannels * G.getNumOutputs());
  auto Sums = castTensor(Call, *Out, getContractDType(Call.getOutputDType()));
  return setConvOutput(Call, std::move(Sums), P.DataAxes, P.getOutLayout());
}

template <typename AttrsT>
static LogicalResult evalWinograd(KernelCall &Call, const ConvParams &P) {
  auto Wide = getWideDType(Call, Call.getOutputDType());
  if (failed(Wide))
    return failure();
  return Wide->isFloat() ? evalWinogradIn<AttrsT, double>(Call, P, *Wide)
                         : evalWinogradIn<AttrsT, uint64_t>(Call, P, *Wide);
}

LogicalResult relay::evalConv2DWinograd(KernelCall &Call) {
  return evalWinograd<Conv2DWinogradAttrs>(
      Call,
      ConvParams::get(Call.getAttrs<Conv2DWinogradAttrs>(), "NCHW", "OIHW"));
}
LogicalResult relay::evalConv3DWinograd(KernelCall &Call) {
  return evalWinograd<Conv3DWinogradAttrs>(
      Call,
      ConvParams::get(Call.getAttrs<Conv3DWinogradAttrs>(), "NCDHW", "OIDHW"));
}

//===- Convolution.cpp - Convolutions of tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Convolution.h. The windows of an image are a matrix, a window a column,
// which is made panel by panel and never as a whole.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Convolution.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static LogicalResult checkInt32s(KernelCall &Call, ArrayRef<int64_t> Values,
                                 StringRef Name) {
  for (int64_t Value : Values)
    if (!llvm::isInt<32>(Value))
      return Call.emitError("attribute '" + Name + "' holds " + Twine(Value) +
                            ", which is out of range");
  return success();
}

FailureOr<WindowAttrs> WindowAttrs::get(KernelCall &Call, unsigned Spatial,
                                        ArrayRef<Dim> Strides,
                                        ArrayRef<Dim> Dilation,
                                        ArrayRef<Dim> Padding) {
  WindowAttrs A;
  auto Read = [&](ArrayRef<Dim> Values, StringRef Name,
                  SmallVectorImpl<int64_t> &To) {
    auto Numbers = getInts(Call, Values, Name);
    if (failed(Numbers) || failed(checkInt32s(Call, *Numbers, Name)))
      return false;
    To.assign(Numbers->begin(), Numbers->end());
    return true;
  };
  if (!Read(Strides, "strides", A.Strides) ||
      !Read(Dilation, "dilation", A.Dilation) ||
      !Read(Padding, "padding", A.Before))
    return failure();
  if (A.Before.size() == 1)
    A.Before.resize(Spatial, A.Before[0]);
  return A;
}

WindowGeometry WindowAttrs::getGeometry(ArrayRef<int64_t> In,
                                        ArrayRef<int64_t> Kernel,
                                        ArrayRef<int64_t> Out) const {
  WindowGeometry G;
  unsigned First = 3 - In.size();
  for (unsigned I = 0; I != In.size(); ++I)
    G.Axes[First + I] = {In[I],       Kernel[I], Out[I], Strides[I],
                         Dilation[I], Before[I], 1};
  return G;
}

//===----------------------------------------------------------------------===//
// Windows as a matrix
//===----------------------------------------------------------------------===//

namespace {
/// The matrix [channels * kernel, windows] of one image and group.
template <typename T> class WindowMatrix {
public:
  WindowMatrix(const WindowGeometry &G, const T *Data) : G(G), Data(Data) {}

  /// See PackPanelFn.
  void pack(int64_t Row, int64_t NumRows, int64_t Column, unsigned NumColumns,
            T *Panel) const;

private:
  static constexpr unsigned Width = PanelWidth<T>;
  using Place = std::array<int64_t, 3>;

  /// Where the windows of a panel begin.
  struct Panel {
    std::array<std::array<int64_t, 3>, Width> First;
    std::array<int64_t, Width> Offsets; ///< in an image, without spread
    Place Least, Greatest;
    unsigned NumColumns;
    bool IsContiguous;
  };

  /// \p Index as a place of the axes' field \p Extent.
  Place getPlace(int64_t Index, int64_t WindowGeometry::Axis::*Extent) const;
  Panel getPanel(int64_t Column, unsigned NumColumns) const;
  bool isInside(const Panel &P, const Place &Shift) const;
  void packInside(const Panel &P, const T *Image, const Place &Shift,
                  T *Row) const;
  void packAnywhere(const Panel &P, const T *Image, const Place &Shift,
                    T *Row) const;
  int64_t getOffset(const Place &At) const {
    return (At[0] * G.Axes[1].In + At[1]) * G.Axes[2].In + At[2];
  }

  const WindowGeometry &G;
  const T *Data;
};
} // namespace

template <typename T>
typename WindowMatrix<T>::Place
WindowMatrix<T>::getPlace(int64_t Index,
                          int64_t WindowGeometry::Axis::*Extent) const {
  Place At;
  for (unsigned I = 3; I-- != 0;) {
    At[I] = Index % (G.Axes[I].*Extent);
    Index /= G.Axes[I].*Extent;
  }
  return At;
}

template <typename T>
typename WindowMatrix<T>::Panel
WindowMatrix<T>::getPanel(int64_t Column, unsigned NumColumns) const {
  Panel P;
  P.NumColumns = NumColumns;
  P.IsContiguous = true;
  for (unsigned J = 0; J != NumColumns; ++J) {
    P.First[J] = getPlace(Column + J, &WindowGeometry::Axis::Out);
    for (unsigned I = 0; I != 3; ++I) {
      P.First[J][I] = P.First[J][I] * G.Axes[I].Stride - G.Axes[I].Before;
      P.Least[I] = J ? std::min(P.Least[I], P.First[J][I]) : P.First[J][I];
      P.Greatest[I] =
          J ? std::max(P.Greatest[I], P.First[J][I]) : P.First[J][I];
    }
    P.Offsets[J] = getOffset(P.First[J]);
    P.IsContiguous &= P.Offsets[J] == P.Offsets[0] + J;
  }
  return P;
}

/// Whether no window of the panel reads beyond the data or between it.
template <typename T>
bool WindowMatrix<T>::isInside(const Panel &P, const Place &Shift) const {
  for (unsigned I = 0; I != 3; ++I)
    if (P.Least[I] + Shift[I] < 0 || P.Greatest[I] + Shift[I] >= G.Axes[I].In ||
        G.Axes[I].Spread != 1)
      return false;
  return true;
}

template <typename T>
void WindowMatrix<T>::packInside(const Panel &P, const T *Image,
                                 const Place &Shift, T *Row) const {
  const T *From = Image + getOffset(Shift);
  if (P.IsContiguous) {
    std::copy_n(From + P.Offsets[0], P.NumColumns, Row);
    return;
  }
  for (unsigned J = 0; J != P.NumColumns; ++J)
    Row[J] = From[P.Offsets[J]];
}

template <typename T>
void WindowMatrix<T>::packAnywhere(const Panel &P, const T *Image,
                                   const Place &Shift, T *Row) const {
  for (unsigned J = 0; J != P.NumColumns; ++J) {
    Place At;
    bool IsData = true;
    for (unsigned I = 0; I != 3; ++I) {
      At[I] = P.First[J][I] + Shift[I];
      if (G.Axes[I].Spread != 1) {
        IsData &= At[I] % G.Axes[I].Spread == 0;
        At[I] /= G.Axes[I].Spread;
      }
      IsData &= At[I] >= 0 && At[I] < G.Axes[I].In;
    }
    Row[J] = IsData ? Image[getOffset(At)] : T(0);
  }
}

template <typename T>
void WindowMatrix<T>::pack(int64_t Row, int64_t NumRows, int64_t Column,
                           unsigned NumColumns, T *To) const {
  if (NumRows == 0)
    return;
  Panel P = getPanel(Column, NumColumns);
  int64_t KernelSize = G.getKernelSize();
  const T *Image = Data + Row / KernelSize * G.getNumInputs();
  Place At = getPlace(Row % KernelSize, &WindowGeometry::Axis::Kernel);
  for (int64_t I = 0; I != NumRows; ++I, To += Width) {
    Place Shift;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      Shift[Axis] = At[Axis] * G.Axes[Axis].Dilation;
    if (isInside(P, Shift))
      packInside(P, Image, Shift, To);
    else
      packAnywhere(P, Image, Shift, To);
    // The next place of the kernel, or the first one in the next channel.
    unsigned Axis = 3;
    while (Axis != 0 && ++At[Axis - 1] == G.Axes[Axis - 1].Kernel)
      At[--Axis] = 0;
    if (Axis == 0)
      Image += G.getNumInputs();
  }
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Fills \p Out; channels fit.
template <typename T>
static LogicalResult convolveElements(KernelCall &Call, const WindowGeometry &G,
                                      int64_t Groups, const Tensor &Data,
                                      const Tensor &Weight, Tensor &Out) {
  int64_t GroupIn = Weight.getDim(1), GroupOut = Weight.getDim(0) / Groups;
  int64_t Depth = GroupIn * G.getKernelSize(), Columns = G.getNumOutputs();
  auto Left =
      PackedMatrix<T>::get(Call, {Weight.getElements<T>().data(), Groups,
                                  GroupOut, Depth, GroupOut * Depth, Depth, 1});
  if (failed(Left))
    return failure();
  const T *In = Data.getElements<T>().data();
  T *To = Out.getMutableElements<T>().data();
  int64_t Blocks = llvm::divideCeil(Columns, BlockWidth<T>);
  int64_t NumMatrices = Data.getDim(0) * Groups;
  Call.parallelFor(
      NumMatrices * Blocks, GroupOut * Depth * BlockWidth<T>,
      [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t Matrix = I / Blocks, Column = I % Blocks * BlockWidth<T>;
          WindowMatrix<T> Windows(G, In + Matrix * GroupIn * G.getNumInputs());
          multiplyColumns<T>(
              *Left, Matrix % Groups,
              [&](int64_t Row, int64_t NumRows, int64_t First, unsigned Count,
                  T *Panel) {
                Windows.pack(Row, NumRows, First, Count, Panel);
              },
              Column, std::min(BlockWidth<T>, Columns - Column),
              To + Matrix * GroupOut * Columns, Columns);
        }
      });
  return success();
}

FailureOr<Tensor> relay::convolve(KernelCall &Call, const WindowGeometry &G,
                                  int64_t Groups, const Tensor &Data,
                                  const Tensor &Weight,
                                  ArrayRef<int64_t> Shape) {
  if (Groups <= 0 || Weight.getDim(1) * Groups != Data.getDim(1) ||
      Weight.getDim(0) % Groups != 0 || Weight.getDim(0) != Shape[1])
    return Call.emitError(
        "data of " + Twine(Data.getDim(1)) + " channels and a weight of " +
        Twine(Weight.getDim(0)) + " by " + Twine(Weight.getDim(1)) +
        " do not fit for " + Twine(Groups) + " groups");
  std::optional<Tensor> Out = Call.allocate(Data.getDType(), Shape);
  if (!Out)
    return failure();
  if (Out->getNumElements() == 0)
    return std::move(*Out);
  LogicalResult Done =
      dispatchContraction(Call, Data.getDType(), [&](auto Zero) {
        return convolveElements<decltype(Zero)>(Call, G, Groups, Data, Weight,
                                                *Out);
      });
  if (failed(Done))
    return failure();
  return std::move(*Out);
}

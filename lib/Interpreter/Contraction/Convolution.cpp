//===- Convolution.cpp - Convolutions of tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Convolution.h. The windows of an image form a matrix with one window per
// column, which is created panel by panel.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Convolution.h"
#include "llvm/Support/MathExtras.h"

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

FailureOr<SmallVector<int64_t, 6>> relay::getPoolInts(KernelCall &Call,
                                                      ArrayRef<Dim> Values,
                                                      unsigned Count,
                                                      StringRef Name) {
  auto Numbers = getInts(Call, Values, Name);
  if (failed(Numbers) || failed(checkInt32s(Call, *Numbers, Name)))
    return failure();
  if (Numbers->size() < Count)
    return Call.emitError("attribute '" + Name + "' has fewer numbers than " +
                          Twine(Count));
  return SmallVector<int64_t, 6>(Numbers->begin(), Numbers->end());
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
/// The matrix [channels * kernel, windows] of an image and group.
template <typename T> class WindowMatrix {
public:
  WindowMatrix(const WindowGeometry &G, const T *Data) : G(G), Data(Data) {}

  /// See PackPanelFn.
  void pack(int64_t Row, int64_t NumRows, int64_t Column, unsigned NumColumns,
            T *Panel) const;

private:
  static constexpr unsigned Width = PanelWidth<T>;
  using Place = std::array<int64_t, 3>;

  /// The first positions of the windows of a panel.
  struct Panel {
    std::array<Place, Width> First;
    std::array<int64_t, Width> Offsets; ///< in an image, ignoring spread
    Place Least, Greatest;
    unsigned NumColumns;
    bool IsRun; ///< a full panel of adjacent columns

    /// Copies a panel in which all columns read data.
    void copy(const T *Image, T *Row) const;
  };
  /// The columns of a panel that read data for a position of the kernel; the
  /// others read zeros.
  struct Reads {
    std::array<int64_t, Width> Offsets; ///< in an image
    std::array<unsigned, Width> Columns;
    unsigned Count = 0;

    void copy(const T *Image, T *Row) const;
  };

  /// Returns \p Index as a position on the axes' field \p Extent.
  Place getPlace(int64_t Index, int64_t WindowGeometry::Axis::*Extent) const;
  Panel getPanel(int64_t Column, unsigned NumColumns) const;
  bool isInside(const Panel &P, const Place &Shift) const;
  Reads getReads(const Panel &P, const Place &Shift) const;
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
  P.IsRun = NumColumns == Width;
  Place At = getPlace(Column, &WindowGeometry::Axis::Out);
  for (unsigned J = 0; J != NumColumns; ++J) {
    for (unsigned I = 0; I != 3; ++I) {
      int64_t First = At[I] * G.Axes[I].Stride - G.Axes[I].Before;
      P.First[J][I] = First;
      P.Least[I] = J ? std::min(P.Least[I], First) : First;
      P.Greatest[I] = J ? std::max(P.Greatest[I], First) : First;
    }
    P.Offsets[J] = getOffset(P.First[J]);
    P.IsRun &= P.Offsets[J] == P.Offsets[0] + J;
    for (unsigned I = 3; I-- != 0 && ++At[I] == G.Axes[I].Out;)
      At[I] = 0;
  }
  return P;
}

/// Returns true if no window of the panel reads outside of the data or between
/// its elements.
template <typename T>
bool WindowMatrix<T>::isInside(const Panel &P, const Place &Shift) const {
  for (unsigned I = 0; I != 3; ++I)
    if (P.Least[I] + Shift[I] < 0 || P.Greatest[I] + Shift[I] >= G.Axes[I].In ||
        G.Axes[I].Spread != 1)
      return false;
  return true;
}

template <typename T>
typename WindowMatrix<T>::Reads
WindowMatrix<T>::getReads(const Panel &P, const Place &Shift) const {
  Reads R;
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
    R.Columns[R.Count] = J;
    R.Offsets[R.Count] = getOffset(At);
    R.Count += IsData;
  }
  return R;
}

template <typename T>
void WindowMatrix<T>::Panel::copy(const T *Image, T *Row) const {
  if (IsRun)
    std::copy_n(Image + Offsets[0], Width, Row);
  else if (NumColumns == Width) // unrolled
    for (unsigned J = 0; J != Width; ++J)
      Row[J] = Image[Offsets[J]];
  else
    for (unsigned J = 0; J != NumColumns; ++J)
      Row[J] = Image[Offsets[J]];
}

template <typename T>
void WindowMatrix<T>::Reads::copy(const T *Image, T *Row) const {
  std::fill_n(Row, Width, T(0));
  for (unsigned I = 0; I != Count; ++I)
    Row[Columns[I]] = Image[Offsets[I]];
}

// Rows of the same position of the kernel, one per channel, read the same
// positions of their images.
template <typename T>
void WindowMatrix<T>::pack(int64_t Row, int64_t NumRows, int64_t Column,
                           unsigned NumColumns, T *To) const {
  Panel P = getPanel(Column, NumColumns);
  int64_t KernelSize = G.getKernelSize(), ImageSize = G.getNumInputs();
  for (int64_t First = 0; First != std::min(KernelSize, NumRows); ++First) {
    Place Shift =
        getPlace((Row + First) % KernelSize, &WindowGeometry::Axis::Kernel);
    for (unsigned I = 0; I != 3; ++I)
      Shift[I] *= G.Axes[I].Dilation;
    const T *Image = Data + (Row + First) / KernelSize * ImageSize;
    auto CopyAll = [&](auto &&From, int64_t Offset) {
      for (int64_t I = First; I < NumRows; I += KernelSize, Offset += ImageSize)
        From.copy(Image + Offset, To + I * Width);
    };
    if (isInside(P, Shift))
      CopyAll(P, getOffset(Shift));
    else
      CopyAll(getReads(P, Shift), 0);
  }
}

//===----------------------------------------------------------------------===//
// Convolution of one channel by one
//===----------------------------------------------------------------------===//

namespace {
/// Computes one channel of the result that depends on one channel of the data,
/// row by row, in the order of the kernel's positions.
template <typename T> class ChannelConvolution {
public:
  ChannelConvolution(const WindowGeometry &G, const T *Data, const T *Weight)
      : G(G), Data(Data), Weight(Weight) {}
  void compute(T *Out) const;

private:
  /// Adds \p Factor times the data at \p In, which a row of the result reads at
  /// position \p Shift of the kernel; null for padding.
  void addRow(T Factor, const T *In, int64_t Shift, T *Out) const;
  /// Returns the row of data that row (Z, Y) of the result reads at position
  /// (KZ, KY) of the kernel; null for padding.
  const T *getRow(int64_t Z, int64_t Y, int64_t KZ, int64_t KY) const;

  const WindowGeometry &G;
  const T *Data, *Weight;
};
} // namespace

/// Out[I] += Factor * In[I * Step] for I below \p Count.
template <typename T>
static void addProducts(T Factor, const T *In, int64_t Step, int64_t Count,
                        T *Out) {
  if (Step == 1)
    for (int64_t I = 0; I < Count; ++I)
      Out[I] += Factor * In[I];
  else
    for (int64_t I = 0; I < Count; ++I)
      Out[I] += Factor * In[I * Step];
}

template <typename T>
void ChannelConvolution<T>::addRow(T Factor, const T *In, int64_t Shift,
                                   T *Out) const {
  const WindowGeometry::Axis &A = G.Axes[2];
  // Positions [Begin, End) of the result read data, the others padding.
  int64_t First = Shift * A.Dilation - A.Before;
  auto CountBelow = [&](int64_t Limit) {
    return Limit <= First ? 0
                          : std::min(A.Out, (Limit - First - 1) / A.Stride + 1);
  };
  int64_t Begin = In ? CountBelow(0) : A.Out, End = In ? CountBelow(A.In) : 0;
  if (Begin < End)
    addProducts(Factor, In + First + Begin * A.Stride, A.Stride, End - Begin,
                Out + Begin);
  // Adding zeros has no effect, but adding NaN does.
  if (Factor * T(0) == T(0))
    return;
  for (int64_t I = 0; I != A.Out; ++I)
    if (I < Begin || I >= End)
      Out[I] += Factor * T(0);
}

template <typename T>
const T *ChannelConvolution<T>::getRow(int64_t Z, int64_t Y, int64_t KZ,
                                       int64_t KY) const {
  auto Get = [](const WindowGeometry::Axis &A, int64_t Out, int64_t Kernel) {
    return Out * A.Stride - A.Before + Kernel * A.Dilation;
  };
  int64_t InZ = Get(G.Axes[0], Z, KZ), InY = Get(G.Axes[1], Y, KY);
  bool IsData =
      InZ >= 0 && InZ < G.Axes[0].In && InY >= 0 && InY < G.Axes[1].In;
  return IsData ? Data + (InZ * G.Axes[1].In + InY) * G.Axes[2].In : nullptr;
}

template <typename T> void ChannelConvolution<T>::compute(T *Out) const {
  auto &[Z, Y, X] = G.Axes;
  for (int64_t Row = 0; Row != Z.Out * Y.Out; ++Row, Out += X.Out) {
    std::fill_n(Out, X.Out, T(0));
    const T *Factor = Weight;
    for (int64_t KZ = 0; KZ != Z.Kernel; ++KZ)
      for (int64_t KY = 0; KY != Y.Kernel; ++KY) {
        const T *In = getRow(Row / Y.Out, Row % Y.Out, KZ, KY);
        for (int64_t KX = 0; KX != X.Kernel; ++KX)
          addRow(*Factor++, In, KX, Out);
      }
  }
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static bool hasSpread(const WindowGeometry &G) {
  return llvm::any_of(
      G.Axes, [](const WindowGeometry::Axis &A) { return A.Spread != 1; });
}

/// Fills \p Out, which is not empty; the channels are compatible.
template <typename T>
static LogicalResult convolveElements(const KernelCall &Call,
                                      const WindowGeometry &G, int64_t Groups,
                                      const Tensor &Data, const Tensor &Weight,
                                      Tensor &Out) {
  int64_t GroupIn = Weight.getDim(1), GroupOut = Weight.getDim(0) / Groups;
  int64_t Depth = GroupIn * G.getKernelSize(), Columns = G.getNumOutputs();
  int64_t NumProducts = Data.getDim(0) * Groups;
  const T *In = Data.getElements<T>().data();
  const T *Factors = Weight.getElements<T>().data();
  T *To = Out.getMutableElements<T>().data();
  if (GroupIn == 1 && GroupOut == 1 && !hasSpread(G))
    return Call.limitedFor(
        NumProducts, llvm::SaturatingMultiply<uint64_t>(Depth, Columns),
        [&](int64_t Begin, int64_t End) {
          for (int64_t I = Begin; I != End; ++I)
            ChannelConvolution<T>(G, In + I * G.getNumInputs(),
                                  Factors + I % Groups * Depth)
                .compute(To + I * Columns);
        });
  auto Pack = [&](int64_t Product, int64_t Row, int64_t NumRows, int64_t Column,
                  unsigned NumColumns, T *Panel) {
    WindowMatrix<T>(G, In + Product * GroupIn * G.getNumInputs())
        .pack(Row, NumRows, Column, NumColumns, Panel);
  };
  return MatrixProducts<T>{NumProducts,
                           GroupOut,
                           Depth,
                           Columns,
                           {Factors, Groups, GroupOut * Depth, Depth, 1},
                           Pack,
                           To}
      .compute(Call);
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

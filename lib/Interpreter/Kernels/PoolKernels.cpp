//===- PoolKernels.cpp - Kernels of Ops/Pool.td ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maxima and means of windows, and their gradients. Spatial axes are found by
// the layout, and all other axes are kept, so that any layout is computed in
// place. NaN is greater than the elements before it and less than those after
// it, as in TVM; an empty window yields the minimum of the type.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Convolution.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/Pool.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// The positions [Begin, End) of an axis, Step apart, that a window reads.
struct WindowSpan {
  int64_t Begin = 0, End = 1, Step = 1;
  /// The number of positions that count in a mean; with padding more than are
  /// read.
  int64_t Count = 1;
};

/// The windows along a spatial axis, a span for each position of the result.
struct SpatialAxis {
  unsigned Position; ///< among the axes of data
  Tensor Storage;    ///< of the spans
  MutableArrayRef<WindowSpan> Spans;

  /// Allocates \p Count spans; reports an error if the memory is insufficient.
  LogicalResult allocateSpans(KernelCall &Call, int64_t Count);
  /// Returns the maximum number of positions that a window reads, at least 1.
  uint64_t getMostPlaces() const {
    int64_t Most = 1;
    for (const WindowSpan &S : Spans)
      Most = std::max(Most, (S.End - S.Begin) / S.Step);
    return Most;
  }
};

/// The elements that pooling reads for each element of the result: \c Axes in
/// the order in which windows are read.
struct PoolWindows {
  TensorShape In, Out;
  Strides InSteps;
  SmallVector<SpatialAxis, 3> Axes;

  /// A window, always with three axes.
  struct Window {
    int64_t Offset; ///< of position 0 of each spatial axis
    WindowSpan Spans[3];
    int64_t Steps[3];

    int64_t getCount() const {
      return Spans[0].Count * Spans[1].Count * Spans[2].Count;
    }
    /// Calls \p Visit with the offset of each position in row-major order.
    template <typename Fn> void forEach(Fn &&Visit) const {
      for (int64_t Z = Spans[0].Begin; Z < Spans[0].End; Z += Spans[0].Step)
        for (int64_t Y = Spans[1].Begin; Y < Spans[1].End; Y += Spans[1].Step)
          for (int64_t X = Spans[2].Begin; X < Spans[2].End; X += Spans[2].Step)
            Visit(Offset + Z * Steps[0] + Y * Steps[1] + X * Steps[2]);
    }
  };
  /// Returns the window of element \p Index of the result.
  Window getWindow(int64_t Index) const;
  /// Calls \p Visit with each index of the result in [\p Begin, \p End) and its
  /// window.
  template <typename Fn>
  void forEach(int64_t Begin, int64_t End, Fn &&Visit) const;
  /// Returns the approximate number of operations per window.
  uint64_t getCost() const;
};
} // namespace

LogicalResult SpatialAxis::allocateSpans(KernelCall &Call, int64_t Count) {
  auto Bytes =
      Call.allocate(DType::getUInt(8), {Count, int64_t(sizeof(WindowSpan))});
  if (!Bytes)
    return failure();
  Storage = std::move(*Bytes);
  Spans = MutableArrayRef(
      reinterpret_cast<WindowSpan *>(Storage.getMutableBytes().data()),
      size_t(Count));
  return success();
}

PoolWindows::Window PoolWindows::getWindow(int64_t Index) const {
  Window W{0, {}, {0, 0, 0}};
  unsigned First = 3 - Axes.size();
  for (unsigned I = Out.size(); I-- != 0;) {
    int64_t At = Index % Out[I];
    Index /= Out[I];
    auto *Spatial = llvm::find_if(
        Axes, [&](const SpatialAxis &A) { return A.Position == I; });
    if (Spatial == Axes.end()) {
      W.Offset += At * InSteps[I];
      continue;
    }
    unsigned Axis = First + unsigned(Spatial - Axes.begin());
    W.Spans[Axis] = Spatial->Spans[At];
    W.Steps[Axis] = InSteps[I];
  }
  return W;
}

template <typename Fn>
void PoolWindows::forEach(int64_t Begin, int64_t End, Fn &&Visit) const {
  unsigned Last = Out.size() - 1;
  bool IsSpatial = llvm::any_of(
      Axes, [&](const SpatialAxis &A) { return A.Position == Last; });
  // Between positions on the last axis either the innermost span or the offset
  // changes; if another spatial axis comes last, everything is recomputed.
  bool IsInnermost = IsSpatial && Axes.back().Position == Last;
  if (IsSpatial && !IsInnermost) {
    for (int64_t I = Begin; I != End; ++I)
      Visit(I, getWindow(I));
    return;
  }
  while (Begin != End) {
    int64_t Place = Begin % Out[Last];
    int64_t RowEnd = std::min(End, Begin + Out[Last] - Place);
    for (Window W = getWindow(Begin); Begin != RowEnd; ++Begin) {
      if (IsInnermost)
        W.Spans[2] = Axes.back().Spans[Place++];
      Visit(Begin, W);
      if (!IsInnermost)
        W.Offset += InSteps[Last];
    }
  }
}

uint64_t PoolWindows::getCost() const {
  uint64_t Cost = 8;
  for (const SpatialAxis &A : Axes)
    Cost *= A.getMostPlaces();
  return Cost;
}

/// Returns windows over the axes \p Names of data in the layout \p Text, for
/// the shape of the output, with allocated spans.
static FailureOr<PoolWindows> getWindows(KernelCall &Call, const Tensor &Data,
                                         ArrayRef<int64_t> Out, StringRef Text,
                                         StringRef Names) {
  PoolWindows W;
  W.In.assign(Data.getShape().begin(), Data.getShape().end());
  W.Out.assign(Out.begin(), Out.end());
  W.InSteps = getStrides(W.In);
  std::optional<Layout> L = Layout::parse(Text);
  for (char Name : Names) {
    int Position = L ? L->indexOf(Name) : -1;
    if (Position < 0 || unsigned(Position) >= Data.getRank())
      return Call.emitError("a tensor of rank " + Twine(Data.getRank()) +
                            " does not have the layout '" + Text + "'");
    W.Axes.push_back({unsigned(Position), {}, {}});
    if (failed(W.Axes.back().allocateSpans(Call, Out[Position])))
      return failure();
  }
  return W;
}

namespace {
/// The attributes that windows of a given size use.
struct PoolParams {
  StringRef Axes; ///< `HW`
  StringRef Layout;
  ArrayRef<Dim> PoolSize, Strides, Dilation, Padding;
  bool CountIncludePad = false;

  template <typename AttrsT>
  static PoolParams get(const AttrsT &A, StringRef Axes) {
    return {Axes,        A.layout(),   A.poolSize(),
            A.strides(), A.dilation(), A.padding()};
  }
  template <typename AttrsT>
  static PoolParams getAvg(const AttrsT &A, StringRef Axes) {
    PoolParams P = get(A, Axes);
    P.CountIncludePad = A.countIncludePad();
    return P;
  }
};
} // namespace

/// Returns the span of window \p I: the elements that it reads, and the number
/// of positions that it counts. With \p CountIncludePad that includes padding,
/// but not the positions added at the end by `ceil_mode`.
static WindowSpan getWindowSpan(const WindowGeometry::Axis &A, int64_t I,
                                int64_t After, bool CountIncludePad) {
  int64_t Begin = I * A.Stride - A.Before;
  auto CountBelow = [&](int64_t Limit) { // positions of the window below it
    return Limit <= Begin
               ? 0
               : std::min(A.Kernel, (Limit - Begin - 1) / A.Dilation + 1);
  };
  int64_t Outside = CountBelow(0), Inside = CountBelow(A.In) - Outside;
  WindowSpan S{Begin + Outside * A.Dilation, 0, A.Dilation, Inside};
  S.End = S.Begin + Inside * A.Dilation;
  if (CountIncludePad) { // as TVM counts, beyond the padding too
    int64_t End =
        std::min(Begin + (A.Kernel - 1) * A.Dilation + 1, A.In + After);
    S.Count = (End - Begin - 1) / A.Dilation + 1;
  }
  return S;
}

/// Returns windows of a given size over \p Data for the shape \p Out; reports
/// invalid sizes.
static FailureOr<PoolWindows> getSizedWindows(KernelCall &Call,
                                              const Tensor &Data,
                                              ArrayRef<int64_t> Out,
                                              const PoolParams &P) {
  unsigned Spatial = P.Axes.size();
  auto Size = getPoolInts(Call, P.PoolSize, Spatial, "pool_size");
  if (failed(Size) ||
      failed(getPoolInts(Call, P.Strides, Spatial, "strides")) ||
      failed(getPoolInts(Call, P.Dilation, Spatial, "dilation")))
    return failure();
  auto A = WindowAttrs::get(Call, Spatial, P.Strides, P.Dilation, P.Padding);
  auto W = getWindows(Call, Data, Out, P.Layout, P.Axes);
  if (failed(W) || failed(A))
    return failure();
  if (A->Before.size() < Spatial)
    return Call.emitError("attribute 'padding' has fewer numbers than " +
                          Twine(Spatial));
  for (unsigned I = 0; I != Spatial; ++I) {
    if ((*Size)[I] <= 0 || A->Dilation[I] <= 0 || A->Strides[I] <= 0)
      return Call.emitError(
          "'pool_size', 'strides' or 'dilation' is not positive");
    unsigned Position = W->Axes[I].Position;
    WindowGeometry::Axis Axis{W->In[Position], (*Size)[I],     W->Out[Position],
                              A->Strides[I],   A->Dilation[I], A->Before[I]};
    bool HasAfter = A->Before.size() == 2 * Spatial;
    int64_t After = A->Before[HasAfter ? I + Spatial : I];
    for (int64_t J = 0; J != Axis.Out; ++J)
      W->Axes[I].Spans[J] = getWindowSpan(Axis, J, After, P.CountIncludePad);
  }
  return W;
}

/// Returns windows that cover all of data, one for each position of the output.
static FailureOr<PoolWindows>
getAdaptiveWindows(KernelCall &Call, StringRef Text, StringRef Names) {
  auto W =
      getWindows(Call, Call.getInput(0), Call.getOutputShape(), Text, Names);
  if (failed(W))
    return failure();
  for (SpatialAxis &A : W->Axes) {
    int64_t In = W->In[A.Position], Out = W->Out[A.Position];
    for (int64_t I = 0; I != Out; ++I) {
      int64_t Begin = I * In / Out, End = ((I + 1) * In + Out - 1) / Out;
      A.Spans[I] = {Begin, End, 1, End - Begin};
    }
  }
  return W;
}

//===----------------------------------------------------------------------===//
// Maxima and means
//===----------------------------------------------------------------------===//

/// Fills the output, with numbers N, by \p Reduce, which takes a window.
template <typename N, typename Fn>
static LogicalResult mapWindows(KernelCall &Call, const PoolWindows &W,
                                Fn &&Reduce) {
  ElementWriter<N> Out(Call.getOutputTensor());
  auto ReduceAll = [&](int64_t Begin, int64_t End) {
    W.forEach(Begin, End, [&](int64_t I, const PoolWindows::Window &At) {
      N Result = Reduce(At);
      if (N *Place = Out.getPlace(I, nullptr))
        *Place = Result;
      else
        Out.write(I, 1, &Result);
    });
  };
  return Call.limitedFor(Call.getOutputTensor().getNumElements(), W.getCost(),
                         ReduceAll);
}

/// Calls \p F with a zero of the type of computations of operand 0, and with
/// its elements: the loops of float32, which dominate in networks, read them
/// directly, and other floats are converted to double.
template <typename Fn>
static LogicalResult dispatchPooled(KernelCall &Call, Fn &&F) {
  const Tensor &Data = Call.getInput(0);
  DType T = Data.getDType();
  if (T.isFloat(32))
    return F(float(), Data.getElements<float>().data());
  if (getNumberType(T).isFloat())
    return F(double(), ElementReader<double>(Data));
  if (T.isInt())
    return F(int64_t(), ElementReader<int64_t>(Data));
  return F(uint64_t(), ElementReader<uint64_t>(Data));
}

static LogicalResult maxPool(KernelCall &Call, FailureOr<PoolWindows> W) {
  if (failed(W))
    return failure();
  DType T = Call.getOutputDType();
  return dispatchPooled(Call, [&](auto Zero, auto Data) {
    using N = decltype(Zero);
    return mapWindows<N>(Call, *W, [&](const PoolWindows::Window &At) {
      N Greatest = getLeastFinite<N>(T);
      At.forEach([&](int64_t I) {
        N X = Data[I];
        Greatest = Greatest > X ? Greatest : X;
      });
      return Greatest;
    });
  });
}

/// Returns the mean of \p Count elements of a window. Integers are summed in
/// their own type, and divided rounding towards zero.
template <typename N, typename Elements>
static N getMean(const Elements &Data, const PoolWindows::Window &At,
                 int64_t Count, const ElementRounding<double> &RoundSum,
                 const ElementRounding<N> &Round) {
  if constexpr (std::is_integral_v<N>) {
    uint64_t Sum = 0;
    At.forEach([&](int64_t I) { Sum += uint64_t(Data[I]); });
    return Round(N(Sum)) / N(Count);
  } else {
    double Sum = 0;
    At.forEach([&](int64_t I) { Sum = RoundSum(Sum + double(Data[I])); });
    return N(RoundSum(Sum / double(Count)));
  }
}

/// The mean of an empty window is 0, and NaN for floats if padding counts, as
/// in TVM.
static LogicalResult averagePool(KernelCall &Call, FailureOr<PoolWindows> W,
                                 bool CountIncludePad = false) {
  if (failed(W))
    return failure();
  DType T = Call.getOutputDType();
  bool MayBeEmpty = CountIncludePad && getNumberType(T).isFloat();
  ElementRounding<double> RoundSum(getSumType(T));
  return dispatchPooled(Call, [&](auto Zero, auto Data) {
    using N = decltype(Zero);
    ElementRounding<N> Round(T);
    return mapWindows<N>(Call, *W, [&](const PoolWindows::Window &At) {
      int64_t Count = std::max<int64_t>(At.getCount(), MayBeEmpty ? 0 : 1);
      return getMean<N>(Data, At, Count, RoundSum, Round);
    });
  });
}

/// Reports an error unless the shape of the output is known.
static LogicalResult checkOutput(KernelCall &Call) {
  if (Call.hasOutputShape())
    return success();
  return Call.emitError("the shape of the result is not known");
}

static LogicalResult evalMaxOf(KernelCall &Call, const PoolParams &P) {
  if (failed(checkOutput(Call)))
    return failure();
  return maxPool(
      Call, getSizedWindows(Call, Call.getInput(0), Call.getOutputShape(), P));
}
static LogicalResult evalMeanOf(KernelCall &Call, const PoolParams &P) {
  if (failed(checkOutput(Call)))
    return failure();
  return averagePool(
      Call, getSizedWindows(Call, Call.getInput(0), Call.getOutputShape(), P),
      P.CountIncludePad);
}

LogicalResult relay::evalMaxPool1D(KernelCall &Call) {
  return evalMaxOf(Call, PoolParams::get(Call.getAttrs<MaxPool1DAttrs>(), "W"));
}
LogicalResult relay::evalMaxPool2D(KernelCall &Call) {
  return evalMaxOf(Call,
                   PoolParams::get(Call.getAttrs<MaxPool2DAttrs>(), "HW"));
}
LogicalResult relay::evalMaxPool3D(KernelCall &Call) {
  return evalMaxOf(Call,
                   PoolParams::get(Call.getAttrs<MaxPool3DAttrs>(), "DHW"));
}
LogicalResult relay::evalAvgPool1D(KernelCall &Call) {
  return evalMeanOf(Call,
                    PoolParams::getAvg(Call.getAttrs<AvgPool1DAttrs>(), "W"));
}
LogicalResult relay::evalAvgPool2D(KernelCall &Call) {
  return evalMeanOf(Call,
                    PoolParams::getAvg(Call.getAttrs<AvgPool2DAttrs>(), "HW"));
}
LogicalResult relay::evalAvgPool3D(KernelCall &Call) {
  return evalMeanOf(Call,
                    PoolParams::getAvg(Call.getAttrs<AvgPool3DAttrs>(), "DHW"));
}

/// The windows of an adaptive or global pool over \p Axes.
template <typename AttrsT>
static auto getWindowsByLayout(KernelCall &Call, StringRef Axes) {
  return getAdaptiveWindows(Call, Call.getAttrs<AttrsT>().layout(), Axes);
}

LogicalResult relay::evalGlobalAvgPool2D(KernelCall &Call) {
  return averagePool(Call, getWindowsByLayout<GlobalPool2DAttrs>(Call, "HW"));
}
LogicalResult relay::evalGlobalMaxPool2D(KernelCall &Call) {
  return maxPool(Call, getWindowsByLayout<GlobalPool2DAttrs>(Call, "HW"));
}
LogicalResult relay::evalAdaptiveAvgPool1D(KernelCall &Call) {
  return averagePool(Call, getWindowsByLayout<AdaptivePool1DAttrs>(Call, "W"));
}
LogicalResult relay::evalAdaptiveAvgPool2D(KernelCall &Call) {
  return averagePool(Call, getWindowsByLayout<AdaptivePool2DAttrs>(Call, "HW"));
}
LogicalResult relay::evalAdaptiveAvgPool3D(KernelCall &Call) {
  return averagePool(Call,
                     getWindowsByLayout<AdaptivePool3DAttrs>(Call, "DHW"));
}
LogicalResult relay::evalAdaptiveMaxPool1D(KernelCall &Call) {
  return maxPool(Call, getWindowsByLayout<AdaptivePool1DAttrs>(Call, "W"));
}
LogicalResult relay::evalAdaptiveMaxPool2D(KernelCall &Call) {
  return maxPool(Call, getWindowsByLayout<AdaptivePool2DAttrs>(Call, "HW"));
}
LogicalResult relay::evalAdaptiveMaxPool3D(KernelCall &Call) {
  return maxPool(Call, getWindowsByLayout<AdaptivePool3DAttrs>(Call, "DHW"));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// grad: the shape of the pool's result, data: its operand -> the shape of
/// data. \p Spread takes the sums so far, data, a window, and its grad, and
/// adds the contribution of the grad to each position.
template <typename Fn>
static LogicalResult evalGradient(KernelCall &Call, const PoolParams &P,
                                  Fn &&Spread) {
  const Tensor &Grad = Call.getInput(0), &Data = Call.getInput(1);
  if (Grad.getRank() != Data.getRank() || Grad.getDType() != Data.getDType())
    return Call.emitError("grad and data differ in rank or type");
  auto W = getSizedWindows(Call, Data, Grad.getShape(), P);
  if (failed(W))
    return failure();
  for (unsigned I = 0; I != Data.getRank(); ++I)
    if (llvm::none_of(W->Axes,
                      [&](const SpatialAxis &A) { return A.Position == I; }) &&
        Grad.getDim(I) != Data.getDim(I))
      return Call.emitError("grad and data differ on axis " + Twine(I));
  if (failed(Call.countWork(Grad.getNumElements(), W->getCost())))
    return failure();
  return dispatchFloatNumbers(Call, Data.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    std::optional<Tensor> Sums =
        Call.allocate(getNumberType(Data.getDType()), Data.getShape());
    if (!Sums)
      return LogicalResult::failure();
    MutableArrayRef<N> To = Sums->getMutableElements<N>();
    std::fill(To.begin(), To.end(), 0);
    ElementReader<N> In(Data), Grads(Grad);
    for (int64_t I = 0; I != Grad.getNumElements(); ++I)
      Spread(To, In, W->getWindow(I), Grads[I]);
    FailureOr<Tensor> Result = castTensor(Call, *Sums, Data.getDType());
    if (failed(Result))
      return failure();
    Call.setOutput(0, std::move(*Result));
    return success();
  });
}

/// The parameters of the gradient of a pool. TVM's gradients of pools leave
/// `dilation` empty where it is 1.
template <typename AttrsT>
static PoolParams setDilation(KernelCall &Call, PoolParams P) {
  if (P.Dilation.empty())
    P.Dilation = AttrsT::getDefault(Call.getContext())->dilation();
  return P;
}

/// The first maximum of a window gets its grad; as in TVM, a NaN replaces the
/// elements before it and is replaced by those after it.
LogicalResult relay::evalMaxPool2DGrad(KernelCall &Call) {
  PoolParams P = PoolParams::get(Call.getAttrs<MaxPool2DAttrs>(), "HW");
  return evalGradient(
      Call, setDilation<MaxPool2DAttrs>(Call, P),
      [](auto Sums, const auto &Data, const PoolWindows::Window &At, auto G) {
        int64_t Best = -1;
        At.forEach([&](int64_t I) {
          if (Best < 0 || !(Data[Best] >= Data[I]))
            Best = I;
        });
        if (Best >= 0)
          Sums[Best] += G;
      });
}

/// All positions of a window share its grad.
LogicalResult relay::evalAvgPool2DGrad(KernelCall &Call) {
  PoolParams P = PoolParams::getAvg(Call.getAttrs<AvgPool2DAttrs>(), "HW");
  return evalGradient(
      Call, setDilation<AvgPool2DAttrs>(Call, P),
      [](auto Sums, const auto &, const PoolWindows::Window &At, auto G) {
        auto Share = G / decltype(G)(std::max<int64_t>(At.getCount(), 1));
        At.forEach([&](int64_t I) { Sums[I] += Share; });
      });
}

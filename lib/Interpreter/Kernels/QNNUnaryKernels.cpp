//===- QNNUnaryKernels.cpp - Quantized operators on one tensor ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions by a table, leaky_relu, softmax and avg_pool2d of Ops/QNN.td, as
// TVM computes them.
//
//===----------------------------------------------------------------------===//

#include "Requantizer.h"
#include "relay/Interpreter/Contraction/Convolution.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/QNN.h"

using namespace relay;

// Operands are data, its scale and zero point, and the result's.

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Returns the results of \p F for the 256 integers of \p T, indexed by their
/// bits.
static std::array<uint8_t, 256> getTable(const KernelCall &Call, DType T,
                                         float (*F)(float)) {
  auto Scale = float(getScale(Call, 1, 0)),
       OutScale = float(getScale(Call, 3, 0));
  int32_t Zero = getZeroPoint(Call, 2, 0), OutZero = getZeroPoint(Call, 4, 0);
  Saturation Saturate(T);
  std::array<uint8_t, 256> Table;
  for (int Bits = 0; Bits != 256; ++Bits) {
    int32_t X = T.isInt() ? int8_t(Bits) : Bits;
    int32_t Shifted = Wrapping<int32_t>::subtract(X, Zero);
    float Value = std::round(F(float(Shifted) * Scale) / OutScale);
    Table[Bits] = uint8_t(Saturate.truncate(Value + float(OutZero)));
  }
  return Table;
}

/// Fills the output, of integers of one byte, by \p F of float32.
static LogicalResult mapTable(KernelCall &Call, float (*F)(float)) {
  DType T = Call.getOutputDType();
  if (T.isBool() || T.getByteSize() != 1)
    return Call.emitUnsupported(T);
  std::array<uint8_t, 256> Table = getTable(Call, T, F);
  const uint8_t *Data = getRawElements<uint8_t>(Call.getInput(0));
  uint8_t *Out = getMutableRawElements<uint8_t>(Call.getOutputTensor());
  Call.parallelFor(Call.getInput(0).getNumElements(), 8,
                   [&](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       Out[I] = Table[Data[I]];
                   });
  return success();
}

LogicalResult relay::evalQnnAbs(KernelCall &Call) {
  return mapTable(Call, [](float X) { return std::abs(X); });
}
LogicalResult relay::evalQnnErf(KernelCall &Call) {
  return mapTable(Call, [](float X) { return float(std::erf(double(X))); });
}
LogicalResult relay::evalQnnExp(KernelCall &Call) {
  return mapTable(Call, [](float X) { return float(std::exp(double(X))); });
}
LogicalResult relay::evalQnnHardSwish(KernelCall &Call) {
  return mapTable(Call, [](float X) {
    return X * std::min(std::max(X + 3.f, 0.f), 6.f) / 6.f;
  });
}
LogicalResult relay::evalQnnLog(KernelCall &Call) {
  return mapTable(Call, [](float X) { return float(std::log(double(X))); });
}
LogicalResult relay::evalQnnRsqrt(KernelCall &Call) {
  return mapTable(Call, [](float X) { return 1.f / std::sqrt(X); });
}
LogicalResult relay::evalQnnSigmoid(KernelCall &Call) {
  return mapTable(
      Call, [](float X) { return 1.f / (1.f + float(std::exp(-double(X)))); });
}
LogicalResult relay::evalQnnSqrt(KernelCall &Call) {
  return mapTable(Call, [](float X) { return std::sqrt(X); });
}
LogicalResult relay::evalQnnTanh(KernelCall &Call) {
  return mapTable(Call, [](float X) { return float(std::tanh(double(X))); });
}

/// Multiplies negative elements by alpha in the scale of the result, and
/// corrects the effect on the zero point.
LogicalResult relay::evalQnnLeakyRelu(KernelCall &Call) {
  double Alpha = Call.getAttrs<LeakyReluAttrs>().alpha();
  if (!std::isfinite(Alpha))
    return Call.emitError("'alpha' is not finite");
  FailureOr<Requantizer> Q = Requantizer::get(Call, 1, 2, 3, 4);
  if (failed(Q))
    return failure();
  int32_t Zero = getZeroPoint(Call, 2, 0);
  FixedPoint Factor = FixedPoint::get(Alpha);
  int32_t Rest =
      multiplyFixedPoint(getZeroPoint(Call, 4, 0), FixedPoint::get(1 - Alpha));
  DType T = Call.getOutputDType();
  if (failed(checkQuantized(Call, T)))
    return failure();
  Saturation Saturate(T);
  return mapNumbers<int64_t>(Call, [&](int64_t X) {
    int32_t Y = Q->apply(X);
    if (int32_t(X) < Zero)
      Y = Wrapping<int32_t>::add(multiplyFixedPoint(Y, Factor), Rest);
    return Saturate(Y);
  });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// The integer-only softmax of one row: powers of two, interpolated linearly
/// between them.
class SoftmaxRow {
public:
  /// \p Unit is the number of steps of the input's scale that equal 1.
  explicit SoftmaxRow(int32_t Unit) : Unit(Unit) {}

  /// Row: data without its zero point -> probabilities in 1/128.
  void compute(MutableArrayRef<int32_t> Row);

private:
  /// Returns (exponent, 2 to the power of the fraction, in Unit) for e^X, X <=
  /// 0.
  std::pair<int32_t, int32_t> getPower(int32_t X) const {
    // log2(e) is about 1 + 1/2 - 1/16.
    X = X + (X >> 1) - (X >> 4);
    int32_t Exponent = std::clamp(X / -Unit, 0, 20);
    return {Exponent, ((X + Exponent * Unit) >> 1) + Unit};
  }

  int32_t Unit;
};
} // namespace

void SoftmaxRow::compute(MutableArrayRef<int32_t> Row) {
  int32_t Max = *std::max_element(Row.begin(), Row.end());
  int32_t Largest = 0;
  for (int32_t &X : Row) {
    X -= Max;
    Largest = std::max(Largest, getPower(X).first);
  }
  uint32_t Sum = 0;
  for (int32_t &X : Row) {
    auto [Exponent, Power] = getPower(X);
    X = int32_t(uint32_t(Power) << (Largest - Exponent));
    Sum += uint32_t(X);
  }
  int32_t Factor = Sum ? (1 << 30) / int32_t(Sum) : 0;
  for (int32_t &X : Row)
    X = int32_t(uint32_t(Factor) * uint32_t(X)) >> 23;
}

/// data: [.., n, ..] of int8 -> the same shape; softmax along the axis.
LogicalResult relay::evalQnnSoftmax(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  FailureOr<unsigned> Axis =
      getAxis(Call, Call.getAttrs<SoftmaxAttrs>().axis(), Data.getRank());
  if (failed(Axis))
    return failure();
  auto Scale = float(getScale(Call, 1, 0));
  float Unit = std::round(1.f / Scale);
  if (!(Scale <= 1 && Unit >= 1 && Unit < 0x1p31f))
    return Call.emitError("the scale is not in (2^-31, 1]");
  Requantizer Q(getZeroPoint(Call, 4, 0), Call.getEnvironment().Requantize);
  if (failed(Q.addChannel(Call, 1.f / 128, 0, float(getScale(Call, 3, 0)))))
    return failure();
  int32_t Zero = getZeroPoint(Call, 2, 0);
  ChannelView View = ChannelView::get(Data.getShape(), *Axis);
  Saturation Saturate(DType::getInt(8));
  ArrayRef<int8_t> In = Data.getElements<int8_t>();
  MutableArrayRef<int8_t> Out = Call.getOutput<int8_t>();
  Call.parallelFor(
      View.Outer * View.Inner, 20 * View.Channels,
      [&](int64_t Begin, int64_t End) {
        SmallVector<int32_t, 0> Row(View.Channels);
        for (int64_t I = Begin; I != End; ++I) {
          int64_t First =
              I / View.Inner * View.Channels * View.Inner + I % View.Inner;
          for (int64_t C = 0; C != View.Channels; ++C)
            Row[C] = In[First + C * View.Inner] - Zero;
          if (!Row.empty())
            SoftmaxRow(int32_t(Unit)).compute(Row);
          for (int64_t C = 0; C != View.Channels; ++C)
            Out[First + C * View.Inner] = int8_t(Saturate(Q.apply(Row[C])));
        }
      });
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
/// One spatial axis of a pool.
struct PoolAxis {
  int64_t In, Out, Window, Stride, Dilation, Before, After;

  /// Returns the positions of window \p I inside the data: [first, last), first
  /// and step.
  std::pair<int64_t, int64_t> getTaps(int64_t I) const {
    int64_t Start = I * Stride - Before;
    int64_t First = Start < 0 ? (-Start + Dilation - 1) / Dilation : 0;
    int64_t Last =
        Start >= In ? 0
                    : std::min(Window, (In - Start + Dilation - 1) / Dilation);
    return {First, std::max(First, Last)};
  }
  /// Returns the number of positions of window \p I in the data and its
  /// padding, without those that `ceil_mode` adds at the end.
  int64_t getNumPadded(int64_t I) const {
    int64_t Length = In + After - (I * Stride - Before);
    return Length <= 0 ? 0
                       : std::min(Window, (Length + Dilation - 1) / Dilation);
  }
};
} // namespace

/// Returns the axes H and W of the pool, at \p Positions in the tensors;
/// reports invalid sizes.
static FailureOr<std::array<PoolAxis, 2>>
getPoolAxes(KernelCall &Call, std::array<unsigned, 2> Positions) {
  const auto &A = Call.getAttrs<AvgPool2DAttrs>();
  auto Size = getPoolInts(Call, A.poolSize(), 2, "pool_size");
  auto Window =
      WindowAttrs::get(Call, 2, A.strides(), A.dilation(), A.padding());
  if (failed(Size) || failed(Window))
    return failure();
  if (Window->Strides.size() < 2 || Window->Dilation.size() < 2 ||
      Window->Before.size() < 2)
    return Call.emitError("an attribute has too few numbers");
  bool HasAfter = Window->Before.size() == 4;
  std::array<PoolAxis, 2> Axes;
  for (auto [I, Position] : llvm::enumerate(Positions)) {
    Axes[I] = {Call.getInput(0).getDim(Position),
               Call.getOutputShape()[Position],
               (*Size)[I],
               Window->Strides[I],
               Window->Dilation[I],
               Window->Before[I],
               Window->Before[HasAfter ? I + 2 : I]};
    if (Axes[I].Window <= 0 || Axes[I].Stride <= 0 || Axes[I].Dilation <= 0)
      return Call.emitError("a window, stride or dilation is not positive");
  }
  return Axes;
}

/// Computes the means of windows of \p Data, in the result's scale, by integer
/// division; both are [outer, H, middle, W, inner], or with H and W exchanged.
static LogicalResult poolMeans(KernelCall &Call, ArrayRef<int32_t> Data,
                               ArrayRef<int64_t> Dims, const PoolAxis &H,
                               const PoolAxis &W) {
  int64_t Outer = Dims[0], Middle = Dims[1], Inner = Dims[2];
  bool CountsPad = Call.getAttrs<AvgPool2DAttrs>().countIncludePad();
  Saturation Saturate(Call.getOutputDType());
  ElementWriter<int64_t> Out(Call.getOutputTensor());
  auto PoolRow = [&](int64_t Row) {
    int64_t Y = Row % H.Out, First = Row / H.Out * H.In;
    auto [Top, Bottom] = H.getTaps(Y);
    for (int64_t I = 0; I != Middle * W.Out * Inner; ++I) {
      int64_t M = I / (W.Out * Inner), X = I / Inner % W.Out, C = I % Inner;
      auto [Left, Right] = W.getTaps(X);
      uint32_t Sum = 0;
      for (int64_t KY = Top; KY != Bottom; ++KY)
        for (int64_t KX = Left; KX != Right; ++KX) {
          int64_t InY = Y * H.Stride - H.Before + KY * H.Dilation;
          int64_t InX = X * W.Stride - W.Before + KX * W.Dilation;
          Sum += uint32_t(
              Data[(((First + InY) * Middle + M) * W.In + InX) * Inner + C]);
        }
      int64_t Count = CountsPad ? H.getNumPadded(Y) * W.getNumPadded(X)
                                : (Bottom - Top) * (Right - Left);
      int64_t Mean =
          Saturate(int32_t(int32_t(Sum) / std::max<int64_t>(Count, 1)));
      Out.write(Row * Middle * W.Out * Inner + I, 1, &Mean);
    }
  };
  uint64_t Cost = llvm::SaturatingMultiply<uint64_t>(
      Middle * W.Out * Inner * 4,
      std::min(H.Window, H.In) * std::min(W.Window, W.In));
  return Call.limitedFor(Outer * H.Out, Cost, [&](int64_t Begin, int64_t End) {
    for (int64_t Row = Begin; Row != End; ++Row)
      PoolRow(Row);
  });
}

/// data: [N, C, H, W] in its layout.
LogicalResult relay::evalQnnAvgPool2D(KernelCall &Call) {
  const auto &A = Call.getAttrs<AvgPool2DAttrs>();
  const Tensor &Data = Call.getInput(0);
  std::optional<Layout> L = Layout::parse(A.layout());
  if (!L || L->contains('h') || L->contains('w') || L->indexOf('H') < 0 ||
      L->indexOf('W') < 0)
    return Call.emitError("no kernel for the layout " + A.layout());
  if (!A.outLayout().empty() && A.outLayout() != A.layout())
    return Call.emitError("no kernel for another layout of the result");
  unsigned AtH = L->indexOf('H'), AtW = L->indexOf('W');
  if (std::max(AtH, AtW) >= Data.getRank() || !Call.hasOutputShape())
    return Call.emitError("data or the result does not have the layout " +
                          A.layout());
  FailureOr<std::array<PoolAxis, 2>> Axes = getPoolAxes(Call, {AtH, AtW});
  FailureOr<Requantizer> Q = Requantizer::get(Call, 1, 2, 3, 4);
  auto Scaled = Call.allocate(DType::getInt(32), Data.getShape());
  if (failed(Axes) || failed(Q) || !Scaled)
    return failure();
  Q->keepEqual();
  if (AtH > AtW) { // a mean of integers does not depend on the order
    std::swap(AtH, AtW);
    std::swap((*Axes)[0], (*Axes)[1]);
  }
  auto Product = [&](unsigned Begin, unsigned End) {
    return *getNumElements(Data.getShape().slice(Begin, End - Begin));
  };
  int64_t Dims[] = {Product(0, AtH), Product(AtH + 1, AtW),
                    Product(AtW + 1, Data.getRank())};
  DType T = Call.getOutputDType();
  if (failed(checkQuantized(Call, T)))
    return failure();
  MutableArrayRef<int32_t> To = Scaled->getMutableElements<int32_t>();
  ElementReader<int64_t> In(Data);
  for (int64_t I = 0; I != Data.getNumElements(); ++I)
    To[I] = Q->apply(In[I]);
  return poolMeans(Call, To, Dims, (*Axes)[0], (*Axes)[1]);
}

//===- NNKernels.cpp - Kernels of Ops/NN.td -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations, softmax, bias and dropout. MatrixKernels.cpp contains products,
// NormKernels.cpp normalization, LossKernels.cpp losses, PadKernels.cpp and
// SpaceKernels.cpp padding and rearrangements, UpsamplingKernels.cpp
// enlargement.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "TensorKernels.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Returns 0 for NaN, as in TVM.
LogicalResult relay::evalRelu(KernelCall &Call) {
  return dispatchNumbers(Call, Call.getOutputDType(), [&](auto Zero) {
    using N = decltype(Zero);
    return mapNumbers<N>(Call, [](N X) { return X > N(0) ? X : N(0); });
  });
}

/// Returns \p X, multiplied by \p Slope unless it is positive.
template <typename N> static N leak(N X, N Slope) {
  if (X > N(0))
    return X;
  if constexpr (std::is_integral_v<N>)
    return Wrapping<N>::multiply(X, Slope);
  else
    return X * Slope;
}

/// `alpha` is first rounded to the type of data, for integers towards zero.
LogicalResult relay::evalLeakyRelu(KernelCall &Call) {
  double Value = Call.getAttrs<LeakyReluAttrs>().alpha();
  DType T = Call.getOutputDType();
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    return mapNumbers<N>(Call, [Alpha = roundToElement<N>(T, Value)](N X) {
      return leak(X, Alpha);
    });
  });
}

/// Fills the output with \p F of a number of operand 0 and the number of
/// operand 1, a vector along \p Axis.
template <typename N, typename Fn>
static LogicalResult mapAlong(KernelCall &Call, unsigned Axis, Fn &&F) {
  const Tensor &Data = Call.getInput(0);
  Strides Steps(Data.getRank(), 0);
  Steps[Axis] = 1;
  mapNumberPairs<N, N>(Call, {Data, getStrides(Data.getShape())},
                       {Call.getInput(1), Steps}, Call.getOutputTensor(), F);
  return success();
}

/// data: [.., c at axis, ..], alpha: [c].
LogicalResult relay::evalPRelu(KernelCall &Call) {
  auto Axis = getAxis(Call, Call.getAttrs<PReluAttrs>().axis(),
                      Call.getInput(0).getRank());
  if (failed(Axis))
    return failure();
  return dispatchNumbers(Call, Call.getOutputDType(), [&](auto Zero) {
    using N = decltype(Zero);
    return mapAlong<N>(Call, *Axis, leak<N>);
  });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Calls \p F with each row of operand 0 along the axis: a function that maps a
/// position to the element's offset, and the length.
template <typename Fn>
static LogicalResult forEachRow(KernelCall &Call, Fn &&F) {
  const Tensor &Data = Call.getInput(0);
  auto Axis =
      getAxis(Call, Call.getAttrs<SoftmaxAttrs>().axis(), Data.getRank());
  if (failed(Axis))
    return failure();
  AxisView View(Data.getShape(), *Axis);
  if (View.Length == 0)
    return success();
  Call.parallelFor(View.Outer * View.Inner, 64 * View.Length,
                   [&](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       F(View.getFirst(I), View.Inner, View.Length);
                   });
  return success();
}

namespace {
/// A row of floats along the axis, computed in double; each result of a step is
/// rounded to the data type.
struct FloatRow {
  ElementReader<double> Data, Results;
  ElementWriter<double> Out;
  ElementRounding<double> Round, RoundSum;
  int64_t First = 0, Step = 1, Length = 0;

  explicit FloatRow(KernelCall &Call)
      : Data(Call.getInput(0)), Results(Call.getOutputTensor()),
        Out(Call.getOutputTensor()), Round(Call.getOutputDType()),
        RoundSum(getSumType(Call.getOutputDType())) {}

  double getGreatest() const {
    double Greatest = Data[First];
    for (int64_t I = 1; I != Length; ++I) {
      double X = Data[First + I * Step];
      Greatest = Greatest > X ? Greatest : X;
    }
    return Greatest;
  }
  /// Returns exp(x - Greatest) of element \p I.
  double getExponential(int64_t I, double Greatest) const {
    return Round(std::exp(Round(Data[First + I * Step] - Greatest)));
  }
  void write(int64_t I, double X) const { Out.write(First + I * Step, 1, &X); }
};
} // namespace

/// Calls \p F with a FloatRow for each row of floats along the axis.
static LogicalResult forEachFloatRow(KernelCall &Call,
                                     function_ref<void(const FloatRow &)> F) {
  if (!getNumberType(Call.getOutputDType()).isFloat())
    return Call.emitUnsupported(Call.getOutputDType());
  FloatRow Rows(Call);
  return forEachRow(Call, [=](int64_t First, int64_t Step, int64_t Length) {
    FloatRow Row = Rows;
    Row.First = First;
    Row.Step = Step;
    Row.Length = Length;
    F(Row);
  });
}

/// exp(x - m) / sum of exp(x - m), where m is the greatest x.
LogicalResult relay::evalSoftmax(KernelCall &Call) {
  return forEachFloatRow(Call, [](const FloatRow &Row) {
    double Greatest = Row.getGreatest(), Sum = 0;
    for (int64_t I = 0; I != Row.Length; ++I) {
      double Exponential = Row.getExponential(I, Greatest);
      Row.write(I, Exponential);
      Sum = Row.RoundSum(Sum + Exponential);
    }
    for (int64_t I = 0; I != Row.Length; ++I)
      Row.write(I, Row.Results[Row.First + I * Row.Step] / Row.Round(Sum));
  });
}

/// x - m - log(sum of exp(x - m)), where m is the greatest x.
LogicalResult relay::evalLogSoftmax(KernelCall &Call) {
  return forEachFloatRow(Call, [](const FloatRow &Row) {
    double Greatest = Row.getGreatest(), Sum = 0;
    for (int64_t I = 0; I != Row.Length; ++I)
      Sum = Row.RoundSum(Sum + Row.getExponential(I, Greatest));
    double Log = Row.Round(std::log(Row.Round(Sum)));
    for (int64_t I = 0; I != Row.Length; ++I)
      Row.write(I,
                Row.Round(Row.Data[Row.First + I * Row.Step] - Greatest) - Log);
  });
}

//===----------------------------------------------------------------------===//
// Bias, dropout
//===----------------------------------------------------------------------===//

/// data: [.., c at axis, ..], bias: [c].
LogicalResult relay::evalBiasAdd(KernelCall &Call) {
  auto Axis = getAxis(Call, Call.getAttrs<BiasAddAttrs>().axis(),
                      Call.getInput(0).getRank());
  if (failed(Axis))
    return failure();
  DType T = Call.getOutputDType();
  if (T.isFloat(64))
    return mapAlong<double>(Call, *Axis, std::plus<double>());
  if (getNumberType(T).isFloat())
    return mapAlong<float>(Call, *Axis, std::plus<float>());
  ElementRounding<uint64_t> Wrap(T);
  return mapAlong<uint64_t>(
      Call, *Axis, [=](uint64_t X, uint64_t Bias) { return Wrap(X + Bias); });
}

/// Returns the inference result: data, and a mask of ones.
LogicalResult relay::evalDropout(KernelCall &Call) {
  Call.setOutput(0, Call.getInput(0));
  fillTensor(Call.getOutputTensor(1), 1);
  return success();
}

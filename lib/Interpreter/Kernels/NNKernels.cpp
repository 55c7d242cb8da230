//===- NNKernels.cpp - Kernels of Ops/NN.td -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations, bias and dropout. Products are MatrixKernels.cpp, normalization
// NormKernels.cpp, losses LossKernels.cpp, padding and what moves elements
// about PadKernels.cpp and SpaceKernels.cpp, enlarging UpsamplingKernels.cpp.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// 0 of NaN, as in TVM.
LogicalResult relay::evalRelu(KernelCall &Call) {
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return mapElements<E, E>(Call, [](E X) {
      return load(X) > ComputeType<E>(0) ? X : store<E>(ComputeType<E>(0));
    });
  });
}

/// \p L times \p R, rounded, or wrapped around.
template <typename E> static E multiply(E L, E R) {
  if constexpr (IsFloat<E>)
    return store<E>(load(L) * load(R));
  else
    return Wrapping<E>::multiply(L, R);
}
template <typename E> static E add(E L, E R) {
  if constexpr (IsFloat<E>)
    return store<E>(load(L) + load(R));
  else
    return Wrapping<E>::add(L, R);
}

/// `alpha` is first rounded to the type of data, of integers towards zero.
LogicalResult relay::evalLeakyRelu(KernelCall &Call) {
  double Value = Call.getAttrs<LeakyReluAttrs>().alpha();
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    E Alpha = store<E>(Value);
    return mapElements<E, E>(Call, [Alpha](E X) {
      return load(X) > ComputeType<E>(0) ? X : multiply(X, Alpha);
    });
  });
}

/// Fills the output: \p F takes an element of operand 0 and that of operand 1,
/// a vector along \p Axis.
template <typename E, typename Fn>
static LogicalResult mapAlong(KernelCall &Call, unsigned Axis, Fn &&F) {
  AxisView View(Call.getInput(0).getShape(), Axis);
  ArrayRef<E> Data = Call.getInput<E>(0), Vector = Call.getInput<E>(1);
  MutableArrayRef<E> Out = Call.getOutput<E>();
  Call.parallelFor(View.Outer * View.Length, 4 * View.Inner,
                   [&](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I) {
                       E Own = Vector[I % View.Length];
                       for (int64_t J = I * View.Inner;
                            J != (I + 1) * View.Inner; ++J)
                         Out[J] = F(Data[J], Own);
                     }
                   });
  return success();
}

/// data: [.., c at axis, ..], alpha: [c].
LogicalResult relay::evalPRelu(KernelCall &Call) {
  auto Axis = getAxis(Call, Call.getAttrs<PReluAttrs>().axis(),
                      Call.getInput(0).getRank());
  if (failed(Axis))
    return failure();
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return mapAlong<E>(Call, *Axis, [](E X, E Alpha) {
      return load(X) > ComputeType<E>(0) ? X : multiply(X, Alpha);
    });
  });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Calls \p F with the elements of each row of operand 0 along the axis: a
/// function from a position to the element's offset, and the length.
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

/// The greatest of \p Length elements, \p Step apart.
template <typename E>
static ComputeType<E> getGreatest(const E *Data, int64_t Step, int64_t Length) {
  ComputeType<E> Greatest = load(*Data);
  for (int64_t I = 1; I != Length; ++I) {
    ComputeType<E> X = load(Data[I * Step]);
    Greatest = Greatest > X ? Greatest : X;
  }
  return Greatest;
}

/// exp(X - Greatest), each rounded.
template <typename E> static E getExponential(E X, ComputeType<E> Greatest) {
  E Difference = store<E>(load(X) - Greatest);
  return store<E>(std::exp(double(load(Difference))));
}

/// Calls \p F for each row along the axis, of floats: with its first element in
/// operand 0 and in the output, how far apart its elements lie, and their
/// number.
template <typename Fn>
static LogicalResult forEachFloatRow(KernelCall &Call, Fn F) {
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *Data = Call.getInput<E>(0).data();
    E *Out = Call.getOutput<E>().data();
    return forEachRow(Call, [=](int64_t First, int64_t Step, int64_t Length) {
      F(Data + First, Out + First, Step, Length);
    });
  });
}

/// exp(x - m) / sum of exp(x - m), where m is the greatest x.
LogicalResult relay::evalSoftmax(KernelCall &Call) {
  return forEachFloatRow(
      Call, [](const auto *Data, auto *Out, int64_t Step, int64_t Length) {
        using E = std::remove_pointer_t<decltype(Out)>;
        ComputeType<E> Greatest = getGreatest(Data, Step, Length);
        AccumulateType<E> Sum = 0;
        for (int64_t I = 0; I != Length; ++I) {
          E &Exp = Out[I * Step];
          Exp = getExponential(Data[I * Step], Greatest);
          Sum += load(Exp);
        }
        ComputeType<E> Rounded = load(store<E>(Sum));
        for (int64_t I = 0; I != Length; ++I)
          Out[I * Step] = store<E>(load(Out[I * Step]) / Rounded);
      });
}

/// x - m - log(sum of exp(x - m)), where m is the greatest x.
LogicalResult relay::evalLogSoftmax(KernelCall &Call) {
  return forEachFloatRow(
      Call, [](const auto *Data, auto *Out, int64_t Step, int64_t Length) {
        using E = std::remove_pointer_t<decltype(Out)>;
        ComputeType<E> Greatest = getGreatest(Data, Step, Length);
        AccumulateType<E> Sum = 0;
        for (int64_t I = 0; I != Length; ++I)
          Sum += load(getExponential(Data[I * Step], Greatest));
        E Log = store<E>(std::log(double(load(store<E>(Sum)))));
        for (int64_t I = 0; I != Length; ++I) {
          E Difference = store<E>(load(Data[I * Step]) - Greatest);
          Out[I * Step] = store<E>(load(Difference) - load(Log));
        }
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
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return mapAlong<E>(Call, *Axis, [](E X, E Bias) { return add(X, Bias); });
  });
}

/// An evaluation is no training: data, and a mask of ones.
LogicalResult relay::evalDropout(KernelCall &Call) {
  Call.setOutput(0, Call.getInput(0));
  return dispatchElements(Call, Call.getOutputDType(1), [&](auto Zero) {
    auto Mask = Call.getOutput<decltype(Zero)>(1);
    std::fill(Mask.begin(), Mask.end(), toElement<decltype(Zero)>(int64_t(1)));
    return success();
  });
}

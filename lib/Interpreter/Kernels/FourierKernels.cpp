//===- FourierKernels.cpp - Discrete Fourier transforms -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fourier transforms of Ops/Algebra.td, computed by definition as in TVM:
// angles, cosines and sines are float32 for all data types, and each product
// and sum is rounded to the type of the data. Integers are not supported: TVM
// truncates the cosines and sines for them.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Algebra.h"

using namespace relay;

static constexpr float TwoPi = 6.28318530717958647692f;

namespace {
/// The cosine and the sine of an angle, in the type of computations of E.
template <typename E> struct Direction {
  explicit Direction(float Angle)
      : Cos(round(float(std::cos(double(Angle))))),
        Sin(round(float(std::sin(double(Angle))))) {}

  /// Returns \p Value rounded to the precision of E.
  static ComputeType<E> round(ComputeType<E> Value) {
    return load(store<E>(Value));
  }

  ComputeType<E> Cos, Sin;
};
} // namespace

//===----------------------------------------------------------------------===//
// The transform of rows
//===----------------------------------------------------------------------===//

/// Returns element \p N of the transform of a row of \p Length complex numbers,
/// which is not empty.
template <typename E>
static std::pair<E, E> transform(const E *Re, const E *Im, int64_t Length,
                                 int64_t N, bool IsInverse) {
  using C = ComputeType<E>;
  auto Round = Direction<E>::round;
  float Turn = (IsInverse ? TwoPi : -TwoPi) * float(N) / float(Length);
  C ReSum = 0, ImSum = 0;
  for (int64_t K = 0; K != Length; ++K) {
    Direction<E> D(Turn * float(K));
    C X = load(Re[K]), Y = load(Im[K]);
    ReSum = Round(ReSum + Round(Round(X * D.Cos) - Round(Y * D.Sin)));
    ImSum = Round(ImSum + Round(Round(X * D.Sin) + Round(Y * D.Cos)));
  }
  C Factor = Round(IsInverse ? 1 / float(Length) : 1.0f);
  return {store<E>(ReSum * Factor), store<E>(ImSum * Factor)};
}

/// re_data, im_data: [.., n] -> both of [.., n].
LogicalResult relay::evalDFT(KernelCall &Call) {
  bool IsInverse = Call.getAttrs<DFTAttrs>().inverse();
  const Tensor &Re = Call.getInput(0), &Im = Call.getInput(1);
  if (Re.getDType() != Im.getDType() || Re.getShape() != Im.getShape())
    return Call.emitError("re_data and im_data are not of the same type");
  if (Re.getRank() == 0)
    return Call.emitError("re_data is a scalar");
  int64_t Length = Re.getShape().back();
  return dispatchFloats(Call, Re.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *ReData = Re.getElements<E>().data();
    const E *ImData = Im.getElements<E>().data();
    E *ReOut = Call.getOutput<E>(0).data(),
      *ImOut = Call.getOutput<E>(1).data();
    return Call.limitedFor(
        Re.getNumElements(), 64 * Length, [&](int64_t Begin, int64_t End) {
          for (int64_t I = Begin; I != End; ++I) {
            int64_t N = I % Length, Row = I - N;
            std::tie(ReOut[I], ImOut[I]) =
                transform(ReData + Row, ImData + Row, Length, N, IsInverse);
          }
        });
  });
}

//===----------------------------------------------------------------------===//
// Transforms of windows
//===----------------------------------------------------------------------===//

/// Returns the frequency \p N of \p Length positions starting at \p Data,
/// weighted by \p Window.
template <typename E>
static std::pair<E, E> transformWindow(const E *Data, const E *Window,
                                       int64_t Length, int64_t N) {
  E ReSum = 0, ImSum = 0;
  for (int64_t K = 0; K != Length; ++K) {
    Direction<E> D(TwoPi * float(N) * float(K) / float(Length));
    E Weighted = Window[K] * Data[K];
    ReSum += Weighted * D.Cos;
    ImSum -= Weighted * D.Sin;
  }
  return {ReSum, ImSum};
}

/// Reports windows of \p Length that read outside of the operands.
static LogicalResult checkWindows(const KernelCall &Call, int64_t Length,
                                  int64_t Hop, int64_t NumWindows) {
  const Tensor &Data = Call.getInput(0), &Window = Call.getInput(1);
  if (Data.getDType() != Window.getDType())
    return Call.emitError("data and window are not of the same type");
  if (Length <= 0 || Length > Window.getNumElements())
    return Call.emitError("'win_length' is " + Twine(Length) +
                          ", but window has " + Twine(Window.getNumElements()) +
                          " numbers");
  int64_t Room = Data.getShape().back() - Length;
  if (NumWindows > 0 && (Room < 0 || NumWindows - 1 > Room / Hop))
    return Call.emitError(Twine(NumWindows) + " windows of " + Twine(Length) +
                          " do not fit data of " +
                          Twine(Data.getShape().back()));
  return success();
}

/// Fills \p Out, [.., frequencies, windows, 2] of \p Shape.
template <typename E>
static LogicalResult transformWindows(KernelCall &Call, const StftAttrs &A,
                                      ArrayRef<int64_t> Shape,
                                      MutableArrayRef<E> Out) {
  int64_t Size = Call.getInput(0).getShape().back(), Length = A.winLength();
  int64_t NumWindows = Shape.drop_back().back();
  int64_t NumFrequencies = Shape.drop_back(2).back();
  E Norm = A.normalized() ? std::sqrt(float(A.nFft())) : 1;
  const E *Data = Call.getInput<E>(0).data();
  const E *Window = Call.getInput<E>(1).data();
  auto Work = [&](int64_t Begin, int64_t End) {
    for (int64_t I = Begin; I != End; ++I) {
      int64_t Row = I / NumWindows, Place = I % NumWindows * A.hopLength();
      const E *Signal = Data + Row / NumFrequencies * Size + Place;
      auto [Re, Im] =
          transformWindow(Signal, Window, Length, Row % NumFrequencies);
      Out[2 * I] = Re / Norm;
      Out[2 * I + 1] = Im / Norm;
    }
  };
  return Call.limitedFor(Out.size() / 2, 64 * Length, Work);
}

/// data: [batch, length] or [length], window: [win_length] -> [batch,
/// frequencies, windows, 2], or without the batch. Only float32 and float64, as
/// in TVM.
LogicalResult relay::evalStft(KernelCall &Call) {
  const auto &A = Call.getAttrs<StftAttrs>();
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  if (failed(checkWindows(Call, A.winLength(), A.hopLength(),
                          Shape.drop_back().back())))
    return failure();
  DType T = Call.getOutputDType();
  if (T.isFloat(32))
    return transformWindows(Call, A, Shape, Call.getOutput<float>());
  if (T.isFloat(64))
    return transformWindows(Call, A, Shape, Call.getOutput<double>());
  return Call.emitUnsupported(T);
}

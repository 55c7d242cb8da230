//===- TensorDifference.cpp - Differences of two tensors ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorDifference.h. ValueDifference.cpp compares values that contain
// tensors.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Compare/TensorDifference.h"
#include "relay/Interpreter/Values/Elements.h"
#include "relay/Interpreter/Values/Strides.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace relay;

static constexpr double Infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

/// Returns the bits of a float as an integer that is monotonic in the number;
/// both zeros are 0.
template <typename E> static int64_t getFloatOrder(E Value) {
  using Bits = std::conditional_t<
      sizeof(E) == 8, uint64_t,
      std::conditional_t<sizeof(E) == 4, uint32_t, uint16_t>>;
  constexpr Bits SignBit = Bits(1) << (sizeof(E) * 8 - 1);
  Bits Pattern = llvm::bit_cast<Bits>(Value);
  int64_t Magnitude = int64_t(Pattern & Bits(~SignBit));
  return Pattern & SignBit ? -Magnitude : Magnitude;
}

/// Returns |L - R| exactly.
template <typename E> static uint64_t getIntegerDistance(E L, E R) {
  return L < R ? uint64_t(R) - uint64_t(L) : uint64_t(L) - uint64_t(R);
}

namespace {
/// The distance of two elements, at most one of which is NaN.
struct ElementDistance {
  double Absolute = 0;
  uint64_t Ulp = 0;
};
} // namespace

template <typename E>
static ElementDistance getFloatDistance(double Expected, double Actual,
                                        E NarrowExpected, E NarrowActual) {
  if (std::isnan(Expected) && std::isnan(Actual))
    return {};
  if (std::isnan(Expected) || std::isnan(Actual))
    return {Infinity, UINT64_MAX};
  if (Expected == Actual)
    return {};
  return {std::abs(Actual - Expected),
          getIntegerDistance(getFloatOrder(NarrowExpected),
                             getFloatOrder(NarrowActual))};
}

template <typename E> static ElementDistance getDistance(E Expected, E Actual) {
  if constexpr (IsFloat<E>) {
    return getFloatDistance(double(load(Expected)), double(load(Actual)),
                            Expected, Actual);
  } else {
    uint64_t Steps = getIntegerDistance(Expected, Actual);
    return {double(Steps), Steps};
  }
}
/// For floats of different types.
template <typename E, typename A>
static ElementDistance getDistance(E Expected, A Actual) {
  using Narrow = std::conditional_t<sizeof(E) < sizeof(A), E, A>;
  double Left = double(load(Expected)), Right = double(load(Actual));
  return getFloatDistance(Left, Right, store<Narrow>(Left),
                          store<Narrow>(Right));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// Sums squares, which may exceed the range of double.
class SquareSum {
public:
  void add(double Value) {
    Value = std::abs(Value);
    if (Value == 0)
      return;
    if (Value > Scale) {
      double Ratio = Scale / Value;
      Sum = 1 + Sum * Ratio * Ratio;
      Scale = Value;
      return;
    }
    double Ratio = Value / Scale;
    Sum += Ratio * Ratio;
  }
  /// Returns the level in dB; minus infinity for 0.
  double getLevel() const {
    return Scale == 0 ? -Infinity
                      : 20 * std::log10(Scale) + 10 * std::log10(Sum);
  }

private:
  /// The sum of squares equals Scale^2 * Sum.
  double Scale = 0, Sum = 0;
};

/// Accumulates the distances between two tensors.
class DifferenceSum {
public:
  DifferenceSum(TensorDifference &D, Tolerance T) : D(D), T(T) {}

  void add(int64_t I, double Expected, const ElementDistance &Distance) {
    if (std::isfinite(Expected))
      Signal.add(Expected);
    else if (T.OfFinite)
      return;
    double Error = Distance.Absolute;
    if (T.MayOverflow && !std::isfinite(Error))
      return;
    if (Error == 0 && Distance.Ulp == 0)
      return;
    if (!D.Worst || Error > D.MaxAbsolute) {
      D.MaxAbsolute = Error;
      D.Worst = I;
    }
    double Size = std::abs(Expected);
    if (std::isinf(Error))
      IsNoiseInfinite = true, D.MaxRelative = Infinity;
    else if (Noise.add(Error); Size != 0)
      D.MaxRelative = std::max(D.MaxRelative, Error / Size);
    D.MaxUlp = std::max(D.MaxUlp, Distance.Ulp);
    // An infinite error exceeds any tolerance.
    if (Error <= T.Absolute + T.Relative * Size && std::isfinite(Error))
      return;
    ++D.NumBeyond;
    if (!D.FirstBeyond)
      D.FirstBeyond = I;
  }

  void finish() {
    if (D.Worst)
      D.SignalToNoise =
          IsNoiseInfinite ? -Infinity : Signal.getLevel() - Noise.getLevel();
  }

private:
  TensorDifference &D;
  Tolerance T;
  SquareSum Signal, Noise;
  bool IsNoiseInfinite = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

template <typename E, typename A>
static void compareElements(TensorView<E> Expected, TensorView<A> Actual,
                            DifferenceSum &Sum) {
  for (size_t I = 0, Size = Expected.size(); I != Size; ++I) {
    E Element = Expected[I];
    Sum.add(int64_t(I), double(load(Element)), getDistance(Element, Actual[I]));
  }
}

/// Calls \p F with the elements of both tensors, which have the same type or
/// two float types.
template <typename Fn>
static void dispatchBoth(const Tensor &L, const Tensor &R, Fn F) {
  dispatchDType(L.getDType(), [&](auto Left) {
    using E = decltype(Left);
    TensorView<E> Elements(L.getBytes());
    if (L.getDType() == R.getDType())
      return F(Elements, TensorView<E>(R.getBytes()));
    if constexpr (IsFloat<E>)
      dispatchDType(R.getDType(), [&](auto Right) {
        if constexpr (IsFloat<decltype(Right)>)
          F(Elements, TensorView<decltype(Right)>(R.getBytes()));
      });
  });
}

TensorDifference relay::compareTensors(const Tensor &Expected,
                                       const Tensor &Actual, Tolerance T) {
  TensorDifference D;
  bool IsSameDType = Expected.getDType() == Actual.getDType();
  bool IsSameShape = Expected.getShape() == Actual.getShape();
  D.SameType = IsSameShape && IsSameDType;
  D.IsCompared =
      IsSameShape && (IsSameDType || (Expected.getDType().isAnyFloat() &&
                                      Actual.getDType().isAnyFloat()));
  D.NumElements = Expected.getNumElements();
  if (!D.IsCompared ||
      (IsSameDType && Expected.getBytes() == Actual.getBytes()))
    return D;
  DifferenceSum Sum(D, T);
  dispatchBoth(Expected, Actual, [&](auto Left, auto Right) {
    compareElements(Left, Right, Sum);
  });
  Sum.finish();
  return D;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Prints infinite numbers identically on all systems.
static void printError(raw_ostream &OS, double Value) {
  if (std::isinf(Value))
    OS << (Value < 0 ? "-inf" : "inf");
  else
    OS << llvm::format("%.3g", Value);
}

void relay::printDifference(raw_ostream &OS, const TensorDifference &D) {
  if (!D.Worst) {
    OS << "no difference";
    return;
  }
  printError(OS << "max absolute error ", D.MaxAbsolute);
  printError(OS << ", max relative error ", D.MaxRelative);
  OS << ", ";
  if (D.MaxUlp == UINT64_MAX)
    OS << "inf";
  else
    OS << D.MaxUlp;
  OS << " ulp, SNR ";
  if (std::isinf(D.SignalToNoise))
    printError(OS, D.SignalToNoise);
  else
    OS << llvm::format("%.1f", D.SignalToNoise);
  OS << " dB";
}

std::string relay::describeIndex(ArrayRef<int64_t> Shape, int64_t Index) {
  SmallVector<std::string, 4> Places;
  for (int64_t Step : getStrides(Shape)) {
    Places.push_back(std::to_string(Index / Step));
    Index %= Step;
  }
  return "[" + llvm::join(Places, ", ") + "]";
}

//===- ArithmeticKernels.cpp - Arithmetic of two operands -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of Ops/Elementwise.td that compute with two operands, or with one
// and its attributes. Integers wrap around; each operation on floats is rounded
// to their type.
//
//===----------------------------------------------------------------------===//

#include "Requantizer.h"
#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

/// \p F takes two numbers and returns one.
template <typename Fn>
static LogicalResult mapBinary(KernelCall &Call, Fn &&F) {
  return dispatchNumbers(Call, Call.getOutputDType(), [&](auto Zero) {
    using N = decltype(Zero);
    return mapNumberPairs<N, N>(Call, F);
  });
}

/// Like mapBinary(), but computes in uint64, for operations on integers and
/// bool that do not depend on the sign.
template <typename Fn> static LogicalResult mapBits(KernelCall &Call, Fn &&F) {
  if (getNumberType(Call.getOutputDType()).isFloat())
    return Call.emitUnsupported(Call.getOutputDType());
  return mapNumberPairs<uint64_t, uint64_t>(Call, F);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <typename Fn>
static LogicalResult mapFloats(KernelCall &Call, Fn &&F) {
  if (Call.getOutputDType().isFloat(64))
    return mapNumberPairs<double, double>(Call, F);
  return mapNumberPairs<float, float>(Call, F);
}

/// Applies \p F to floats, and to integers as uint64, where sums, differences
/// and products wrap around.
template <typename Fn> static LogicalResult mapRing(KernelCall &Call, Fn &&F) {
  if (getNumberType(Call.getOutputDType()).isFloat())
    return mapFloats(Call, F);
  return mapNumberPairs<uint64_t, uint64_t>(Call, F);
}

/// Sums and differences of bool have one bit.
LogicalResult relay::evalAdd(KernelCall &Call) {
  if (Call.getOutputDType().isBool())
    return evalBitwiseXor(Call);
  return mapRing(Call, [](auto L, auto R) { return L + R; });
}
LogicalResult relay::evalSubtract(KernelCall &Call) {
  if (Call.getOutputDType().isBool())
    return evalBitwiseXor(Call);
  return mapRing(Call, [](auto L, auto R) { return L - R; });
}
LogicalResult relay::evalMultiply(KernelCall &Call) {
  return mapRing(Call, [](auto L, auto R) { return L * R; });
}

/// Returns the second operand if neither is larger, including NaN, as in TVM.
LogicalResult relay::evalMaximum(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) { return L > R ? L : R; });
}
LogicalResult relay::evalMinimum(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) { return L < R ? L : R; });
}

/// Floats only, as in TVM.
LogicalResult relay::evalPower(KernelCall &Call) {
  if (!getNumberType(Call.getOutputDType()).isFloat())
    return Call.emitUnsupported(Call.getOutputDType());
  return mapNumberPairs<double, double>(
      Call, [](double L, double R) { return std::pow(L, R); });
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// Reports a zero in operand 1, which has integers.
static LogicalResult checkDivisor(KernelCall &Call) {
  bool HasZero = false;
  dispatchSize(Call.getInput(1).getDType(), [&](auto Zero) {
    const auto *Divisors = getRawElements<decltype(Zero)>(Call.getInput(1));
    HasZero = llvm::is_contained(
        ArrayRef(Divisors, Call.getInput(1).getNumElements()), Zero);
  });
  return HasZero ? LogicalResult(Call.emitError("division by zero"))
                 : success();
}

/// For integers, without division by zero.
template <typename Fn>
static LogicalResult divideNumbers(KernelCall &Call, Fn) {
  if (failed(checkDivisor(Call)))
    return failure();
  if (Call.getOutputDType().isInt())
    return mapNumberPairs<int64_t, int64_t>(Call,
                                            Fn::template ofIntegers<int64_t>);
  return mapNumberPairs<uint64_t, uint64_t>(Call,
                                            Fn::template ofIntegers<uint64_t>);
}

/// \p Fn has the functions ofIntegers, and ofFloats with a function that rounds
/// to the element type; as in TVM, except for the steps of bfloat16, which are
/// float32.
template <typename Fn>
static LogicalResult mapQuotient(KernelCall &Call, Fn Quotient) {
  DType T = Call.getOutputDType();
  if (!getNumberType(T).isFloat())
    return divideNumbers(Call, Quotient);
  ElementRounding<double> Round(T.isBFloat() ? DType::getFloat(32) : T);
  return mapNumberPairs<double, double>(
      Call, [=](double L, double R) { return Fn::ofFloats(L, R, Round); });
}

/// Wraps around for the minimum and -1.
template <typename T> static T divideIntegers(T L, T R) {
  if constexpr (std::is_signed_v<T>)
    if (R == T(-1))
      return Wrapping<T>::subtract(0, L);
  return L / R;
}
template <typename T> static T getRemainder(T L, T R) {
  if constexpr (std::is_signed_v<T>)
    if (R == T(-1))
      return 0;
  return L % R;
}
/// Returns true if the quotient is negative and has a fraction.
template <typename T> static bool roundsDown(T L, T R) {
  return getRemainder(L, R) != 0 && (L < T(0)) != (R < T(0));
}

namespace {
struct TruncatedQuotient {
  template <typename T> static T ofIntegers(T L, T R) {
    return divideIntegers(L, R);
  }
  template <typename Fn> static double ofFloats(double L, double R, Fn Round) {
    return std::trunc(Round(L / R));
  }
};
struct FloorQuotient {
  template <typename T> static T ofIntegers(T L, T R) {
    return T(divideIntegers(L, R) - T(roundsDown(L, R)));
  }
  template <typename Fn> static double ofFloats(double L, double R, Fn Round) {
    return std::floor(Round(L / R));
  }
};
struct Remainder {
  template <typename T> static T ofIntegers(T L, T R) {
    return getRemainder(L, R);
  }
  template <typename Fn> static double ofFloats(double L, double R, Fn) {
    return std::fmod(L, R);
  }
};
struct TruncatedRemainder : Remainder {
  template <typename Fn> static double ofFloats(double L, double R, Fn Round) {
    return L - Round(std::trunc(Round(L / R)) * R);
  }
};
struct FloorRemainder {
  template <typename T> static T ofIntegers(T L, T R) {
    return T(getRemainder(L, R) + (roundsDown(L, R) ? R : T(0)));
  }
  template <typename Fn> static double ofFloats(double L, double R, Fn Round) {
    return L - Round(std::floor(Round(L / R)) * R);
  }
};
} // namespace

LogicalResult relay::evalDivide(KernelCall &Call) {
  if (getNumberType(Call.getOutputDType()).isFloat())
    return mapFloats(Call, [](auto L, auto R) { return L / R; });
  return divideNumbers(Call, TruncatedQuotient());
}
LogicalResult relay::evalTruncDivide(KernelCall &Call) {
  return mapQuotient(Call, TruncatedQuotient());
}
LogicalResult relay::evalFloorDivide(KernelCall &Call) {
  return mapQuotient(Call, FloorQuotient());
}
LogicalResult relay::evalMod(KernelCall &Call) {
  return mapQuotient(Call, Remainder());
}
LogicalResult relay::evalTruncMod(KernelCall &Call) {
  return mapQuotient(Call, TruncatedRemainder());
}
LogicalResult relay::evalFloorMod(KernelCall &Call) {
  return mapQuotient(Call, FloorRemainder());
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

LogicalResult relay::evalBitwiseAnd(KernelCall &Call) {
  return mapBits(Call, [](auto L, auto R) { return L & R; });
}
LogicalResult relay::evalBitwiseOr(KernelCall &Call) {
  return mapBits(Call, [](auto L, auto R) { return L | R; });
}
LogicalResult relay::evalBitwiseXor(KernelCall &Call) {
  return mapBits(Call, [](auto L, auto R) { return L ^ R; });
}

/// Returns the number of bits of an element in memory. Shifts must be smaller;
/// TVM leaves larger ones undefined.
static uint64_t getNumBits(const KernelCall &Call) {
  return Call.getOutputDType().getByteSize() * 8;
}

/// The result is 0 if the number of bits is out of range for the type.
LogicalResult relay::evalLeftShift(KernelCall &Call) {
  return mapBits(Call, [NumBits = getNumBits(Call)](uint64_t L, uint64_t R) {
    return R < NumBits ? L << R : 0;
  });
}
/// Fills with the sign; likewise.
LogicalResult relay::evalRightShift(KernelCall &Call) {
  uint64_t NumBits = getNumBits(Call);
  if (!Call.getOutputDType().isInt())
    return mapBits(
        Call, [=](uint64_t L, uint64_t R) { return R < NumBits ? L >> R : 0; });
  return mapNumberPairs<int64_t, int64_t>(Call, [=](int64_t L, int64_t R) {
    return L >> (uint64_t(R) < NumBits ? R : 63);
  });
}

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

/// Returns an attribute as a number of the element type \p T: integers are
/// truncated and clamped.
template <typename N> static N getBound(DType T, double Value) {
  if constexpr (std::is_integral_v<N>) {
    auto [Min, Max] = getIntegerLimits<N>(T);
    return Value <= double(Min) ? Min : Value >= double(Max) ? Max : N(Value);
  } else {
    return roundToElement<N>(T, Value);
  }
}

LogicalResult relay::evalClip(KernelCall &Call) {
  const auto &A = Call.getAttrs<ClipAttrs>();
  DType T = Call.getOutputDType();
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    N Min = getBound<N>(T, A.aMin()), Max = getBound<N>(T, A.aMax());
    return mapNumbers<N>(Call, [=](N X) {
      N Upper = X < Max ? X : Max;
      return Upper > Min ? Upper : Min;
    });
  });
}

/// data * multiplier * 2^(shift - 31), halves rounded up, in 64 bits as in TVM.
LogicalResult relay::evalFixedPointMultiply(KernelCall &Call) {
  const auto &A = Call.getAttrs<FixedPointMultiplyAttrs>();
  int64_t LeftShift = std::max<int64_t>(A.shift(), 0);
  int64_t RightShift = 31 - std::min<int64_t>(A.shift(), 0);
  if (LeftShift > MaxProductShift || RightShift > MaxProductShift)
    return Call.emitError("shift " + Twine(A.shift()) + " is out of range");
  if (Call.getOutputDType() != DType::getInt(32))
    return Call.emitUnsupported(Call.getOutputDType());
  return mapElements<int32_t, int32_t>(
      Call, [=, Multiplier = int64_t(A.multiplier())](int32_t X) {
        return multiplyShifted(X, Multiplier, LeftShift, RightShift);
      });
}

/// Returns the strides by which \p Param, with an axis for each of \p Axes, is
/// read at the positions of \p Shape; reports incompatible shapes.
static FailureOr<Strides> getAxesStrides(KernelCall &Call, const Tensor &Param,
                                         ArrayRef<unsigned> Axes,
                                         ArrayRef<int64_t> Shape) {
  Strides Steps(Shape.size(), 0), Own = getStrides(Param.getShape());
  bool Fits = Param.getRank() == Axes.size();
  for (unsigned I = 0; Fits && I != Axes.size(); ++I) {
    Fits = Param.getDim(I) == Shape[Axes[I]];
    Steps[Axes[I]] = Own[I];
  }
  if (!Fits || Param.getDType() != DType::getInt(32))
    return Call.emitError(
        "an operand of the shape " + toString(Param.getShape()) +
        " is not a list of one int32 per element of the axes");
  return Steps;
}

/// Like fixed_point_multiply: data * 2^left_shift * fp_multiplier * 2^-(31 +
/// right_shift), where the three are tensors over `axes` of data. Without
/// `is_lshift_required` left_shift is ignored.
LogicalResult relay::evalFixedPointMultiplyPerAxis(KernelCall &Call) {
  const auto &A = Call.getAttrs<FixedPointMultiplyPerAxisAttrs>();
  const Tensor &Data = Call.getInput(0);
  if (Data.getDType() != DType::getInt(32))
    return Call.emitUnsupported(Data.getDType());
  auto Numbers = getInts(Call, A.axes(), "axes");
  if (failed(Numbers))
    return failure(); // reported
  SmallVector<unsigned, 4> Axes;
  for (int64_t Wanted : *Numbers) {
    auto Axis = getAxis(Call, Wanted, Data.getRank());
    if (failed(Axis))
      return failure(); // reported
    Axes.push_back(*Axis);
  }
  SmallVector<Strides, 4> Steps = {getStrides(Data.getShape())};
  SmallVector<const int32_t *, 4> From = {Call.getInput<int32_t>(0).data()};
  for (unsigned I : {1, 2, 3}) {
    auto Own = getAxesStrides(Call, Call.getInput(I), Axes, Data.getShape());
    if (failed(Own))
      return failure();
    Steps.push_back(*Own);
    From.push_back(Call.getInput<int32_t>(I).data());
  }
  for (auto [I, Max] :
       {std::pair(2, MaxProductShift), std::pair(3, MaxProductShift - 31)})
    for (int32_t Shift : Call.getInput<int32_t>(I))
      if (Shift < 0 || Shift > Max)
        return Call.emitError("shift " + Twine(Shift) + " is out of range");
  bool ShiftsLeft = A.isLshiftRequired();
  int32_t *Out = Call.getOutput<int32_t>().data();
  StridedWalk Walk(Data.getShape(), Steps);
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I) {
      auto Read = [&](unsigned J) {
        return From[J][Offsets[J] + I * Walk.getRowStride(J)];
      };
      Out[First + I] = multiplyShifted(Read(0), Read(1),
                                       ShiftsLeft ? Read(2) : 0, 31 + Read(3));
    }
  });
  return success();
}

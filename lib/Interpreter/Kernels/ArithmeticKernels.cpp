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

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

/// \p F takes two ComputeType<E> of every element type E, and returns one that
/// is rounded to E.
template <typename Fn>
static LogicalResult mapBinary(KernelCall &Call, Fn &&F) {
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return mapBroadcast<E, E, E>(
        Call, [&](E L, E R) { return store<E>(F(load(L), load(R))); });
  });
}

/// The same of integers and bool alone.
template <typename Fn> static LogicalResult mapBits(KernelCall &Call, Fn &&F) {
  return dispatchElements(
      Call, Call.getOutputDType(), [&](auto Zero) -> LogicalResult {
        using E = decltype(Zero);
        if constexpr (std::is_integral_v<E>)
          return mapBroadcast<E, E, E>(Call,
                                       [&](E L, E R) { return E(F(L, R)); });
        else
          return Call.emitUnsupported(Call.getOutputDType());
      });
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

LogicalResult relay::evalAdd(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) {
    if constexpr (std::is_integral_v<decltype(L)>)
      return Wrapping<decltype(L)>::add(L, R);
    else
      return L + R;
  });
}
LogicalResult relay::evalSubtract(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) {
    if constexpr (std::is_integral_v<decltype(L)>)
      return Wrapping<decltype(L)>::subtract(L, R);
    else
      return L - R;
  });
}
LogicalResult relay::evalMultiply(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) {
    if constexpr (std::is_integral_v<decltype(L)>)
      return Wrapping<decltype(L)>::multiply(L, R);
    else
      return L * R;
  });
}

/// The second where neither is larger, NaN included, as in TVM.
LogicalResult relay::evalMaximum(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) { return L > R ? L : R; });
}
LogicalResult relay::evalMinimum(KernelCall &Call) {
  return mapBinary(Call, [](auto L, auto R) { return L < R ? L : R; });
}

/// Floats only, as in TVM.
LogicalResult relay::evalPower(KernelCall &Call) {
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return mapBroadcast<E, E, E>(Call, [](E L, E R) {
      return store<E>(std::pow(double(load(L)), double(load(R))));
    });
  });
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// Reports that operand 1, of integers, holds a zero.
template <typename E> static LogicalResult checkDivisor(KernelCall &Call) {
  if constexpr (std::is_integral_v<E>)
    if (llvm::is_contained(Call.getInput<E>(1), E(0)))
      return Call.emitError("division by zero");
  return success();
}

/// As mapBinary; integers are not divided by zero. \p F has the functions
/// ofIntegers, and ofFloats with a function that rounds to the element type; as
/// TVM does, but for the steps of bfloat16, which are of float32.
template <typename Fn> static LogicalResult mapQuotient(KernelCall &Call, Fn) {
  return dispatchElements(
      Call, Call.getOutputDType(), [&](auto Zero) -> LogicalResult {
        using E = decltype(Zero);
        if (failed(checkDivisor<E>(Call)))
          return failure();
        if constexpr (std::is_integral_v<E>)
          return mapBroadcast<E, E, E>(
              Call, [](E L, E R) { return E(Fn::ofIntegers(L, R)); });
        else
          return mapBroadcast<E, E, E>(Call, [](E L, E R) {
            auto Round = [](auto X) {
              if constexpr (std::is_same_v<E, BFloat>)
                return X;
              else
                return load(store<E>(X));
            };
            return store<E>(Fn::ofFloats(load(L), load(R), Round));
          });
      });
}

/// Wraps around for the least number and -1.
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
/// Whether the quotient is below zero and has a fraction.
template <typename T> static bool roundsDown(T L, T R) {
  return getRemainder(L, R) != 0 && (L < T(0)) != (R < T(0));
}

namespace {
struct Quotient {
  template <typename T> static T ofIntegers(T L, T R) {
    return divideIntegers(L, R);
  }
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn) {
    return L / R;
  }
};
struct TruncatedQuotient : Quotient {
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn Round) {
    return std::trunc(Round(L / R));
  }
};
struct FloorQuotient {
  template <typename T> static T ofIntegers(T L, T R) {
    return T(divideIntegers(L, R) - T(roundsDown(L, R)));
  }
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn Round) {
    return std::floor(Round(L / R));
  }
};
struct Remainder {
  template <typename T> static T ofIntegers(T L, T R) {
    return getRemainder(L, R);
  }
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn) {
    return std::fmod(L, R);
  }
};
struct TruncatedRemainder : Remainder {
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn Round) {
    return L - Round(std::trunc(Round(L / R)) * R);
  }
};
struct FloorRemainder {
  template <typename T> static T ofIntegers(T L, T R) {
    return T(getRemainder(L, R) + (roundsDown(L, R) ? R : T(0)));
  }
  template <typename T, typename Fn> static T ofFloats(T L, T R, Fn Round) {
    return L - Round(std::floor(Round(L / R)) * R);
  }
};
} // namespace

LogicalResult relay::evalDivide(KernelCall &Call) {
  return mapQuotient(Call, Quotient());
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

/// Whether \p R is a number of bits of T; TVM leaves others undefined.
template <typename T> static bool isShift(T R) {
  return uint64_t(R) < sizeof(T) * 8;
}

/// 0 where the number of bits is none of the type's.
LogicalResult relay::evalLeftShift(KernelCall &Call) {
  return mapBits(Call, [](auto L, auto R) {
    using T = decltype(L);
    return isShift(R) ? T(uint64_t(L) << R) : T(0);
  });
}
/// Fills with the sign; likewise.
LogicalResult relay::evalRightShift(KernelCall &Call) {
  return mapBits(Call, [](auto L, auto R) {
    using T = decltype(L);
    return isShift(R) ? T(L >> R) : T(L < T(0) ? -1 : 0);
  });
}

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

/// An attribute as an element: integers are truncated and limited to the type.
template <typename E> static ComputeType<E> getBound(double Value) {
  using T = ComputeType<E>;
  if constexpr (std::is_integral_v<T>) {
    constexpr T Min = std::numeric_limits<T>::min();
    constexpr T Max = std::numeric_limits<T>::max();
    return Value <= double(Min) ? Min : Value >= double(Max) ? Max : T(Value);
  } else {
    return load(store<E>(Value));
  }
}

LogicalResult relay::evalClip(KernelCall &Call) {
  const auto &A = Call.getAttrs<ClipAttrs>();
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    auto Min = getBound<E>(A.aMin()), Max = getBound<E>(A.aMax());
    return mapElements<E, E>(Call, [=](E X) {
      auto Upper = load(X) < Max ? load(X) : Max;
      return store<E>(Upper > Min ? Upper : Min);
    });
  });
}

/// data * multiplier * 2^(shift - 31), halves rounded up, in 64 bits as in TVM.
LogicalResult relay::evalFixedPointMultiply(KernelCall &Call) {
  const auto &A = Call.getAttrs<FixedPointMultiplyAttrs>();
  int64_t LeftShift = std::max<int64_t>(A.shift(), 0);
  int64_t RightShift = 31 - std::min<int64_t>(A.shift(), 0);
  if (LeftShift > 31 || RightShift > 62)
    return Call.emitError("shift " + Twine(A.shift()) + " is out of range");
  if (Call.getOutputDType() != DType::getInt(32))
    return Call.emitUnsupported(Call.getOutputDType());
  uint64_t Multiplier = A.multiplier();
  return mapElements<int32_t, int32_t>(Call, [=](int32_t X) {
    uint64_t Product = (uint64_t(int64_t(X)) << LeftShift) * Multiplier;
    uint64_t Half = uint64_t(1) << (RightShift - 1);
    return int32_t(int64_t(Product + Half) >> RightShift);
  });
}

/// The steps by which \p Param, with an axis for each of \p Axes, is read at
/// the places of \p Shape; reports what does not fit.
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
    return Call.emitError("an operand of the shape " +
                          toString(Param.getShape()) +
                          " is no list of int32 for the axes");
  return Steps;
}

/// As fixed_point_multiply: data * 2^left_shift * fp_multiplier * 2^-(31 +
/// right_shift), where the three are tensors over `axes` of data. Without
/// `is_lshift_required` left_shift does not count.
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
  for (unsigned I : {2, 3})
    for (int32_t Shift : Call.getInput<int32_t>(I))
      if (Shift < 0 || Shift > 31)
        return Call.emitError("shift " + Twine(Shift) + " is out of range");
  bool ShiftsLeft = A.isLshiftRequired();
  int32_t *Out = Call.getOutput<int32_t>().data();
  StridedWalk Walk(Data.getShape(), Steps);
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I) {
      auto Read = [&](unsigned J) {
        return From[J][Offsets[J] + I * Walk.getRowStride(J)];
      };
      int LeftShift = ShiftsLeft ? Read(2) : 0, RightShift = 31 + Read(3);
      uint64_t Product = (uint64_t(int64_t(Read(0))) << LeftShift) *
                         uint64_t(int64_t(Read(1)));
      uint64_t Half = uint64_t(1) << (RightShift - 1);
      Out[First + I] = int32_t(int64_t(Product + Half) >> RightShift);
    }
  });
  return success();
}

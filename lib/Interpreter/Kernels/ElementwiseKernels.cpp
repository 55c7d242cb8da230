//===- ElementwiseKernels.cpp - Kernels of Ops/Elementwise.td -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators with one operand, and comparisons and logic of two. The semantics
// are TVM's: functions that its code does not support for integers are errors.
// ArithmeticKernels.cpp contains arithmetic, CastKernels.cpp conversions.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Functions of floats
//===----------------------------------------------------------------------===//

/// Applies \p F to doubles and rounds once. Floats only, as in TVM.
static LogicalResult mapMath(KernelCall &Call, double (*F)(double)) {
  if (!getNumberType(Call.getOutputDType()).isFloat())
    return Call.emitUnsupported(Call.getOutputDType());
  return mapNumbers<double>(Call, F);
}

LogicalResult relay::evalAcos(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::acos(X); });
}
LogicalResult relay::evalAcosh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::acosh(X); });
}
LogicalResult relay::evalAsin(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::asin(X); });
}
LogicalResult relay::evalAsinh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::asinh(X); });
}
LogicalResult relay::evalAtan(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::atan(X); });
}
LogicalResult relay::evalAtanh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::atanh(X); });
}
LogicalResult relay::evalCos(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::cos(X); });
}
LogicalResult relay::evalCosh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::cosh(X); });
}
LogicalResult relay::evalErf(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::erf(X); });
}
/// Computes TVM's quotient of two polynomials and rounds each step; in float16,
/// the result for large arguments is therefore not exactly 1. NaN is clamped to
/// the upper bound.
LogicalResult relay::evalFastErf(KernelCall &Call) {
  DType Type = Call.getOutputDType();
  if (!Type.isFloat(16) && !Type.isFloat(32))
    return evalErf(Call);
  ElementRounding<float> Round(Type);
  auto Polynomial = [=](float X, ArrayRef<double> Coefficients) {
    float Value = 0;
    for (double C : Coefficients)
      Value = Round(Round(Value * X) + Round(float(C)));
    return Value;
  };
  return mapNumbers<float>(Call, [=](float X) {
    X = X < 4.0f ? X : 4.0f;
    X = X > -4.0f ? X : -4.0f;
    float Square = Round(X * X);
    float Upper =
        Polynomial(Square, {-2.72614225801306e-10, 2.77068142495902e-08,
                            -2.10102402082508e-06, -5.69250639462346e-05,
                            -7.34990630326855e-04, -2.95459980854025e-03,
                            -1.60960333262415e-02});
    float Lower =
        Polynomial(Square, {-1.45660718464996e-05, -2.13374055278905e-04,
                            -1.68282697438203e-03, -7.37332916720468e-03,
                            -1.42647390514189e-02});
    return Round(X * Upper) / Lower;
  });
}
LogicalResult relay::evalExp(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::exp(X); });
}
LogicalResult relay::evalLog(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::log(X); });
}
LogicalResult relay::evalLog10(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::log10(X); });
}
LogicalResult relay::evalLog2(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::log2(X); });
}
LogicalResult relay::evalRsqrt(KernelCall &Call) {
  return mapMath(Call, [](double X) { return 1 / std::sqrt(X); });
}
LogicalResult relay::evalSigmoid(KernelCall &Call) {
  return mapMath(Call, [](double X) { return 1 / (1 + std::exp(-X)); });
}
LogicalResult relay::evalSin(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::sin(X); });
}
LogicalResult relay::evalSinh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::sinh(X); });
}
LogicalResult relay::evalSqrt(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::sqrt(X); });
}
LogicalResult relay::evalTan(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::tan(X); });
}
LogicalResult relay::evalTanh(KernelCall &Call) {
  return mapMath(Call, [](double X) { return std::tanh(X); });
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// Applies \p F to floats; integers are unchanged.
static LogicalResult mapRounding(KernelCall &Call, double (*F)(double)) {
  if (getNumberType(Call.getOutputDType()).isFloat())
    return mapMath(Call, F);
  Call.setOutput(0, Call.getInput(0));
  return success();
}

LogicalResult relay::evalCeil(KernelCall &Call) {
  return mapRounding(Call, [](double X) { return std::ceil(X); });
}
LogicalResult relay::evalFloor(KernelCall &Call) {
  return mapRounding(Call, [](double X) { return std::floor(X); });
}
LogicalResult relay::evalRound(KernelCall &Call) {
  return mapRounding(Call, [](double X) { return std::round(X); });
}
LogicalResult relay::evalTrunc(KernelCall &Call) {
  return mapRounding(Call, [](double X) { return std::trunc(X); });
}

//===----------------------------------------------------------------------===//
// Signs, bits, predicates
//===----------------------------------------------------------------------===//

/// \p F takes and returns a number.
template <typename Fn> static LogicalResult mapUnary(KernelCall &Call, Fn &&F) {
  return dispatchNumbers(Call, Call.getOutputDType(), [&](auto Zero) {
    return mapNumbers<decltype(Zero)>(Call, F);
  });
}

LogicalResult relay::evalAbs(KernelCall &Call) {
  return mapUnary(Call, [](auto X) {
    using N = decltype(X);
    if constexpr (std::is_floating_point_v<N>)
      return std::fabs(X);
    else if constexpr (std::is_signed_v<N>)
      return X < 0 ? Wrapping<N>::subtract(0, X) : X;
    else
      return X;
  });
}

/// The negative of a bool is the bool itself, since it has one bit.
LogicalResult relay::evalNegative(KernelCall &Call) {
  return mapUnary(Call, [](auto X) {
    if constexpr (std::is_integral_v<decltype(X)>)
      return Wrapping<decltype(X)>::subtract(0, X);
    else
      return -X;
  });
}

/// Returns 0 for NaN, as in TVM.
LogicalResult relay::evalSign(KernelCall &Call) {
  return mapUnary(Call, [](auto X) {
    using N = decltype(X);
    return X > N(0) ? N(1) : X < N(0) ? N(-1) : N(0);
  });
}

LogicalResult relay::evalBitwiseNot(KernelCall &Call) {
  DType T = Call.getOutputDType();
  if (getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  if (T.isBool())
    return evalLogicalNot(Call);
  return mapNumbers<uint64_t>(Call, [](uint64_t X) { return ~X; });
}

LogicalResult relay::evalLogicalNot(KernelCall &Call) {
  if (!Call.getOutputDType().isBool())
    return Call.emitUnsupported(Call.getOutputDType());
  return mapElements<bool, bool>(Call, [](bool X) { return !X; });
}

/// Applies \p F to doubles; the result is \p OfIntegers for all integers.
static LogicalResult mapPredicate(KernelCall &Call, bool (*F)(double),
                                  bool OfIntegers) {
  if (!getNumberType(Call.getInput(0).getDType()).isFloat()) {
    MutableArrayRef<bool> Out = Call.getOutput<bool>();
    std::fill(Out.begin(), Out.end(), OfIntegers);
    return success();
  }
  mapBlocks<bool, double>(Call, [=](const double *X, bool *Out, int64_t Count) {
    std::transform(X, X + Count, Out, F);
  });
  return success();
}

LogicalResult relay::evalIsFinite(KernelCall &Call) {
  return mapPredicate(Call, [](double X) { return std::isfinite(X); }, true);
}
LogicalResult relay::evalIsInf(KernelCall &Call) {
  return mapPredicate(Call, [](double X) { return std::isinf(X); }, false);
}
LogicalResult relay::evalIsNan(KernelCall &Call) {
  return mapPredicate(Call, [](double X) { return std::isnan(X); }, false);
}

//===----------------------------------------------------------------------===//
// Copies and constants
//===----------------------------------------------------------------------===//

LogicalResult relay::evalCopy(KernelCall &Call) {
  Call.setOutput(0, Call.getInput(0));
  return success();
}

LogicalResult relay::evalOnesLike(KernelCall &Call) {
  fillTensor(Call.getOutputTensor(), 1);
  return success();
}
LogicalResult relay::evalZerosLike(KernelCall &Call) {
  fillTensor(Call.getOutputTensor(), 0);
  return success();
}

//===----------------------------------------------------------------------===//
// Comparisons and logic
//===----------------------------------------------------------------------===//

/// \p F takes two numbers and returns a bool.
template <typename Fn>
static LogicalResult mapCompare(KernelCall &Call, Fn &&F) {
  return dispatchNumbers(Call, Call.getInput(0).getDType(), [&](auto Zero) {
    return mapNumberPairs<bool, decltype(Zero)>(Call, F);
  });
}

LogicalResult relay::evalEqual(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L == R; });
}
/// Returns false if an operand is NaN, as in TVM.
LogicalResult relay::evalNotEqual(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L < R || L > R; });
}
LogicalResult relay::evalGreater(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L > R; });
}
LogicalResult relay::evalGreaterEqual(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L >= R; });
}
LogicalResult relay::evalLess(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L < R; });
}
LogicalResult relay::evalLessEqual(KernelCall &Call) {
  return mapCompare(Call, [](auto L, auto R) { return L <= R; });
}

template <typename Fn> static LogicalResult mapBools(KernelCall &Call, Fn &&F) {
  if (!Call.getOutputDType().isBool())
    return Call.emitUnsupported(Call.getOutputDType());
  return mapNumberPairs<uint64_t, uint64_t>(Call, F);
}

LogicalResult relay::evalLogicalAnd(KernelCall &Call) {
  return mapBools(Call, [](uint64_t L, uint64_t R) { return L & R; });
}
LogicalResult relay::evalLogicalOr(KernelCall &Call) {
  return mapBools(Call, [](uint64_t L, uint64_t R) { return L | R; });
}

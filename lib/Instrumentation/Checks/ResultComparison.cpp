//===- ResultComparison.cpp - Values before and after a pass --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares tensors and tuples within a tolerance, and describes differences.
// See ResultComparison.h.
//
//===----------------------------------------------------------------------===//

#include "ResultComparison.h"
#include "relay/Interpreter/Compare/TensorDifference.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include <cmath>

using namespace relay;

/// Returns the distance from 1 to the next number of \p D, a float type.
static double getEpsilon(DType D) {
  if (D.isBFloat())
    return 0x1p-7;
  return D.isFloat(16) ? 0x1p-10 : D.isFloat(32) ? 0x1p-23 : 0x1p-52;
}

/// Returns the tolerance for the tensor \p Before, which becomes \p After. The
/// absolute tolerance grows with the elements, since rounded values are sums of
/// such elements. Types with few digits may be rounded several times, and more
/// often if functions are approximated: `fast_erf(-4)` of float16 is -1.041.
static Tolerance getTolerance(const PassTolerance &T, const Tensor &Before,
                              const Tensor &After) {
  if (T.isExact() || !Before.getDType().isAnyFloat())
    return {};
  const double Roundings = T.KeepsSpecialValues ? 16 : 64;
  double Largest = 0;
  for (int64_t I = 0; I != Before.getNumElements(); ++I)
    if (double Size = std::abs(Before.getDouble(I)); std::isfinite(Size))
      Largest = std::max(Largest, Size);
  double Epsilon = getEpsilon(Before.getDType());
  if (After.getDType().isAnyFloat())
    Epsilon = std::max(Epsilon, getEpsilon(After.getDType()));
  double Rounding = Roundings * Epsilon;
  return {std::max(T.Relative, Rounding),
          std::max(T.Absolute * std::max(Largest, 1.0), Rounding * Largest),
          /*OfFinite=*/!T.KeepsSpecialValues,
          /*MayOverflow=*/T.ChangesFloatTypes};
}

static std::string getTypeText(const Tensor &T) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printTensorType(OS, T);
  return Text;
}

/// Returns the extent of a difference, such as `12 ulp`, and the number of
/// elements.
static std::string describeExtent(const TensorDifference &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << D.NumBeyond << " of " << D.NumElements << " elements: ";
  printDifference(OS, D);
  return Text;
}

static ResultDifference describeTensors(const Twine &What, const Tensor &Old,
                                        const Tensor &New,
                                        const TensorDifference &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << What;
  if (!D.FirstBeyond) {
    OS << " was " << getTypeText(Old) << " and is " << getTypeText(New);
    return {Text, ""};
  }
  int64_t Index = *D.FirstBeyond;
  if (Old.getRank() != 0)
    OS << " at " << describeIndex(Old.getShape(), Index);
  OS << " was ";
  printElement(OS, Old, Index);
  OS << " and is ";
  printElement(OS, New, Index);
  return {Text, describeExtent(D)};
}

/// Returns true if both are tensors of one type of integers or bool. Extents
/// may depend on elements.
static bool areLikeIntegers(const Tensor &Old, const Tensor &New) {
  return !Old.getDType().isAnyFloat() && Old.getDType() == New.getDType() &&
         Old.getRank() == New.getRank();
}

ResultComparison relay::compareParts(const RuntimeValue &Old,
                                     const RuntimeValue &New, StringRef What,
                                     const PassTolerance &T) {
  ResultComparison Result;
  compareValues(Old, New, {}, [&](const ValueDifference &D) {
    if (!D.isCompared()) {
      Result.LeftOut = D.Reason;
      return;
    }
    if (T.ChangesFloatTypes && D.K == ValueDifference::Kind::Tensors &&
        areLikeIntegers(D.Expected->getTensor(), D.Actual->getTensor())) {
      Result.LeftOut = "integers may come from comparisons of rounded floats";
      return;
    }
    ++Result.NumCompared;
    std::string Where =
        (D.Path.empty() ? Twine(What) : "part " + D.Path + " of " + What).str();
    std::optional<ResultDifference> Found;
    if (D.K == ValueDifference::Kind::Structure) {
      Found = {Where + " differs: " + D.Reason, ""};
      Result.HasSameTypes = false;
    } else if (!D.agrees()) {
      const Tensor &Before = D.Expected->getTensor();
      const Tensor &After = D.Actual->getTensor();
      TensorDifference Elements =
          compareTensors(Before, After, getTolerance(T, Before, After));
      bool IsSameType =
          Elements.SameType || (T.ChangesFloatTypes && Elements.IsCompared);
      Result.HasSameTypes &= IsSameType;
      if (!IsSameType || Elements.NumBeyond != 0)
        Found = describeTensors(Where, Before, After, Elements);
    }
    if (Found && !Result.First)
      Result.First = std::move(Found);
  });
  return Result;
}

/// Returns the elements of \p T in ascending order, without NaN.
static std::vector<double> getSortedNumbers(const Tensor &T) {
  std::vector<double> Numbers;
  for (int64_t I = 0; I != T.getNumElements(); ++I)
    if (double X = T.getDouble(I); !std::isnan(X))
      Numbers.push_back(X);
  llvm::sort(Numbers);
  return Numbers;
}

bool relay::areReorderedWithNaN(const Tensor &Old, const Tensor &New,
                                const PassTolerance &T) {
  if (Old.getDType() != New.getDType() ||
      Old.getNumElements() != New.getNumElements())
    return false;
  std::vector<double> Before = getSortedNumbers(Old),
                      After = getSortedNumbers(New);
  if (Before.size() != After.size() ||
      int64_t(Before.size()) == Old.getNumElements())
    return false;
  Tolerance Bound = getTolerance(T, Old, New);
  return llvm::all_of(llvm::zip_equal(Before, After), [&](auto Pair) {
    auto [L, R] = Pair;
    return L == R ||
           std::abs(L - R) <= Bound.Absolute + Bound.Relative * std::abs(L);
  });
}

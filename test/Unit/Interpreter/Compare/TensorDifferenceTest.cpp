//===- TensorDifferenceTest.cpp - Distance of two tensors -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors computed by hand for each kind of data type, special values, and
// values with shared parts or deep nesting.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Compare/TensorDifference.h"
#include "relay/Interpreter/Values/Elements.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

constexpr double Inf = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

template <typename E>
Tensor makeTensor(DType T, std::initializer_list<double> Values) {
  Tensor Result = Tensor::allocate(T, int64_t(Values.size()));
  llvm::transform(Values, Result.getMutableElements<E>().begin(),
                  [](double Value) { return store<E>(Value); });
  return Result;
}
Tensor makeFloats(std::initializer_list<double> Values) {
  return makeTensor<float>(DType::getFloat(32), Values);
}
Tensor makeDoubles(std::initializer_list<double> Values) {
  return makeTensor<double>(DType::getFloat(64), Values);
}

TEST(TensorDifferenceTest, Equal) {
  Tensor T = makeFloats({1, -2, NaN, Inf});
  TensorDifference D = compareTensors(T, T.copy());
  EXPECT_TRUE(D.agrees());
  EXPECT_EQ(D.NumElements, 4);
  EXPECT_EQ(D.SignalToNoise, Inf);
  EXPECT_FALSE(D.Worst);
  EXPECT_FALSE(D.FirstBeyond);
}

TEST(TensorDifferenceTest, ErrorsOfFloats) {
  TensorDifference D =
      compareTensors(makeFloats({1, 2, 4, 0}), makeFloats({1, 2.5, 3, 0}));
  EXPECT_FALSE(D.agrees());
  EXPECT_EQ(D.NumBeyond, 2);
  EXPECT_EQ(D.MaxAbsolute, 1);
  EXPECT_EQ(D.MaxRelative, 0.25);
  EXPECT_EQ(D.MaxUlp, 1u << 22);
  EXPECT_EQ(D.FirstBeyond, 1);
  EXPECT_EQ(D.Worst, 2);
  EXPECT_DOUBLE_EQ(D.SignalToNoise, 10 * std::log10(21 / 1.25));
}

TEST(TensorDifferenceTest, ToleranceIsOfTheExpected) {
  Tensor Expected = makeFloats({1, 8}), Actual = makeFloats({1.5, 9});
  EXPECT_EQ(compareTensors(Expected, Actual, {0.125, 0}).FirstBeyond, 0);
  EXPECT_EQ(compareTensors(Expected, Actual, {0.125, 0}).NumBeyond, 1);
  EXPECT_TRUE(compareTensors(Expected, Actual, {0, 1}).agrees());
  EXPECT_TRUE(compareTensors(Expected, Actual, {0.25, 0.25}).agrees());
  EXPECT_FALSE(compareTensors(Expected, Actual, {0.0625, 0.25}).agrees());
  // Elements within the tolerance have errors nevertheless.
  EXPECT_EQ(compareTensors(Expected, Actual, {0, 1}).Worst, 1);
}

TEST(TensorDifferenceTest, RelativeToZeroDoesNotCount) {
  TensorDifference D = compareTensors(makeFloats({0, 2}), makeFloats({1, 1}));
  EXPECT_EQ(D.MaxRelative, 0.5);
  D = compareTensors(makeFloats({0}), makeFloats({1}));
  EXPECT_EQ(D.MaxRelative, 0);
  EXPECT_EQ(D.SignalToNoise, -Inf);
}

TEST(TensorDifferenceTest, SpecialValues) {
  EXPECT_TRUE(compareTensors(makeFloats({NaN, Inf, -Inf, 0}),
                             makeFloats({-NaN, Inf, -Inf, -0.0}))
                  .agrees());
  for (auto [L, R] :
       {std::pair(NaN, 1.0), {1.0, NaN}, {Inf, -Inf}, {Inf, 1.0}, {NaN, Inf}}) {
    TensorDifference D =
        compareTensors(makeFloats({L}), makeFloats({R}), {1e30, 1e30});
    EXPECT_FALSE(D.agrees()) << L << ' ' << R;
    EXPECT_EQ(D.MaxAbsolute, Inf);
    EXPECT_EQ(D.MaxRelative, Inf);
    EXPECT_EQ(D.SignalToNoise, -Inf);
    EXPECT_EQ(D.Worst, 0);
  }
}

TEST(TensorDifferenceTest, UlpOfEachFloat) {
  auto GetUlp = [](const Tensor &L, const Tensor &R) {
    return compareTensors(L, R).MaxUlp;
  };
  EXPECT_EQ(GetUlp(makeFloats({1}), makeFloats({1 + 0x1p-23})), 1u);
  EXPECT_EQ(GetUlp(makeDoubles({1}), makeDoubles({1 + 0x1p-23})), 1u << 29);
  DType F16 = DType::getFloat(16), BF16 = DType::getBFloat16();
  EXPECT_EQ(
      GetUlp(makeTensor<Half>(F16, {1}), makeTensor<Half>(F16, {1 + 0x3p-10})),
      3u);
  EXPECT_EQ(GetUlp(makeTensor<BFloat>(BF16, {1}),
                   makeTensor<BFloat>(BF16, {1 + 0x3p-7})),
            3u);
  // Across zero: from the least positive number to the greatest negative one.
  EXPECT_EQ(GetUlp(makeFloats({0x1p-149}), makeFloats({-0x1p-149})), 2u);
  EXPECT_EQ(GetUlp(makeFloats({1}), makeFloats({NaN})), UINT64_MAX);
}

TEST(TensorDifferenceTest, DoublesWhoseSquaresOverflow) {
  TensorDifference D =
      compareTensors(makeDoubles({1e300, 1e-300}), makeDoubles({1.1e300, 0}));
  EXPECT_NEAR(D.SignalToNoise, 20, 1e-9);
  EXPECT_EQ(D.Worst, 0);
}

TEST(TensorDifferenceTest, IntegersAreExact) {
  DType I64 = DType::getInt(64);
  Tensor L = Tensor::getScalar<int64_t>(I64, (int64_t(1) << 60) + 1);
  Tensor R = Tensor::getScalar<int64_t>(I64, int64_t(1) << 60);
  TensorDifference D = compareTensors(L, R);
  EXPECT_FALSE(D.agrees());
  EXPECT_EQ(D.MaxAbsolute, 1);
  EXPECT_EQ(D.MaxUlp, 1u);
  EXPECT_TRUE(compareTensors(L, R, {0, 1}).agrees());
  Tensor Min = Tensor::getScalar<int64_t>(I64, INT64_MIN);
  Tensor Max = Tensor::getScalar<int64_t>(I64, INT64_MAX);
  EXPECT_EQ(compareTensors(Min, Max).MaxUlp, UINT64_MAX);
  EXPECT_EQ(compareTensors(Min, Max).MaxAbsolute, 0x1p64);
  Tensor True = Tensor::getScalar(DType::getBool(), true);
  Tensor False = Tensor::getScalar(DType::getBool(), false);
  EXPECT_EQ(compareTensors(True, False).MaxAbsolute, 1);
}

TEST(TensorDifferenceTest, TypesDiffer) {
  Tensor L = makeFloats({1, 2});
  TensorDifference D = compareTensors(L, L.reshape({2, 1}));
  EXPECT_FALSE(D.SameType);
  EXPECT_FALSE(D.IsCompared);
  EXPECT_FALSE(D.agrees());
  D = compareTensors(L, makeTensor<int32_t>(DType::getInt(32), {1, 2}));
  EXPECT_FALSE(D.IsCompared);
}

TEST(TensorDifferenceTest, FloatsOfDifferentTypesAsNumbers) {
  DType F16 = DType::getFloat(16);
  Tensor L = makeFloats({1, 2 + 0x1p-20}), R = makeTensor<Half>(F16, {1, 2});
  TensorDifference D = compareTensors(L, R, {0, 1e-3});
  EXPECT_FALSE(D.SameType);
  EXPECT_TRUE(D.IsCompared);
  EXPECT_FALSE(D.agrees());
  EXPECT_EQ(D.NumBeyond, 0);
  EXPECT_EQ(D.MaxAbsolute, 0x1p-20);
  EXPECT_EQ(D.MaxUlp, 0u);
}

TEST(TensorDifferenceTest, Empty) {
  Tensor L = makeFloats({});
  EXPECT_TRUE(compareTensors(L, L.copy()).agrees());
}

TEST(TensorDifferenceTest, Text) {
  auto Print = [](const TensorDifference &D) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printDifference(OS, D);
    return Text;
  };
  EXPECT_EQ(Print(compareTensors(makeFloats({1}), makeFloats({1}))),
            "no difference");
  EXPECT_EQ(Print(compareTensors(makeFloats({1, 2}), makeFloats({1, 2.5}))),
            "max absolute error 0.5, max relative error 0.25, 2097152 ulp, SNR "
            "13.0 dB");
  EXPECT_EQ(Print(compareTensors(makeFloats({1}), makeFloats({NaN}))),
            "max absolute error inf, max relative error inf, inf ulp, SNR -inf "
            "dB");
  EXPECT_EQ(describeIndex({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(describeIndex({}, 0), "[]");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns a line for each reported difference.
std::vector<std::string> compareAll(const RuntimeValue &L,
                                    const RuntimeValue &R) {
  std::vector<std::string> Lines;
  compareValues(L, R, {}, [&](const ValueDifference &D) {
    bool IsTensor = D.K == ValueDifference::Kind::Tensors;
    Lines.push_back(D.Path + ": " +
                    (D.agrees() ? "equal"
                     : IsTensor ? "different"
                                : D.Reason));
  });
  return Lines;
}
RuntimeValue makeTuple(ArrayRef<RuntimeValue> Fields) {
  return RuntimeValue::getTuple(Fields);
}
using Lines = std::vector<std::string>;

TEST(ValueDifferenceTest, TuplesByPath) {
  RuntimeValue A = makeFloats({1}), B = makeFloats({2});
  EXPECT_EQ(compareAll(A, B), Lines{": different"});
  EXPECT_EQ(compareAll(makeTuple({A, makeTuple({B, A})}),
                       makeTuple({A, makeTuple({A, B})})),
            (Lines{".0: equal", ".1.0: different", ".1.1: different"}));
}

TEST(ValueDifferenceTest, Structure) {
  RuntimeValue A = makeFloats({1});
  EXPECT_EQ(
      compareAll(makeTuple({A, makeTuple({A})}), makeTuple({A, A})),
      (Lines{".0: equal", ".1: a tensor instead of a tuple of 1 fields"}));
  EXPECT_EQ(compareAll(makeTuple({}), makeTuple({A})),
            Lines{": a tuple of 1 fields instead of a tuple of 0 fields"});
}

TEST(ValueDifferenceTest, ReferencesThatHoldThemselves) {
  RuntimeValue L = RuntimeValue::getReference(RuntimeValue()),
               R = RuntimeValue::getReference(RuntimeValue());
  L.setContents(makeTuple({makeFloats({1}), L}));
  R.setContents(makeTuple({makeFloats({2}), R}));
  EXPECT_EQ(compareAll(L, R), Lines{".0.0: different"});
  L.setContents(RuntimeValue());
  R.setContents(RuntimeValue());
}

TEST(ValueDifferenceTest, SharedPartsOnce) {
  RuntimeValue L = makeFloats({1}), R = makeFloats({1});
  for (unsigned I = 0; I != 100; ++I) {
    L = makeTuple({L, L});
    R = makeTuple({R, R});
  }
  EXPECT_EQ(compareAll(L, R), Lines{".[92].0.0.0.0.0.0.0.0: equal"});
}

TEST(ValueDifferenceTest, MoreThanAreCompared) {
  RuntimeValue L = makeTuple({}), R = makeTuple({});
  for (size_t I = 0; I != MaxComparedValues; ++I) {
    L = makeTuple({L});
    R = makeTuple({R});
  }
  EXPECT_EQ(compareAll(L, R),
            Lines{".[262136].0.0.0.0.0.0.0.0: there are more values than are "
                  "compared"});
}

} // namespace

//===- RandomTensor.cpp - Tensors of random elements ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator is std::mt19937_64, whose numbers the standard fixes; its
// distributions are not fixed, and not used.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/RandomTensor.h"
#include "relay/Interpreter/Elements.h"
#include <random>

using namespace relay;

namespace {
/// The interval that floats are from.
struct FloatRange {
  double Begin, Width;
};
} // namespace

static FloatRange getFloatRange(const Tensor &T) {
  if (T.getRank() < 2 || T.getNumElements() == 0)
    return {0.5, 1};
  double NumSummed = double(T.getNumElements() / T.getDim(0));
  double Bound = std::sqrt(3 / NumSummed);
  return {-Bound, 2 * Bound};
}

template <typename E>
static E makeRandomElement(std::mt19937_64 &Next, FloatRange Range) {
  uint64_t Bits = Next();
  if constexpr (IsFloat<E>)
    return store<E>(Range.Begin + Range.Width * (double(Bits >> 11) * 0x1p-53));
  else if constexpr (std::is_same_v<E, bool>)
    return Bits >> 63;
  else if constexpr (sizeof(E) == 1)
    return E(Bits >> 56);
  else
    return E(Bits >> 62);
}

Tensor relay::makeRandomTensor(const TensorType &T, uint64_t Seed,
                               uint64_t Number) {
  TensorShape Shape;
  for (Dim D : T.getShape())
    Shape.push_back(D.getInt());
  Tensor Result = Tensor::allocate(T.getDType(), Shape);
  FloatRange Range = getFloatRange(Result);
  std::seed_seq Seeds = {uint32_t(Seed), uint32_t(Seed >> 32), uint32_t(Number),
                         uint32_t(Number >> 32)};
  std::mt19937_64 Next(Seeds);
  dispatchDType(T.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    for (E &Element : Result.getMutableElements<E>())
      Element = makeRandomElement<E>(Next, Range);
  });
  return Result;
}

//===- RandomParameters.cpp - Made-up weights of models -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers are a function of a counter (splitmix64), so that parameters
// do not depend on each other.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/RandomParameters.h"
#include "relay/IR/Operation.h"
#include "llvm/Support/xxhash.h"

using namespace relay;

/// The step of splitmix64: 2^64 by the golden ratio.
static constexpr uint64_t Step = 0x9E3779B97F4A7C15;

/// The output function of splitmix64.
static uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EB;
  return X ^ (X >> 31);
}

/// The dimension of \p Param that outputs lie along.
static unsigned getOutputAxis(const BlockArgument &Param, unsigned Rank) {
  for (const Use &U : Param.uses()) {
    const Operation *User = U.getUserOp();
    Attr Layout =
        User && U.getOperandNo() == 1 ? User->getAttr("kernel_layout") : Attr();
    if (Layout && Layout.isString() && Layout.getString().size() == Rank)
      if (size_t Axis = Layout.getString().find('O'); Axis < Rank)
        return Axis;
  }
  return 0;
}

/// Half of the width of the range that weights of \p T are uniform in.
static double getBound(const BlockArgument &Param, const TensorType &T) {
  unsigned Outputs = getOutputAxis(Param, T.getRank());
  double NumSummed = 1;
  for (unsigned I = 0; I != T.getRank(); ++I)
    if (I != Outputs)
      NumSummed *= double(T.getDim(I).getInt());
  return std::sqrt(3 / std::max(NumSummed, 1.0));
}

namespace {

/// Which numbers elements are.
struct Distribution {
  DType T;
  unsigned Rank;
  double Bound;

  /// The number of the random \p Bits. One rounding at most is left to do, when
  /// it becomes an element.
  double getFloat(uint64_t Bits) const {
    if (Rank < 2)
      return 0.5 + double(Bits >> 12) * 0x1p-52;
    return double(int64_t(Bits) >> 11) * 0x1p-52 * Bound;
  }
  int64_t getInt(uint64_t Bits) const {
    if (T.isBool())
      return Bits >> 63;
    return T.getBits() == 8 ? Bits >> 56 : Bits >> 62;
  }
};

} // namespace

template <typename E>
static void fill(MutableArrayRef<E> Elements, uint64_t Key,
                 const Distribution &D) {
  for (E &Element : Elements) {
    uint64_t Bits = mix(Key += Step);
    if constexpr (std::is_integral_v<E>)
      Element = toElement<E>(D.getInt(Bits));
    else
      Element = toElement<E>(D.getFloat(Bits));
  }
}

Tensor relay::makeRandomParameter(const BlockArgument &Param, uint64_t Seed,
                                  MemoryMeter *Meter) {
  const auto &T = *cast<TensorType>(Param.getType());
  TensorShape Shape;
  for (Dim D : T.getShape())
    Shape.push_back(D.getInt());
  Tensor Result = Tensor::allocate(T.getDType(), Shape, Meter);
  uint64_t Key = mix(llvm::xxh3_64bits(Param.getName()) + mix(Seed + Step));
  Distribution D = {T.getDType(), T.getRank(),
                    T.getRank() < 2 ? 0 : getBound(Param, T)};
  dispatchDType(T.getDType(), [&](auto Zero) {
    fill(Result.getMutableElements<decltype(Zero)>(), Key, D);
  });
  return Result;
}

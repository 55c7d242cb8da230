//===- RandomParameters.cpp - Random weights of models --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers are a function of a counter (SplitMix.h), so that parameters
// do not depend on each other.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/RandomParameters.h"
#include "Kernels/SplitMix.h"
#include "relay/IR/Operation.h"

using namespace relay;

/// Returns the output dimension of \p Param.
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

/// Returns half the width of the uniform distribution of weights of \p Shape.
static double getBound(ArrayRef<int64_t> Shape, unsigned OutputAxis) {
  double NumSummed = 1;
  for (auto [I, Extent] : llvm::enumerate(Shape))
    if (I != OutputAxis)
      NumSummed *= double(Extent);
  return std::sqrt(3 / std::max(NumSummed, 1.0));
}

namespace {

/// The distribution of elements.
struct Distribution {
  DType T;
  unsigned Rank;
  double Bound;

  /// Returns the number for the random \p Bits. At most one rounding remains,
  /// on conversion to an element.
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
static void fill(MutableArrayRef<E> Elements, SplitMix Random,
                 const Distribution &D) {
  for (E &Element : Elements) {
    uint64_t Bits = Random.next();
    if constexpr (std::is_integral_v<E>)
      Element = toElement<E>(D.getInt(Bits));
    else
      Element = toElement<E>(D.getFloat(Bits));
  }
}

static Tensor makeTensor(DType T, ArrayRef<int64_t> Shape, unsigned OutputAxis,
                         SplitMix Random, MemoryMeter *Meter) {
  Tensor Result = Tensor::allocate(T, Shape, Meter);
  unsigned Rank = Shape.size();
  Distribution D = {T, Rank, Rank < 2 ? 0 : getBound(Shape, OutputAxis)};
  dispatchDType(T, [&](auto Zero) {
    fill(Result.getMutableElements<decltype(Zero)>(), Random, D);
  });
  return Result;
}

Tensor relay::makeRandomParameter(const BlockArgument &Param, uint64_t Seed,
                                  MemoryMeter *Meter) {
  const auto &T = *cast<TensorType>(Param.getType());
  TensorShape Shape;
  for (Dim D : T.getShape())
    Shape.push_back(D.getInt());
  return makeTensor(T.getDType(), Shape, getOutputAxis(Param, T.getRank()),
                    SplitMix(Param.getName(), Seed), Meter);
}

Tensor relay::makeRandomTensor(DType T, ArrayRef<int64_t> Shape, StringRef Name,
                               uint64_t Seed, MemoryMeter *Meter) {
  return makeTensor(T, Shape, /*OutputAxis=*/0, SplitMix(Name, Seed), Meter);
}

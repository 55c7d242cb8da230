//===- DivToMul.cpp - Multiply by inverses --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule is that of DivToMul.td. TVM inverts the first element of a constant
// only; here each is.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"
#include <cmath>

#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/DivToMul.h.inc"

using namespace relay;

bool relay::hasReciprocal(ConstantOp C) {
  const ConstantData &Data = *C.attrs().value().getConstant();
  if (Data.isOpaque() || !Data.getDType().isFloat() ||
      !hasElementType(Data.getDType()))
    return false;
  bool AreFinite = true;
  dispatchDType(Data.getDType(), [&](auto Zero) {
    using T = decltype(Zero);
    for (T Element : Data.getView<T>().elements())
      AreFinite &= std::isfinite(toDouble(toElement<T>(1 / toDouble(Element))));
  });
  return AreFinite;
}

/// Division in double precision and one rounding give the quotient that
/// division in the precision of the elements would give.
Value *relay::createReciprocal(Rewriter &R, ConstantOp C) {
  const ConstantData &Data = *C.attrs().value().getConstant();
  Value *Result = nullptr;
  dispatchDType(Data.getDType(), [&](auto Zero) {
    using T = decltype(Zero);
    SmallVector<T, 0> Inverses;
    for (T Element : Data.getView<T>().elements())
      Inverses.push_back(toElement<T>(1 / toDouble(Element)));
    Result = R.constant<T>(Data.getType(), Inverses);
  });
  return Result;
}

namespace {
class DivToMul : public RulePass<DivToMulBase<DivToMul>> {
public:
  DivToMul() : RulePass(getDivToMulRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createDivToMulPass() {
  return std::make_unique<DivToMul>();
}

//===- Fuel.cpp - Termination of recursive calls --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fuel.h.
//
//===----------------------------------------------------------------------===//

#include "Fuel.h"
#include "relay/IR/Constant.h"

using namespace relay;

/// The integer that \p V is known to be; 0 if it is none or negative.
static uint64_t getNumber(const PartialValue &V) {
  if (!V.Known || V.Known->K != KnownValue::Kind::Tensor)
    return 0;
  const ConstantData &Data = *V.Known->Elements;
  DType T = Data.getDType();
  if (!Data.getType()->isScalar() || (!T.isInt(32) && !T.isInt(64)))
    return 0;
  return uint64_t(std::max<int64_t>(Data.getInt(), 0));
}

Fuel::Fuel(ArrayRef<PartialValue *> Values) {
  for (const PartialValue *V : Values)
    Arguments.push_back({V->Time, getNumber(*V)});
}

std::optional<Fuel> Fuel::spend(const Fuel &Next) const {
  Fuel Rest = *this;
  bool IsSmaller = false;
  for (auto [Least, Now] : llvm::zip_equal(Rest.Arguments, Next.Arguments)) {
    IsSmaller |= Now.Time < Least.Time || Now.Number < Least.Number;
    Least = {std::min(Least.Time, Now.Time),
             std::min(Least.Number, Now.Number)};
  }
  return IsSmaller ? std::optional<Fuel>(std::move(Rest)) : std::nullopt;
}

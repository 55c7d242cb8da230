//===- ElementRange.h - Numbers that elements can be ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The finite numbers of each element type.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ELEMENTRANGE_H
#define RELAY_IR_ELEMENTRANGE_H

#include "relay/IR/Constant.h"

namespace relay {

/// The least and the greatest finite number, as doubles; rounded for int64 and
/// uint64.
struct ElementRange {
  double Lowest = 0, Highest = 0;
};

/// Returns the range of an element type E; see dispatchDType().
template <typename E> constexpr ElementRange getElementRange() {
  if constexpr (std::is_same_v<E, Half>)
    return {-65504.0, 65504.0};
  else if constexpr (std::is_same_v<E, BFloat>)
    return {-0x1.fep+127, 0x1.fep+127};
  else
    return {double(std::numeric_limits<E>::lowest()),
            double(std::numeric_limits<E>::max())};
}

/// Returns the range of \p T; none if it has no element type. Elements of int4
/// and the like take a byte.
inline std::optional<ElementRange> getElementRange(DType T) {
  bool IsNarrow = T.getLanes() == 1 && T.getBits() < 8 && !T.isBool();
  if (IsNarrow && T.isInt())
    return ElementRange{-double(1 << (T.getBits() - 1)),
                        double((1 << (T.getBits() - 1)) - 1)};
  if (IsNarrow && T.isUInt())
    return ElementRange{0, double((1 << T.getBits()) - 1)};
  std::optional<ElementRange> Range;
  dispatchDType(T,
                [&](auto Zero) { Range = getElementRange<decltype(Zero)>(); });
  return Range;
}

} // namespace relay

#endif // RELAY_IR_ELEMENTRANGE_H

//===- AxisSlice.cpp - The slice of one axis ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AxisSlice.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/AxisSlice.h"
#include <algorithm>

using namespace relay;

void AxisSlice::normalize(int64_t Length) {
  Length = std::max(Length, int64_t(0)); // a dimension can be written as -1
  int64_t Low = Stride < 0 ? -1 : 0, High = Stride < 0 ? Length - 1 : Length;
  for (int64_t *Place : {&Begin, &End}) {
    if (*Place < 0)
      *Place += Length;
    *Place = std::clamp(*Place, Low, High);
  }
}

std::optional<int64_t> AxisSlice::getLength() const {
  int64_t Distance = Stride < 0 ? Begin - End : End - Begin;
  if (Distance < 0)
    return std::nullopt;
  uint64_t Step = Stride < 0 ? -uint64_t(Stride) : Stride;
  return Distance / Step + (Distance % Step != 0);
}

//===- RequantizeMode.cpp - Methods of changes of scale -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scales as fixed-point numbers, and the names of the methods.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/RequantizeMode.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace relay;

FixedPoint FixedPoint::get(double Value) {
  FixedPoint Result;
  double Significand = std::frexp(Value, &Result.Shift);
  auto Rounded = int64_t(std::round(Significand * 0x1p31));
  if (Rounded == int64_t(1) << 31) {
    Rounded /= 2;
    ++Result.Shift;
  }
  Result.Significand = int32_t(Rounded);
  return Result;
}

std::optional<HalfRounding> RequantizeMode::parseRounding(StringRef Text) {
  return llvm::StringSwitch<std::optional<HalfRounding>>(Text)
      .Case("UPWARD", HalfRounding::Upward)
      .Case("TONEAREST", HalfRounding::ToNearest)
      .Default(std::nullopt);
}

std::optional<RequantizeMode::Compute>
RequantizeMode::parseCompute(StringRef Text) {
  return llvm::StringSwitch<std::optional<Compute>>(Text)
      .Case("int64", Compute::Int64)
      .Case("float32", Compute::Float32)
      .Case("float64", Compute::Float64)
      .Default(std::nullopt);
}

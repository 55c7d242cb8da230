//===- TensorStats.cpp - Summaries of tensors -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorStats.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Compare/TensorStats.h"
#include "relay/Interpreter/Values/Elements.h"
#include "llvm/Support/Format.h"

using namespace relay;

template <typename E> static TensorStats getStatsOf(TensorView<E> Elements) {
  TensorStats S;
  S.NumElements = Elements.size();
  int64_t Count = 0;
  double Sum = 0;
  for (E Element : Elements.elements()) {
    double Value = double(load(Element));
    if (std::isnan(Value)) {
      ++S.NumNans;
      continue;
    }
    S.Min = Count ? std::min(S.Min, Value) : Value;
    S.Max = Count ? std::max(S.Max, Value) : Value;
    Sum += Value;
    ++Count;
  }
  S.Mean = Count ? Sum / Count : 0;
  return S;
}

TensorStats relay::getStats(const Tensor &T) {
  TensorStats S;
  dispatchDType(T.getDType(), [&](auto Zero) {
    S = getStatsOf(TensorView<decltype(Zero)>(T.getBytes()));
  });
  return S;
}

/// Prints infinite numbers identically on all systems.
static void printNumber(raw_ostream &OS, double Value) {
  if (std::isnan(Value))
    OS << "nan"; // the mean of both infinities
  else
    OS << llvm::format("%.6g", Value);
}

void relay::printStats(raw_ostream &OS, const TensorStats &S) {
  if (S.NumElements != S.NumNans) {
    printNumber(OS << " min=", S.Min);
    printNumber(OS << " max=", S.Max);
    printNumber(OS << " mean=", S.Mean);
  }
  OS << " nan=" << S.NumNans;
}

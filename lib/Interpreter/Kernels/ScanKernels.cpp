//===- ScanKernels.cpp - Scans --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cumsum and cumprod of Ops/Reduce.td. As in TVM, each partial result is
// rounded to the type of the result, and computed from it.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Reduce.h"

using namespace relay;

namespace {
struct Sums {
  static constexpr int Identity = 0;
  template <typename E> static E combine(E L, E R) {
    if constexpr (std::is_integral_v<E>)
      return Wrapping<E>::add(L, R);
    else
      return store<E>(load(L) + load(R));
  }
};
struct Products {
  static constexpr int Identity = 1;
  template <typename E> static E combine(E L, E R) {
    if constexpr (std::is_integral_v<E>)
      return Wrapping<E>::multiply(L, R);
    else
      return store<E>(load(L) * load(R));
  }
};

/// [outer, n, inner].
struct ScanSizes {
  int64_t Outer = 1, Length = 1, Inner = 1;
};
} // namespace

/// \p From and \p To are at the beginning of a row of \p S.
template <typename Op, typename A, typename R>
static void scanRow(const A *From, R *To, const ScanSizes &S, bool Exclusive) {
  R Sum = toElement<R>(int64_t(Op::Identity));
  for (int64_t I = 0; I != S.Length; ++I, From += S.Inner, To += S.Inner) {
    R X = store<R>(load(*From));
    // The first of a scan that is not exclusive is the element: -0 stays.
    R Next = I == 0 && !Exclusive ? X : Op::combine(Sum, X);
    *To = Exclusive ? Sum : Next;
    Sum = Next;
  }
}

template <typename Op> static LogicalResult scan(KernelCall &Call) {
  const auto &A = Call.getAttrs<ScanopAttrs>();
  const Tensor &Data = Call.getInput(0);
  ScanSizes S;
  S.Length = Data.getNumElements();
  if (A.axis()) {
    auto Axis = getAxis(Call, *A.axis(), Data.getRank());
    if (failed(Axis))
      return failure(); // reported
    S.Outer = *getNumElements(Data.getShape().take_front(*Axis));
    S.Length = Data.getDim(*Axis);
    S.Inner = *getNumElements(Data.getShape().drop_front(*Axis + 1));
  }
  return dispatchElements(Call, Data.getDType(), [&](auto From) {
    return dispatchElements(Call, Call.getOutputDType(), [&](auto To) {
      const auto *In = Data.getElements<decltype(From)>().data();
      auto *Out = Call.getOutput<decltype(To)>().data();
      Call.parallelFor(
          S.Outer * S.Inner, 8 * S.Length, [&](int64_t Begin, int64_t End) {
            for (int64_t I = Begin; I != End; ++I) {
              int64_t At = I / S.Inner * S.Length * S.Inner + I % S.Inner;
              scanRow<Op>(In + At, Out + At, S, A.exclusive());
            }
          });
      return success();
    });
  });
}

LogicalResult relay::evalCumsum(KernelCall &Call) { return scan<Sums>(Call); }
LogicalResult relay::evalCumprod(KernelCall &Call) {
  return scan<Products>(Call);
}

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
  template <typename N> static N combine(N L, N R) {
    if constexpr (std::is_integral_v<N>)
      return Wrapping<N>::add(L, R);
    else
      return L + R;
  }
};
struct Products {
  static constexpr int Identity = 1;
  template <typename N> static N combine(N L, N R) {
    if constexpr (std::is_integral_v<N>)
      return Wrapping<N>::multiply(L, R);
    else
      return L * R;
  }
};

/// [outer, n, inner].
struct ScanSizes {
  int64_t Outer = 1, Length = 1, Inner = 1;
};
} // namespace

/// Scans the row of \p S that begins with element \p First.
template <typename Op, typename N>
static void scanRow(const ElementReader<N> &From, const ElementWriter<N> &To,
                    int64_t First, const ScanSizes &S, bool Exclusive,
                    const ElementRounding<N> &Round) {
  N Sum = N(Op::Identity);
  N Numbers[BlockSize], Sums[BlockSize];
  for (int64_t Begin = 0, Count; Begin != S.Length; Begin += Count) {
    Count = std::min(BlockSize, S.Length - Begin);
    int64_t Place = First + Begin * S.Inner;
    const N *X = From.read(Place, S.Inner, Count, Numbers);
    for (int64_t I = 0; I != Count; ++I) {
      // The first result of an inclusive scan is the element itself, so that -0
      // is kept.
      bool IsElement = Begin + I == 0 && !Exclusive;
      N Next = IsElement ? X[I] : Round(Op::combine(Sum, X[I]));
      Sums[I] = Exclusive ? Sum : Next;
      Sum = Next;
    }
    To.write(Place, Count, Sums, S.Inner);
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
  DType T = Call.getOutputDType();
  FailureOr<Tensor> Terms = castTensor(Call, Data, T);
  if (failed(Terms))
    return failure(); // reported
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    ElementReader<N> From(*Terms);
    ElementWriter<N> To(Call.getOutputTensor());
    ElementRounding<N> Round(T);
    Call.parallelFor(
        S.Outer * S.Inner, 8 * S.Length, [&](int64_t Begin, int64_t End) {
          for (int64_t I = Begin; I != End; ++I)
            scanRow<Op>(From, To,
                        I / S.Inner * S.Length * S.Inner + I % S.Inner, S,
                        A.exclusive(), Round);
        });
    return success();
  });
}

LogicalResult relay::evalCumsum(KernelCall &Call) { return scan<Sums>(Call); }
LogicalResult relay::evalCumprod(KernelCall &Call) {
  return scan<Products>(Call);
}

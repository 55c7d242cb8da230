//===- TensorLayout.cpp - Tensors in other layouts ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorLayout.h. An axis in blocks is several axes of a strided copy.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Layout.h"

using namespace relay;

/// Returns the layout \p Text of \p Data; reports an invalid layout.
static FailureOr<Layout> getLayoutOf(KernelCall &Call, const Tensor &Data,
                                     StringRef Text) {
  std::optional<Layout> L = Layout::parse(Text);
  if (L && L->getRank() == Data.getRank())
    return *L;
  return Call.emitError("a tensor of rank " + Twine(Data.getRank()) +
                        " does not have the layout '" + Text + "'");
}

/// Returns a copy of \p Data, of \p Shape, read by \p Steps at the positions \p
/// Places.
static FailureOr<Tensor> copyAs(KernelCall &Call, const Tensor &Data,
                                const Strides &Steps, ArrayRef<int64_t> Places,
                                ArrayRef<int64_t> Shape) {
  std::optional<Tensor> Result = Call.allocate(Data.getDType(), Shape);
  if (!Result)
    return failure();
  copyStrided(Call, Data, 0, *Result, Places, Steps);
  return std::move(*Result);
}

FailureOr<Tensor> relay::toPlainLayout(KernelCall &Call, const Tensor &Data,
                                       StringRef From, StringRef To) {
  FailureOr<Layout> L = getLayoutOf(Call, Data, From);
  if (failed(L))
    return failure();
  if (From == To)
    return Data;
  Strides Own = getStrides(Data.getShape()), Steps;
  TensorShape Places, Shape;
  for (char Axis : To) {
    Shape.push_back(1);
    // The axis itself, then its blocks, in the order of the layout.
    for (auto [I, Part] : llvm::enumerate(L->getAxes())) {
      if (Part.primal() != Axis)
        continue;
      Places.push_back(Data.getDim(I));
      Steps.push_back(Own[I]);
      Shape.back() *= Data.getDim(I);
    }
  }
  return copyAs(Call, Data, Steps, Places, Shape);
}

FailureOr<Tensor> relay::fromPlainLayout(KernelCall &Call, const Tensor &Data,
                                         StringRef From, StringRef To) {
  FailureOr<Layout> Plain = getLayoutOf(Call, Data, From);
  std::optional<Layout> L = Layout::parse(To);
  if (failed(Plain) || From == To)
    return failed(Plain) ? FailureOr<Tensor>(failure()) : Data;
  Strides Own = getStrides(Data.getShape()), Steps;
  TensorShape Shape;
  llvm::SmallDenseMap<char, int64_t, 8> Rest; // blocks that are still to come
  for (Layout::Axis Part : L->getAxes()) {
    unsigned I = Plain->indexOf(Part.primal());
    int64_t Block = L->getBlockSize(Part.primal());
    if (Data.getDim(I) % Block != 0)
      return Call.emitError("axis '" + Twine(Part.primal()) + "' has length " +
                            Twine(Data.getDim(I)) +
                            ", which is not a multiple of " + Twine(Block));
    int64_t &Inner = Rest.try_emplace(Part.primal(), Block).first->second;
    if (!Part.isPrimal())
      Inner /= Part.Factor;
    Shape.push_back(Part.isPrimal() ? Data.getDim(I) / Block : Part.Factor);
    Steps.push_back(Own[I] * Inner);
  }
  return copyAs(Call, Data, Steps, Shape, Shape);
}

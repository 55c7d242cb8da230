//===- ScatterKernels.cpp - Updates of elements at given positions --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// scatter_elements and scatter_nd of Ops/Index.td. Updates of one position are
// applied in the order of the indices. No index writes outside of a tensor:
// where TVM does not check, it is an error here. But scatter_nd with mode "add"
// adds to the nearest element, so that it computes the gradient of gather_nd,
// which reads that element.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Index.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Kinds of updates
//===----------------------------------------------------------------------===//

namespace {
template <typename N> struct Updates {
  using Rounding = ElementRounding<N>;
  static N replace(N, N New, Rounding) { return New; }
  static N add(N Old, N New, Rounding Round) {
    if constexpr (std::is_integral_v<N>)
      return Round(Wrapping<N>::add(Old, New));
    else
      return Round(Old + New);
  }
  static N multiply(N Old, N New, Rounding) {
    if constexpr (std::is_integral_v<N>)
      return Wrapping<N>::multiply(Old, New);
    else
      return Old * New;
  }
  static N average(N Old, N New, Rounding Round) {
    return add(Old, New, Round) / N(2);
  }
  static N getMin(N Old, N New, Rounding) { return Old < New ? Old : New; }
  static N getMax(N Old, N New, Rounding) { return Old > New ? Old : New; }
};
} // namespace

/// Null, with an error reported, if \p Name is not an update of the data type.
template <typename N>
static auto getUpdate(const KernelCall &Call, StringRef Name) {
  using U = Updates<N>;
  N (*Result)(N, N, ElementRounding<N>) = nullptr;
  if (Name == "update")
    Result = U::replace;
  else if (Name == "add")
    Result = U::add;
  else if (Name == "mul")
    Result = U::multiply;
  else if (Name == "min")
    Result = U::getMin;
  else if (Name == "max")
    Result = U::getMax;
  // As in TVM, signed integers have no mean.
  if (!std::is_same_v<N, int64_t> && Name == "mean" &&
      Call.getInfo().Name == "scatter_elements")
    Result = Call.getOutputDType().isBool() ? U::add : U::average; // 2 is true
  if (!Result)
    Call.emitError("\"" + Name + "\" is not an update of elements of " +
                   Call.getOutputDType().str());
  return Result;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Writes a copy of operand 0 to the output.
static void copyData(KernelCall &Call) {
  ArrayRef<char> From = Call.getInput(0).getBytes();
  llvm::copy(From, Call.getOutputTensor().getMutableBytes().begin());
}

static LogicalResult checkDataType(const KernelCall &Call) {
  if (Call.getInput(2).getDType() == Call.getInput(0).getDType())
    return success();
  return Call.emitError("data and updates have different data types");
}

/// Applies update I of operand 2 at \p Offsets[I / Length] + I % Length.
static LogicalResult applyUpdates(KernelCall &Call, StringRef Mode,
                                  ArrayRef<int64_t> Offsets, int64_t Length) {
  copyData(Call);
  return dispatchNumbers(Call, Call.getOutputDType(), [&](auto Zero) {
    using N = decltype(Zero);
    auto Update = getUpdate<N>(Call, Mode);
    if (!Update)
      return LogicalResult::failure(); // reported
    ElementReader<N> From(Call.getInput(2)), Old(Call.getOutputTensor());
    ElementWriter<N> To(Call.getOutputTensor());
    ElementRounding<N> Round(Call.getOutputDType());
    int64_t Next = 0;
    for (int64_t Offset : Offsets)
      for (int64_t I = 0; I != Length; ++I) {
        N Result = Update(Old[Offset + I], From[Next++], Round);
        To.write(Offset + I, 1, &Result);
      }
    return success();
  });
}

/// data: [.., n, ..], indices: [.., m, ..]; indices below 0 count from the end.
/// If axes of indices are shorter than those of data, the axes before `axis`
/// count as one, and those after it as another, as in TVM.
LogicalResult relay::evalScatterElements(KernelCall &Call) {
  const auto &A = Call.getAttrs<ScatterElementsAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Axis = getAxis(Call, A.axis(), Data.getRank());
  if (failed(Call.countWork(Call.getInput(1).getNumElements(), 16)))
    return failure(); // reported
  auto Indices = convertToInt64(Call, Call.getInput(1));
  if (failed(Axis) || !Indices || failed(checkDataType(Call)))
    return failure(); // reported
  if (Indices->getRank() != Data.getRank() ||
      Call.getInput(2).getNumElements() < Indices->getNumElements())
    return Call.emitError("indices of " + toString(Indices->getShape()) +
                          " for data of " + toString(Data.getShape()) +
                          " and updates of " +
                          toString(Call.getInput(2).getShape()));
  ArrayRef<int64_t> Shape = Data.getShape(), Index = Indices->getShape();
  int64_t Length = Shape[*Axis], Count = Index[*Axis];
  int64_t Inner = *getNumElements(Shape.drop_front(*Axis + 1));
  int64_t IndexInner = *getNumElements(Index.drop_front(*Axis + 1));
  if (IndexInner > Inner || *getNumElements(Index.take_front(*Axis)) >
                                *getNumElements(Shape.take_front(*Axis)))
    return Call.emitError("indices of " + toString(Index) +
                          " are longer than data of " + toString(Shape));
  auto Offsets = Call.allocate(DType::getInt(64), Index);
  if (!Offsets)
    return failure();
  MutableArrayRef<int64_t> To = Offsets->getMutableElements<int64_t>();
  for (auto [I, StoredIndex] :
       llvm::enumerate(Indices->getElements<int64_t>())) {
    int64_t Place = StoredIndex < 0 ? StoredIndex + Length : StoredIndex;
    if (Place < 0 || Place >= Length)
      return Call.emitError("index " + Twine(StoredIndex) +
                            " is out of range for an axis of " + Twine(Length));
    int64_t Row = I / IndexInner / Count;
    To[I] = (Row * Length + Place) * Inner + I % IndexInner;
  }
  return applyUpdates(Call, A.reduction(), To, 1);
}

/// Reports an error unless updates: [i.., y..] for data: [x.., y..], indices:
/// [x's rank, i..].
static LogicalResult checkUpdates(const KernelCall &Call) {
  ArrayRef<int64_t> Data = Call.getInput(0).getShape();
  ArrayRef<int64_t> Indices = Call.getInput(1).getShape();
  ArrayRef<int64_t> Updates = Call.getInput(2).getShape();
  TensorShape Expected(Indices.drop_front());
  llvm::append_range(Expected, Data.drop_front(Indices[0]));
  if (Updates == ArrayRef(Expected))
    return success();
  return Call.emitError("updates have the shape " + toString(Updates) +
                        ", expected " + toString(Expected));
}

LogicalResult relay::evalScatterND(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  if (failed(Call.countWork(Call.getInput(1).getNumElements(), 8)) ||
      failed(Call.countWork(Call.getInput(2).getNumElements(), 4)))
    return failure(); // reported
  auto Indices = convertToInt64(Call, Call.getInput(1));
  if (!Indices || failed(checkDataType(Call)) || failed(checkUpdates(Call)))
    return failure(); // reported
  int64_t Count = *getNumElements(Indices->getShape().drop_front());
  auto Offsets = Call.allocate(DType::getInt(64), Count);
  if (!Offsets)
    return failure();
  MutableArrayRef<int64_t> To = Offsets->getMutableElements<int64_t>();
  std::fill(To.begin(), To.end(), 0);
  Strides Steps = getStrides(Data.getShape());
  unsigned Named = Indices->getDim(0);
  StringRef Mode = Call.getAttrs<ScatterNDAttrs>().mode();
  for (unsigned Axis = 0; Axis != Named; ++Axis) {
    int64_t Length = Data.getDim(Axis);
    for (int64_t I = 0; I != Count; ++I) {
      int64_t Place = Indices->getElements<int64_t>()[Axis * Count + I];
      if (Mode == "add")
        Place = std::max<int64_t>(std::min(Place, Length - 1), 0);
      if (Place < 0 || Place >= Length)
        return Call.emitError("index " + Twine(Place) +
                              " is out of range for an axis of " +
                              Twine(Length));
      To[I] += Place * Steps[Axis];
    }
  }
  return applyUpdates(Call, Mode, To,
                      *getNumElements(Data.getShape().drop_front(Named)));
}

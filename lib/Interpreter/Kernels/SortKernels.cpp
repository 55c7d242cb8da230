//===- SortKernels.cpp - Sorting and searching ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Sort.td. Equal elements stay in their order. Where TVM's order
// is not defined, NaN stands behind all numbers.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Sort.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {
/// Rows along an axis: [outer, n, inner].
struct SortedRows {
  int64_t Outer, Length, Inner;

  SortedRows(ArrayRef<int64_t> Shape, unsigned Axis)
      : Outer(*getNumElements(Shape.take_front(Axis))), Length(Shape[Axis]),
        Inner(*getNumElements(Shape.drop_front(Axis + 1))) {}
  int64_t getNumRows() const { return Outer * Inner; }
  /// Where row \p I begins on an axis of \p Count elements.
  int64_t getBegin(int64_t I, int64_t Count) const {
    return I / Inner * Count * Inner + I % Inner;
  }
};

/// Whether one element stands before another; NaN is before none.
template <typename E> struct Order {
  bool IsAscend;
  bool operator()(E Left, E Right) const {
    ComputeType<E> L = load(Left), R = load(Right);
    if constexpr (IsFloat<E>)
      if (std::isnan(L) || std::isnan(R))
        return !std::isnan(L);
    return IsAscend ? L < R : L > R;
  }
};
} // namespace

/// Sorts \p Places of a row of elements, which are \p Step apart.
template <typename E>
static void sortPlaces(MutableArrayRef<int64_t> Places, const E *Row,
                       int64_t Step, bool IsAscend) {
  Order<E> IsBefore = {IsAscend};
  for (auto [I, Place] : llvm::enumerate(Places))
    Place = I;
  std::stable_sort(Places.begin(), Places.end(), [&](int64_t L, int64_t R) {
    return IsBefore(Row[L * Step], Row[R * Step]);
  });
}

/// The places of the elements of \p Data in order: a row of \p Rows after the
/// other; none after an error.
static std::optional<Tensor> getOrder(KernelCall &Call, const Tensor &Data,
                                      const SortedRows &Rows, bool IsAscend) {
  auto Result =
      Call.allocate(DType::getInt(64), {Rows.getNumRows(), Rows.Length});
  if (!Result)
    return std::nullopt;
  MutableArrayRef<int64_t> Places = Result->getMutableElements<int64_t>();
  LogicalResult Sorted = success();
  dispatchDType(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *Elements = Data.getElements<E>().data();
    Sorted = Call.limitedFor(
        Rows.getNumRows(), 64 * Rows.Length, [&](int64_t Begin, int64_t End) {
          for (int64_t I = Begin; I != End; ++I)
            sortPlaces(Places.slice(I * Rows.Length, Rows.Length),
                       Elements + Rows.getBegin(I, Rows.Length), Rows.Inner,
                       IsAscend);
        });
  });
  return succeeded(Sorted) ? Result : std::nullopt;
}

namespace {
/// Operand 0 as rows along an axis, and the order of each.
struct SortedData {
  SortedRows Rows;
  Tensor Order;

  /// Along \p Axis, which may count from the end; reports one that is none.
  static FailureOr<SortedData> get(KernelCall &Call, int64_t Axis,
                                   bool IsAscend);
};
} // namespace

FailureOr<SortedData> SortedData::get(KernelCall &Call, int64_t Axis,
                                      bool IsAscend) {
  const Tensor &Data = Call.getInput(0);
  auto Position = getAxis(Call, Axis, Data.getRank());
  if (failed(Position))
    return failure(); // reported
  SortedRows Rows(Data.getShape(), *Position);
  auto Order = getOrder(Call, Data, Rows, IsAscend);
  if (!Order)
    return failure();
  return SortedData{Rows, std::move(*Order)};
}

/// Fills \p Out with the first elements of \p Data in \p Order.
static void storeSorted(const Tensor &Data, const SortedRows &Rows,
                        const Tensor &Order, int64_t Count, Tensor &Out) {
  ArrayRef<int64_t> Places = Order.getElements<int64_t>();
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Out);
    for (int64_t Row = 0; Row != Rows.getNumRows(); ++Row)
      for (int64_t I = 0; I != Count; ++I)
        To[Rows.getBegin(Row, Count) + I * Rows.Inner] =
            From[Rows.getBegin(Row, Rows.Length) +
                 Places[Row * Rows.Length + I] * Rows.Inner];
  });
}

/// Fills \p Out with the first places of \p Order.
static LogicalResult storeOrder(const KernelCall &Call, const SortedRows &Rows,
                                const Tensor &Order, int64_t Count,
                                Tensor &Out) {
  ArrayRef<int64_t> Places = Order.getElements<int64_t>();
  return dispatchElements(Call, Out.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    E *To = Out.getMutableElements<E>().data();
    for (int64_t Row = 0; Row != Rows.getNumRows(); ++Row)
      for (int64_t I = 0; I != Count; ++I)
        To[Rows.getBegin(Row, Count) + I * Rows.Inner] =
            toElement<E>(Places[Row * Rows.Length + I]);
    return success();
  });
}

LogicalResult relay::evalSort(KernelCall &Call) {
  const auto &A = Call.getAttrs<ArgsortAttrs>();
  auto Sorted = SortedData::get(Call, A.axis(), A.isAscend());
  if (failed(Sorted))
    return failure();
  storeSorted(Call.getInput(0), Sorted->Rows, Sorted->Order,
              Sorted->Rows.Length, Call.getOutputTensor());
  return success();
}

LogicalResult relay::evalArgsort(KernelCall &Call) {
  const auto &A = Call.getAttrs<ArgsortAttrs>();
  auto Sorted = SortedData::get(Call, A.axis(), A.isAscend());
  if (failed(Sorted))
    return failure();
  return storeOrder(Call, Sorted->Rows, Sorted->Order, Sorted->Rows.Length,
                    Call.getOutputTensor());
}

LogicalResult relay::fillTopk(KernelCall &Call, const TopkAttrs &A,
                              int64_t Count) {
  auto Sorted = SortedData::get(Call, A.axis(), A.isAscend());
  if (failed(Sorted))
    return failure();
  if (Count > Sorted->Rows.Length)
    return Call.emitError("the first " + Twine(Count) + " of " +
                          Twine(Sorted->Rows.Length) + " elements");
  if (A.retType() != "indices")
    storeSorted(Call.getInput(0), Sorted->Rows, Sorted->Order, Count,
                Call.getOutputTensor());
  if (A.retType() == "values")
    return success();
  return storeOrder(Call, Sorted->Rows, Sorted->Order, Count,
                    Call.getOutputTensor(Call.getNumOutputs() - 1));
}

/// data: [.., n, ..] -> [.., k, ..]; all where k is less than 1.
LogicalResult relay::evalTopk(KernelCall &Call) {
  const auto &A = Call.getAttrs<TopkAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Axis = getAxis(Call, A.axis(), Data.getRank());
  if (failed(Axis))
    return failure(); // reported
  return fillTopk(Call, A, *A.k() < 1 ? Data.getDim(*Axis) : *A.k());
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

/// How many elements stand before the place of \p Value, by bisection. What is
/// not sorted is searched as TVM does.
template <typename E>
static int64_t bisect(ArrayRef<E> Sorted, E Value, bool Right) {
  int64_t Low = 0, High = Sorted.size();
  while (Low < High) {
    int64_t Middle = Low + (High - Low) / 2;
    auto X = load(Sorted[Middle]), V = load(Value);
    if (Right ? X <= V : X < V)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

/// sorted_sequence: [n] or [.., n], values: [..] or [.., m].
LogicalResult relay::evalSearchSorted(KernelCall &Call) {
  const Tensor &Sorted = Call.getInput(0), &Values = Call.getInput(1);
  bool Right = Call.getAttrs<SearchSortedAttrs>().right();
  if (Sorted.getDType() != Values.getDType())
    return Call.emitError(
        "sorted_sequence and values have different data types");
  int64_t Length = Sorted.getDim(Sorted.getRank() - 1);
  // Values that are looked for in one row.
  int64_t PerRow = Sorted.getRank() == 1 ? Values.getNumElements()
                                         : Values.getDim(Values.getRank() - 1);
  if (failed(Call.countWork(Values.getNumElements(),
                            8 * (1 + llvm::Log2_64_Ceil(Length + 1)))))
    return failure(); // reported
  return dispatchElements(Call, Sorted.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    ArrayRef<E> From = Sorted.getElements<E>(),
                Wanted = Values.getElements<E>();
    return dispatchElements(Call, Call.getOutputDType(), [&](auto ToZero) {
      using R = decltype(ToZero);
      MutableArrayRef<R> Out = Call.getOutput<R>();
      for (size_t I = 0; I != Wanted.size(); ++I) {
        ArrayRef<E> Row = From.slice(I / PerRow * Length, Length);
        Out[I] = toElement<R>(bisect(Row, Wanted[I], Right));
      }
      return success();
    });
  });
}

/// data: [n] of the numbers below n -> [n]: the place of each.
LogicalResult relay::evalInvertPermutation(KernelCall &Call) {
  return dispatchIntegers(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    ArrayRef<E> Data = Call.getInput<E>(0);
    MutableArrayRef<E> Out = Call.getOutput<E>();
    constexpr E None = std::numeric_limits<E>::max();
    std::fill(Out.begin(), Out.end(), None);
    for (auto [I, X] : llvm::enumerate(Data)) {
      if (X < 0 || uint64_t(X) >= Data.size() || Out[X] != None)
        return LogicalResult(Call.emitError("data is no permutation"));
      Out[X] = E(I);
    }
    return success();
  });
}

//===----------------------------------------------------------------------===//
// unique
//===----------------------------------------------------------------------===//

namespace {
/// The groups of equal elements of a vector.
struct Groups {
  SmallVector<int32_t> First;  ///< place of the first element, by group
  SmallVector<int32_t> Counts; ///< by group
};
} // namespace

/// Groups the elements in \p Order, and sets \p Of to the group of each.
template <typename E>
static Groups makeGroups(ArrayRef<E> Data, ArrayRef<int64_t> Order,
                         MutableArrayRef<int32_t> Of) {
  Groups Result;
  for (auto [I, Place] : llvm::enumerate(Order)) {
    if (I == 0 || load(Data[Place]) != load(Data[Order[I - 1]])) {
      Result.First.push_back(Place);
      Result.Counts.push_back(0);
    }
    Of[Place] = Result.First.size() - 1;
    ++Result.Counts.back();
  }
  return Result;
}

/// Renumbers groups by their first elements.
static void orderByFirst(Groups &G, MutableArrayRef<int32_t> Of) {
  auto Order = llvm::to_vector(llvm::seq<int32_t>(0, G.First.size()));
  llvm::sort(Order,
             [&](int32_t L, int32_t R) { return G.First[L] < G.First[R]; });
  Groups Old = std::move(G);
  G = Groups();
  SmallVector<int32_t> New(Order.size());
  for (auto [I, Group] : llvm::enumerate(Order)) {
    New[Group] = I;
    G.First.push_back(Old.First[Group]);
    G.Counts.push_back(Old.Counts[Group]);
  }
  for (int32_t &Group : Of)
    Group = New[Group];
}

/// \p Values, and 0 for what is left of output \p I.
static void storePadded(KernelCall &Call, unsigned I,
                        ArrayRef<int32_t> Values) {
  MutableArrayRef<int32_t> Out = Call.getOutput<int32_t>(I);
  std::fill(Out.begin(), Out.end(), 0);
  llvm::copy(Values, Out.begin());
}

/// data: [n] -> elements, places of the first, group of each, number, and, with
/// return_counts, how many of each. TVM leaves undefined what is behind the
/// last group; here it is 0.
LogicalResult relay::evalUnique(KernelCall &Call) {
  const auto &A = Call.getAttrs<UniqueAttrs>();
  const Tensor &Data = Call.getInput(0);
  SortedRows Rows(Data.getShape(), 0);
  auto Order = getOrder(Call, Data, Rows, /*IsAscend=*/true);
  if (!Order)
    return failure(); // reported
  return dispatchElements(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    ArrayRef<E> From = Data.getElements<E>();
    MutableArrayRef<int32_t> Of = Call.getOutput<int32_t>(2);
    Groups G = makeGroups(From, Order->getElements<int64_t>(), Of);
    if (!A.sorted())
      orderByFirst(G, Of);
    MutableArrayRef<E> Out = Call.getOutput<E>(0);
    std::fill(Out.begin(), Out.end(), E());
    for (auto [I, Place] : llvm::enumerate(G.First))
      Out[I] = From[Place];
    storePadded(Call, 1, G.First);
    Call.getOutput<int32_t>(3)[0] = G.First.size();
    if (A.returnCounts())
      storePadded(Call, 4, G.Counts);
    return success();
  });
}

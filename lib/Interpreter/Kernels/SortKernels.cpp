//===- SortKernels.cpp - Sorting and searching ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Sort.td. Sorting is stable. Where TVM's order is undefined,
// NaN comes after all numbers.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Sort.h"
#include <numeric>

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
  /// Returns the begin of row \p I on an axis of \p Count elements.
  int64_t getBegin(int64_t I, int64_t Count) const {
    return I / Inner * Count * Inner + I % Inner;
  }
};
} // namespace

/// Returns keys whose ascending order sorts the numbers; NaN comes last, and 0
/// and -0 are equal.
static int64_t getSortKey(int64_t X, bool IsAscend) {
  return IsAscend ? X : ~X;
}
static int64_t getSortKey(uint64_t X, bool IsAscend) {
  return getSortKey(int64_t(X ^ (uint64_t(1) << 63)), IsAscend);
}
static int64_t getSortKey(double X, bool IsAscend) {
  if (std::isnan(X))
    return std::numeric_limits<int64_t>::max();
  auto Bits = llvm::bit_cast<int64_t>(X + 0.0); // -0 becomes 0
  return getSortKey(
      Bits < 0 ? Bits ^ std::numeric_limits<int64_t>::max() : Bits, IsAscend);
}

/// Calls \p F with a zero of the type in which elements of \p T are compared:
/// the number type, but double for all floats.
template <typename Fn> static void dispatchCompared(DType T, Fn &&F) {
  if (getNumberType(T).isFloat())
    return F(double());
  T.isInt() ? F(int64_t()) : F(uint64_t());
}

/// Sorts the positions \p Places of a row by \p Keys.
static void sortPlaces(MutableArrayRef<int64_t> Places,
                       ArrayRef<int64_t> Keys) {
  std::iota(Places.begin(), Places.end(), 0);
  std::stable_sort(Places.begin(), Places.end(),
                   [&](int64_t L, int64_t R) { return Keys[L] < Keys[R]; });
}

/// Fills \p Keys with the keys of row \p I.
template <typename N>
static void computeKeys(const ElementReader<N> &Data, const SortedRows &Rows,
                        int64_t I, bool IsAscend,
                        MutableArrayRef<int64_t> Keys) {
  N Numbers[BlockSize];
  int64_t First = Rows.getBegin(I, Rows.Length);
  for (int64_t Begin = 0, Count; Begin != Rows.Length; Begin += Count) {
    Count = std::min(BlockSize, Rows.Length - Begin);
    const N *X =
        Data.read(First + Begin * Rows.Inner, Rows.Inner, Count, Numbers);
    for (int64_t J = 0; J != Count; ++J)
      Keys[Begin + J] = getSortKey(X[J], IsAscend);
  }
}

/// Returns the positions of the elements of \p Data in order, row by row of \p
/// Rows; none after an error.
static std::optional<Tensor> getOrder(KernelCall &Call, const Tensor &Data,
                                      const SortedRows &Rows, bool IsAscend) {
  TensorShape Shape = {Rows.getNumRows(), Rows.Length};
  auto Result = Call.allocate(DType::getInt(64), Shape);
  auto AllKeys =
      Result ? Call.allocate(DType::getInt(64), Shape) : std::nullopt;
  if (!AllKeys)
    return std::nullopt;
  MutableArrayRef<int64_t> Places = Result->getMutableElements<int64_t>();
  MutableArrayRef<int64_t> Keys = AllKeys->getMutableElements<int64_t>();
  LogicalResult Sorted = success();
  dispatchCompared(Data.getDType(), [&](auto Zero) {
    ElementReader<decltype(Zero)> Numbers(Data);
    Sorted = Call.limitedFor(
        Rows.getNumRows(), 64 * Rows.Length, [&](int64_t Begin, int64_t End) {
          for (int64_t I = Begin; I != End; ++I) {
            auto Own = Keys.slice(I * Rows.Length, Rows.Length);
            computeKeys(Numbers, Rows, I, IsAscend, Own);
            sortPlaces(Places.slice(I * Rows.Length, Rows.Length), Own);
          }
        });
  });
  return succeeded(Sorted) ? Result : std::nullopt;
}

namespace {
/// Operand 0 as rows along an axis, and the order of each.
struct SortedData {
  SortedRows Rows;
  Tensor Order;

  /// Returns the data along \p Axis, which may be negative; reports an invalid
  /// axis.
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

/// Fills \p Out with the first positions of \p Order.
static void storeOrder(const SortedRows &Rows, const Tensor &Order,
                       int64_t Count, Tensor &Out) {
  const int64_t *Places = Order.getElements<int64_t>().data();
  ElementWriter<int64_t> Writer(Out);
  for (int64_t Row = 0; Row != Rows.getNumRows(); ++Row)
    Writer.write(Rows.getBegin(Row, Count), Count, Places + Row * Rows.Length,
                 Rows.Inner);
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
  storeOrder(Sorted->Rows, Sorted->Order, Sorted->Rows.Length,
             Call.getOutputTensor());
  return success();
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
  if (A.retType() != "values")
    storeOrder(Sorted->Rows, Sorted->Order, Count,
               Call.getOutputTensor(Call.getNumOutputs() - 1));
  return success();
}

/// data: [.., n, ..] -> [.., k, ..]; all elements if k is less than 1.
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

/// Returns the number of elements, among \p Length beginning with \p First,
/// that precede the position of \p Value, by bisection. Unsorted elements are
/// searched as in TVM.
template <typename N>
static int64_t bisect(const ElementReader<N> &Sorted, int64_t First,
                      int64_t Length, N Value, bool Right) {
  int64_t Low = 0, High = Length;
  while (Low < High) {
    int64_t Middle = Low + (High - Low) / 2;
    N X = Sorted[First + Middle];
    if (Right ? X <= Value : X < Value)
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
  // Number of values searched for in one row.
  int64_t PerRow = Sorted.getRank() == 1 ? Values.getNumElements()
                                         : Values.getDim(Values.getRank() - 1);
  if (failed(Call.countWork(Values.getNumElements(),
                            8 * (1 + llvm::Log2_64_Ceil(Length + 1)))))
    return failure(); // reported
  ElementWriter<int64_t> Out(Call.getOutputTensor());
  dispatchCompared(Sorted.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    ElementReader<N> From(Sorted), Wanted(Values);
    for (int64_t I = 0; I != Values.getNumElements(); ++I) {
      int64_t Place =
          bisect<N>(From, I / PerRow * Length, Length, Wanted[I], Right);
      Out.write(I, 1, &Place);
    }
  });
  return success();
}

/// data: [n] of the numbers below n -> [n]: the position of each.
LogicalResult relay::evalInvertPermutation(KernelCall &Call) {
  DType T = Call.getOutputDType();
  if (getNumberType(T).isFloat() || T.isBool())
    return Call.emitUnsupported(T);
  auto Data = convertToInt64(Call, Call.getInput(0));
  auto Inverse = Call.allocate(DType::getInt(64), Call.getOutputShape());
  if (!Data || !Inverse)
    return failure(); // reported
  MutableArrayRef<int64_t> Out = Inverse->getMutableElements<int64_t>();
  constexpr int64_t None = -1;
  std::fill(Out.begin(), Out.end(), None);
  for (auto [I, X] : llvm::enumerate(Data->getElements<int64_t>())) {
    if (X < 0 || uint64_t(X) >= Out.size() || Out[X] != None)
      return Call.emitError("data is not a permutation");
    Out[X] = I;
  }
  ElementWriter<int64_t>(Call.getOutputTensor())
      .write(0, Out.size(), Out.data());
  return success();
}

//===----------------------------------------------------------------------===//
// unique
//===----------------------------------------------------------------------===//

namespace {
/// The groups of equal elements of a vector.
struct Groups {
  SmallVector<int32_t> First;  ///< position of the first element, by group
  SmallVector<int32_t> Counts; ///< by group
};
} // namespace

/// Groups the elements in \p Order, and sets \p Of to the group of each.
template <typename N>
static Groups makeGroups(const ElementReader<N> &Data, ArrayRef<int64_t> Order,
                         MutableArrayRef<int32_t> Of) {
  Groups Result;
  for (auto [I, Place] : llvm::enumerate(Order)) {
    if (I == 0 || Data[Place] != Data[Order[I - 1]]) {
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

/// Stores \p Values, followed by 0 for the rest of output \p I.
static void storePadded(KernelCall &Call, unsigned I,
                        ArrayRef<int32_t> Values) {
  MutableArrayRef<int32_t> Out = Call.getOutput<int32_t>(I);
  std::fill(Out.begin(), Out.end(), 0);
  llvm::copy(Values, Out.begin());
}

/// data: [n] -> elements, positions of the first, group of each, number, and,
/// with return_counts, the size of each group. TVM leaves the elements after
/// the last group undefined; here they are 0.
LogicalResult relay::evalUnique(KernelCall &Call) {
  const auto &A = Call.getAttrs<UniqueAttrs>();
  const Tensor &Data = Call.getInput(0);
  SortedRows Rows(Data.getShape(), 0);
  auto Order = getOrder(Call, Data, Rows, /*IsAscend=*/true);
  if (!Order)
    return failure(); // reported
  MutableArrayRef<int32_t> Of = Call.getOutput<int32_t>(2);
  Groups G;
  dispatchCompared(Data.getDType(), [&](auto Zero) {
    G = makeGroups(ElementReader<decltype(Zero)>(Data),
                   Order->getElements<int64_t>(), Of);
  });
  if (!A.sorted())
    orderByFirst(G, Of);
  Tensor &Out = Call.getOutputTensor();
  std::fill_n(Out.getMutableBytes().begin(), Out.getByteSize(), 0);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    for (auto [I, Place] : llvm::enumerate(G.First))
      getMutableRawElements<E>(Out)[I] = getRawElements<E>(Data)[Place];
  });
  storePadded(Call, 1, G.First);
  Call.getOutput<int32_t>(3)[0] = G.First.size();
  if (A.returnCounts())
    storePadded(Call, 4, G.Counts);
  return success();
}

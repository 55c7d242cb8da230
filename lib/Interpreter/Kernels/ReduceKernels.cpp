//===- ReduceKernels.cpp - Reductions -------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions of Ops/Reduce.td; scans are ScanKernels.cpp. Each result combines
// its elements in row-major order.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Reduce.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Walk
//===----------------------------------------------------------------------===//

namespace {
/// The axes of a tensor, those that stay and those that are reduced.
struct AxisSplit {
  TensorShape KeptShape, ReducedShape;
  Strides KeptSteps, ReducedSteps;

  AxisSplit(ArrayRef<int64_t> Shape, ArrayRef<bool> IsReduced) {
    Strides Steps = getStrides(Shape);
    for (auto [Extent, Step, Reduces] : llvm::zip(Shape, Steps, IsReduced)) {
      (Reduces ? ReducedShape : KeptShape).push_back(Extent);
      (Reduces ? ReducedSteps : KeptSteps).push_back(Step);
    }
  }
};
} // namespace

/// Fills \p Out, a place for each place of the axes that stay. \p R has a
/// State, getInitial(), step(State, E, the number of the element), and
/// finish(State).
template <typename E, typename Reducer, typename To>
static void reduceAxes(const KernelCall &Call, const E *Data,
                       const AxisSplit &Axes, const Reducer &R, To *Out) {
  using State = typename Reducer::State;
  StridedWalk Kept(Axes.KeptShape, {Axes.KeptSteps});
  StridedWalk Reduced(Axes.ReducedShape, {Axes.ReducedSteps});
  int64_t Length = Kept.getRowLength(), Step = Kept.getRowStride(0);
  int64_t Count = Reduced.getRowLength(), Inner = Reduced.getRowStride(0);
  // Results that lie closer together than their elements are computed together.
  constexpr int64_t MaxTogether = 256;
  int64_t Together = Step <= Inner ? std::min(Length, MaxTogether) : 1;
  auto ReducePart = [&](const E *From, To *Results, int64_t Size) {
    State States[MaxTogether];
    std::fill_n(States, Size, R.getInitial());
    Reduced.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
      for (int64_t I = 0; I != Count; ++I) {
        const E *Row = From + Offsets[0] + I * Inner;
        for (int64_t K = 0; K != Size; ++K)
          R.step(States[K], Row[K * Step], First + I);
      }
    });
    for (int64_t K = 0; K != Size; ++K)
      Results[K] = R.finish(States[K]);
  };
  auto ReduceRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I < Length; I += Together)
      ReducePart(Data + Offsets[0] + I * Step, Out + First + I,
                 std::min(Together, Length - I));
  };
  int64_t Elements = *getNumElements(Axes.ReducedShape);
  Call.parallelFor(Kept.getNumRows(),
                   4 * Length * std::max<int64_t>(Elements, 1),
                   [&](int64_t Begin, int64_t End) {
                     Kept.forEachRow(Begin, End, ReduceRow);
                   });
}

/// Which axes of \p Rank the attributes of a reduction name. None and no axis
/// mean all of them.
template <typename AttrsT>
static FailureOr<SmallVector<bool, 6>> getReducedAxes(const KernelCall &Call,
                                                      unsigned Rank) {
  const auto &A = Call.getAttrs<AttrsT>();
  if (A.axis().empty())
    return SmallVector<bool, 6>(Rank, true);
  auto Axes = getInts(Call, A.axis(), "axis");
  if (failed(Axes))
    return failure(); // reported
  SmallVector<bool, 6> Reduced(Rank, A.exclude());
  for (int64_t Axis : *Axes)
    Reduced[Axis < 0 ? Axis + Rank : Axis] = !A.exclude();
  return Reduced;
}

//===----------------------------------------------------------------------===//
// Reducers
//===----------------------------------------------------------------------===//

namespace {
/// Of bool, TVM's sum tells whether any is true.
template <typename E> struct SumReducer {
  using State = AccumulateType<E>;
  State getInitial() const { return 0; }
  void step(State &Sum, E X, int64_t) const {
    if constexpr (std::is_same_v<E, bool>)
      Sum = Sum || X;
    else if constexpr (std::is_integral_v<E>)
      Sum = Wrapping<E>::add(Sum, X);
    else
      Sum += State(load(X));
  }
  E finish(State Sum) const { return store<E>(Sum); }
};

template <typename E> struct ProductReducer {
  using State = AccumulateType<E>;
  State getInitial() const { return 1; }
  void step(State &Product, E X, int64_t) const {
    if constexpr (std::is_integral_v<E>)
      Product = Wrapping<E>::multiply(Product, X);
    else
      Product *= State(load(X));
  }
  E finish(State Product) const { return store<E>(Product); }
};

/// The least, or the greatest, finite number of E, of bfloat16 an infinity:
/// what TVM begins with.
template <typename E> ComputeType<E> getBound(bool Greatest) {
  if constexpr (std::is_same_v<E, Half>)
    return Greatest ? 65504.0f : -65504.0f;
  else if constexpr (std::is_same_v<E, BFloat>)
    return toFloat(BFloat{uint16_t(Greatest ? 0x7f80 : 0xff80)});
  else
    return Greatest ? std::numeric_limits<E>::max()
                    : std::numeric_limits<E>::lowest();
}

/// The first element that is better than all before; as in TVM, a NaN takes the
/// place of what is before it, and gives it to what comes after it.
template <typename E, bool IsMax> struct ExtremumReducer {
  using State = ComputeType<E>;
  State getInitial() const { return getBound<E>(!IsMax); }
  static bool isBetter(State L, State R) { return IsMax ? L > R : L < R; }
  void step(State &Best, E X, int64_t) const {
    if (!isBetter(Best, load(X)))
      Best = load(X);
  }
  E finish(State Best) const { return store<E>(Best); }
};

/// The number of an extremum. As in TVM, it is -1 where no element is different
/// from the bound of E.
template <typename E, bool IsMax> struct PlaceReducer {
  struct State {
    ComputeType<E> Best;
    int64_t Place;
  };
  bool SelectsLast;
  State getInitial() const { return {getBound<E>(!IsMax), -1}; }
  void step(State &S, E X, int64_t I) const {
    ComputeType<E> New = load(X);
    bool Keeps = IsMax ? S.Best > New : S.Best < New;
    // Places ascend.
    if (!Keeps && (SelectsLast || S.Best != New))
      S.Place = I;
    if (!Keeps)
      S.Best = New;
  }
  int64_t finish(const State &S) const { return S.Place; }
};

template <bool IsAll> struct BoolReducer {
  using State = bool;
  bool getInitial() const { return IsAll; }
  void step(bool &S, bool X, int64_t) const { S = IsAll ? S && X : S || X; }
  bool finish(bool S) const { return S; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Fills output 0 with the elements of operand 0 reduced by Reducer<E>.
template <template <typename> typename Reducer>
static LogicalResult reduce(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Reduced = getReducedAxes<ReduceAttrs>(Call, Data.getRank());
  if (failed(Reduced))
    return failure(); // reported
  AxisSplit Axes(Data.getShape(), *Reduced);
  return dispatchElements(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    reduceAxes(Call, Data.getElements<E>().data(), Axes, Reducer<E>(),
               Call.getOutput<E>().data());
    return success();
  });
}

template <typename E> using MaxReducer = ExtremumReducer<E, true>;
template <typename E> using MinReducer = ExtremumReducer<E, false>;

LogicalResult relay::evalSum(KernelCall &Call) {
  return reduce<SumReducer>(Call);
}
LogicalResult relay::evalProd(KernelCall &Call) {
  return reduce<ProductReducer>(Call);
}
LogicalResult relay::evalMax(KernelCall &Call) {
  return reduce<MaxReducer>(Call);
}
LogicalResult relay::evalMin(KernelCall &Call) {
  return reduce<MinReducer>(Call);
}

/// Of bool only, as in TVM.
template <bool IsAll> static LogicalResult reduceBools(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  if (!Data.getDType().isBool())
    return Call.emitUnsupported(Data.getDType());
  auto Reduced = getReducedAxes<ReduceAttrs>(Call, Data.getRank());
  if (failed(Reduced))
    return failure(); // reported
  reduceAxes(Call, Data.getElements<bool>().data(),
             AxisSplit(Data.getShape(), *Reduced), BoolReducer<IsAll>(),
             Call.getOutput<bool>().data());
  return success();
}

LogicalResult relay::evalAll(KernelCall &Call) {
  return reduceBools<true>(Call);
}
LogicalResult relay::evalAny(KernelCall &Call) {
  return reduceBools<false>(Call);
}

/// The number of an element among those that are reduced, row-major.
template <bool IsMax> static LogicalResult reduceToPlaces(KernelCall &Call) {
  const auto &A = Call.getAttrs<ArgReduceAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Reduced = getReducedAxes<ArgReduceAttrs>(Call, Data.getRank());
  if (failed(Reduced))
    return failure(); // reported
  AxisSplit Axes(Data.getShape(), *Reduced);
  return dispatchElements(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    PlaceReducer<E, IsMax> R = {A.selectLastIndex()};
    const E *From = Data.getElements<E>().data();
    if (Call.getOutputDType().isInt(64))
      reduceAxes(Call, From, Axes, R, Call.getOutput<int64_t>().data());
    else
      reduceAxes(Call, From, Axes, R, Call.getOutput<int32_t>().data());
    return success();
  });
}

LogicalResult relay::evalArgmax(KernelCall &Call) {
  return reduceToPlaces<true>(Call);
}
LogicalResult relay::evalArgmin(KernelCall &Call) {
  return reduceToPlaces<false>(Call);
}

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

namespace {
/// The sum by a number of elements. Of narrow floats neither is rounded first,
/// as in TVM; integers are truncated, and the number is not 0.
template <typename E> struct MeanReducer : SumReducer<E> {
  using C = ComputeType<E>;
  explicit MeanReducer(int64_t Count) : Count(toElement<C>(Count)) {}

  E finish(AccumulateType<E> Sum) const {
    if constexpr (!std::is_integral_v<E>)
      return store<E>(C(Sum) / Count);
    else if (Count == E(-1)) // as in Wrapping, the least number by -1 is itself
      return Wrapping<E>::subtract(0, SumReducer<E>::finish(Sum));
    else
      return E(SumReducer<E>::finish(Sum) / Count);
  }

  C Count;
};
} // namespace

/// Fills output 0 with the means of \p Data over \p Axes, for \p Count
/// elements.
template <typename E>
static LogicalResult reduceToMeans(KernelCall &Call, const E *Data,
                                   const AxisSplit &Axes, int64_t Count) {
  MeanReducer<E> R(Count);
  if (std::is_integral_v<E> && R.Count == 0)
    return Call.emitError("division by zero");
  reduceAxes(Call, Data, Axes, R, Call.getOutput<E>().data());
  return success();
}

LogicalResult relay::evalMean(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Reduced = getReducedAxes<ReduceAttrs>(Call, Data.getRank());
  if (failed(Reduced))
    return failure(); // reported
  AxisSplit Axes(Data.getShape(), *Reduced);
  return dispatchElements(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    return reduceToMeans(Call, Data.getElements<E>().data(), Axes,
                         *getNumElements(Axes.ReducedShape));
  });
}

/// The squares of data - mean, rounded after each step.
template <typename E>
static void squareDeviations(const KernelCall &Call, Tensor &Out) {
  const Tensor &Data = Call.getInput(0), &Mean = Call.getInput(1);
  StridedWalk Walk(Data.getShape(),
                   {getBroadcastStrides(Mean.getShape(), Data.getShape())});
  const E *From = Data.getElements<E>().data();
  const E *MeanElements = Mean.getElements<E>().data();
  E *To = Out.getMutableElements<E>().data();
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I) {
      E M = MeanElements[Offsets[0] + I * Walk.getRowStride(0)];
      E Deviation = store<E>(load(From[First + I]) - load(M));
      To[First + I] = store<E>(load(Deviation) * load(Deviation));
    }
  });
}

/// data: [..], mean: the same with 1 on the reduced axes. Floats only.
LogicalResult relay::evalVariance(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0), &Mean = Call.getInput(1);
  auto Reduced = getReducedAxes<VarianceAttrs>(Call, Data.getRank());
  if (failed(Reduced) || failed(checkBroadcast(Call, Mean, Data.getShape())))
    return failure(); // reported
  if (Mean.getDType() != Data.getDType())
    return Call.emitError("data and mean have different data types");
  AxisSplit Axes(Data.getShape(), *Reduced);
  int64_t Count = *getNumElements(Axes.ReducedShape);
  Count -= Call.getAttrs<VarianceAttrs>().unbiased();
  std::optional<Tensor> Squares =
      Call.allocate(Data.getDType(), Data.getShape());
  if (!Squares)
    return failure();
  return dispatchFloats(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    squareDeviations<E>(Call, *Squares);
    return reduceToMeans<E>(Call, Squares->getElements<E>().data(), Axes,
                            Count);
  });
}

//===----------------------------------------------------------------------===//
// Undoing a broadcast
//===----------------------------------------------------------------------===//

/// The shape that the result has: that of operand 1, or, of collapse_sum_to,
/// what the attribute or operand 1 says.
static TensorShape getCollapsedShape(const KernelCall &Call) {
  if (Call.hasOutputShape())
    return TensorShape(Call.getOutputShape());
  return TensorShape(Call.getInput(1).getInts());
}

/// data: [..] -> the shape of collapse_type, or shape, which broadcasts to it.
LogicalResult relay::evalCollapseSum(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  TensorShape Shape = getCollapsedShape(Call);
  Tensor *Out = Call.createOutput(0, Shape);
  if (!Out || failed(checkBroadcast(Call, *Out, Data.getShape())))
    return failure(); // reported
  unsigned NewAxes = Data.getRank() - Shape.size();
  SmallVector<bool, 6> Reduced(Data.getRank(), true);
  for (auto [I, Extent] : llvm::enumerate(Shape))
    Reduced[NewAxes + I] = Extent != Data.getDim(NewAxes + I);
  AxisSplit Axes(Data.getShape(), Reduced);
  return dispatchElements(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    reduceAxes(Call, Data.getElements<E>().data(), Axes, SumReducer<E>(),
               Out->getMutableElements<E>().data());
    return success();
  });
}

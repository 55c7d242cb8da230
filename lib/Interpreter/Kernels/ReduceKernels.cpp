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
/// The axes of a tensor, divided into kept and reduced ones.
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

/// Fills \p Out, an element for each position of the kept axes, from \p Data,
/// computed as N. \p R has a State, getInitial(), step(State, N, the number of
/// the element), and finish(State).
template <typename N, typename Reducer>
static void reduceAxes(const KernelCall &Call, const Tensor &Data,
                       const AxisSplit &Axes, const Reducer &R, Tensor &Out) {
  using State = typename Reducer::State;
  using Result = decltype(R.finish(std::declval<State>()));
  ElementReader<N> Reader(Data);
  ElementWriter<Result> Writer(Out);
  StridedWalk Kept(Axes.KeptShape, {Axes.KeptSteps});
  StridedWalk Reduced(Axes.ReducedShape, {Axes.ReducedSteps});
  int64_t Length = Kept.getRowLength(), Step = Kept.getRowStride(0);
  int64_t Count = Reduced.getRowLength(), Inner = Reduced.getRowStride(0);
  // Results that are closer together than their elements are computed together.
  int64_t Together = Step <= Inner ? std::min(Length, BlockSize) : 1;
  auto ReduceOne = [&](int64_t From, State &S, N *Buffer) {
    Reduced.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
      State Own = S;
      for (int64_t I = 0, Size; I != Count; I += Size) {
        Size = std::min(BlockSize, Count - I);
        const N *X =
            Reader.read(From + Offsets[0] + I * Inner, Inner, Size, Buffer);
        for (int64_t K = 0; K != Size; ++K)
          R.step(Own, X[K], First + I + K);
      }
      S = Own;
    });
  };
  auto ReduceSeveral = [&](int64_t From, State *States, int64_t Size,
                           N *Buffer) {
    Reduced.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
      for (int64_t I = 0; I != Count; ++I) {
        const N *X =
            Reader.read(From + Offsets[0] + I * Inner, Step, Size, Buffer);
        for (int64_t K = 0; K != Size; ++K)
          R.step(States[K], X[K], First + I);
      }
    });
  };
  auto ReducePart = [&](int64_t From, int64_t To, int64_t Size) {
    State States[BlockSize];
    N Buffer[BlockSize];
    std::fill_n(States, Size, R.getInitial());
    if (Size == 1)
      ReduceOne(From, States[0], Buffer);
    else
      ReduceSeveral(From, States, Size, Buffer);
    Result Results[BlockSize];
    for (int64_t K = 0; K != Size; ++K)
      Results[K] = R.finish(States[K]);
    Writer.write(To, Size, Results);
  };
  auto ReduceRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I < Length; I += Together)
      ReducePart(Offsets[0] + I * Step, First + I,
                 std::min(Together, Length - I));
  };
  int64_t Elements = *getNumElements(Axes.ReducedShape);
  Call.parallelFor(Kept.getNumRows(),
                   4 * Length * std::max<int64_t>(Elements, 1),
                   [&](int64_t Begin, int64_t End) {
                     Kept.forEachRow(Begin, End, ReduceRow);
                   });
}

/// Returns the axes of \p Rank that the attributes of a reduction name. None
/// and an empty list mean all axes.
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
/// Sums wrap around. For bool, whose elements are 0 and 1, TVM's sum is true if
/// any element is.
template <typename N> struct SumReducer {
  using State = N;
  State getInitial() const { return 0; }
  void step(State &Sum, N X, int64_t) const { Sum += X; }
  N finish(State Sum) const { return Sum; }
};

template <typename N> struct ProductReducer {
  using State = N;
  State getInitial() const { return 1; }
  void step(State &Product, N X, int64_t) const { Product *= X; }
  N finish(State Product) const { return Product; }
};

/// Returns the first best element; as in TVM, a NaN replaces the elements
/// before it and is replaced by those after it.
template <typename N, bool IsMax> struct ExtremumReducer {
  using State = N;
  N Bound;
  State getInitial() const { return Bound; }
  void step(State &Best, N X, int64_t) const {
    bool IsBetter = IsMax ? Best > X : Best < X;
    Best = IsBetter ? Best : X;
  }
  N finish(State Best) const { return Best; }
};

/// The number of an extremum. As in TVM, it is -1 if all elements equal the
/// bound.
template <typename N, bool IsMax> struct PlaceReducer {
  struct State {
    N Best;
    int64_t Place;
  };
  N Bound;
  bool SelectsLast;
  State getInitial() const { return {Bound, -1}; }
  void step(State &S, N New, int64_t I) const {
    bool Keeps = IsMax ? S.Best > New : S.Best < New;
    // Positions ascend.
    if (!Keeps && (SelectsLast || S.Best != New))
      S.Place = I;
    if (!Keeps)
      S.Best = New;
  }
  int64_t finish(const State &S) const { return S.Place; }
};
} // namespace

/// Returns TVM's initial value: the lowest, or the largest, finite number of \p
/// T, for bfloat16 an infinity.
template <typename N> static N getBound(DType T, bool Greatest) {
  if constexpr (std::is_integral_v<N>) {
    auto [Min, Max] = getIntegerLimits<N>(T);
    return Greatest ? Max : Min;
  } else {
    N Bound = T.isBFloat() ? -std::numeric_limits<N>::infinity()
                           : getLeastFinite<N>(T);
    return Greatest ? -Bound : Bound;
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Calls \p F with a zero of the accumulator type for elements of \p T: double
/// for float32 and float64, float for the narrow floats, uint64 for integers.
template <typename Fn>
static LogicalResult dispatchSums(const KernelCall &Call, DType T, Fn &&F) {
  if (T.isFloat(32))
    return F(double());
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    return F(std::conditional_t<std::is_integral_v<N>, uint64_t, N>());
  });
}

/// Returns the split of the axes of operand 0 by the attributes of a reduction.
template <typename AttrsT>
static FailureOr<AxisSplit> getAxisSplit(const KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Reduced = getReducedAxes<AttrsT>(Call, Data.getRank());
  if (failed(Reduced))
    return failure(); // reported
  return AxisSplit(Data.getShape(), *Reduced);
}

/// Fills output 0 with the elements of operand 0 reduced by Reducer<N>.
template <template <typename> typename Reducer>
static LogicalResult reduce(KernelCall &Call) {
  auto Axes = getAxisSplit<ReduceAttrs>(Call);
  if (failed(Axes))
    return failure();
  const Tensor &Data = Call.getInput(0);
  return dispatchSums(Call, Data.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    reduceAxes<N>(Call, Data, *Axes, Reducer<N>(), Call.getOutputTensor());
    return success();
  });
}

LogicalResult relay::evalSum(KernelCall &Call) {
  return reduce<SumReducer>(Call);
}
LogicalResult relay::evalProd(KernelCall &Call) {
  return reduce<ProductReducer>(Call);
}

/// Fills output 0 with the largest or smallest elements of operand 0.
template <bool IsMax> static LogicalResult reduceToExtremum(KernelCall &Call) {
  auto Axes = getAxisSplit<ReduceAttrs>(Call);
  if (failed(Axes))
    return failure();
  const Tensor &Data = Call.getInput(0);
  return dispatchNumbers(Call, Data.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    ExtremumReducer<N, IsMax> R = {getBound<N>(Data.getDType(), !IsMax)};
    reduceAxes<N>(Call, Data, *Axes, R, Call.getOutputTensor());
    return success();
  });
}

LogicalResult relay::evalMax(KernelCall &Call) {
  return reduceToExtremum<true>(Call);
}
LogicalResult relay::evalMin(KernelCall &Call) {
  return reduceToExtremum<false>(Call);
}

/// Only for bool, as in TVM.
LogicalResult relay::evalAll(KernelCall &Call) {
  DType T = Call.getInput(0).getDType();
  return T.isBool() ? evalProd(Call) : Call.emitUnsupported(T);
}
LogicalResult relay::evalAny(KernelCall &Call) {
  DType T = Call.getInput(0).getDType();
  return T.isBool() ? evalSum(Call) : Call.emitUnsupported(T);
}

/// Returns the row-major number of an element among the reduced elements.
template <bool IsMax> static LogicalResult reduceToPlaces(KernelCall &Call) {
  auto Axes = getAxisSplit<ArgReduceAttrs>(Call);
  if (failed(Axes))
    return failure();
  const Tensor &Data = Call.getInput(0);
  bool SelectsLast = Call.getAttrs<ArgReduceAttrs>().selectLastIndex();
  return dispatchNumbers(Call, Data.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    PlaceReducer<N, IsMax> R = {getBound<N>(Data.getDType(), !IsMax),
                                SelectsLast};
    reduceAxes<N>(Call, Data, *Axes, R, Call.getOutputTensor());
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
/// The sum of elements of \c T, divided by their number. As in TVM, neither is
/// rounded before for narrow floats, and both are for float32; integers are
/// truncated, and the number is not 0.
template <typename N> struct MeanReducer : SumReducer<N> {
  MeanReducer(DType T, int64_t Count)
      : T(T), Wrap(T), Count(std::is_integral_v<N> ? wrap(Count) : Count) {}

  N finish(N Sum) const {
    if constexpr (std::is_integral_v<N>)
      Sum = wrap(Sum);
    else if (T.isFloat(32))
      return float(Sum) / float(Count);
    // The minimum divided by -1 is itself.
    if constexpr (std::is_signed_v<N> && std::is_integral_v<N>)
      if (Count == -1)
        return Wrapping<N>::subtract(0, Sum);
    return Sum / Count;
  }

private:
  N wrap(N X) const { return T.isBool() ? N(X != 0) : Wrap(X); }

  DType T;
  ElementRounding<N> Wrap;

public:
  N Count;
};
} // namespace

/// Fills output 0 with the means of \p Data, computed as N, over \p Axes, for
/// \p Count elements.
template <typename N>
static LogicalResult reduceToMeans(KernelCall &Call, const Tensor &Data,
                                   const AxisSplit &Axes, int64_t Count) {
  MeanReducer<N> R(Data.getDType(), Count);
  if (std::is_integral_v<N> && R.Count == 0)
    return Call.emitError("division by zero");
  reduceAxes<N>(Call, Data, Axes, R, Call.getOutputTensor());
  return success();
}

LogicalResult relay::evalMean(KernelCall &Call) {
  auto Axes = getAxisSplit<ReduceAttrs>(Call);
  if (failed(Axes))
    return failure();
  const Tensor &Data = Call.getInput(0);
  int64_t Count = *getNumElements(Axes->ReducedShape);
  if (Data.getDType().isFloat(32))
    return reduceToMeans<double>(Call, Data, *Axes, Count);
  return dispatchNumbers(Call, Data.getDType(), [&](auto Zero) {
    return reduceToMeans<decltype(Zero)>(Call, Data, *Axes, Count);
  });
}

/// Fills \p Squares with the squares of data - mean, rounded after each step.
static void squareDeviations(const KernelCall &Call, Tensor &Squares) {
  const Tensor &Data = Call.getInput(0), &Mean = Call.getInput(1);
  auto Square = [&](auto Zero) {
    using N = decltype(Zero);
    mapNumberPairs<N, N>(
        Call, StridedOperand::getBroadcast(Data, Data.getShape()),
        StridedOperand::getBroadcast(Mean, Data.getShape()), Squares,
        [Round = ElementRounding<N>(Data.getDType())](N X, N M) {
          N Deviation = Round(X - M);
          return Deviation * Deviation;
        });
  };
  Data.getDType().isFloat(64) ? Square(double()) : Square(float());
}

/// data: [..], mean: the same with 1 on the reduced axes. Floats only.
LogicalResult relay::evalVariance(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0), &Mean = Call.getInput(1);
  DType T = Data.getDType();
  auto Axes = getAxisSplit<VarianceAttrs>(Call);
  if (failed(Axes) || failed(checkBroadcast(Call, Mean, Data.getShape())))
    return failure(); // reported
  if (Mean.getDType() != T)
    return Call.emitError("data and mean have different data types");
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  int64_t Count = *getNumElements(Axes->ReducedShape);
  Count -= Call.getAttrs<VarianceAttrs>().unbiased();
  std::optional<Tensor> Squares = Call.allocate(T, Data.getShape());
  if (!Squares)
    return failure();
  squareDeviations(Call, *Squares);
  if (getNumberType(T) == T)
    return reduceToMeans<double>(Call, *Squares, *Axes, Count);
  return reduceToMeans<float>(Call, *Squares, *Axes, Count);
}

//===----------------------------------------------------------------------===//
// Reversal of broadcasts
//===----------------------------------------------------------------------===//

/// Returns the shape of the result: that of operand 1, or, for collapse_sum_to,
/// the shape given by the attribute or operand 1.
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
  return dispatchSums(Call, Data.getDType(), [&](auto Zero) {
    using N = decltype(Zero);
    reduceAxes<N>(Call, Data, Axes, SumReducer<N>(), *Out);
    return success();
  });
}

//===- NormKernels.cpp - Normalization ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalization of Ops/NN.td. Means are sums in the type of sums; then each
// operation of the formula is rounded, as in TVM, which expands it.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

namespace {
/// The per-channel formula of nn.batch_norm. Each step is rounded by Rounding,
/// which takes and returns an N.
template <typename N, typename Rounding> struct ChannelNorms {
  Rounding Round;
  SmallVector<N, 0> Means, Roots, Scales, Shifts;

  ChannelNorms(KernelCall &Call, const BatchNormAttrs &A, Rounding Round);

  static N apply(N X, N Mean, N Root, N Scale, N Shift, Rounding Round) {
    N Normal = Round(Round(X - Mean) / Root);
    return Round(Normal * Scale) + Shift;
  }
  /// Applies the formula to \p Count positions of a channel.
  void applyTo(const N *From, N *To, int64_t Count, int64_t Channel) const {
    N Mean = Means[Channel], Root = Roots[Channel];
    N Scale = Scales[Channel], Shift = Shifts[Channel];
    for (int64_t I = 0; I != Count; ++I)
      To[I] = apply(From[I], Mean, Root, Scale, Shift, Round);
  }
  /// Applies the formula to \p Count channels of a position, starting at \p
  /// First.
  void applyToChannels(const N *From, N *To, int64_t Count,
                       int64_t First) const {
    const N *Mean = Means.data() + First, *Root = Roots.data() + First;
    const N *Scale = Scales.data() + First, *Shift = Shifts.data() + First;
    for (int64_t I = 0; I != Count; ++I)
      To[I] = apply(From[I], Mean[I], Root[I], Scale[I], Shift[I], Round);
  }
};
} // namespace

template <typename N, typename Rounding>
ChannelNorms<N, Rounding>::ChannelNorms(KernelCall &Call,
                                        const BatchNormAttrs &A, Rounding Round)
    : Round(Round) {
  auto Read = [&](unsigned I, int64_t Channel) {
    return ElementReader<N>(Call.getInput(I))[Channel];
  };
  N Epsilon = Round(float(A.epsilon())); // TVM's constant
  for (int64_t I = 0, E = Call.getInput(3).getNumElements(); I != E; ++I) {
    Means.push_back(Read(3, I));
    Roots.push_back(Round(std::sqrt(Round(Read(4, I) + Epsilon))));
    Scales.push_back(A.scale() ? Read(1, I) : N(1));
    Shifts.push_back(A.center() ? Read(2, I) : N(0));
  }
}

/// Fills output 0 from operand 0, viewed as \p View.
template <typename N, typename Rounding>
static LogicalResult normalizeChannels(KernelCall &Call, const AxisView &View,
                                       const ChannelNorms<N, Rounding> &Norms) {
  ElementReader<N> Data(Call.getInput(0));
  ElementWriter<N> Out(Call.getOutputTensor());
  // A row has the positions of a channel or, if there is only one, all
  // channels.
  bool HasPlaces = View.Inner != 1;
  int64_t Length = HasPlaces ? View.Inner : View.Length;
  auto NormalizeRow = [&](int64_t Row) {
    mapRange(Data, Out, Row * Length, (Row + 1) * Length,
             [&](const N *X, N *Place, int64_t First, int64_t Count) {
               if (HasPlaces)
                 Norms.applyTo(X, Place, Count, Row % View.Length);
               else
                 Norms.applyToChannels(X, Place, Count, First - Row * Length);
             });
  };
  Call.parallelFor(HasPlaces ? View.Outer * View.Length : View.Outer,
                   4 * Length, [&](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       NormalizeRow(I);
                   });
  return success();
}

/// data: [.., c at axis, ..], the others [c] -> (data - moving_mean) /
/// sqrt(moving_var + epsilon) * gamma + beta, rounded after each step, as in
/// TVM; mean and variance are returned unchanged.
LogicalResult relay::evalBatchNorm(KernelCall &Call) {
  const auto &A = Call.getAttrs<BatchNormAttrs>();
  const Tensor &Data = Call.getInput(0);
  DType T = Data.getDType();
  auto Axis = getAxis(Call, A.axis(), Data.getRank());
  if (failed(Axis))
    return failure();
  AxisView View(Data.getShape(), *Axis);
  Call.setOutput(1, Call.getInput(3));
  Call.setOutput(2, Call.getInput(4));
  auto Normalize = [&](auto Zero, auto Round) {
    ChannelNorms<decltype(Zero), decltype(Round)> Norms(Call, A, Round);
    return normalizeChannels(Call, View, Norms);
  };
  // The loop of float32, which dominates in networks, needs no rounding.
  if (T.isFloat(32))
    return Normalize(float(), [](float X) { return X; });
  if (getNumberType(T).isFloat())
    return Normalize(double(), ElementRounding<double>(T));
  return Call.emitUnsupported(T);
}

//===----------------------------------------------------------------------===//
// Computed means
//===----------------------------------------------------------------------===//

namespace {
/// Parts of data that are normalized separately.
struct NormParts {
  TensorShape Kept, Reduced; ///< extents
  Strides KeptSteps, ReducedSteps;
  int64_t Channels, ChannelStep; ///< of gamma and beta

  /// Returns the parts of a tensor of \p Shape over the axes for which \p
  /// IsReduced holds.
  template <typename Fn>
  static NormParts get(ArrayRef<int64_t> Shape, Fn &&IsReduced) {
    NormParts P;
    for (auto [I, Step] : llvm::enumerate(getStrides(Shape))) {
      (IsReduced(I) ? P.Reduced : P.Kept).push_back(Shape[I]);
      (IsReduced(I) ? P.ReducedSteps : P.KeptSteps).push_back(Step);
    }
    return P;
  }
};
} // namespace

/// Calls \p F with each block of the elements of the part that begins at \p
/// First: the numbers, the position of the first, their distance, and their
/// count.
static void forEachBlock(
    const ElementReader<double> &Data, const StridedWalk &Walk, int64_t First,
    function_ref<void(const double *X, int64_t At, int64_t Step, int64_t Count)>
        F) {
  int64_t Length = Walk.getRowLength(), Step = Walk.getRowStride(0);
  Walk.forEachRow([&](int64_t, ArrayRef<int64_t> Offsets) {
    double Numbers[BlockSize];
    for (int64_t I = 0, Count; I != Length; I += Count) {
      Count = std::min(BlockSize, Length - I);
      int64_t At = First + Offsets[0] + I * Step;
      F(Data.read(At, Step, Count, Numbers), At, Step, Count);
    }
  });
}

/// Returns the sum of \p F over the elements of a part, rounding each sum.
template <typename Fn>
static double sumUp(const ElementReader<double> &Data, const StridedWalk &Walk,
                    int64_t First, ElementRounding<double> RoundSum, Fn &&F) {
  double Sum = 0;
  forEachBlock(Data, Walk, First,
               [&](const double *X, int64_t, int64_t, int64_t Count) {
                 for (int64_t I = 0; I != Count; ++I)
                   Sum = RoundSum(Sum + F(X[I]));
               });
  return Sum;
}

namespace {
/// Normalizes the parts of operand 0: (data - mean) / sqrt(variance + epsilon),
/// times gamma, plus beta. Steps are computed in double and rounded to the data
/// type, sums to the type of sums.
class PartNormalizer {
public:
  template <typename AttrsT>
  PartNormalizer(KernelCall &Call, const AttrsT &A, const NormParts &P)
      : P(P), Walk(P.Reduced, {P.ReducedSteps}), Data(Call.getInput(0)),
        Gamma(Call.getInput(1)), Beta(Call.getInput(2)),
        Out(Call.getOutputTensor()), Round(Call.getOutputDType()),
        RoundSum(getSumType(Call.getOutputDType())),
        Epsilon(Round(float(A.epsilon()))), Scales(A.scale()),
        Shifts(A.center()) {}

  int64_t getSize() const { return Walk.getNumRows() * Walk.getRowLength(); }
  /// Normalizes the part that begins at \p First.
  void normalize(int64_t First) const;

private:
  double apply(double X, double Mean, double Root, int64_t Channel) const {
    X = Round(Round(X - Mean) / Root);
    if (Scales)
      X = Round(X * Gamma[Channel]);
    if (Shifts)
      X = Round(X + Beta[Channel]);
    return X;
  }

  const NormParts &P;
  StridedWalk Walk;
  ElementReader<double> Data, Gamma, Beta;
  ElementWriter<double> Out;
  ElementRounding<double> Round, RoundSum;
  double Epsilon;
  bool Scales, Shifts;
};
} // namespace

void PartNormalizer::normalize(int64_t First) const {
  auto Count = double(getSize());
  double Sum = sumUp(Data, Walk, First, RoundSum, [](double X) { return X; });
  double Mean = Round(Sum / Count);
  double Squares = sumUp(Data, Walk, First, RoundSum, [&](double X) {
    double Difference = Round(X - Mean);
    return RoundSum(Difference * Difference);
  });
  double Variance = Round(Squares / Count);
  double Root = Round(std::sqrt(Round(Variance + Epsilon)));
  forEachBlock(Data, Walk, First,
               [&](const double *X, int64_t At, int64_t Step, int64_t Count) {
                 double Results[BlockSize];
                 for (int64_t I = 0; I != Count; ++I) {
                   int64_t Channel =
                       (At + I * Step) / P.ChannelStep % P.Channels;
                   Results[I] = apply(X[I], Mean, Root, Channel);
                 }
                 Out.write(At, Count, Results, Step);
               });
}

/// data: [.., c at axis, ..], gamma, beta: [c] -> like data.
template <typename AttrsT>
static LogicalResult evalNorm(KernelCall &Call, const AttrsT &A, NormParts P,
                              unsigned Axis) {
  AxisView View(Call.getInput(0).getShape(), Axis);
  P.Channels = View.Length;
  P.ChannelStep = View.Inner;
  if (!getNumberType(Call.getOutputDType()).isFloat())
    return Call.emitUnsupported(Call.getOutputDType());
  if (Call.getOutputTensor().getNumElements() == 0)
    return success();
  PartNormalizer Normalizer(Call, A, P);
  StridedWalk Parts(P.Kept, {P.KeptSteps});
  auto NormalizeRow = [&](int64_t, ArrayRef<int64_t> At) {
    for (int64_t I = 0; I != Parts.getRowLength(); ++I)
      Normalizer.normalize(At[0] + I * Parts.getRowStride(0));
  };
  Call.parallelFor(Parts.getNumRows(),
                   16 * Normalizer.getSize() * Parts.getRowLength(),
                   [&](int64_t Begin, int64_t End) {
                     Parts.forEachRow(Begin, End, NormalizeRow);
                   });
  return success();
}

/// Normalizes over the axes that \p IsReduced accepts, which knows the axis of
/// the channels.
template <typename AttrsT, typename Fn>
static LogicalResult evalNormOver(KernelCall &Call, Fn &&IsReduced) {
  const auto &A = Call.getAttrs<AttrsT>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  FailureOr<unsigned> Axis = getAxis(Call, A.axis(), Shape.size());
  if (failed(Axis))
    return failure();
  auto IsReducedAxis = [&](unsigned I) { return IsReduced(I, *Axis); };
  return evalNorm(Call, A, NormParts::get(Shape, IsReducedAxis), *Axis);
}

LogicalResult relay::evalLayerNorm(KernelCall &Call) {
  return evalNormOver<LayerNormAttrs>(
      Call, [](unsigned I, unsigned Axis) { return I == Axis; });
}
LogicalResult relay::evalInstanceNorm(KernelCall &Call) {
  return evalNormOver<InstanceNormAttrs>(
      Call, [](unsigned I, unsigned Axis) { return I != 0 && I != Axis; });
}

/// Normalizes groups of adjacent channels, axis 1.
LogicalResult relay::evalGroupNorm(KernelCall &Call) {
  const auto &A = Call.getAttrs<GroupNormAttrs>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  auto Axis = getAxis(Call, A.axis(), Shape.size());
  if (failed(Axis))
    return failure();
  if (*Axis != 1)
    return Call.emitError("the channels are axis " + Twine(*Axis) + ", not 1");
  int64_t Groups = A.numGroups();
  if (Groups <= 0 || Shape[1] % Groups != 0)
    return Call.emitError(Twine(Shape[1]) + " channels are not in " +
                          Twine(Groups) + " groups");
  TensorShape Grouped = {Shape[0], Groups, Shape[1] / Groups};
  llvm::append_range(Grouped, Shape.drop_front(2));
  return evalNorm(Call, A,
                  NormParts::get(Grouped, [](unsigned I) { return I > 1; }), 1);
}

//===----------------------------------------------------------------------===//
// Norms and neighbours
//===----------------------------------------------------------------------===//

/// data / sqrt(max(sum of data * data, eps)), with the sum over `axis`, or over
/// all axes if it is empty.
LogicalResult relay::evalL2Normalize(KernelCall &Call) {
  const auto &A = Call.getAttrs<L2NormalizeAttrs>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  SmallVector<bool, 6> IsReduced(Shape.size(), A.axis().empty());
  auto Axes = getInts(Call, A.axis(), "axis");
  if (failed(Axes))
    return failure();
  for (int64_t Value : *Axes) {
    auto Axis = getAxis(Call, Value, Shape.size());
    if (failed(Axis))
      return failure();
    IsReduced[*Axis] = true;
  }
  if (failed(Call.countWork(Call.getInput(0).getNumElements(), 8)))
    return failure(); // reported
  NormParts P = NormParts::get(Shape, [&](unsigned I) { return IsReduced[I]; });
  StridedWalk Parts(P.Kept, {P.KeptSteps}), Walk(P.Reduced, {P.ReducedSteps});
  DType T = Call.getOutputDType();
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  ElementReader<double> Data(Call.getInput(0));
  ElementWriter<double> Out(Call.getOutputTensor());
  ElementRounding<double> Round(T), RoundSum(getSumType(T));
  auto NormalizePart = [&](int64_t First) {
    double Squares = Round(sumUp(Data, Walk, First, RoundSum,
                                 [&](double X) { return RoundSum(X * X); }));
    double Least = Round(float(A.eps()));
    double Norm = Round(std::sqrt(Squares > Least ? Squares : Least));
    forEachBlock(Data, Walk, First,
                 [&](const double *X, int64_t At, int64_t Step, int64_t Count) {
                   double Results[BlockSize];
                   for (int64_t I = 0; I != Count; ++I)
                     Results[I] = X[I] / Norm;
                   Out.write(At, Count, Results, Step);
                 });
  };
  Parts.forEachRow([&](int64_t, ArrayRef<int64_t> At) {
    for (int64_t I = 0; I != Parts.getRowLength(); ++I)
      NormalizePart(At[0] + I * Parts.getRowStride(0));
  });
  return success();
}

/// data / (bias + alpha * s / size) ^ beta, where s is the sum of squares of
/// `size` neighbours along the axis.
LogicalResult relay::evalLRN(KernelCall &Call) {
  const auto &A = Call.getAttrs<LRNAttrs>();
  auto Axis = getAxis(Call, A.axis(), Call.getInput(0).getRank());
  if (failed(Axis))
    return failure();
  if (A.size() <= 0 || A.size() % 2 == 0)
    return Call.emitError("'size' is " + Twine(A.size()) + ", not odd");
  AxisView View(Call.getInput(0).getShape(), *Axis);
  int64_t Radius = std::min(A.size() / 2, View.Length);
  DType T = Call.getOutputDType();
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  ElementReader<double> Data(Call.getInput(0));
  ElementWriter<double> Out(Call.getOutputTensor());
  ElementRounding<double> Round(T), RoundSum(getSumType(T));
  auto Visit = [&](int64_t Begin, int64_t End) {
    for (int64_t I = Begin; I != End; ++I) {
      int64_t At = I / View.Inner % View.Length;
      int64_t First = std::max<int64_t>(At - Radius, 0);
      int64_t Last = std::min(At + Radius, View.Length - 1);
      double Sum = 0;
      for (int64_t J = First; J <= Last; ++J) {
        double X = Data[I + (J - At) * View.Inner];
        Sum = RoundSum(Sum + RoundSum(X * X));
      }
      if (A.alpha() == 0) // TVM drops the product, even with infinity
        Sum = 0;
      double Mean =
          Round(Round(Round(A.alpha()) * Round(Sum)) / double(A.size()));
      double Base = Round(Round(A.bias()) + Mean);
      double Power = Round(std::pow(Base, Round(A.beta())));
      double Result = Data[I] / Power;
      Out.write(I, 1, &Result);
    }
  };
  return Call.limitedFor(Call.getOutputTensor().getNumElements(),
                         4 * Radius + 64, Visit);
}

//===- NormKernels.cpp - Normalization ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalization, of Ops/NN.td. Means are sums in AccumulateType; then each
// operation of the formula is rounded, as TVM, which takes it apart, does.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

namespace {
/// What nn.batch_norm does to the data of E, by channel.
template <typename E> struct ChannelNorms {
  using C = ComputeType<E>;
  SmallVector<C, 0> Means, Roots, Scales, Shifts;

  static C round(C X) { return load(store<E>(X)); }
  ChannelNorms(KernelCall &Call, const BatchNormAttrs &A);

  static E apply(E X, C Mean, C Root, C Scale, C Shift) {
    C Normal = round(round(load(X) - Mean) / Root);
    return store<E>(round(Normal * Scale) + Shift);
  }
  /// \p Count places of one channel.
  void applyTo(const E *From, E *To, int64_t Count, int64_t Channel) const {
    C Mean = Means[Channel], Root = Roots[Channel];
    C Scale = Scales[Channel], Shift = Shifts[Channel];
    for (int64_t I = 0; I != Count; ++I)
      To[I] = apply(From[I], Mean, Root, Scale, Shift);
  }
  /// All channels of one place.
  void applyToPlace(const E *From, E *To) const {
    const C *Mean = Means.data(), *Root = Roots.data();
    const C *Scale = Scales.data(), *Shift = Shifts.data();
    for (size_t I = 0, Count = Means.size(); I != Count; ++I)
      To[I] = apply(From[I], Mean[I], Root[I], Scale[I], Shift[I]);
  }
};
} // namespace

template <typename E>
ChannelNorms<E>::ChannelNorms(KernelCall &Call, const BatchNormAttrs &A) {
  C Epsilon = round(float(A.epsilon())); // TVM's constant
  for (E Mean : Call.getInput<E>(3))
    Means.push_back(load(Mean));
  for (E Variance : Call.getInput<E>(4))
    Roots.push_back(round(std::sqrt(round(load(Variance) + Epsilon))));
  for (E Gamma : Call.getInput<E>(1))
    Scales.push_back(A.scale() ? load(Gamma) : C(1));
  for (E Beta : Call.getInput<E>(2))
    Shifts.push_back(A.center() ? load(Beta) : C(0));
}

/// data: [.., c at axis, ..], the others [c] -> (data - moving_mean) /
/// sqrt(moving_var + epsilon) * gamma + beta, rounded after each step, as TVM
/// does; mean and variance are given back.
LogicalResult relay::evalBatchNorm(KernelCall &Call) {
  const auto &A = Call.getAttrs<BatchNormAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Axis = getAxis(Call, A.axis(), Data.getRank());
  if (failed(Axis))
    return failure();
  AxisView View(Data.getShape(), *Axis);
  Call.setOutput(1, Call.getInput(3));
  Call.setOutput(2, Call.getInput(4));
  return dispatchFloats(Call, Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *In = Call.getInput<E>(0).data();
    E *Out = Call.getOutput<E>().data();
    const ChannelNorms<E> Norms(Call, A);
    if (View.Inner == 1)
      Call.parallelFor(
          View.Outer, 4 * View.Length, [&](int64_t Begin, int64_t End) {
            for (int64_t I = Begin; I != End; ++I)
              Norms.applyToPlace(In + I * View.Length, Out + I * View.Length);
          });
    else
      Call.parallelFor(View.Outer * View.Length, 4 * View.Inner,
                       [&](int64_t Begin, int64_t End) {
                         for (int64_t I = Begin; I != End; ++I)
                           Norms.applyTo(In + I * View.Inner,
                                         Out + I * View.Inner, View.Inner,
                                         I % View.Length);
                       });
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Means that are computed
//===----------------------------------------------------------------------===//

namespace {
/// Parts of data that are normalized each by itself.
struct NormParts {
  TensorShape Kept, Reduced; ///< extents
  Strides KeptSteps, ReducedSteps;
  int64_t Channels, ChannelStep; ///< of gamma and beta

  /// Of a tensor of \p Shape, the parts over the axes that \p IsReduced names.
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

/// Calls \p F with the offset of each element of a part that begins at \p
/// First.
template <typename Fn>
static void forEachElement(const StridedWalk &Walk, int64_t First, Fn &&F) {
  Walk.forEachRow([&](int64_t, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I)
      F(First + Offsets[0] + I * Walk.getRowStride(0));
  });
}

/// Normalizes the part of \p In at \p First: (data - mean) / sqrt(variance +
/// epsilon), times gamma, plus beta.
template <typename E, typename AttrsT>
static void normalizePart(KernelCall &Call, const AttrsT &A, const NormParts &P,
                          const StridedWalk &Walk, int64_t First, const E *In,
                          E *Out) {
  using C = ComputeType<E>;
  auto Round = [](auto X) { return load(store<E>(X)); };
  const E *Gamma = Call.getInput(1).getElements<E>().data();
  const E *Beta = Call.getInput(2).getElements<E>().data();
  AccumulateType<E> Sum = 0, Squares = 0;
  auto Count = AccumulateType<E>(Walk.getNumRows() * Walk.getRowLength());
  forEachElement(Walk, First, [&](int64_t I) { Sum += load(In[I]); });
  C Mean = Round(Sum / Count);
  forEachElement(Walk, First, [&](int64_t I) {
    AccumulateType<E> Difference = Round(load(In[I]) - Mean);
    Squares += Difference * Difference;
  });
  C Variance = Round(Squares / Count);
  C Root = Round(std::sqrt(Round(Variance + Round(float(A.epsilon())))));
  forEachElement(Walk, First, [&](int64_t I) {
    int64_t Channel = I / P.ChannelStep % P.Channels;
    C X = Round(Round(load(In[I]) - Mean) / Root);
    if (A.scale())
      X = Round(X * load(Gamma[Channel]));
    if (A.center())
      X = Round(X + load(Beta[Channel]));
    Out[I] = store<E>(X);
  });
}

/// data: [.., c at axis, ..], gamma, beta: [c] -> as data.
template <typename AttrsT>
static LogicalResult evalNorm(KernelCall &Call, const AttrsT &A, NormParts P,
                              unsigned Axis) {
  AxisView View(Call.getInput(0).getShape(), Axis);
  P.Channels = View.Length;
  P.ChannelStep = View.Inner;
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *In = Call.getInput<E>(0).data();
    MutableArrayRef<E> Out = Call.getOutput<E>();
    if (Out.empty())
      return success();
    StridedWalk Parts(P.Kept, {P.KeptSteps}), Walk(P.Reduced, {P.ReducedSteps});
    int64_t Size = Walk.getNumRows() * Walk.getRowLength();
    Call.parallelFor(
        Parts.getNumRows(), 16 * Size * Parts.getRowLength(),
        [&](int64_t Begin, int64_t End) {
          Parts.forEachRow(Begin, End, [&](int64_t, ArrayRef<int64_t> At) {
            for (int64_t I = 0; I != Parts.getRowLength(); ++I)
              normalizePart<E>(Call, A, P, Walk,
                               At[0] + I * Parts.getRowStride(0), In,
                               Out.data());
          });
        });
    return success();
  });
}

LogicalResult relay::evalLayerNorm(KernelCall &Call) {
  const auto &A = Call.getAttrs<LayerNormAttrs>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  auto Axis = getAxis(Call, A.axis(), Shape.size());
  if (failed(Axis))
    return failure();
  return evalNorm(Call, A,
                  NormParts::get(Shape, [&](unsigned I) { return I == *Axis; }),
                  *Axis);
}

LogicalResult relay::evalInstanceNorm(KernelCall &Call) {
  const auto &A = Call.getAttrs<InstanceNormAttrs>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  auto Axis = getAxis(Call, A.axis(), Shape.size());
  if (failed(Axis))
    return failure();
  auto IsReduced = [&](unsigned I) { return I != 0 && I != *Axis; };
  return evalNorm(Call, A, NormParts::get(Shape, IsReduced), *Axis);
}

/// The channels, which are axis 1, in groups that stand together.
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

/// data / sqrt(max(sum of data * data, eps)), the sum over `axis`, or all axes
/// where there is none.
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
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *In = Call.getInput<E>(0).data();
    E *Out = Call.getOutput<E>().data();
    Parts.forEachRow([&](int64_t, ArrayRef<int64_t> At) {
      for (int64_t I = 0; I != Parts.getRowLength(); ++I) {
        int64_t First = At[0] + I * Parts.getRowStride(0);
        AccumulateType<E> Sum = 0;
        forEachElement(Walk, First, [&](int64_t J) {
          AccumulateType<E> X = load(In[J]);
          Sum += X * X;
        });
        auto Squares = load(store<E>(Sum)),
             Least = load(store<E>(float(A.eps())));
        auto Norm =
            load(store<E>(std::sqrt(Squares > Least ? Squares : Least)));
        forEachElement(Walk, First, [&](int64_t J) {
          Out[J] = store<E>(load(In[J]) / Norm);
        });
      }
    });
    return success();
  });
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
  return dispatchFloats(Call, Call.getOutputDType(), [&](auto Zero) {
    using E = decltype(Zero);
    auto Round = [](auto X) { return load(store<E>(X)); };
    const E *In = Call.getInput<E>(0).data();
    MutableArrayRef<E> Out = Call.getOutput<E>();
    auto Visit = [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I != End; ++I) {
        int64_t At = I / View.Inner % View.Length;
        int64_t First = std::max<int64_t>(At - Radius, 0);
        int64_t Last = std::min(At + Radius, View.Length - 1);
        AccumulateType<E> Sum = 0;
        for (int64_t J = First; J <= Last; ++J) {
          AccumulateType<E> X = load(In[I + (J - At) * View.Inner]);
          Sum += X * X;
        }
        if (A.alpha() == 0) // TVM drops the product, also with infinity
          Sum = 0;
        auto Mean = Round(Round(Round(A.alpha()) * Round(Sum)) /
                          ComputeType<E>(A.size()));
        auto Base = Round(Round(A.bias()) + Mean);
        auto Power = Round(std::pow(double(Base), double(Round(A.beta()))));
        Out[I] = store<E>(load(In[I]) / Power);
      }
    };
    return Call.limitedFor(Out.size(), 4 * Radius + 64, Visit);
  });
}

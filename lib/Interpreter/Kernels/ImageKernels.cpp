//===- ImageKernels.cpp - Sampling of images ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// grid_sample, affine_grid and dilation2d of Ops/Image.td. Each operation on
// floats is rounded to their type.
//
//===----------------------------------------------------------------------===//

#include "LayoutOffsets.h"
#include "relay/Ops/Image.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Positions of a grid
//===----------------------------------------------------------------------===//

namespace {
enum class Outside : uint8_t { Zeros, Border, Reflection };

/// A spatial axis of the data that a grid samples, with \p Size positions.
template <typename F> struct GridAxis {
  int64_t Size;
  Outside Padding;
  bool AlignsCorners;

  /// Returns the position of \p X, which is in [-1, 1] inside the data.
  F getPosition(F X) const {
    if (AlignsCorners)
      return (X + F(1)) * F(Size - 1) / F(2);
    return F(-0.5) + (X + F(1)) * F(Size) / F(2);
  }
  /// Clamps \p X to the data.
  F clamp(F X) const {
    F Lower = X > F(0) ? X : F(0);
    return Lower < F(Size - 1) ? Lower : F(Size - 1);
  }
  /// Mirrors \p X at the ends until it is between them.
  F reflect(F X) const {
    F Corner = AlignsCorners ? F(0) : F(-0.5);
    int64_t Length = AlignsCorners ? Size - 1 : Size;
    if (X >= Corner && X <= F(Length) + Corner)
      return X;
    F Distance = std::abs(Corner - X);
    int64_t Times = truncateToInt64(double(Distance)) / Length;
    F Rest = Distance - F(Times) * F(Length);
    return Times % 2 == 0 ? Rest + Corner : F(Length) - Rest + Corner;
  }
  /// Applies the padding mode to \p X.
  F pad(F X) const {
    if (Padding == Outside::Zeros)
      return X;
    return clamp(Padding == Outside::Border ? X : reflect(X));
  }
};

/// A position on an axis: the taps from First on, and the distance from First.
template <typename F> struct GridPlace {
  int64_t Taps[4];
  F Fraction;
};

/// The sampler of `image.grid_sample`: depth, height, width; without depth, an
/// axis with one position.
template <typename F> struct GridSampler {
  enum Method : uint8_t { Nearest, Linear, Cubic };
  Method M;
  bool HasDepth;
  GridAxis<F> Axes[3];

  GridPlace<F> getPlace(const GridAxis<F> &Axis, F X) const;
  template <typename E>
  F getPixel(const E *Plane, int64_t Z, int64_t Y, int64_t X) const;
  template <typename E>
  F sample(const E *Plane, const GridPlace<F> (&At)[3]) const;
  template <typename E>
  F sampleLinear(const E *Plane, const GridPlace<F> (&At)[3]) const;
  template <typename E>
  F sampleCubic(const E *Plane, const GridPlace<F> (&At)[3]) const;
};
} // namespace

template <typename F>
GridPlace<F> GridSampler<F>::getPlace(const GridAxis<F> &Axis, F X) const {
  GridPlace<F> P{{0, 0, 0, 0}, 0};
  F At = Axis.getPosition(X);
  if (M != Cubic)
    At = Axis.pad(At);
  F Floor = M == Nearest ? std::nearbyint(At) : std::floor(At);
  // Larger positions, and NaN, are outside of any image.
  constexpr int64_t Far = int64_t(1) << 40;
  int64_t First = std::isnan(Floor)
                      ? -Far
                      : std::clamp(truncateToInt64(double(Floor)), -Far, Far);
  P.Fraction = At - F(First);
  for (int64_t K = 0; K != 4; ++K) {
    P.Taps[K] = M == Cubic ? First + K - 1 : First + K;
    if (M == Cubic && Axis.Padding != Outside::Zeros)
      P.Taps[K] = truncateToInt64(double(Axis.pad(F(P.Taps[K]))));
  }
  return P;
}

/// Returns 0 outside of the data.
template <typename F>
template <typename E>
F GridSampler<F>::getPixel(const E *Plane, int64_t Z, int64_t Y,
                           int64_t X) const {
  if (Z < 0 || Y < 0 || X < 0 || Z >= Axes[0].Size || Y >= Axes[1].Size ||
      X >= Axes[2].Size)
    return 0;
  return F(Plane[(Z * Axes[1].Size + Y) * Axes[2].Size + X]);
}

/// Returns the sum over the corners of the cell, each times its part of the
/// volume, in TVM's order.
template <typename F>
template <typename E>
F GridSampler<F>::sampleLinear(const E *Plane,
                               const GridPlace<F> (&At)[3]) const {
  auto Part = [&](unsigned Axis, unsigned K) {
    return K ? At[Axis].Fraction : F(1) - At[Axis].Fraction;
  };
  auto Pixel = [&](unsigned Z, unsigned Y, unsigned X) {
    return getPixel(Plane, At[0].Taps[Z], At[1].Taps[Y], At[2].Taps[X]);
  };
  F Sum = 0;
  if (!HasDepth) {
    for (unsigned I = 0; I != 4; ++I)
      Sum += Pixel(0, I / 2, I % 2) * Part(1, I / 2) * Part(2, I % 2);
    return Sum;
  }
  static constexpr uint8_t Corners[8][3] = {{0, 0, 0}, {0, 0, 1}, {1, 1, 0},
                                            {1, 1, 1}, {0, 1, 0}, {1, 0, 1},
                                            {1, 0, 0}, {0, 1, 1}};
  for (const auto &[Z, Y, X] : Corners)
    Sum += Pixel(Z, Y, X) * Part(2, X) * Part(1, Y) * Part(0, Z);
  return Sum;
}

/// Cubic interpolation between the second and the third of four values.
template <typename F> static F interpolateCubic(const F (&Values)[4], F T) {
  constexpr F A = F(-0.75);
  auto Near = [=](F D) { return ((A + 2) * D - (A + 3)) * D * D + F(1); };
  auto Far = [=](F D) { return ((A * D - 5 * A) * D + 8 * A) * D - 4 * A; };
  return Values[0] * Far(T + F(1)) + Values[1] * Near(T) +
         Values[2] * Near(F(1) - T) + Values[3] * Far(F(2) - T);
}

template <typename F>
template <typename E>
F GridSampler<F>::sampleCubic(const E *Plane,
                              const GridPlace<F> (&At)[3]) const {
  F Rows[4];
  for (unsigned Y = 0; Y != 4; ++Y) {
    F Row[4];
    for (unsigned X = 0; X != 4; ++X)
      Row[X] = getPixel(Plane, 0, At[1].Taps[Y], At[2].Taps[X]);
    Rows[Y] = interpolateCubic(Row, At[2].Fraction);
  }
  return interpolateCubic(Rows, At[1].Fraction);
}

template <typename F>
template <typename E>
F GridSampler<F>::sample(const E *Plane, const GridPlace<F> (&At)[3]) const {
  switch (M) {
  case Nearest:
    return getPixel(Plane, At[0].Taps[0], At[1].Taps[0], At[2].Taps[0]);
  case Linear:
    return sampleLinear(Plane, At);
  case Cubic:
    return sampleCubic(Plane, At);
  }
  llvm_unreachable("all methods are listed");
}

//===----------------------------------------------------------------------===//
// grid_sample
//===----------------------------------------------------------------------===//

/// Returns the method and the padding given by the attributes.
template <typename F>
static FailureOr<GridSampler<F>> getGridSampler(const KernelCall &Call) {
  const auto &A = Call.getAttrs<GridSampleAttrs>();
  const Tensor &Data = Call.getInput(0);
  using Sampler = GridSampler<F>;
  bool HasDepth = Data.getRank() == 5;
  auto M =
      llvm::StringSwitch<std::optional<typename Sampler::Method>>(A.method())
          .Case("nearest", Sampler::Nearest)
          .Case("bilinear", Sampler::Linear)
          .Case("bicubic", Sampler::Cubic)
          .Default(std::nullopt);
  if (!M || (HasDepth && *M == Sampler::Cubic))
    return Call.emitError("unknown method \"" + A.method() + "\"");
  auto Padding = llvm::StringSwitch<std::optional<Outside>>(A.paddingMode())
                     .Case("zeros", Outside::Zeros)
                     .Case("border", Outside::Border)
                     .Case("reflection", Outside::Reflection)
                     .Default(std::nullopt);
  if (!Padding)
    return Call.emitError("unknown padding_mode \"" + A.paddingMode() + "\"");
  Sampler S{*M, HasDepth, {}};
  for (unsigned I = 0; I != 3; ++I) {
    bool IsMissing = I == 0 && !HasDepth;
    int64_t Size = IsMissing ? 1 : Data.getDim(Data.getRank() - 3 + I);
    if (!IsMissing && *Padding == Outside::Reflection &&
        Size < (A.alignCorners() ? 2 : 1))
      return Call.emitError("an axis of length " + Twine(Size) +
                            " cannot be reflected");
    S.Axes[I] = {Size, *Padding, A.alignCorners()};
  }
  return S;
}

/// data: [N, C, spatial..], grid: [N, rank, spatial'..], x first ->
/// [N, C, spatial'..].
template <typename E, typename F>
static LogicalResult sampleGrid(KernelCall &Call) {
  auto S = getGridSampler<F>(Call);
  if (failed(S))
    return failure();
  const Tensor &Data = Call.getInput(0), &Grid = Call.getInput(1);
  unsigned NumSpatial = Data.getRank() - 2;
  if (Grid.getDim(0) != Data.getDim(0) || Grid.getDim(1) != NumSpatial)
    return Call.emitError("grid has the shape " + toString(Grid.getShape()));
  int64_t Channels = Data.getDim(1);
  int64_t Size = *getNumElements(Data.getShape().drop_front(2));
  int64_t Places = *getNumElements(Grid.getShape().drop_front(2));
  const E *In = Data.getElements<E>().data();
  const F *At = Grid.getElements<F>().data();
  E *Out = Call.getOutput<E>().data();
  uint64_t OfPixel = S->M == GridSampler<F>::Cubic ? 80 : 20;
  return Call.limitedFor(
      Data.getDim(0) * Places, OfPixel * Channels,
      [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t N = I / Places, P = I % Places;
          GridPlace<F> Where[3] = {{{0, 0, 0, 0}, 0}, {}, {}};
          for (unsigned K = 0; K != NumSpatial; ++K)
            Where[2 - K] = S->getPlace(S->Axes[2 - K],
                                       At[(N * NumSpatial + K) * Places + P]);
          for (int64_t C = N * Channels; C != (N + 1) * Channels; ++C)
            Out[C * Places + P] = E(S->sample(In + C * Size, Where));
        }
      });
}

/// Data and grid of one type, float32 or float64.
LogicalResult relay::evalGridSample(KernelCall &Call) {
  const auto &A = Call.getAttrs<GridSampleAttrs>();
  DType T = Call.getInput(0).getDType();
  if (A.layout() != "NCHW" && A.layout() != "NCDHW")
    return Call.emitError("no kernel for the layout " + A.layout());
  if (Call.getInput(1).getDType() == T && T == DType::getFloat(32))
    return sampleGrid<float, float>(Call);
  if (Call.getInput(1).getDType() == T && T == DType::getFloat(64))
    return sampleGrid<double, double>(Call);
  return Call.emitUnsupported(T);
}

//===----------------------------------------------------------------------===//
// affine_grid
//===----------------------------------------------------------------------===//

/// data: [N, 2, 3] -> [N, 2, height, width]: the product of each matrix with
/// (x, y, 1), where x and y range from -1 to 1. For matrices of integers the
/// steps are rounded towards zero.
LogicalResult relay::evalAffineGrid(KernelCall &Call) {
  int64_t Height = Call.getOutputShape()[2], Width = Call.getOutputShape()[3];
  if (Height < 2 || Width < 2)
    return Call.emitError("'target_shape' has a dimension below 2");
  DType Type = Call.getOutputDType();
  if (Type.isUInt() || Type.isBool())
    return Call.emitUnsupported(Type);
  return dispatchElements(Call, Type, [&](auto Zero) {
    using E = decltype(Zero);
    // Integers wrap around.
    using T = std::conditional_t<IsFloat<E>, ComputeType<E>, uint64_t>;
    auto Round = [](auto X) { return T(load(store<E>(X))); };
    auto YStep = Round((2.0 - 1e-7) / double(Height - 1));
    auto XStep = Round((2.0 - 1e-7) / double(Width - 1));
    const E *Rows = Call.getInput<E>(0).data();
    E *Out = Call.getOutput<E>().data();
    Call.parallelFor(Call.getOutputShape()[0] * 2 * Height, 8 * Width,
                     [&](int64_t Begin, int64_t End) {
                       for (int64_t I = Begin; I != End; ++I) {
                         const E *Row = Rows + I / Height * 3;
                         T Y =
                             Round(T(-1) + Round(Round(T(I % Height)) * YStep));
                         for (int64_t J = 0; J != Width; ++J) {
                           T X = Round(T(-1) + Round(Round(T(J)) * XStep));
                           T Sum = Round(Round(T(load(Row[0])) * X) +
                                         Round(T(load(Row[1])) * Y));
                           Out[I * Width + J] = store<E>(Sum + T(load(Row[2])));
                         }
                       }
                     });
    return success();
  });
}

//===----------------------------------------------------------------------===//
// dilation2d
//===----------------------------------------------------------------------===//

namespace {
/// Operands and result of `image.dilation2d` in their layouts.
struct Dilation {
  LayoutOffsets In, Kernel, Out;
  int64_t Strides[2], Dilations[2], Before[2];
};
} // namespace

static FailureOr<Dilation> getDilation(KernelCall &Call) {
  const auto &A = Call.getAttrs<Dilation2DAttrs>();
  auto Strides = getInts(Call, A.strides(), "strides");
  auto Dilations = getInts(Call, A.dilations(), "dilations");
  auto Padding = getInts(Call, A.padding(), "padding");
  if (failed(Strides) || failed(Dilations) || failed(Padding))
    return failure();
  auto In = LayoutOffsets::get(Call, A.dataLayout(), "NCHW",
                               Call.getInput(0).getShape());
  auto Kernel = LayoutOffsets::get(Call, A.kernelLayout(), "IHW",
                                   Call.getInput(1).getShape());
  auto Out =
      LayoutOffsets::get(Call, A.dataLayout(), "NCHW", Call.getOutputShape());
  if (failed(In) || failed(Kernel) || failed(Out))
    return failure();
  if (In->getExtent(1) != Kernel->getExtent(0))
    return Call.emitError("data has " + Twine(In->getExtent(1)) +
                          " channels, and the weight " +
                          Twine(Kernel->getExtent(0)));
  Dilation D{*In, *Kernel, *Out, {}, {}, {}};
  for (unsigned I : {0, 1}) {
    D.Strides[I] = (*Strides)[I];
    D.Dilations[I] = (*Dilations)[I];
    D.Before[I] = Padding->size() == 1 ? (*Padding)[0] : (*Padding)[I];
  }
  return D;
}

namespace {
/// Computes elements of the output of dilation2d.
template <typename N> struct Dilator {
  const Dilation &D;
  ElementReader<N> Data, Kernel;
  ElementRounding<N> Round;
  N Least;

  N dilate(int64_t Plane, int64_t Channel, int64_t Y, int64_t X) const;
};
} // namespace

/// Returns the maximum of data + weight at (\p Y, \p X), for the plane and the
/// channel of the kernel that begin at \p Plane and \p Channel. Data outside of
/// the image is 0. As in TVM, a NaN counts only if it is the last element.
template <typename N>
N Dilator<N>::dilate(int64_t Plane, int64_t Channel, int64_t Y,
                     int64_t X) const {
  N Max = Least;
  for (int64_t KY = 0; KY != D.Kernel.getExtent(1); ++KY)
    for (int64_t KX = 0; KX != D.Kernel.getExtent(2); ++KX) {
      int64_t InY = Y * D.Strides[0] + KY * D.Dilations[0] - D.Before[0];
      int64_t InX = X * D.Strides[1] + KX * D.Dilations[1] - D.Before[1];
      bool IsInside = InY >= 0 && InX >= 0 && InY < D.In.getExtent(2) &&
                      InX < D.In.getExtent(3);
      N Value = IsInside ? Data[Plane + D.In[2][InY] + D.In[3][InX]] : N(0);
      N Weight = Kernel[Channel + D.Kernel[1][KY] + D.Kernel[2][KX]];
      N Sum;
      if constexpr (std::is_integral_v<N>)
        Sum = Round(Wrapping<N>::add(Value, Weight));
      else
        Sum = Round(Value + Weight);
      Max = Max > Sum ? Max : Sum;
    }
  return Max;
}

/// Fills the output from operands of its type, computed as N.
template <typename N>
static LogicalResult dilatePlanes(KernelCall &Call, const Dilation &D,
                                  const Tensor &Data, const Tensor &Weight) {
  DType T = Call.getOutputDType();
  int64_t Height = D.Out.getExtent(2), Width = D.Out.getExtent(3);
  int64_t Channels = D.Out.getExtent(1);
  Dilator<N> At = {D, ElementReader<N>(Data), ElementReader<N>(Weight),
                   ElementRounding<N>(T), getLeastFinite<N>(T)};
  ElementWriter<N> Out(Call.getOutputTensor());
  return Call.limitedFor(
      D.Out.getExtent(0) * Channels * Height,
      llvm::SaturatingMultiply<uint64_t>(
          Width * 4, Weight.getNumElements() / std::max<int64_t>(Channels, 1)),
      [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t Batch = I / Height / Channels, C = I / Height % Channels;
          int64_t Y = I % Height;
          for (int64_t X = 0; X != Width; ++X) {
            N Max =
                At.dilate(D.In[0][Batch] + D.In[1][C], D.Kernel[0][C], Y, X);
            Out.write(D.Out[0][Batch] + D.Out[1][C] + D.Out[2][Y] + D.Out[3][X],
                      1, &Max);
          }
        }
      });
}

/// data: [N, C, H, W], weight: [C, h, w], in their layouts.
LogicalResult relay::evalDilation2D(KernelCall &Call) {
  auto D = getDilation(Call);
  if (failed(D))
    return failure();
  if (Call.getInput(1).getDType() != Call.getInput(0).getDType())
    return Call.emitUnsupported(Call.getInput(1).getDType());
  DType T = Call.getOutputDType();
  auto Data = castTensor(Call, Call.getInput(0), T);
  auto Weight = castTensor(Call, Call.getInput(1), T);
  if (failed(Data) || failed(Weight))
    return failure();
  return dispatchNumbers(Call, T, [&](auto Zero) {
    return dilatePlanes<decltype(Zero)>(Call, *D, *Data, *Weight);
  });
}

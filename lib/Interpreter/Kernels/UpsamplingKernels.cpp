//===- UpsamplingKernels.cpp - Enlarging of images ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upsampling of Ops/NN.td and Ops/Dyn.td: an element is a weighted sum along
// each spatial axis, innermost first, computed in float32, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/NN.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

namespace {
/// The sources of a position along an axis: at most four positions of data.
struct Taps {
  unsigned Count = 1;
  std::array<int64_t, 4> Places = {};
  std::array<float, 4> Weights = {1, 0, 0, 0};
};
enum class UpsamplingMethod { Nearest, Linear, Cubic };
enum class UpsamplingPlaces { HalfPixel, AlignCorners, Asymmetric };
} // namespace

/// Returns the position of \p I, one of \p Out positions, on an axis of \p In
/// positions.
static float getSourcePlace(int64_t I, int64_t In, int64_t Out,
                            UpsamplingPlaces C) {
  float Scale = float(In) / float(Out);
  switch (C) {
  case UpsamplingPlaces::HalfPixel:
    return (float(I) + 0.5f) * Scale - 0.5f;
  case UpsamplingPlaces::AlignCorners:
    return Out == 1 ? 0 : float(In - 1) / float(Out - 1) * float(I);
  case UpsamplingPlaces::Asymmetric:
    return Scale * float(I);
  }
  llvm_unreachable("coordinates of an image");
}

/// Returns the weights of a cubic spline for the four positions around \p T in
/// [0, 1).
static std::array<float, 4> getCubicWeights(float T) {
  constexpr float Alpha = -0.5f;
  float T2 = T * T, T3 = T * T * T;
  return {Alpha * (T3 - 2 * T2 + T), (Alpha + 2) * T3 - (3 + Alpha) * T2 + 1,
          -(Alpha + 2) * T3 + (3 + 2 * Alpha) * T2 - Alpha * T,
          -Alpha * T3 + Alpha * T2};
}

/// Returns the sources of position \p I of an axis; positions outside of data
/// are clamped.
static Taps getTaps(int64_t I, int64_t In, int64_t Out, UpsamplingMethod M,
                    UpsamplingPlaces C) {
  float Place = getSourcePlace(I, In, Out, C);
  Taps T;
  int64_t First = int64_t(std::floor(Place));
  float Part = Place - std::floor(Place);
  if (M == UpsamplingMethod::Nearest) // the summand is TVM's
    First = int64_t(C == UpsamplingPlaces::AlignCorners
                        ? std::round(Place)
                        : std::floor(Place + 1e-5f));
  if (M == UpsamplingMethod::Linear) {
    T.Count = 2;
    T.Weights = {1 - Part, Part, 0, 0};
  }
  if (M == UpsamplingMethod::Cubic) {
    T.Count = 4;
    T.Weights = getCubicWeights(Part);
    --First;
  }
  for (unsigned J = 0; J != T.Count; ++J)
    T.Places[J] = std::clamp<int64_t>(First + J, 0, In - 1);
  return T;
}

/// data: [outer, In, Inner] -> [outer, taps, Inner], with \p NumRows rows of
/// Inner. Elements are copied as integers of their size.
template <typename E>
static void resizeAxis(KernelCall &Call, const E *Data, int64_t In,
                       int64_t Inner, ArrayRef<Taps> Axis, int64_t NumRows,
                       E *Out) {
  int64_t Length = Axis.size();
  Call.parallelFor(NumRows, 8 * Inner, [&](int64_t Begin, int64_t End) {
    for (int64_t Row = Begin; Row != End; ++Row) {
      const Taps &T = Axis[Row % Length];
      const E *From = Data + Row / Length * In * Inner;
      if (T.Count == 1) {
        std::copy_n(From + T.Places[0] * Inner, Inner, Out + Row * Inner);
        continue;
      }
      for (int64_t I = 0; I != Inner; ++I) {
        E Sum = 0;
        for (unsigned J = 0; J != T.Count; ++J)
          Sum += From[T.Places[J] * Inner + I] * E(T.Weights[J]);
        Out[Row * Inner + I] = Sum;
      }
    }
  });
}

/// Returns \p Data, [N, C, spatial..] with elements of the size of E, resized
/// to the spatial extents \p Sizes.
template <typename E>
static FailureOr<Tensor> resize(KernelCall &Call, Tensor Data,
                                ArrayRef<int64_t> Sizes, UpsamplingMethod M,
                                UpsamplingPlaces C) {
  for (unsigned I = Sizes.size(); I-- != 0;) {
    unsigned Axis = 2 + I;
    int64_t In = Data.getDim(Axis), Inner = 1;
    if (In == 0 && Sizes[I] != 0)
      return Call.emitError("an axis of length 0 is enlarged");
    for (int64_t Extent : Data.getShape().drop_front(Axis + 1))
      Inner *= Extent;
    TensorShape Shape(Data.getShape());
    Shape[Axis] = Sizes[I];
    auto Storage =
        Call.allocate(DType::getUInt(8), {Sizes[I], int64_t(sizeof(Taps))});
    std::optional<Tensor> Out = Call.allocate(Data.getDType(), Shape);
    if (!Storage || !Out)
      return failure();
    MutableArrayRef<Taps> Places(
        reinterpret_cast<Taps *>(Storage->getMutableBytes().data()), Sizes[I]);
    for (int64_t J = 0; J != Sizes[I]; ++J)
      Places[J] = getTaps(J, In, Sizes[I], M, C);
    if (Out->getNumElements() != 0)
      resizeAxis(Call, reinterpret_cast<const E *>(Data.getBytes().data()), In,
                 Inner, Places, Out->getNumElements() / Inner,
                 reinterpret_cast<E *>(Out->getMutableBytes().data()));
    Data = std::move(*Out);
  }
  return Data;
}

/// Like resize(), for any type with the nearest method; with other methods
/// integers are computed in float32 and truncated.
static FailureOr<Tensor> resizeAny(KernelCall &Call, const Tensor &Data,
                                   ArrayRef<int64_t> Sizes, UpsamplingMethod M,
                                   UpsamplingPlaces C) {
  DType T = Data.getDType();
  if (M == UpsamplingMethod::Nearest) {
    switch (T.getByteSize()) {
    case 1:
      return resize<uint8_t>(Call, Data, Sizes, M, C);
    case 2:
      return resize<uint16_t>(Call, Data, Sizes, M, C);
    case 4:
      return resize<uint32_t>(Call, Data, Sizes, M, C);
    default:
      return resize<uint64_t>(Call, Data, Sizes, M, C);
    }
  }
  if (T.isFloat(64))
    return resize<double>(Call, Data, Sizes, M, C);
  auto Wide = castTensor(Call, Data, DType::getFloat(32));
  if (failed(Wide))
    return failure();
  auto Resized = resize<float>(Call, std::move(*Wide), Sizes, M, C);
  return failed(Resized) ? Resized : castTensor(Call, *Resized, T);
}

/// Returns the extents of the spatial axes \p Plain of \p Layout: those of the
/// output or, if they depend on data, \p Factors times those of data.
static FailureOr<SmallVector<int64_t, 3>> getSizes(KernelCall &Call,
                                                   StringRef Layout,
                                                   StringRef Plain,
                                                   ArrayRef<unsigned> Factors) {
  SmallVector<int64_t, 3> Sizes;
  for (auto [I, Axis] : llvm::enumerate(Plain.drop_front(2))) {
    size_t At = Layout.find(Axis);
    if (At >= Call.getInput(0).getRank())
      return Call.emitError("the layout '" + Layout + "' has no axis '" +
                            Twine(Axis) + "'");
    if (Factors.empty()) {
      Sizes.push_back(Call.getOutputShape()[At]);
      continue;
    }
    const Tensor &Factor = Call.getInput(Factors[I]);
    double Extent = Call.getInput(0).getDim(At);
    if (Factor.getNumElements() != 1)
      return Call.emitError("a factor has the shape " +
                            toString(Factor.getShape()));
    // The product has the factor's type, as in TVM.
    double Size = std::round(Factor.getDType().isFloat(64)
                                 ? Extent * Factor.getDouble()
                                 : float(Extent) * float(Factor.getDouble()));
    if (!(Size >= 0 && Size < 0x1p62))
      return Call.emitError("an axis is enlarged " +
                            Twine(std::to_string(Factor.getDouble())) +
                            " times");
    Sizes.push_back(int64_t(Size));
  }
  return Sizes;
}

/// data: [N, C, spatial..] in \p Layout -> likewise with other sizes; \p
/// Factors are the operands with the factors, empty if these are attributes.
static LogicalResult enlarge(KernelCall &Call, StringRef Layout,
                             StringRef Plain, UpsamplingMethod M,
                             UpsamplingPlaces C, ArrayRef<unsigned> Factors) {
  auto Data = toPlainLayout(Call, Call.getInput(0), Layout, Plain);
  if (failed(Data))
    return failure();
  auto Sizes = getSizes(Call, Layout, Plain, Factors);
  if (failed(Sizes))
    return failure();
  auto Resized = resizeAny(Call, *Data, *Sizes, M, C);
  if (failed(Resized))
    return failure();
  auto Result = fromPlainLayout(Call, *Resized, Plain, Layout);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

static LogicalResult enlargeImage(KernelCall &Call,
                                  ArrayRef<unsigned> Factors) {
  const auto &A = Call.getAttrs<UpSamplingAttrs>();
  auto C = A.alignCorners() ? UpsamplingPlaces::AlignCorners
                            : UpsamplingPlaces::Asymmetric;
  std::optional<UpsamplingMethod> M =
      llvm::StringSwitch<std::optional<UpsamplingMethod>>(A.method())
          .Case("nearest_neighbor", UpsamplingMethod::Nearest)
          .Case("bilinear", UpsamplingMethod::Linear)
          .Case("bicubic", UpsamplingMethod::Cubic)
          .Default(std::nullopt);
  if (!M)
    return Call.emitError("'method' is '" + A.method() +
                          "', expected 'nearest_neighbor', 'bilinear' or "
                          "'bicubic'");
  return enlarge(Call, A.layout(), "NCHW", *M, C, Factors);
}

LogicalResult relay::evalUpSampling(KernelCall &Call) {
  return enlargeImage(Call, {});
}
/// scale_h, scale_w: scalars.
LogicalResult relay::evalDynUpSampling(KernelCall &Call) {
  return enlargeImage(Call, {1, 2});
}

static LogicalResult enlargeVolume(KernelCall &Call,
                                   ArrayRef<unsigned> Factors) {
  const auto &A = Call.getAttrs<UpSampling3DAttrs>();
  auto C = llvm::StringSwitch<std::optional<UpsamplingPlaces>>(
               A.coordinateTransformationMode())
               .Case("half_pixel", UpsamplingPlaces::HalfPixel)
               .Case("align_corners", UpsamplingPlaces::AlignCorners)
               .Case("asymmetric", UpsamplingPlaces::Asymmetric)
               .Default(std::nullopt);
  bool IsLinear = A.method() == "trilinear";
  if (!C || (!IsLinear && A.method() != "nearest_neighbor"))
    return Call.emitError("no kernel for 'method' '" + A.method() +
                          "' with 'coordinate_transformation_mode' '" +
                          A.coordinateTransformationMode() + "'");
  return enlarge(Call, A.layout(), "NCDHW",
                 IsLinear ? UpsamplingMethod::Linear
                          : UpsamplingMethod::Nearest,
                 *C, Factors);
}

LogicalResult relay::evalUpSampling3D(KernelCall &Call) {
  return enlargeVolume(Call, {});
}
/// scale_d, scale_h, scale_w: scalars.
LogicalResult relay::evalDynUpSampling3D(KernelCall &Call) {
  return enlargeVolume(Call, {1, 2, 3});
}

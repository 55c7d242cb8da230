//===- ResizeKernels.cpp - Images in another size -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// resize1d, resize2d, resize3d and crop_and_resize of Ops/Image.td, and
// resize2d of Ops/Dyn.td. Each position of an axis of the result reads a few
// positions of the data's axis (taps), each with a weight; a result is the sum
// over the taps of all axes.
//
//===----------------------------------------------------------------------===//

#include "Resize.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Image.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

namespace {
enum class Method : uint8_t { Nearest, Linear, Cubic };
enum class Mode : uint8_t {
  HalfPixel,
  AlignCorners,
  Asymmetric,
  PytorchHalfPixel,
  TFHalfPixelForNN,
  TFCropAndResize
};
enum class Rounding : uint8_t { Round, PreferFloor, PreferCeil, Floor, Ceil };

struct Coordinates {
  enum Method Method;
  enum Mode Mode;
  enum Rounding Rounding;
};

/// The positions that a position of the result reads on an axis.
struct Place {
  float At = 0; ///< a position in the data
  int64_t First = 0;
  float Weights[4] = {1, 0, 0, 0};
};

/// The positions of a spatial axis.
struct SampledAxis {
  int64_t In = 0, Out = 0;
  float Length = 0; ///< of the result, before rounding to Out
  unsigned NumTaps = 1;
  SmallVector<Place, 0> Places;

  /// Returns the position of the data that tap \p K reads, clamped to the data.
  int64_t getIndex(const Place &P, unsigned K) const {
    return std::clamp<int64_t>(P.First + K, 0, In - 1);
  }
  bool isOutside(const Place &P) const {
    return P.At < 0 || P.At > float(In - 1);
  }
};
} // namespace

static std::optional<Method> parseMethod(StringRef Name) {
  return llvm::StringSwitch<std::optional<Method>>(Name)
      .CaseLower("nearest_neighbor", Method::Nearest)
      .CaseLower("linear", Method::Linear)
      .CaseLower("cubic", Method::Cubic)
      .Default(std::nullopt);
}

static std::optional<Mode> parseMode(StringRef Name) {
  return llvm::StringSwitch<std::optional<Mode>>(Name)
      .Case("half_pixel", Mode::HalfPixel)
      .Case("align_corners", Mode::AlignCorners)
      .Case("asymmetric", Mode::Asymmetric)
      .Case("pytorch_half_pixel", Mode::PytorchHalfPixel)
      .Case("tf_half_pixel_for_nn", Mode::TFHalfPixelForNN)
      .Case("tf_crop_and_resize", Mode::TFCropAndResize)
      .Default(std::nullopt);
}

/// An empty name gives the rounding of the mode.
static std::optional<Rounding> parseRounding(StringRef Name, Mode M) {
  return llvm::StringSwitch<std::optional<Rounding>>(Name)
      .Case("", M == Mode::AlignCorners ? Rounding::Round : Rounding::Floor)
      .Case("round", Rounding::Round)
      .Case("round_prefer_floor", Rounding::PreferFloor)
      .Case("round_prefer_ceil", Rounding::PreferCeil)
      .Case("floor", Rounding::Floor)
      .Case("ceil", Rounding::Ceil)
      .Default(std::nullopt);
}

static FailureOr<Coordinates> parseCoordinates(const KernelCall &Call,
                                               const ResizeParams &P) {
  auto M = parseMethod(P.Method);
  if (!M)
    return Call.emitError("unknown method \"" + P.Method + "\"");
  auto Transformation = parseMode(P.Mode);
  if (!Transformation)
    return Call.emitError("unknown coordinate_transformation_mode \"" + P.Mode +
                          "\"");
  std::optional<Rounding> R = Rounding::Round;
  if (*M == Method::Nearest)
    R = parseRounding(P.Rounding, *Transformation);
  if (!R)
    return Call.emitError("unknown rounding_method \"" + P.Rounding + "\"");
  return Coordinates{*M, *Transformation, *R};
}

/// Returns the position in the data of position \p X of \p Axis, for the region
/// from \p Begin to \p End.
static float getPosition(const SampledAxis &Axis, Mode M, int64_t X,
                         float Begin, float End) {
  float Last = float(Axis.In - 1), Scale = float(Axis.In) / Axis.Length;
  switch (M) {
  case Mode::HalfPixel:
    return (float(X) + 0.5f) * Scale - 0.5f;
  case Mode::AlignCorners:
    return Last / (Axis.Length - 1) * float(X);
  case Mode::Asymmetric:
    return Scale * float(X);
  case Mode::PytorchHalfPixel:
    return Axis.Length > 1 ? (float(X) + 0.5f) * Scale - 0.5f : 0.f;
  case Mode::TFHalfPixelForNN:
    return (float(X) + 0.5f) * Scale;
  case Mode::TFCropAndResize:
    if (!(Axis.Length > 1))
      return 0.5f * (Begin + End) * Last;
    return Begin * Last + float(X) * (End - Begin) * Last / (Axis.Length - 1);
  }
  llvm_unreachable("all modes are listed");
}

/// Returns the position nearest to \p At. Positions rounded to one side are
/// first shifted slightly to the other side, as in TVM.
static int64_t getNearest(float At, Rounding R) {
  constexpr float Epsilon = 1e-5f;
  switch (R) {
  case Rounding::Round:
    return truncateToInt64(std::round(At));
  case Rounding::PreferFloor:
    return truncateToInt64(std::ceil(At - 0.5f));
  case Rounding::PreferCeil:
    return truncateToInt64(std::floor(At + 0.5f));
  case Rounding::Floor:
    return truncateToInt64(std::floor(At + Epsilon));
  case Rounding::Ceil:
    return truncateToInt64(std::ceil(At - Epsilon));
  }
  llvm_unreachable("all roundings are listed");
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static void setCubicWeights(Place &P, float T, double Alpha) {
  float T2 = T * T, T3 = T * T * T;
  auto A = float(Alpha);
  P.Weights[0] = A * (T3 - 2.f * T2 + T);
  P.Weights[1] = float(Alpha + 2) * T3 - float(3 + Alpha) * T2 + 1.f;
  P.Weights[2] = float(-(Alpha + 2)) * T3 + float(3 + 2 * Alpha) * T2 - A * T;
  P.Weights[3] = float(-Alpha) * T3 + A * T2;
}

/// Sets the weights of taps outside of an axis of \p In positions to 0, and
/// divides the others by their sum.
static void excludeOutside(Place &P, int64_t In) {
  for (int64_t K = 0; K != 4; ++K)
    if (P.First + K < 0 || P.First + K + 1 > In)
      P.Weights[K] = 0;
}
static void normalize(Place &P) {
  float Sum = P.Weights[0] + P.Weights[1] + P.Weights[2] + P.Weights[3];
  for (float &Weight : P.Weights)
    Weight /= Sum;
}

/// Returns the elements and weights that a position at \p At reads.
static Place getPlace(float At, const Coordinates &C, double CubicAlpha) {
  Place P;
  P.At = At;
  if (C.Method == Method::Nearest) {
    P.First = getNearest(At, C.Rounding);
    return P;
  }
  float Floor = std::floor(At);
  P.First = truncateToInt64(Floor);
  float Fraction = At - Floor;
  if (C.Method == Method::Linear) {
    P.Weights[0] = 1.f - Fraction;
    P.Weights[1] = Fraction;
  } else {
    --P.First;
    setCubicWeights(P, Fraction, CubicAlpha);
  }
  return P;
}

static unsigned getNumTaps(Method M) {
  return M == Method::Nearest ? 1 : M == Method::Linear ? 2 : 4;
}

/// Returns true if nearest positions of \p Axis are computed by integer
/// division, which TVM uses if the size of the result is a multiple of that of
/// the data.
static bool dividesIntegers(const SampledAxis &Axis, const Coordinates &C,
                            unsigned NumSpatial) {
  if (NumSpatial != 2 || C.Method != Method::Nearest ||
      C.Mode != Mode::Asymmetric || Axis.Out % Axis.In != 0)
    return false;
  return double(Axis.Out / Axis.In) <= 1 / (1e-5 * double(Axis.In) + 1e-5);
}

/// Returns the positions of an axis with \p Out positions in one with \p In.
/// Ratios use \p Length, from which Out is rounded.
static FailureOr<SampledAxis> getSampledAxis(const KernelCall &Call,
                                             const ResizeParams &P,
                                             const Coordinates &C, int64_t In,
                                             int64_t Out, float Length,
                                             float Begin, float End) {
  SampledAxis Axis{In, Out, Length, getNumTaps(C.Method), {}};
  if (Out == 0)
    return Axis;
  if (In == 0)
    return Call.emitError("an axis of the data is empty");
  if (C.Mode == Mode::AlignCorners && Out == 1 && P.Lengths.empty())
    return Call.emitError("corners cannot be aligned in an axis of length 1");
  // TVM divides lengths that are constants.
  bool Divides =
      P.Lengths.empty() && dividesIntegers(Axis, C, P.getNumSpatial());
  for (int64_t X = 0; X != Out; ++X) {
    Place Found =
        getPlace(getPosition(Axis, C.Mode, X, Begin, End), C, P.CubicAlpha);
    if (Divides)
      Found.First = X / (Out / In);
    Axis.Places.push_back(Found);
  }
  return Axis;
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

namespace {
/// A walk over the positions of up to three axes: depth, height, width. Missing
/// axes have one position.
struct Sampler {
  LayoutOffsets In, Out; ///< of data and result: N, C, spatial axes
  SampledAxis Axes[3];
  ArrayRef<int64_t> InSteps[3], OutSteps[3]; ///< offsets on the axes
  bool Extrapolates = false;
  float Extrapolation = 0;
  /// Weights of the depth for each position of the width, unless empty.
  SmallVector<Place, 0> DepthWeights;

  void setAxes(ArrayRef<SampledAxis> Found);
  void excludeOutsideOfAxes();
  float sample(const float *Plane, const Place &Z, const Place &Y,
               const Place &X) const;
  template <typename R>
  void sampleLine(const float *Plane, R *To, int64_t Z, int64_t Y) const;
};
} // namespace

static const int64_t NoOffset = 0;

void Sampler::setAxes(ArrayRef<SampledAxis> Found) {
  size_t Missing = 3 - Found.size();
  for (size_t I = 0; I != 3; ++I) {
    if (I < Missing) {
      Axes[I] = {1, 1, 1, 1, {Place()}};
      InSteps[I] = OutSteps[I] = ArrayRef(NoOffset);
    } else {
      Axes[I] = Found[I - Missing];
      InSteps[I] = In[2 + I - Missing];
      OutSteps[I] = Out[2 + I - Missing];
    }
  }
}

/// Cubic axes do not read outside of the data. In three dimensions TVM uses the
/// weights of the width for the depth, limited by the height.
void Sampler::excludeOutsideOfAxes() {
  if (Axes[0].NumTaps == 4)
    for (Place &P : Axes[2].Places) {
      Place &Depth = DepthWeights.emplace_back(P);
      excludeOutside(Depth, Axes[1].In);
      normalize(Depth);
    }
  for (SampledAxis &Axis : Axes)
    if (Axis.NumTaps == 4)
      for (Place &P : Axis.Places) {
        excludeOutside(P, Axis.In);
        normalize(P);
      }
}

/// Returns the weighted sum of \p Get over the taps of \p P.
template <typename Fn>
static float interpolate(const SampledAxis &Axis, const Place &P, Fn &&Get) {
  if (Axis.NumTaps == 1)
    return Get(0);
  float Sum = Get(0) * P.Weights[0];
  for (unsigned K = 1; K != Axis.NumTaps; ++K)
    Sum += Get(K) * P.Weights[K];
  return Sum;
}

/// Returns the value of \p Plane, interpolated along the width, then the height
/// and the depth. TVM ignores the depth for the bounds of the data.
float Sampler::sample(const float *Plane, const Place &Z, const Place &Y,
                      const Place &X) const {
  if (Extrapolates && (Axes[1].isOutside(Y) || Axes[2].isOutside(X)))
    return Extrapolation;
  return interpolate(Axes[0], Z, [&](unsigned KZ) {
    const float *Slice = Plane + InSteps[0][Axes[0].getIndex(Z, KZ)];
    return interpolate(Axes[1], Y, [&](unsigned KY) {
      const float *Row = Slice + InSteps[1][Axes[1].getIndex(Y, KY)];
      return interpolate(Axes[2], X, [&](unsigned KX) {
        return Row[InSteps[2][Axes[2].getIndex(X, KX)]];
      });
    });
  });
}

template <typename R>
void Sampler::sampleLine(const float *Plane, R *To, int64_t Z,
                         int64_t Y) const {
  R *Row = To + OutSteps[0][Z] + OutSteps[1][Y];
  Place Depth = Axes[0].Places[Z];
  for (int64_t X = 0; X != Axes[2].Out; ++X) {
    if (!DepthWeights.empty())
      llvm::copy(DepthWeights[X].Weights, Depth.Weights);
    Row[OutSteps[2][X]] =
        store<R>(sample(Plane, Depth, Axes[1].Places[Y], Axes[2].Places[X]));
  }
}

/// Fills entry \p N of the result from entry \p Image of \p Data, of float32.
static LogicalResult sampleEntry(KernelCall &Call, const Sampler &S,
                                 const Tensor &Data, int64_t Image, int64_t N) {
  int64_t Depth = S.Axes[0].Out, Height = S.Axes[1].Out;
  uint64_t Cost = 8 * S.Axes[2].Out;
  for (const SampledAxis &Axis : S.Axes)
    Cost *= Axis.NumTaps;
  const float *In = Data.getElements<float>().data() + S.In[0][Image];
  return dispatchElements(Call, Call.getOutputDType(), [&](auto Zero) {
    auto *Out = Call.getOutput<decltype(Zero)>().data() + S.Out[0][N];
    Call.parallelFor(S.Out.getExtent(1) * Depth * Height, Cost,
                     [&](int64_t Begin, int64_t End) {
                       for (int64_t I = Begin; I != End; ++I) {
                         int64_t C = I / (Depth * Height);
                         S.sampleLine(In + S.In[1][C], Out + S.Out[1][C],
                                      I / Height % Depth, I % Height);
                       }
                     });
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static FailureOr<Sampler> getSampler(KernelCall &Call, StringRef Layout,
                                     StringRef Axes) {
  auto In = LayoutOffsets::get(Call, Layout, Axes, Call.getInput(0).getShape());
  auto Out =
      LayoutOffsets::get(Call, Layout, Axes, Call.getOutputTensor().getShape());
  if (failed(In) || failed(Out))
    return failure();
  Sampler S;
  S.In = *In;
  S.Out = *Out;
  return S;
}

LogicalResult relay::resize(KernelCall &Call, const Tensor &Data,
                            const ResizeParams &P) {
  auto C = parseCoordinates(Call, P);
  auto S = getSampler(Call, P.Layout, P.Axes);
  if (failed(C) || failed(S))
    return failure();
  unsigned NumSpatial = P.getNumSpatial();
  SmallVector<SampledAxis, 3> Axes;
  for (unsigned I = 0; I != NumSpatial; ++I) {
    // In three dimensions, the region of TVM is ordered from the width to the
    // depth.
    unsigned At = NumSpatial == 3 ? 2 - I : I;
    int64_t Out = S->Out.getExtent(2 + I);
    float Length = P.Lengths.empty() ? float(Out) : P.Lengths[I];
    auto Axis = getSampledAxis(Call, P, *C, S->In.getExtent(2 + I), Out, Length,
                               P.Region[At], P.Region[NumSpatial + At]);
    if (failed(Axis))
      return failure();
    Axes.push_back(*Axis);
  }
  S->setAxes(Axes);
  if (P.ExcludesOutside && C->Method == Method::Cubic)
    S->excludeOutsideOfAxes();
  S->Extrapolates = C->Mode == Mode::TFCropAndResize;
  S->Extrapolation = P.Extrapolation;
  auto Floats = castTensor(Call, Data, DType::getFloat(32));
  if (failed(Floats))
    return failure();
  for (int64_t N = 0; N != S->Out.getExtent(0); ++N)
    if (failed(sampleEntry(Call, *S, *Floats, N, N)))
      return failure();
  return success();
}

/// Returns the parameters without the region.
template <typename AttrsT>
static ResizeParams getResizeParams(const AttrsT &A, StringRef Axes) {
  ResizeParams P;
  P.Axes = Axes;
  P.Layout = A.layout();
  P.Method = A.method();
  P.Mode = A.coordinateTransformationMode();
  P.Rounding = A.roundingMethod();
  P.CubicAlpha = A.cubicAlpha();
  P.ExcludesOutside = A.cubicExclude() != 0;
  P.Extrapolation = float(A.extrapolationValue());
  return P;
}

/// data: [N, C, spatial..] in its layout, of any data type.
template <typename AttrsT>
static LogicalResult evalResize(KernelCall &Call, StringRef Axes) {
  const auto &A = Call.getAttrs<AttrsT>();
  ResizeParams P = getResizeParams(A, Axes);
  for (double Number : getDoubles(A.roi()))
    P.Region.push_back(float(Number));
  return resize(Call, Call.getInput(0), P);
}

LogicalResult relay::evalResize1D(KernelCall &Call) {
  return evalResize<Resize1DAttrs>(Call, "NCW");
}
LogicalResult relay::evalResize2D(KernelCall &Call) {
  return evalResize<Resize2DAttrs>(Call, "NCHW");
}
LogicalResult relay::evalResize3D(KernelCall &Call) {
  return evalResize<Resize3DAttrs>(Call, "NCDHW");
}

/// data: [N, C, H, W] in its layout, size: [2], roi: [4] -> [N, C, size..].
LogicalResult relay::evalDynResize2D(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0), &Size = Call.getInput(1);
  const Tensor &Region = Call.getInput(2);
  ResizeParams P = getResizeParams(Call.getAttrs<Resize2DAttrs>(), "NCHW");
  if (Size.getNumElements() != 2 || Region.getNumElements() != 4)
    return Call.emitError("size and roi have the shapes " +
                          toString(Size.getShape()) + " and " +
                          toString(Region.getShape()));
  TensorShape Shape(Data.getShape());
  for (auto [Axis, Extent] : llvm::zip_equal(StringRef("HW"), Size.getInts()))
    if (size_t At = P.Layout.find(Axis); At < Shape.size())
      Shape[At] = Extent;
  for (unsigned I = 0; I != 2; ++I)
    P.Lengths.push_back(float(Size.getDouble(I)));
  for (unsigned I = 0; I != 4; ++I)
    P.Region.push_back(float(Region.getDouble(I)));
  if (!Call.createOutput(0, Shape))
    return failure(); // reported
  return resize(Call, Data, P);
}

/// Returns an axis of a box from \p Begin to \p End, in fractions of the image.
static SampledAxis getBoxAxis(int64_t In, int64_t Out, float Begin, float End,
                              const Coordinates &C) {
  SampledAxis Axis{In, Out, float(Out), getNumTaps(C.Method), {}};
  auto Last = float(In - 1);
  float Scale = Last * (End - Begin) / float(Out - 1);
  for (int64_t X = 0; X != Out; ++X)
    Axis.Places.push_back(
        getPlace(Begin * Last + Scale * float(X), C, /*CubicAlpha=*/-0.5));
  return Axis;
}

/// Reports boxes and image indices that are incompatible with the result.
static LogicalResult checkBoxes(const KernelCall &Call, const Sampler &S) {
  const Tensor &Boxes = Call.getInput(1), &Images = Call.getInput(2);
  int64_t Count = S.Out.getExtent(0);
  if (Boxes.getRank() != 2 || Boxes.getDim(0) != Count || Boxes.getDim(1) != 4)
    return Call.emitError("boxes has the shape " + toString(Boxes.getShape()) +
                          ", not " + toString({Count, 4}));
  if (Images.getNumElements() != Count)
    return Call.emitError("box_indices has " + Twine(Images.getNumElements()) +
                          " numbers for " + Twine(Count) + " boxes");
  for (int64_t Image : Images.getInts())
    if (Image < 0 || Image >= S.In.getExtent(0))
      return Call.emitError("image " + Twine(Image) + " is out of range for " +
                            Twine(S.In.getExtent(0)));
  return success();
}

/// data: [N, C, H, W] in its layout, boxes: [n, 4] with y and x of two corners,
/// box_indices: [n] -> [n, C, crop_size..].
LogicalResult relay::evalCropAndResize(KernelCall &Call) {
  const auto &A = Call.getAttrs<CropAndResizeAttrs>();
  auto M = parseMethod(A.method().equals_insensitive("bilinear") ? "linear"
                                                                 : A.method());
  if (!M)
    return Call.emitError("unknown method \"" + A.method() + "\"");
  auto S = getSampler(Call, A.layout(), "NCHW");
  if (failed(S) || failed(checkBoxes(Call, *S)))
    return failure();
  int64_t Height = S->Out.getExtent(2), Width = S->Out.getExtent(3);
  if (Height == 1 || Width == 1)
    return Call.emitError("'crop_size' has a 1");
  S->Extrapolates = true;
  S->Extrapolation = float(A.extrapolationValue());
  Coordinates C{*M, Mode::TFCropAndResize, Rounding::Round};
  auto Floats = castTensor(Call, Call.getInput(0), DType::getFloat(32));
  if (failed(Floats))
    return failure();
  for (int64_t N = 0; N != S->Out.getExtent(0); ++N) {
    auto At = [&](unsigned I) {
      return float(Call.getInput(1).getDouble(4 * N + I));
    };
    if (S->In.getExtent(2) == 0 || S->In.getExtent(3) == 0)
      return Call.emitError("the images are empty");
    S->setAxes({getBoxAxis(S->In.getExtent(2), Height, At(0), At(2), C),
                getBoxAxis(S->In.getExtent(3), Width, At(1), At(3), C)});
    if (failed(sampleEntry(Call, *S, *Floats, Call.getInput(2).getInt(N), N)))
      return failure();
  }
  return success();
}

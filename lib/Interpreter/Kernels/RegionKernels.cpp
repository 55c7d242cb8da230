//===- RegionKernels.cpp - Regions of images ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// roi_align, roi_pool and proposal of Ops/Vision.td.
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "LayoutOffsets.h"
#include "relay/Ops/Vision.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
/// Data and result of a kernel on regions, by N, C, H, W.
struct RegionCall {
  LayoutOffsets In, Out;
  int64_t Height, Width;             ///< of the data
  int64_t PooledHeight, PooledWidth; ///< of the result

  /// Returns the plane of channel \p C of entry \p N.
  const float *getPlane(KernelCall &Call, int64_t N, int64_t C) const {
    return Call.getInput<float>(0).data() + In[0][N] + In[1][C];
  }
  float at(const float *Plane, int64_t Y, int64_t X) const {
    return Plane[In[2][Y] + In[3][X]];
  }
};
} // namespace

/// Reports regions without a valid entry of the data.
static FailureOr<RegionCall> getRegionCall(KernelCall &Call, StringRef Layout) {
  const Tensor &Data = Call.getInput(0), &Regions = Call.getInput(1);
  if (failed(checkFloat32(Call, {0, 1})))
    return failure();
  if (Regions.getDim(1) < 5)
    return Call.emitError("a region has " + Twine(Regions.getDim(1)) +
                          " numbers, not 5");
  for (int64_t I = 0; I != Regions.getDim(0); ++I) {
    float Entry = Regions.getElements<float>()[I * Regions.getDim(1)];
    if (!(Entry > -1 && Entry < float(Data.getDim(0))))
      return Call.emitError("region " + Twine(I) +
                            " is of no entry of the data");
  }
  auto In = LayoutOffsets::get(Call, Layout, "NCHW", Data.getShape());
  auto Out = LayoutOffsets::get(Call, Layout, "NCHW", Call.getOutputShape());
  if (failed(In) || failed(Out))
    return failure();
  RegionCall R{*In,
               *Out,
               In->getExtent(2),
               In->getExtent(3),
               Out->getExtent(2),
               Out->getExtent(3)};
  if (R.Height == 0 || R.Width == 0)
    return Call.emitError("the images are empty");
  return R;
}

/// Fills the result: \p F takes a region, a plane of its entry, and the row and
/// the column in the result, and reads up to \p NumSamples positions.
template <typename Fn>
static LogicalResult mapRegions(KernelCall &Call, const RegionCall &R,
                                int64_t NumSamples, Fn &&F) {
  ArrayRef<float> Regions = Call.getInput<float>(1);
  int64_t Length = Call.getInput(1).getDim(1), Channels = R.Out.getExtent(1);
  float *Out = Call.getOutput<float>().data();
  return Call.limitedFor(
      R.Out.getExtent(0) * Channels,
      llvm::SaturatingMultiply<uint64_t>(R.PooledHeight * R.PooledWidth,
                                         64 + 8 * NumSamples),
      [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I) {
          int64_t N = I / Channels, C = I % Channels;
          const float *Region = Regions.data() + N * Length;
          const float *Plane = Call.getInput<float>(0).data() +
                               R.In[0][truncateToInt64(double(Region[0]))] +
                               R.In[1][C];
          for (int64_t Y = 0; Y != R.PooledHeight; ++Y)
            for (int64_t X = 0; X != R.PooledWidth; ++X)
              Out[R.Out[0][N] + R.Out[1][C] + R.Out[2][Y] + R.Out[3][X]] =
                  F(Region, Plane, Y, X);
        }
      });
}

//===----------------------------------------------------------------------===//
// roi_align
//===----------------------------------------------------------------------===//

/// Returns \p Plane interpolated linearly at (\p Y, \p X); 0 outside.
static float sampleBilinear(const RegionCall &R, const float *Plane, float Y,
                            float X) {
  if (Y < -1 || X < -1 || Y > float(R.Height) || X > float(R.Width))
    return 0;
  Y = minOf(maxOf(Y, 0), float(R.Height - 1));
  X = minOf(maxOf(X, 0), float(R.Width - 1));
  int64_t Top = truncateToInt64(std::floor(Y));
  int64_t Left = truncateToInt64(std::floor(X));
  int64_t Bottom = std::min(truncateToInt64(std::ceil(Y)), R.Height - 1);
  int64_t Right = std::min(truncateToInt64(std::ceil(X)), R.Width - 1);
  float DY = Y - float(Top), DX = X - float(Left);
  return R.at(Plane, Top, Left) * (1.f - DX) * (1.f - DY) +
         R.at(Plane, Top, Right) * DX * (1.f - DY) +
         R.at(Plane, Bottom, Left) * (1.f - DX) * DY +
         R.at(Plane, Bottom, Right) * DX * DY;
}

namespace {
/// The sampling of a region's bins on an axis.
struct BinAxis {
  float Start, Bin;
  int64_t Samples;

  /// Returns the sampling from \p Begin to \p End in the image, in \p Pooled
  /// bins.
  static BinAxis get(float Begin, float End, float Scale, int64_t Pooled,
                     int64_t Samples) {
    Begin *= Scale;
    float Length = maxOf(End * Scale - Begin, 1.f);
    float Bin = Length / float(Pooled);
    if (Samples <= 0)
      Samples = truncateToInt64(std::ceil(Bin));
    return {Begin, Bin, Samples};
  }
  float at(int64_t Place, int64_t Sample) const {
    return Start + float(Place) * Bin +
           (float(Sample) + 0.5f) * Bin / float(Samples);
  }
};
} // namespace

/// Returns the mean or the maximum of the samples of a bin.
static float poolSamples(const RegionCall &R, const float *Plane,
                         const BinAxis &YAxis, const BinAxis &XAxis, int64_t Y,
                         int64_t X, bool IsMean) {
  float Result = IsMean ? 0 : std::numeric_limits<float>::lowest();
  auto Count = float(YAxis.Samples * XAxis.Samples);
  for (int64_t I = 0; I != YAxis.Samples; ++I)
    for (int64_t J = 0; J != XAxis.Samples; ++J) {
      float Value = sampleBilinear(R, Plane, YAxis.at(Y, I), XAxis.at(X, J));
      Result = IsMean ? Result + Value / Count : maxOf(Result, Value);
    }
  return Result;
}

/// Returns the maximum number of samples of a bin if it depends on the size of
/// the region; reports regions with too many.
static FailureOr<int64_t> countSamples(KernelCall &Call, const RegionCall &R,
                                       float Scale) {
  int64_t Most = 1;
  ArrayRef<float> Regions = Call.getInput<float>(1);
  int64_t Length = Call.getInput(1).getDim(1);
  for (int64_t I = 0; I != Call.getInput(1).getDim(0); ++I) {
    const float *Region = Regions.data() + I * Length;
    BinAxis H = BinAxis::get(Region[2], Region[4], Scale, R.PooledHeight,
                             /*Samples=*/0);
    BinAxis W =
        BinAxis::get(Region[1], Region[3], Scale, R.PooledWidth, /*Samples=*/0);
    if (!(double(H.Bin) * double(W.Bin) < 0x1p24))
      return Call.emitError("region " + Twine(I) + " is too large");
    Most = std::max(Most, H.Samples * W.Samples);
  }
  return Most;
}

/// data: [N, C, H, W] or [N, H, W, C], rois: [n, 5] with the entry, x and y of
/// two corners -> [n, C, size..] or [n, size.., C].
LogicalResult relay::evalROIAlign(KernelCall &Call) {
  const auto &A = Call.getAttrs<ROIAlignAttrs>();
  auto R = getRegionCall(Call, A.layout());
  if (failed(R))
    return failure();
  if (A.mode() != "avg" && A.mode() != "max")
    return Call.emitError("unknown mode \"" + A.mode() + "\"");
  auto Scale = float(A.spatialScale());
  int64_t Samples = A.sampleRatio();
  if (Samples > 4096)
    return Call.emitError("'sample_ratio' is too large");
  FailureOr<int64_t> SamplesPerBin = Samples * Samples;
  if (Samples <= 0 && failed(SamplesPerBin = countSamples(Call, *R, Scale)))
    return failure();
  bool IsMean = A.mode() == "avg";
  return mapRegions(
      Call, *R, *SamplesPerBin,
      [&](const float *Region, const float *Plane, int64_t Y, int64_t X) {
        BinAxis H =
            BinAxis::get(Region[2], Region[4], Scale, R->PooledHeight, Samples);
        BinAxis W =
            BinAxis::get(Region[1], Region[3], Scale, R->PooledWidth, Samples);
        return poolSamples(*R, Plane, H, W, Y, X, IsMean);
      });
}

//===----------------------------------------------------------------------===//
// roi_pool
//===----------------------------------------------------------------------===//

/// Returns the positions of bin \p Place of \p Pooled of a region from \p Begin
/// to \p End: [first, last), within [0, Size).
static std::pair<int64_t, int64_t> getBin(float Begin, float End, float Scale,
                                          int64_t Pooled, int64_t Place,
                                          int64_t Size) {
  constexpr float Epsilon = 1e-5f;
  auto Round = [&](float X) {
    return std::clamp(truncateToInt64(std::round(X * Scale)),
                      -(int64_t(1) << 40), int64_t(1) << 40);
  };
  int64_t Start = Round(Begin);
  int64_t Length = std::max<int64_t>(Round(End) - Start + 1, 1);
  float Bin = float(Length) / float(Pooled);
  int64_t First = truncateToInt64(std::floor(float(Place) * Bin + Epsilon));
  int64_t Last = truncateToInt64(std::ceil(float(Place + 1) * Bin - Epsilon));
  return {std::clamp<int64_t>(First + Start, 0, Size),
          std::clamp<int64_t>(Last + Start, 0, Size)};
}

/// data: [N, C, H, W], rois: [n, 5] with the entry, x and y of two corners ->
/// [n, C, size..]: the maximum of each bin, 0 for an empty bin.
LogicalResult relay::evalROIPool(KernelCall &Call) {
  const auto &A = Call.getAttrs<ROIPoolAttrs>();
  auto R = getRegionCall(Call, A.layout());
  if (failed(R))
    return failure();
  auto Scale = float(A.spatialScale());
  // The bins of a region divide the data, and overlap only at their edges.
  int64_t SamplesPerBin =
      4 * R->Height * R->Width /
      std::max<int64_t>(int64_t(R->PooledHeight) * R->PooledWidth, 1);
  return mapRegions(
      Call, *R, SamplesPerBin,
      [&](const float *Region, const float *Plane, int64_t Y, int64_t X) {
        auto [Top, Bottom] =
            getBin(Region[2], Region[4], Scale, R->PooledHeight, Y, R->Height);
        auto [Left, Right] =
            getBin(Region[1], Region[3], Scale, R->PooledWidth, X, R->Width);
        if (Top >= Bottom || Left >= Right)
          return 0.f;
        float Max = std::numeric_limits<float>::lowest();
        for (int64_t I = Top; I != Bottom; ++I)
          for (int64_t J = Left; J != Right; ++J)
            Max = maxOf(Max, R->at(Plane, I, J));
        return Max;
      });
  return success();
}

//===----------------------------------------------------------------------===//
// proposal
//===----------------------------------------------------------------------===//

namespace {
/// A box with its score.
struct ScoredBox {
  float Corners[4];
  float Score;
};
} // namespace

/// Returns anchor boxes around the first position, one for each ratio and
/// scale.
static SmallVector<std::array<float, 4>> getAnchors(const ProposalAttrs &A) {
  SmallVector<std::array<float, 4>> Result;
  auto Base = double(A.featureStride());
  double Center = 0.5 * (Base - 1);
  for (double Ratio : getDoubles(A.ratios()))
    for (double Scale : getDoubles(A.scales())) {
      double Area = std::floor(Base * Base / Ratio);
      double Width = std::floor(std::sqrt(Area) + 0.5) * Scale;
      double Height = std::floor(Width / Scale * Ratio + 0.5) * Scale;
      double X = 0.5 * (Width - 1), Y = 0.5 * (Height - 1);
      Result.push_back({float(Center - X), float(Center - Y), float(Center + X),
                        float(Center + Y)});
    }
  return Result;
}

/// Moves \p Box by \p Delta, which applies to its corners if the loss is an
/// overlap, otherwise to its center and the logarithms of its sides.
static void moveBox(float (&Box)[4], const float (&Delta)[4], bool OfCorners) {
  if (OfCorners) {
    for (unsigned I = 0; I != 4; ++I)
      Box[I] += Delta[I];
    return;
  }
  for (unsigned I : {0, 1}) {
    float Side = Box[I + 2] - Box[I] + 1.f;
    float Center = Box[I] + 0.5f * (Side - 1.f);
    float Middle = Delta[I] * Side + Center;
    float NewSide = float(std::exp(double(Delta[I + 2]))) * Side;
    Box[I] = Middle - 0.5f * (NewSide - 1.f);
    Box[I + 2] = Middle + 0.5f * (NewSide - 1.f);
  }
}

/// Clips a box to the image of \p Info (height, width, scale); small boxes are
/// enlarged and lose their score.
static void limitBox(ScoredBox &Box, const float *Info, float MinSide) {
  for (unsigned I = 0; I != 4; ++I)
    Box.Corners[I] =
        maxOf(minOf(Box.Corners[I], Info[I % 2 ? 0 : 1] - 1.f), 0.f);
  float MinSize = Info[2] * MinSide;
  if (!(Box.Corners[2] - Box.Corners[0] + 1.f < MinSize ||
        Box.Corners[3] - Box.Corners[1] + 1.f < MinSize))
    return;
  for (unsigned I = 0; I != 4; ++I)
    Box.Corners[I] += I < 2 ? -(MinSize / 2.f) : MinSize / 2.f;
  Box.Score = -1;
}

/// Returns all boxes of entry \p N, row by row, anchor by anchor.
static SmallVector<ScoredBox, 0> predictBoxes(KernelCall &Call, int64_t N) {
  const auto &A = Call.getAttrs<ProposalAttrs>();
  ArrayRef<int64_t> Shape = Call.getInput(0).getShape();
  int64_t Height = Shape[2], Width = Shape[3];
  const float *Scores = Call.getInput<float>(0).data();
  const float *Deltas = Call.getInput<float>(1).data();
  const float *Info = Call.getInput<float>(2).data() + N * 3;
  auto Anchors = getAnchors(A);
  auto NumAnchors = int64_t(Anchors.size());
  auto Stride = float(A.featureStride());
  int64_t RealHeight = truncateToInt64(Info[0] / Stride);
  int64_t RealWidth = truncateToInt64(Info[1] / Stride);
  SmallVector<ScoredBox, 0> Boxes;
  for (int64_t I = 0; I != Height * Width * NumAnchors; ++I) {
    int64_t K = I % NumAnchors, X = I / NumAnchors % Width,
            Y = I / NumAnchors / Width;
    auto At = [&](const float *Data, int64_t Channel) {
      return Data[(Channel * Height + Y) * Width + X];
    };
    ScoredBox Box;
    float Delta[4];
    for (unsigned J = 0; J != 4; ++J) {
      Box.Corners[J] =
          Anchors[K][J] + float((J % 2 ? Y : X) * A.featureStride());
      Delta[J] = At(Deltas, (N * NumAnchors + K) * 4 + J);
    }
    moveBox(Box.Corners, Delta, A.iouLoss());
    Box.Score = At(Scores, N * NumAnchors * 2 + NumAnchors + K);
    if (Y >= RealHeight || X >= RealWidth)
      Box.Score = -1;
    limitBox(Box, Info, float(A.rpnMinSize()));
    Boxes.push_back(Box);
  }
  return Boxes;
}

/// Returns the overlap of boxes that include their corners.
static float getPixelOverlap(const float *A, const float *B) {
  float Width = maxOf(0, minOf(A[2], B[2]) - maxOf(A[0], B[0]) + 1.f);
  float Height = maxOf(0, minOf(A[3], B[3]) - maxOf(A[1], B[1]) + 1.f);
  float Common = Width * Height;
  float Union = (A[2] - A[0] + 1.f) * (A[3] - A[1] + 1.f) +
                (B[2] - B[0] + 1.f) * (B[3] - B[1] + 1.f) - Common;
  return Common / Union;
}

/// Returns the best \p Count of \p Boxes, best first, without boxes that
/// overlap better ones by more than \p Threshold.
static SmallVector<ScoredBox, 0>
selectScoredBoxes(ArrayRef<ScoredBox> Boxes, int64_t Count, float Threshold) {
  SmallVector<float, 0> Scores;
  for (const ScoredBox &Box : Boxes)
    Scores.push_back(Box.Score);
  SmallVector<int32_t, 0> Order = sortByScore(Scores);
  SmallVector<ScoredBox, 0> Kept;
  for (int32_t I : ArrayRef(Order).take_front(Count)) {
    const ScoredBox &Box = Boxes[I];
    if (llvm::none_of(Kept, [&](const ScoredBox &Better) {
          return getPixelOverlap(Better.Corners, Box.Corners) > Threshold;
        }))
      Kept.push_back(Box);
  }
  return Kept;
}

static LogicalResult checkProposal(const KernelCall &Call) {
  const auto &A = Call.getAttrs<ProposalAttrs>();
  ArrayRef<int64_t> Scores = Call.getInput(0).getShape();
  ArrayRef<int64_t> Deltas = Call.getInput(1).getShape();
  auto NumAnchors = int64_t(A.scales().size() * A.ratios().size());
  if (Scores[1] != 2 * NumAnchors || Deltas[1] != 4 * NumAnchors ||
      Deltas[0] != Scores[0] || Deltas.drop_front(2) != Scores.drop_front(2) ||
      Call.getInput(2).getDim(0) != Scores[0])
    return Call.emitError("shapes do not fit " + Twine(NumAnchors) +
                          " anchors");
  if (A.rpnPostNmsTopN() < 0 || A.featureStride() <= 0)
    return Call.emitError("a count or a stride is not positive");
  return checkFloat32(Call, {0, 1, 2});
}

/// cls_prob: [N, 2 * anchors, H, W], bbox_pred: [N, 4 * anchors, H, W],
/// im_info: [N, 3] -> [N * count, 5]: entry and corners. The remaining boxes
/// are repeated to the required number; if there are none, all are 0.
LogicalResult relay::evalProposal(KernelCall &Call) {
  const auto &A = Call.getAttrs<ProposalAttrs>();
  if (failed(checkProposal(Call)))
    return failure();
  // Boxes, kept boxes, scores and positions.
  int64_t Batch = Call.getInput(0).getDim(0);
  int64_t NumBoxes =
      Call.getInput(0).getNumElements() / std::max<int64_t>(2 * Batch, 1);
  auto Lists = reserve(Call, NumBoxes, 2 * sizeof(ScoredBox) + 8);
  if (!Lists)
    return failure();
  int64_t Count = NumBoxes;
  if (A.rpnPreNmsTopN() > 0)
    Count = std::min<int64_t>(Count, A.rpnPreNmsTopN());
  if (failed(Call.countWork(Batch,
                            llvm::SaturatingMultiply<uint64_t>(Count, Count))))
    return failure();
  float *To = Call.getOutput<float>().data();
  for (int64_t N = 0; N != Batch; ++N) {
    auto Boxes = predictBoxes(Call, N);
    auto Kept = selectScoredBoxes(Boxes, Count, float(A.threshold()));
    for (int64_t I = 0; I != A.rpnPostNmsTopN(); ++I, To += 5) {
      std::fill(To, To + 5, 0.f);
      if (Kept.empty())
        continue;
      To[0] = float(N);
      llvm::copy(Kept[I % Kept.size()].Corners, To + 1);
    }
  }
  return success();
}

//===- VisionKernels.cpp - Anchors and blocks -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// multibox_prior, multibox_transform_loc and yolo_reorg of Ops/Vision.td.
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "relay/Ops/Vision.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

/// Returns half the width and the height of the boxes at each position: one per
/// size, and the first size in each further ratio.
static SmallVector<std::pair<float, float>>
getBoxSizes(const MultiBoxPriorAttrs &A, int64_t Height, int64_t Width) {
  SmallVector<std::pair<float, float>> Result;
  auto Relative = [&](float Size) {
    return Size * float(Height) / float(Width);
  };
  SmallVector<double, 6> Sizes = getDoubles(A.sizes());
  for (double Size : Sizes)
    Result.push_back({Relative(float(Size)) / 2.f, float(Size) / 2.f});
  SmallVector<double, 6> Ratios = getDoubles(A.ratios());
  for (double Ratio : ArrayRef(Ratios).drop_front()) {
    float Root = std::sqrt(float(Ratio));
    auto Size = float(Sizes[0]);
    Result.push_back({Relative(Size) * Root / 2.f, Size / Root / 2.f});
  }
  return Result;
}

/// data: [N, C, H, W], only the shape is used -> [1, boxes, 4].
LogicalResult relay::evalMultiBoxPrior(KernelCall &Call) {
  const auto &A = Call.getAttrs<MultiBoxPriorAttrs>();
  if (Call.getOutputDType() != DType::getFloat(32))
    return Call.emitUnsupported(Call.getOutputDType());
  if (A.sizes().empty() || A.ratios().empty() || A.steps().size() < 2 ||
      A.offsets().size() < 2)
    return Call.emitError("sizes, ratios, steps or offsets are missing");
  int64_t Height = Call.getInput(0).getDim(2);
  int64_t Width = Call.getInput(0).getDim(3);
  auto Sizes = getBoxSizes(A, Height, Width);
  auto GetStep = [&](unsigned I, int64_t Length) {
    double Step = A.steps()[I].getFloat();
    return Step > 0 ? float(Step) : 1.f / float(Length);
  };
  MutableArrayRef<float> Out = Call.getOutput<float>();
  if (failed(Call.countWork(Out.size(), 4)))
    return failure(); // reported
  float *To = Out.data();
  for (int64_t Y = 0; Y != Height; ++Y)
    for (int64_t X = 0; X != Width; ++X) {
      float CY =
          (float(Y) + float(A.offsets()[0].getFloat())) * GetStep(0, Height);
      float CX =
          (float(X) + float(A.offsets()[1].getFloat())) * GetStep(1, Width);
      for (auto [W, H] : Sizes)
        for (float Corner : {CX - W, CY - H, CX + W, CY + H})
          *To++ = A.clip() ? maxOf(minOf(Corner, 1.f), 0.f) : Corner;
    }
  return success();
}

/// Computes the box given by \p Location relative to \p Anchor.
static void transformBox(const MultiBoxTransformLocAttrs &A,
                         const float *Anchor, const float *Location,
                         float *Box) {
  auto Variance = [&](unsigned I) {
    return float(A.variances()[I].getFloat());
  };
  float Size[2], Middle[2];
  for (unsigned I : {0, 1}) {
    float Length = Anchor[I + 2] - Anchor[I];
    float Center = (Anchor[I] + Anchor[I + 2]) / 2.f;
    Middle[I] = Location[I] * Variance(I) * Length + Center;
    auto Growth = float(std::exp(double(Location[I + 2] * Variance(I + 2))));
    Size[I] = Growth * Length / 2.f;
  }
  for (unsigned I : {0, 1}) {
    Box[I] = Middle[I] - Size[I];
    Box[I + 2] = Middle[I] + Size[I];
  }
  if (A.clip())
    for (unsigned I = 0; I != 4; ++I)
      Box[I] = maxOf(0.f, minOf(1.f, Box[I]));
}

/// Returns the class with the best score at an anchor, and the score: class 0
/// if it is below the threshold. \p Step is the distance between classes.
static std::pair<int64_t, float>
getBestClass(const MultiBoxTransformLocAttrs &A, const float *Scores,
             int64_t NumClasses, int64_t Step) {
  int64_t Best = 0;
  float Score = -1;
  for (int64_t C = A.keepBackground() ? 0 : 1; C < NumClasses; ++C) {
    float Found = Scores[C * Step];
    if (Found > Score)
      Best = C;
    Score = maxOf(Found, Score);
  }
  if (Best > 0 && Score < float(A.threshold()))
    Best = 0;
  return {Best, Score};
}

/// cls_prob: [N, classes, anchors], loc_pred: [N, anchors * 4], anchor:
/// [1, anchors, 4] -> (boxes: [N, anchors, 6], count: [N]). Boxes after the
/// count, which TVM leaves undefined, are 0.
LogicalResult relay::evalMultiBoxTransformLoc(KernelCall &Call) {
  const auto &A = Call.getAttrs<MultiBoxTransformLocAttrs>();
  if (failed(checkFloat32(Call, {0, 1, 2})))
    return failure();
  const Tensor &Scores = Call.getInput(0), &Anchors = Call.getInput(2);
  int64_t Batch = Scores.getDim(0), NumClasses = Scores.getDim(1);
  int64_t NumAnchors = Scores.getDim(2);
  if (A.variances().size() < 4 || Anchors.getDim(2) < 4 ||
      (NumAnchors != 0 && Anchors.getDim(0) == 0) ||
      Call.getInput(1).getDim(0) != Batch)
    return Call.emitError("anchors, locations or variances are missing");
  MutableArrayRef<float> Boxes = Call.getOutput<float>(0);
  MutableArrayRef<int32_t> Counts = Call.getOutput<int32_t>(1);
  std::fill(Boxes.begin(), Boxes.end(), 0.f);
  for (int64_t N = 0; N != Batch; ++N) {
    float *Box = Boxes.data() + N * NumAnchors * 6;
    Counts[N] = 0;
    for (int64_t J = 0; J != NumAnchors; ++J) {
      auto [Class, Score] = getBestClass(A,
                                         Scores.getElements<float>().data() +
                                             N * NumClasses * NumAnchors + J,
                                         NumClasses, NumAnchors);
      if (!A.keepBackground() && Class == 0)
        continue;
      Box[0] = float(A.keepBackground() ? Class : Class - 1);
      Box[1] = Score;
      transformBox(
          A, Anchors.getElements<float>().data() + J * Anchors.getDim(2),
          Call.getInput<float>(1).data() + (N * NumAnchors + J) * 4, Box + 2);
      Box += 6;
      ++Counts[N];
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// data: [N, C, H, W] -> [N, C * stride^2, H / stride, W / stride], as in
/// darknet: data is read as if it had C / stride^2 channels and stride times
/// the height and width. Beyond the first entry TVM reads outside of the data.
LogicalResult relay::evalYoloReorg(KernelCall &Call) {
  int64_t Stride = Call.getAttrs<YoloReorgAttrs>().stride();
  const Tensor &Data = Call.getInput(0);
  int64_t C = Data.getDim(1), H = Data.getDim(2), W = Data.getDim(3);
  if (Stride <= 0 || H % Stride != 0 || W % Stride != 0 ||
      C % (Stride * Stride) != 0)
    return Call.emitError("data are not divided by the stride");
  if (Data.getDim(0) > 1 && Stride > 1)
    return Call.emitError("more than one image is not supported");
  int64_t Groups = std::max<int64_t>(C / (Stride * Stride), 1);
  uint64_t Size = Data.getDType().getByteSize();
  const char *From = Data.getBytes().data();
  char *To = Call.getOutputTensor().getMutableBytes().data();
  if (Data.getNumElements() == 0)
    return success();
  for (int64_t K = 0; K != Data.getDim(0) * C; ++K)
    for (int64_t Y = 0; Y != H; ++Y)
      for (int64_t X = 0; X != W; ++X, To += Size) {
        int64_t Block = K / Groups;
        int64_t Line = Y * Stride + Block / Stride;
        int64_t Offset = K % Groups * Stride * Stride * H * W +
                         Line * Stride * W + X * Stride + Block % Stride;
        // One image, or a stride of 1, which changes nothing.
        if (Stride == 1)
          Offset = (K * H + Y) * W + X;
        std::memcpy(To, From + Offset * Size, Size);
      }
  return success();
}

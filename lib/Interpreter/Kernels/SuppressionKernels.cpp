//===- SuppressionKernels.cpp - Suppression of overlapping boxes ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// get_valid_counts and the kinds of non_max_suppression of Ops/Vision.td.
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "relay/Ops/Vision.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// get_valid_counts
//===----------------------------------------------------------------------===//

/// Reports an error unless \p Index is one of \p Length numbers of a box, or
/// negative if it \p MayBeMissing.
static LogicalResult checkIndex(const KernelCall &Call, StringRef Name,
                                int64_t Index, int64_t Length,
                                bool MayBeMissing) {
  if (Index < Length && (Index >= 0 || MayBeMissing))
    return success();
  return Call.emitError("'" + Name + "' is " + Twine(Index) +
                        ", and a box has " + Twine(Length) + " numbers");
}

/// data: [N, boxes, numbers] -> (count: [N], boxes with a score above the
/// threshold first: like data, their positions: [N, boxes]). The rest is -1.
LogicalResult relay::evalGetValidCounts(KernelCall &Call) {
  const auto &A = Call.getAttrs<GetValidCountsAttrs>();
  const Tensor &Data = Call.getInput(0);
  FailureOr<double> Threshold = getNumber(Call, 1);
  int64_t NumBoxes = Data.getDim(1), Length = Data.getDim(2);
  if (failed(Threshold) || failed(checkFloat32(Call, {0})) ||
      failed(checkIndex(Call, "score_index", A.scoreIndex(), Length, false)) ||
      failed(checkIndex(Call, "id_index", A.idIndex(), Length, true)))
    return failure();
  MutableArrayRef<int32_t> Counts = Call.getOutput<int32_t>(0);
  MutableArrayRef<float> Boxes = Call.getOutput<float>(1);
  MutableArrayRef<int32_t> Places = Call.getOutput<int32_t>(2);
  std::fill(Boxes.begin(), Boxes.end(), -1.f);
  std::fill(Places.begin(), Places.end(), -1);
  for (int64_t N = 0; N != Data.getDim(0); ++N) {
    int32_t Count = 0;
    for (int64_t I = 0; I != NumBoxes; ++I) {
      ArrayRef<float> Box =
          Data.getElements<float>().slice((N * NumBoxes + I) * Length, Length);
      if (!(Box[A.scoreIndex()] > float(*Threshold)) ||
          (A.idIndex() >= 0 && !(Box[A.idIndex()] >= 0)))
        continue;
      llvm::copy(Box, Boxes.begin() + (N * NumBoxes + Count) * Length);
      Places[N * NumBoxes + Count++] = int32_t(I);
    }
    Counts[N] = Count;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// non_max_suppression
//===----------------------------------------------------------------------===//

namespace {
/// The suppression in an entry of the batch.
struct BoxSuppressor {
  const NonMaximumSuppressionAttrs &A;
  int64_t Length; ///< numbers of a box
  float Threshold;
  int64_t MaxOutput;
  ArrayRef<float> Data; ///< [boxes, numbers]
  MutableArrayRef<float> Boxes;
  MutableArrayRef<int32_t> Places; ///< in the data, of remaining boxes

  float get(int64_t I, int64_t Field) const {
    return Boxes[I * Length + Field];
  }
  void copyBox(int64_t To, int64_t From);
  void clearBox(int64_t I);
  bool isSuppressedBy(int64_t I, int64_t Better) const;
  void run(int64_t NumValid);
};
} // namespace

void BoxSuppressor::copyBox(int64_t To, int64_t From) {
  llvm::copy(Data.slice(From * Length, Length), Boxes.begin() + To * Length);
  Places[To] = int32_t(From);
}
void BoxSuppressor::clearBox(int64_t I) {
  std::fill_n(Boxes.begin() + I * Length, Length, -1.f);
  Places[I] = -1;
}

bool BoxSuppressor::isSuppressedBy(int64_t I, int64_t Better) const {
  if (!(get(Better, A.scoreIndex()) > 0))
    return false;
  if (A.idIndex() >= 0) {
    if (!(get(Better, A.idIndex()) >= 0))
      return false;
    if (!A.forceSuppress() && get(I, A.idIndex()) != get(Better, A.idIndex()))
      return false;
  }
  const float *Corners = Boxes.data() + A.coordStart();
  return getOverlap(Corners + I * Length, Corners + Better * Length) >=
         Threshold;
}

/// Selects from the first \p NumValid boxes, best first; without a threshold,
/// all of them in their order.
void BoxSuppressor::run(int64_t NumValid) {
  for (int64_t I = 0, E = Places.size(); I != E; ++I)
    clearBox(I);
  if (!(Threshold > 0)) {
    for (int64_t I = 0; I != NumValid; ++I)
      copyBox(I, I);
    return;
  }
  SmallVector<float, 0> Scores;
  for (int64_t I = 0; I != NumValid; ++I)
    Scores.push_back(Data[I * Length + A.scoreIndex()]);
  int64_t NumKept = NumValid;
  if (A.topK() > 0)
    NumKept = std::min<int64_t>(NumKept, A.topK());
  SmallVector<int32_t, 0> Order = sortByScore(Scores);
  for (int64_t I = 0; I != NumKept; ++I)
    copyBox(I, Order[I]);
  int64_t NumOut = 0;
  for (int64_t I = 0; I != NumValid; ++I) {
    if (NumOut == MaxOutput) {
      clearBox(I);
      continue;
    }
    if (!(get(I, A.scoreIndex()) > 0))
      continue;
    bool IsSuppressed = false;
    for (int64_t Better = 0; Better != I && !IsSuppressed; ++Better)
      IsSuppressed = isSuppressedBy(I, Better);
    if (IsSuppressed)
      clearBox(I);
    else
      ++NumOut;
  }
}

/// Moves nonnegative entries to the front, fills the rest with -1, and returns
/// their number. Positions beyond the boxes are then counted as 0, as in TVM.
static int32_t moveToFront(MutableArrayRef<int32_t> Places) {
  auto Size = int64_t(Places.size());
  SmallVector<int32_t, 0> Found;
  for (int32_t Place : Places) {
    if (Place >= 0)
      Found.push_back(Place);
    if (Place > Size || Place < -Size)
      Found.push_back(0);
  }
  std::fill(Places.begin(), Places.end(), -1);
  llvm::copy(ArrayRef(Found).take_front(Size), Places.begin());
  return int32_t(std::min<int64_t>(Found.size(), Size));
}

/// Moves boxes whose first number is not negative to the front.
static void moveBoxesToFront(MutableArrayRef<float> Boxes, int64_t Length) {
  int64_t Count = 0, NumBoxes = Length ? Boxes.size() / Length : 0;
  for (int64_t I = 0; I != NumBoxes; ++I)
    if (Boxes[I * Length] >= 0) {
      std::copy_n(Boxes.begin() + I * Length, Length,
                  Boxes.begin() + Count * Length);
      ++Count;
    }
  std::fill(Boxes.begin() + Count * Length, Boxes.end(), -1.f);
}

static LogicalResult checkSuppression(const KernelCall &Call) {
  const auto &A = Call.getAttrs<NonMaximumSuppressionAttrs>();
  const Tensor &Data = Call.getInput(0), &Counts = Call.getInput(1);
  int64_t NumBoxes = Data.getDim(1), Length = Data.getDim(2);
  if (failed(checkFloat32(Call, {0})) ||
      failed(checkIndex(Call, "score_index", A.scoreIndex(), Length, false)) ||
      failed(checkIndex(Call, "id_index", A.idIndex(), Length, true)) ||
      failed(
          checkIndex(Call, "coord_start", A.coordStart(), Length - 3, false)))
    return failure();
  if (Counts.getNumElements() < Data.getDim(0))
    return Call.emitError("valid_count has fewer numbers than the batch");
  for (int64_t Count : Counts.getInts())
    if (Count < 0 || Count > NumBoxes)
      return Call.emitError("the count " + Twine(Count) +
                            " is out of range for " + Twine(NumBoxes) +
                            " boxes");
  if (A.returnIndices() &&
      Call.getInput(2).getNumElements() != Data.getDim(0) * NumBoxes)
    return Call.emitError(
        "the number of indices differs from the number of boxes");
  return success();
}

/// data: [N, boxes, numbers], counts: [N], indices: [N, boxes] -> (indices of
/// the remaining boxes: [N, boxes], count: [N, 1]), or the boxes themselves.
LogicalResult relay::evalNonMaxSuppression(KernelCall &Call) {
  const auto &A = Call.getAttrs<NonMaximumSuppressionAttrs>();
  const Tensor &Data = Call.getInput(0);
  FailureOr<double> MaxOutput = getNumber(Call, 3),
                    Threshold = getNumber(Call, 4);
  if (failed(MaxOutput) || failed(Threshold) || failed(checkSuppression(Call)))
    return failure();
  int64_t Batch = Data.getDim(0), NumBoxes = Data.getDim(1),
          Length = Data.getDim(2);
  auto Boxes = Call.allocate(Data.getDType(), Data.getShape());
  auto Places = Call.allocate(DType::getInt(32), {Batch, NumBoxes});
  // Scores, their order, and the remaining positions.
  auto Lists = reserve(Call, NumBoxes, 3 * sizeof(int32_t));
  if (!Boxes || !Places || !Lists)
    return failure();
  if (failed(Call.countWork(Batch, NumBoxes * NumBoxes)))
    return failure();
  MutableArrayRef<float> AllBoxes = Boxes->getMutableElements<float>();
  MutableArrayRef<int32_t> AllPlaces = Places->getMutableElements<int32_t>();
  for (int64_t N = 0; N != Batch; ++N) {
    BoxSuppressor S{A,
                    Length,
                    float(*Threshold),
                    truncateToInt64(*MaxOutput),
                    Data.getElements<float>().slice(N * NumBoxes * Length,
                                                    NumBoxes * Length),
                    AllBoxes.slice(N * NumBoxes * Length, NumBoxes * Length),
                    AllPlaces.slice(N * NumBoxes, NumBoxes)};
    S.run(Call.getInput(1).getInt(N));
    if (!A.returnIndices()) {
      if (A.invalidToBottom())
        moveBoxesToFront(S.Boxes, Length);
      continue;
    }
    for (int32_t &Place : S.Places)
      if (Place >= 0)
        Place = int32_t(Call.getInput(2).getInt(N * NumBoxes + Place));
    Call.getOutput<int32_t>(1)[N] = moveToFront(S.Places);
  }
  Call.setOutput(0, A.returnIndices() ? *Places : *Boxes);
  return success();
}

//===----------------------------------------------------------------------===//
// all_class_non_max_suppression
//===----------------------------------------------------------------------===//

namespace {
/// The remaining boxes of one class of one entry of the batch.
struct SelectedBoxes {
  SmallVector<int32_t, 0> Places;
  SmallVector<float, 0> Scores;
};
/// The limits common to all classes.
struct SuppressionLimits {
  int64_t MaxOutput; ///< no limit if not positive
  float Overlap, Score;
};
} // namespace

/// \p Boxes: [boxes, 4], \p Scores: [boxes].
static SelectedBoxes selectBoxes(ArrayRef<float> Boxes, ArrayRef<float> Scores,
                                 const SuppressionLimits &Limits) {
  SelectedBoxes Result;
  SmallVector<int32_t, 0> Order = sortByScore(Scores);
  auto End = llvm::partition_point(
      Order, [&](int32_t I) { return Scores[I] > Limits.Score; });
  int64_t Count = End - Order.begin();
  int64_t MaxOutput = Limits.MaxOutput > 0 ? Limits.MaxOutput : Count;
  SmallVector<float, 0> Left;
  for (int32_t I : ArrayRef(Order).take_front(Count))
    Left.push_back(Scores[I]);
  if (!(Limits.Overlap > 0))
    return Result;
  for (int64_t I = 0; I != Count && int64_t(Result.Places.size()) < MaxOutput;
       ++I) {
    if (!(Left[I] > -1))
      continue;
    Result.Places.push_back(Order[I]);
    Result.Scores.push_back(Left[I]);
    for (int64_t J = I + 1; J != Count; ++J)
      if (Left[J] > 0 &&
          getOverlap(Boxes.data() + Order[I] * 4,
                     Boxes.data() + Order[J] * 4) >= Limits.Overlap)
        Left[J] = -1;
  }
  return Result;
}

/// Writes the rows (entry, class, box), then their number. The remaining rows,
/// which TVM leaves undefined, are 0.
static void writeForONNX(KernelCall &Call, ArrayRef<SelectedBoxes> Selected,
                         int64_t NumClasses) {
  MutableArrayRef<int64_t> Rows = Call.getOutput<int64_t>(0);
  std::fill(Rows.begin(), Rows.end(), 0);
  int64_t Count = 0;
  for (auto [I, Class] : llvm::enumerate(Selected))
    for (int32_t Place : Class.Places) {
      Rows[3 * Count] = int64_t(I) / NumClasses;
      Rows[3 * Count + 1] = int64_t(I) % NumClasses;
      Rows[3 * Count + 2] = Place;
      ++Count;
    }
  Call.getOutput<int64_t>(1)[0] = Count;
}

/// Writes for each entry the rows (class, box), their scores, and their number;
/// the rest is 0.
static void writeForTensorFlow(KernelCall &Call,
                               ArrayRef<SelectedBoxes> Selected,
                               int64_t NumClasses, int64_t NumBoxes) {
  MutableArrayRef<int64_t> Rows = Call.getOutput<int64_t>(0);
  MutableArrayRef<float> Scores = Call.getOutput<float>(1);
  MutableArrayRef<int64_t> Counts = Call.getOutput<int64_t>(2);
  std::fill(Rows.begin(), Rows.end(), 0);
  std::fill(Scores.begin(), Scores.end(), 0.f);
  std::fill(Counts.begin(), Counts.end(), 0);
  for (auto [I, Class] : llvm::enumerate(Selected)) {
    int64_t N = int64_t(I) / NumClasses;
    for (auto [Place, Score] : llvm::zip(Class.Places, Class.Scores)) {
      int64_t Row = N * NumClasses * NumBoxes + Counts[N]++;
      Rows[2 * Row] = int64_t(I) % NumClasses;
      Rows[2 * Row + 1] = Place;
      Scores[Row] = Score;
    }
  }
}

/// boxes: [N, boxes, 4], scores: [N, classes, boxes].
LogicalResult relay::evalAllClassNonMaxSuppression(KernelCall &Call) {
  const Tensor &Boxes = Call.getInput(0), &Scores = Call.getInput(1);
  FailureOr<double> MaxOutput = getNumber(Call, 2),
                    Overlap = getNumber(Call, 3), Score = getNumber(Call, 4);
  if (failed(MaxOutput) || failed(Overlap) || failed(Score) ||
      failed(checkFloat32(Call, {0, 1})))
    return failure();
  int64_t Batch = Scores.getDim(0), NumClasses = Scores.getDim(1),
          NumBoxes = Scores.getDim(2);
  if (Boxes.getDim(0) != Batch || Boxes.getDim(1) != NumBoxes ||
      Boxes.getDim(2) != 4)
    return Call.emitError("boxes of the shape " + toString(Boxes.getShape()) +
                          " do not fit scores of the shape " +
                          toString(Scores.getShape()));
  SuppressionLimits Limits{truncateToInt64(*MaxOutput), float(*Overlap),
                           float(*Score)};
  // Positions and scores of the remaining boxes, and as many during the search.
  auto Lists =
      reserve(Call, Batch * NumClasses,
              sizeof(SelectedBoxes) + 4 * sizeof(int32_t) * size_t(NumBoxes));
  if (!Lists)
    return failure();
  std::vector<SelectedBoxes> Selected(Batch * NumClasses);
  auto SelectBoxes = [&](int64_t Begin, int64_t End) {
    for (int64_t I = Begin; I != End; ++I)
      Selected[I] = selectBoxes(
          Boxes.getElements<float>().slice(I / NumClasses * NumBoxes * 4,
                                           NumBoxes * 4),
          Scores.getElements<float>().slice(I * NumBoxes, NumBoxes), Limits);
  };
  if (failed(Call.limitedFor(Batch * NumClasses, NumBoxes * NumBoxes,
                             SelectBoxes)))
    return failure();
  StringRef Format =
      Call.getAttrs<AllClassNonMaximumSuppressionAttrs>().outputFormat();
  if (Format == "onnx")
    writeForONNX(Call, Selected, NumClasses);
  else
    writeForTensorFlow(Call, Selected, NumClasses, NumBoxes);
  return success();
}

//===----------------------------------------------------------------------===//
// regular_non_max_suppression
//===----------------------------------------------------------------------===//

namespace {
/// A remaining box of a class.
struct Detection {
  int32_t Box, Class;
  float Score;
};
} // namespace

/// Returns the intersection over union of boxes (ymin, xmin, ymax, xmax); 0 if
/// one has no area.
static float getOrderedOverlap(const float *A, const float *B) {
  float AreaA = (A[2] - A[0]) * (A[3] - A[1]);
  float AreaB = (B[2] - B[0]) * (B[3] - B[1]);
  if (!(AreaA > 0 && AreaB > 0))
    return 0;
  float Height = maxOf(minOf(A[2], B[2]) - maxOf(A[0], B[0]), 0);
  float Width = maxOf(minOf(A[3], B[3]) - maxOf(A[1], B[1]), 0);
  float Common = Height * Width;
  return Common / (AreaA + AreaB - Common);
}

/// Adds the remaining boxes of class \p Class, from \p Scores, to \p Found.
static void detectClass(const RegularNonMaximumSuppressionAttrs &A,
                        ArrayRef<float> Boxes, ArrayRef<float> Scores,
                        int32_t Class, SmallVectorImpl<Detection> &Found) {
  SmallVector<int32_t, 0> Kept;
  for (int32_t I : sortByScore(Scores)) {
    if (int64_t(Kept.size()) >= A.maxDetectionsPerClass())
      break;
    const float *Box = Boxes.data() + I * 4;
    if (!(Scores[I] >= float(A.scoreThreshold())) ||
        llvm::any_of(Kept, [&](int32_t Better) {
          return getOrderedOverlap(Boxes.data() + Better * 4, Box) >
                 float(A.iouThreshold());
        }))
      continue;
    Kept.push_back(I);
    Found.push_back({I, Class, Scores[I]});
  }
}

/// Returns the best detections of entry \p N among all classes.
static SmallVector<Detection, 0>
detectEntry(KernelCall &Call, const RegularNonMaximumSuppressionAttrs &A,
            ArrayRef<float> Boxes, int64_t N) {
  int64_t NumBoxes = Call.getInput(1).getDim(1);
  int64_t NumColumns = Call.getInput(1).getDim(2);
  ArrayRef<float> Scores = Call.getInput<float>(1);
  SmallVector<Detection, 0> Found;
  SmallVector<float, 0> OfClass(NumBoxes);
  for (int64_t C = 0; C < A.numClasses(); ++C) {
    for (int64_t I = 0; I != NumBoxes; ++I)
      OfClass[I] = Scores[(N * NumBoxes + I) * NumColumns + C + NumColumns -
                          A.numClasses()];
    detectClass(A, Boxes, OfClass, int32_t(C), Found);
    llvm::stable_sort(Found, [](const Detection &L, const Detection &R) {
      return L.Score > R.Score;
    });
    if (int64_t(Found.size()) > A.maxDetections())
      Found.resize(A.maxDetections());
  }
  return Found;
}

/// boxes: [N, boxes, 4], scores: [N, boxes, columns], whose last columns are
/// the classes -> (boxes: [N, n, 4], classes: [N, n], scores: [N, n], count:
/// [N]).
LogicalResult relay::evalRegularNonMaxSuppression(KernelCall &Call) {
  const auto &A = Call.getAttrs<RegularNonMaximumSuppressionAttrs>();
  const Tensor &Boxes = Call.getInput(0), &Scores = Call.getInput(1);
  if (failed(checkFloat32(Call, {0, 1})))
    return failure();
  int64_t NumBoxes = Scores.getDim(1);
  if (Boxes.getDim(0) != Scores.getDim(0) || Boxes.getDim(1) != NumBoxes ||
      Boxes.getDim(2) != 4 || A.numClasses() > Scores.getDim(2) ||
      A.maxDetections() < 0)
    return Call.emitError("boxes, scores and attributes do not fit");
  // Detections of all classes and of one class, twice for sorting, and the
  // scores, order and positions of a class.
  auto Lists = reserve(
      Call,
      NumBoxes + std::min<int64_t>(A.maxDetections(), Scores.getNumElements()),
      2 * sizeof(Detection) + 3 * sizeof(int32_t));
  if (!Lists)
    return failure();
  if (failed(Call.countWork(Scores.getNumElements(), NumBoxes)))
    return failure();
  MutableArrayRef<float> OutBoxes = Call.getOutput<float>(0);
  MutableArrayRef<float> Classes = Call.getOutput<float>(1);
  MutableArrayRef<float> OutScores = Call.getOutput<float>(2);
  std::fill(OutBoxes.begin(), OutBoxes.end(), 0.f);
  std::fill(OutScores.begin(), OutScores.end(), 0.f);
  std::fill(Classes.begin(), Classes.end(), 0.f);
  for (int64_t N = 0; N != Boxes.getDim(0); ++N) {
    ArrayRef<float> OfEntry =
        Boxes.getElements<float>().slice(N * NumBoxes * 4, NumBoxes * 4);
    auto Found = detectEntry(Call, A, OfEntry, N);
    Call.getOutput<int32_t>(3)[N] = int32_t(Found.size());
    for (auto [I, D] : llvm::enumerate(Found)) {
      int64_t Row = N * A.maxDetections() + int64_t(I);
      llvm::copy(OfEntry.slice(D.Box * 4, 4), OutBoxes.begin() + Row * 4);
      OutScores[Row] = D.Score;
      Classes[Row] = float(D.Class);
    }
  }
  return success();
}

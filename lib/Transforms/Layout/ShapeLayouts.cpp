//===- ShapeLayouts.cpp - Layouts of operators that move elements ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concatenation, splitting, slicing, padding and the like: per-axis numbers
// move with the axes. On a split axis these numbers must be multiples of the
// block; otherwise the operator keeps its layout.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "relay/IR/Context.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

/// Returns the elements of a list of integers.
static SmallVector<int64_t> getInts(Attr List) {
  SmallVector<int64_t> Ints;
  if (List)
    for (Attr Element : List.getArray())
      Ints.push_back(Element.getInt());
  return Ints;
}

//===----------------------------------------------------------------------===//
// Joining and splitting
//===----------------------------------------------------------------------===//

/// Returns the first known layout of \p Layouts, or null.
static LayoutRef findKnown(ArrayRef<LayoutRef> Layouts) {
  auto *It = llvm::find_if(Layouts, [](LayoutRef L) { return L; });
  return It == Layouts.end() ? nullptr : *It;
}

/// Returns the number of tensors in operand 0, a tuple; the scales and zero
/// points of qnn.concatenate follow it. Returns 0 if it is unknown.
static size_t getNumTensors(const LayoutQuery &Q) {
  auto *Tuple = dyn_cast_or_null<TupleType>(Q.Op.getOperand(0)->getType());
  size_t N = Tuple ? Tuple->getFields().size() : 0;
  return N <= Q.Old.size() ? N : 0;
}

/// Returns the answer with all tensors in the layout \p Common.
static LayoutAnswer answerConcatenate(const LayoutQuery &Q, LayoutRef Common,
                                      const Attrs *Attributes = nullptr) {
  size_t N = getNumTensors(Q);
  LayoutAnswer A(SmallVector<LayoutRef>(N, Common), {Common}, Attributes);
  A.Inputs.append(Q.Old.size() - N, Q.Pool.get("C"));
  return A;
}

LayoutAnswer relay::inferConcatenateLayout(const LayoutQuery &Q) {
  size_t N = getNumTensors(Q);
  if (!N)
    return LayoutAnswer::unknown();
  return answerConcatenate(Q, findKnown(Q.Old.take_front(N)));
}

/// Follows if all tensors have the same new layout.
LayoutAnswer relay::propagateConcatenateLayout(const LayoutChange &Q) {
  size_t N = getNumTensors(Q);
  if (!N)
    return LayoutAnswer::unknown();
  if (!llvm::all_equal(Q.New.take_front(N)))
    return inferConcatenateLayout(Q);
  std::optional<unsigned> Axis =
      moveAxis(Q.Attributes->lookup("axis").getInt(), *Q.Old[0], *Q.New[0]);
  if (!Axis)
    return LayoutAnswer::unknown();
  return answerConcatenate(
      Q, Q.New[0],
      withField(Q.Ctx, *Q.Attributes, "axis", Q.Ctx.getInt(*Axis)));
}

/// Converts the split positions \p Indices to blocks of \p Factor; returns none
/// if a position is inside a block.
static std::optional<SmallVector<int64_t>>
splitBlocks(ArrayRef<int64_t> Indices, int64_t Factor) {
  SmallVector<int64_t> Blocks;
  for (int64_t I : Indices) {
    if (I % Factor)
      return std::nullopt;
    Blocks.push_back(I / Factor);
  }
  return Blocks;
}

/// Returns the answer for data in the layout \p Data.
static LayoutAnswer answerSplit(const LayoutQuery &Q, LayoutRef Data,
                                const Attrs *Attributes = nullptr) {
  auto *Results = dyn_cast_or_null<TupleType>(Q.Op.getType());
  if (!Results || !Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  return LayoutAnswer({Data},
                      SmallVector<LayoutRef>(Results->getFields().size(), Data),
                      Attributes);
}

LayoutAnswer relay::inferSplitLayout(const LayoutQuery &Q) {
  return answerSplit(Q, Q.Old[0]);
}

LayoutAnswer relay::propagateSplitLayout(const LayoutChange &Q) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  LayoutRef Data = Q.New[0];
  std::optional<unsigned> Axis =
      moveAxis(Q.Attributes->lookup("axis").getInt(), *Q.Old[0], *Data);
  if (!Axis)
    return LayoutAnswer::unknown();
  const Attrs *A = Q.Attributes;
  Attr Where = A->lookup("indices_or_sections");
  int64_t Factor = Data->getBlockSize(Data->getAxes()[*Axis].Name);
  if (Factor > 1 && Where && Where.isArray()) {
    auto Blocks = splitBlocks(getInts(Where), Factor);
    if (!Blocks) {
      unsigned OldAxis =
          *moveAxis(A->lookup("axis").getInt(), *Q.Old[0], *Q.Old[0]);
      return answerSplit(Q, Q.Old[0],
                         withField(Q.Ctx, *A, "axis", Q.Ctx.getInt(OldAxis)));
    }
    A = withField(Q.Ctx, *A, "indices_or_sections", Q.Ctx.getIntArray(*Blocks));
  }
  return answerSplit(Q, Data,
                     withField(Q.Ctx, *A, "axis", Q.Ctx.getInt(*Axis)));
}

//===----------------------------------------------------------------------===//
// Fewer axes, axes in another order
//===----------------------------------------------------------------------===//

/// Returns the axes that a squeeze of \p T removes; none if an axis is out of
/// range or depends on an unknown dimension.
static std::optional<SmallVector<unsigned>>
getSqueezedAxes(const SqueezeAttrs &A, const TensorType &T) {
  SmallVector<unsigned> Axes;
  if (!A.hasAxis()) {
    for (auto [I, D] : llvm::enumerate(T.getShape())) {
      if (!D.isConst())
        return std::nullopt;
      if (D.isConst(1))
        Axes.push_back(I);
    }
    return Axes;
  }
  for (Attr Axis : A.axis()) {
    std::optional<unsigned> I = normalizeAxis(Axis.getInt(), T.getRank());
    if (!I)
      return std::nullopt;
    Axes.push_back(*I);
  }
  return Axes;
}

/// Returns the answer for data in the layout \p Data; \p Places are the
/// squeezed axes in that layout.
static LayoutAnswer answerSqueeze(const LayoutQuery &Q, LayoutRef Data,
                                  SmallVectorImpl<int64_t> &Places) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  auto &A = static_cast<const SqueezeAttrs &>(*Q.Attributes);
  auto Squeezed = getSqueezedAxes(A, *Q.getTensor(0));
  if (!Squeezed)
    return LayoutAnswer::unknown();
  for (unsigned I : *Squeezed) {
    std::optional<unsigned> Place = moveAxis(I, *Q.Old[0], *Data);
    if (!Place)
      return LayoutAnswer::unknown();
    Places.push_back(*Place);
  }
  SmallVector<Layout::Axis, 6> Left;
  for (auto [I, Axis] : llvm::enumerate(Data->getAxes()))
    if (!llvm::is_contained(Places, int64_t(I)))
      Left.push_back(Axis);
  return LayoutAnswer({Data}, {Q.Pool.get(Left)});
}

LayoutAnswer relay::inferSqueezeLayout(const LayoutQuery &Q) {
  SmallVector<int64_t> Places;
  return answerSqueeze(Q, Q.Old[0], Places);
}

LayoutAnswer relay::propagateSqueezeLayout(const LayoutChange &Q) {
  SmallVector<int64_t> Places;
  LayoutAnswer A = answerSqueeze(Q, Q.New[0], Places);
  A.Attributes =
      withField(Q.Ctx, *Q.Attributes, "axis", Q.Ctx.getIntArray(Places));
  return A;
}

/// Returns the answer for data in the layout \p Data. The result keeps its
/// layout; the permutation changes instead. Data in blocks is transformed back
/// to its original layout.
static LayoutAnswer answerTranspose(const LayoutQuery &Q, LayoutRef Data) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  auto &A = static_cast<const TransposeAttrs &>(*Q.Attributes);
  const Layout &Old = *Q.Old[0];
  unsigned Rank = Old.getRank();
  SmallVector<Layout::Axis, 6> Result;
  if (!A.hasAxes())
    Result.append(Old.getAxes().rbegin(), Old.getAxes().rend());
  for (Attr Axis : A.axes()) {
    std::optional<unsigned> I = normalizeAxis(Axis.getInt(), Rank);
    if (!I)
      return LayoutAnswer::unknown();
    Result.push_back(Old.getAxes()[*I]);
  }
  if (Data->getRank() != Rank)
    Data = &Old;
  SmallVector<int64_t> Axes;
  for (Layout::Axis Axis : Result)
    Axes.push_back(Data->indexOf(Axis.Name));
  return LayoutAnswer({Data}, {Q.Pool.get(Result)},
                      withField(Q.Ctx, A, "axes", Q.Ctx.getIntArray(Axes)));
}

LayoutAnswer relay::inferTransposeLayout(const LayoutQuery &Q) {
  return answerTranspose(Q, Q.Old[0]);
}

LayoutAnswer relay::propagateTransposeLayout(const LayoutChange &Q) {
  return answerTranspose(Q, Q.New[0]);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Returns `pad_width` for data in the layout \p New; none if a block would be
/// padded.
static Attr movePadding(const LayoutChange &Q, const Layout &New) {
  ArrayRef<Attr> Widths = Q.Attributes->lookup("pad_width").getArray();
  Attr None = Q.Ctx.getIntArray({0, 0});
  SmallVector<Attr, 6> Moved;
  for (Layout::Axis A : New.getAxes()) {
    int From = Q.Old[0]->indexOf(A.primal());
    if (From < 0 || size_t(From) >= Widths.size())
      return {};
    if (isSplit(New, A.primal()) && Widths[From] != None)
      return {};
    Moved.push_back(A.isPrimal() ? Widths[From] : None);
  }
  return Q.Ctx.getArray(Moved);
}

/// [data, pad_value] -> data.
LayoutAnswer relay::inferPadLayout(const LayoutQuery &Q) {
  return LayoutAnswer({Q.Old[0], Q.Pool.getScalar()}, {Q.Old[0]});
}

LayoutAnswer relay::propagatePadLayout(const LayoutChange &Q) {
  LayoutRef Data = Q.New[0], Value = Q.Pool.getScalar();
  if (!Q.isLaidOut(0))
    return LayoutAnswer({Data, Value}, {Data});
  Attr Widths = movePadding(Q, *Data);
  if (!Widths)
    return LayoutAnswer({Q.Old[0], Value}, {Q.Old[0]});
  return LayoutAnswer({Data, Value}, {Data},
                      withField(Q.Ctx, *Q.Attributes, "pad_width", Widths));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {

/// The parameters of a strided_slice: begin, end and stride of each sliced
/// axis. Trailing strides may be missing.
struct SliceNumbers {
  explicit SliceNumbers(const StridedSliceAttrs &A)
      : Begin(getInts(A.lookup("begin"))), End(getInts(A.lookup("end"))),
        Strides(getInts(A.lookup("strides"))), Axes(getInts(A.lookup("axes"))),
        HasAxes(bool(A.lookup("axes"))) {}

  /// Returns the axis of entry \p I.
  int64_t getAxis(unsigned I) const { return HasAxes ? Axes[I] : I; }
  int64_t getStride(unsigned I) const {
    return I < Strides.size() ? Strides[I] : 1;
  }
  /// Returns the attributes \p A with these parameters.
  const Attrs *get(Context &Ctx, const Attrs &A) const;

  SmallVector<int64_t> Begin, End, Strides, Axes;
  bool HasAxes;
};

} // namespace

const Attrs *SliceNumbers::get(Context &Ctx, const Attrs &A) const {
  const Attrs *New = withField(Ctx, A, "begin", Ctx.getIntArray(Begin));
  New = withField(Ctx, *New, "end", Ctx.getIntArray(End));
  New = withField(Ctx, *New, "strides", Ctx.getIntArray(Strides));
  return HasAxes ? withField(Ctx, *New, "axes", Ctx.getIntArray(Axes)) : New;
}

/// Adds entries for the axes of \p T that \p N does not slice, covering the
/// whole axis. Fails if such an entry is unknown.
static LogicalResult completeNumbers(SliceNumbers &N, const TensorType &T) {
  for (unsigned I = N.Begin.size(); I < T.getRank(); ++I)
    N.Begin.push_back(0);
  for (unsigned I = N.End.size(); I < T.getRank(); ++I) {
    if (!T.getDim(I).isConst())
      return failure();
    N.End.push_back(T.getDim(I).getInt());
  }
  N.Strides.resize(T.getRank(), 1);
  return success();
}

/// Moves \p N from the axes of \p Old to their positions in \p New, a
/// permutation of Old.
static LogicalResult permuteNumbers(SliceNumbers &N, const TensorType &T,
                                    const Layout &Old, const Layout &New) {
  if (N.HasAxes) {
    for (int64_t &Axis : N.Axes) {
      std::optional<unsigned> Place = moveAxis(Axis, Old, New);
      if (!Place)
        return failure();
      Axis = *Place;
    }
    return success();
  }
  if (failed(completeNumbers(N, T)))
    return failure();
  SliceNumbers Before = N;
  for (unsigned I = 0; I < Old.getRank(); ++I) {
    std::optional<unsigned> Place = moveAxis(I, Old, New);
    if (!Place)
      return failure();
    N.Begin[*Place] = Before.Begin[I];
    N.End[*Place] = Before.End[I];
    N.Strides[*Place] = Before.Strides[I];
  }
  return success();
}

/// Converts \p N to blocks of \p New, in which the axes of \p Old keep their
/// positions. Fails if an entry is not a multiple of the block.
static LogicalResult countInBlocks(SliceNumbers &N, const Layout &Old,
                                   const Layout &New) {
  for (unsigned I = 0; I < N.Begin.size(); ++I) {
    std::optional<unsigned> Axis = moveAxis(N.getAxis(I), Old, Old);
    if (!Axis)
      return failure();
    int64_t Factor = New.getBlockSize(Old.getAxes()[*Axis].Name);
    if (Factor == 1)
      continue;
    if (N.getStride(I) != 1 || N.Begin[I] % Factor || N.End[I] % Factor)
      return failure();
    N.Begin[I] /= Factor;
    N.End[I] /= Factor;
  }
  return success();
}

LayoutAnswer relay::inferStridedSliceLayout(const LayoutQuery &Q) {
  return LayoutAnswer({Q.Old[0]}, {Q.Old[0]});
}

LayoutAnswer relay::propagateStridedSliceLayout(const LayoutChange &Q) {
  LayoutRef Data = Q.New[0];
  if (Data == Q.Old[0])
    return inferStridedSliceLayout(Q);
  if (!Q.isLaidOut(0) || Q.Old[0]->isBlocked())
    return LayoutAnswer::unknown();
  auto &A = static_cast<const StridedSliceAttrs &>(*Q.Attributes);
  SliceNumbers N(A);
  size_t Count = N.HasAxes ? N.Axes.size() : Q.Old[0]->getRank();
  if (N.Begin.size() != N.End.size() || N.Begin.size() > Count ||
      (N.HasAxes && N.Begin.size() != Count))
    return LayoutAnswer::unknown();
  LogicalResult Moved = failure();
  if (!Data->isBlocked())
    Moved = permuteNumbers(N, *Q.getTensor(0), *Q.Old[0], *Data);
  else if (Data->getAxes().take_front(Q.Old[0]->getRank()) ==
               Q.Old[0]->getAxes() &&
           A.sliceMode() == "end")
    Moved = countInBlocks(N, *Q.Old[0], *Data);
  if (failed(Moved))
    return LayoutAnswer::unknown();
  return LayoutAnswer({Data}, {Data}, N.get(Q.Ctx, A));
}

/// [data, shape_like] -> data: both must have the same layout.
LayoutAnswer relay::inferSliceLikeLayout(const LayoutQuery &Q) {
  if (!Q.isLaidOut(0) || !Q.isLaidOut(1) || Q.Old[0] != Q.Old[1])
    return LayoutAnswer::unknown();
  return LayoutAnswer({Q.Old[0], Q.Old[1]}, {Q.Old[0]});
}

LayoutAnswer relay::propagateSliceLikeLayout(const LayoutChange &Q) {
  if (!Q.isLaidOut(0) || !Q.isLaidOut(1) || Q.New[0] != Q.New[1])
    return LayoutAnswer::unknown();
  LayoutRef Data = Q.New[0];
  const Attrs *Attributes = nullptr;
  Attr Axes = Q.Attributes->lookup("axes");
  if (Axes) {
    SmallVector<int64_t> Moved;
    for (Attr Axis : Axes.getArray()) {
      std::optional<unsigned> Place = moveAxis(Axis.getInt(), *Q.Old[0], *Data);
      if (!Place)
        return LayoutAnswer::unknown();
      Moved.push_back(*Place);
    }
    Attributes =
        withField(Q.Ctx, *Q.Attributes, "axes", Q.Ctx.getIntArray(Moved));
  }
  return LayoutAnswer({Data, Data}, {Data}, Attributes);
}

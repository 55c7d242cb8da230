//===- Tensor.cpp - Making and reshaping tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Tensor.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Tensor.h"
#include "relay/IR/Constant.h"
#include "relay/Ops/Relations.h"
#include "relay/Ops/ReshapeRelations.h"
#include <cmath>

#include "relay/Ops/Tensor.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations: creating tensors
//===----------------------------------------------------------------------===//

RelationResult relay::inferInitOp(TypeRelation &R) {
  const InitOpAttrs &A = R.getAttrs<InitOpAttrs>();
  if (!A.getSlot(0))
    return R.error("'shape' is missing");
  return R.setResult(R.getTensorType(A.shape(), A.dtype()));
}

/// fill_value: scalar -> the attribute's shape, with its dtype or fill_value's.
RelationResult relay::inferFull(TypeRelation &R) {
  const InitOpAttrs &A = R.getAttrs<InitOpAttrs>();
  const TensorType *Value = R.getTensor(0);
  if (!Value)
    return R.unresolved(0);
  if (failed(checkRank(R, "fill_value", Value, 0)))
    return RelationResult::Failed;
  if (!A.hasShape())
    return R.error("'shape' is missing");
  DType T = getOutDType(A.dtype(), Value->getDType());
  return R.setResult(R.getTensorType(A.shape(), T));
}

/// data: [..], fill_value: scalar -> the type of data.
RelationResult relay::inferFullLike(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  if (failed(checkRank(R, "fill_value", R.getTensor(1), 0)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

FailureOr<unsigned> relay::getNewAxis(TypeRelation &R, int64_t Axis,
                                      unsigned Rank) {
  if (Axis >= -1 && Axis <= int64_t(Rank))
    return Axis < 0 ? Rank : unsigned(Axis);
  R.error("'axis' is " + Twine(Axis) + ", neither -1 nor from 0 to " +
          Twine(Rank));
  return failure();
}

/// indices: [..] -> [..] with a new axis of length `depth`.
RelationResult relay::inferOneHot(TypeRelation &R) {
  const OneHotAttrs &A = R.getAttrs<OneHotAttrs>();
  const TensorType *Indices = R.getTensor(0);
  if (!Indices)
    return R.unresolved(0);
  if (failed(checkInt32(R, A.depth(), "depth")))
    return RelationResult::Failed;
  if (A.depth() <= 0)
    return R.error("'depth' is " + Twine(A.depth()));
  auto Axis = getNewAxis(R, A.axis(), Indices->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Shape Result(Indices->getShape());
  Result.insert(Result.begin() + *Axis, Dim::get(A.depth()));
  return R.setResult(R.getTensorType(Result, A.dtype()));
}

/// Returns the fields of operand 0, a tuple of at least one tensor; on failure
/// sets \p Out, also if the operand is unknown.
static auto getTensorsOfTuple(TypeRelation &R, RelationResult &Out) {
  auto Tensors = R.getTensorFields(0, Out);
  if (succeeded(Tensors) && Tensors->empty()) {
    Out = R.error("the tuple is empty");
    Tensors = failure();
  }
  return Tensors;
}

/// Tuple of vectors [a], [b], ... -> the same number of tensors [a, b, ...];
/// with "xy" the first two axes are swapped.
RelationResult relay::inferMeshgrid(TypeRelation &R) {
  RelationResult Out;
  auto Tensors = getTensorsOfTuple(R, Out);
  if (failed(Tensors))
    return Out;
  DType T = Tensors->front()->getDType();
  Shape Grid;
  for (const TensorType *Vector : *Tensors) {
    if (Vector->getRank() > 1)
      return R.error("a field of the tuple is neither a vector nor a scalar");
    if (failed(checkSameDType(R, Tensors->front(), Vector)))
      return RelationResult::Failed;
    Grid.push_back(Vector->isScalar() ? Dim::get(1) : Vector->getDim(0));
  }
  if (R.getAttrs<MeshgridAttrs>().indexing() == "xy" && Grid.size() > 1)
    std::swap(Grid[0], Grid[1]);
  SmallVector<Type *> Fields(Grid.size(), R.getTensorType(Grid, T));
  return R.setResult(R.getTupleType(Fields));
}

/// data: [..] -> scalar.
RelationResult relay::inferNdarraySize(TypeRelation &R) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  DType T = R.getAttrs<NdarraySizeAttrs>().dtype();
  return R.setResult(R.getTensorType({}, T));
}

/// Returns the number of steps from \p Start to \p Stop; failure if there is
/// none.
static FailureOr<int32_t> countSteps(double Start, double Stop, double Step) {
  double Count = std::ceil((Stop - Start) / Step);
  if (!(Count > 0) || Count > std::numeric_limits<int32_t>::max())
    return failure();
  return int32_t(Count);
}

/// Three scalars -> [number of steps], which is known if they are constants.
RelationResult relay::inferArange(TypeRelation &R) {
  DType T = R.getAttrs<ArangeAttrs>().dtype();
  double Values[3] = {};
  bool IsConstant = true;
  for (unsigned I = 0; I != 3; ++I) {
    if (failed(R.setOperand(I, R.getTensorType({}, T))))
      return RelationResult::Failed;
    const ConstantData *C = R.getConstant(I);
    IsConstant &= C && C->isScalar() && hasElementType(C->getDType());
    if (IsConstant)
      Values[I] = C->getDouble();
  }
  if (!IsConstant)
    return R.setResult(R.getTensorType({Dim::getAny()}, T));
  auto Count = countSteps(Values[0], Values[1], Values[2]);
  if (failed(Count))
    return R.error("there is no step from start to end");
  return R.setResult(R.getTensorType({Dim::get(*Count)}, T));
}

/// data: [..] of rank N -> [N]; a scalar for a scalar.
RelationResult relay::inferShapeOf(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  Shape Out;
  if (!Data->isScalar())
    Out.push_back(Dim::get(Data->getRank()));
  return R.setResult(R.getTensorType(Out, R.getAttrs<ShapeOfAttrs>().dtype()));
}

//===----------------------------------------------------------------------===//
// Type relations: changing the shape
//===----------------------------------------------------------------------===//

/// data: [..] -> [..] without the axes of `axis`, or without all axes of length
/// 1.
RelationResult relay::inferSqueeze(TypeRelation &R) {
  const SqueezeAttrs &A = R.getAttrs<SqueezeAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  SmallVector<bool, 6> Dropped(Data->getRank(), false);
  if (A.hasAxis()) {
    auto Axes = getAxes(R, A.axis(), Data->getRank());
    if (failed(Axes))
      return RelationResult::Failed;
    for (unsigned Axis : *Axes) {
      if (!mayEqual(Data->getDim(Axis), Dim::get(1)))
        return R.error("axis " + Twine(Axis) + " does not have length 1");
      Dropped[Axis] = true;
    }
  } else {
    for (auto [D, Drop] : llvm::zip(Data->getShape(), Dropped)) {
      if (!D.isConst())
        return R.error("'axis' is needed where lengths are not known");
      Drop = D.isConst(1);
    }
  }
  Shape Result;
  for (auto [D, Drop] : llvm::zip(Data->getShape(), Dropped))
    if (!Drop)
      Result.push_back(D);
  return R.setResult(R.getTensorType(Result, Data->getDType()));
}

/// As reshape, with the shape and `newshape` read backwards.
RelationResult relay::inferReverseReshape(TypeRelation &R) {
  const ReshapeAttrs &A = R.getAttrs<ReshapeAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  Shape Old(llvm::reverse(Data->getShape()));
  Shape New(llvm::reverse(A.newshape()));
  auto Result = inferNewShape(R, Old, New, A.allowzero());
  if (failed(Result))
    return RelationResult::Failed;
  if (failed(checkSameSize(R, Old, *Result)))
    return RelationResult::Failed;
  std::reverse(Result->begin(), Result->end());
  return R.setResult(R.getTensorType(*Result, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Type relations: concatenating and splitting
//===----------------------------------------------------------------------===//

/// `axis` may also be Rank: the end.
RelationResult relay::inferExpandDims(TypeRelation &R) {
  const ExpandDimsAttrs &A = R.getAttrs<ExpandDimsAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Axis = normalizeAxis(A.axis(), Data->getRank() + 1);
  if (!Axis)
    return R.error("'axis' is " + Twine(A.axis()) + ", out of range");
  if (A.numNewaxis() < 0 || A.numNewaxis() > MaxRank)
    return R.error("'num_newaxis' is " + Twine(A.numNewaxis()) +
                   ", out of range");
  Shape Out(Data->getShape());
  Out.insert(Out.begin() + *Axis, A.numNewaxis(), Dim::get(1));
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

/// Returns the extent of the result on an axis on which all concatenated
/// tensors, with extents \p Dims, must agree; null if they differ.
static Dim joinConcatenated(ArrayRef<Dim> Dims, bool IsDynamic) {
  Dim Known;
  bool AllKnown = true;
  for (Dim D : Dims) {
    AllKnown &= !D.isAny();
    if (D.isAny())
      continue;
    if (Known && !mayEqual(Known, D))
      return {};
    if (!Known)
      Known = D;
  }
  // As in TVM: a `?` takes precedence over the others unless the length is
  // unknown, too.
  return Known && (AllKnown || IsDynamic) ? Known : Dim::getAny();
}

static LogicalResult checkConcatenated(TypeRelation &R,
                                       ArrayRef<const TensorType *> Tensors) {
  for (const TensorType *T : Tensors) {
    if (T->getRank() != Tensors[0]->getRank()) {
      R.error("tensors have different ranks");
      return failure();
    }
    if (T->getDType() != Tensors[0]->getDType()) {
      R.error("tensors have different data types");
      return failure();
    }
  }
  return success();
}

/// Tuple of tensors of one rank -> the sum of their lengths along `axis`.
RelationResult relay::inferConcatenate(TypeRelation &R) {
  RelationResult Out;
  auto Tensors = getTensorsOfTuple(R, Out);
  if (failed(Tensors))
    return Out;
  unsigned Rank = Tensors->front()->getRank();
  auto Axis = getAxis(R, R.getAttrs<ConcatenateAttrs>().axis(), Rank);
  if (failed(Axis) || failed(checkConcatenated(R, *Tensors)))
    return RelationResult::Failed;

  DimMath Math(R.getContext());
  Shape Result(Tensors->front()->getShape());
  for (const TensorType *T : ArrayRef(*Tensors).drop_front())
    Result[*Axis] = Math.add(Result[*Axis], T->getDim(*Axis));
  for (unsigned I = 0; I != Rank; ++I) {
    if (I == *Axis)
      continue;
    Shape Dims;
    for (const TensorType *T : *Tensors)
      Dims.push_back(T->getDim(I));
    Result[I] = joinConcatenated(Dims, Result[*Axis].isAny());
    if (!Result[I])
      return R.error("tensors differ on axis " + Twine(I) +
                     ", which is not the one of concatenation");
  }
  DType T = Tensors->front()->getDType();
  return R.setResult(R.getTensorType(Result, T));
}

/// Tuple of n tensors of one shape -> that shape with a new axis of length n.
RelationResult relay::inferStack(TypeRelation &R) {
  RelationResult Out;
  auto Tensors = getTensorsOfTuple(R, Out);
  if (failed(Tensors))
    return Out;
  unsigned Rank = Tensors->front()->getRank();
  auto Axis = getAxis(R, R.getAttrs<StackAttrs>().axis(), Rank + 1);
  if (failed(Axis) || failed(checkConcatenated(R, *Tensors)))
    return RelationResult::Failed;
  Shape Result(Tensors->front()->getShape());
  for (unsigned I = 0; I != Rank; ++I)
    for (const TensorType *T : *Tensors)
      if (!mayEqual(Result[I], T->getDim(I)))
        return R.error("tensors differ on axis " + Twine(I));
  Result.insert(Result.begin() + *Axis, Dim::get(Tensors->size()));
  DType T = Tensors->front()->getDType();
  return R.setResult(R.getTensorType(Result, T));
}

/// Splits into \p Sections parts of the same length.
static RelationResult splitEvenly(TypeRelation &R, const TensorType *Data,
                                  unsigned Axis, int64_t Sections) {
  constexpr int64_t MaxSections = 1 << 20;
  if (Sections <= 0 || Sections > MaxSections)
    return R.error("'indices_or_sections' is " + Twine(Sections) +
                   ", out of range");
  DimMath Math(R.getContext());
  Dim Length = Data->getDim(Axis);
  if (!mayEqual(Math.floorMod(Length, Sections), Dim::get(0)))
    return R.error(Twine(Sections) + " sections do not divide the axis of " +
                   Twine(Length.getInt()));
  Shape Part(Data->getShape());
  Part[Axis] = Math.floorDiv(Length, Sections);
  SmallVector<Type *> Fields(Sections, R.getTensorType(Part, Data->getDType()));
  return R.setResult(R.getTupleType(Fields));
}

/// Splits before each of the positions \p Indices.
static RelationResult splitAt(TypeRelation &R, const TensorType *Data,
                              unsigned Axis, ArrayRef<Attr> Indices) {
  DimMath Math(R.getContext());
  Shape Part(Data->getShape());
  SmallVector<Type *> Fields;
  int64_t Begin = 0;
  auto Push = [&](Dim Length) {
    Part[Axis] = Length;
    Fields.push_back(R.getTensorType(Part, Data->getDType()));
  };
  for (Attr Index : Indices) {
    if (!Index.isInt() || Index.getInt() <= Begin)
      return R.error("'indices_or_sections' is not strictly increasing from 1");
    Push(Math.get(Index.getInt() - Begin));
    Begin = Index.getInt();
  }
  Dim Length = Data->getDim(Axis);
  if (Length.isConst() && Begin >= Length.getInt())
    return R.error("'indices_or_sections' goes beyond the axis of " +
                   Twine(Length.getInt()));
  Push(Math.sub(Length, Begin));
  return R.setResult(R.getTupleType(Fields));
}

RelationResult relay::inferSplit(TypeRelation &R) {
  const SplitAttrs &A = R.getAttrs<SplitAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Axis = getAxis(R, A.axis(), Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Attr Places = A.indicesOrSections();
  if (Places.isInt())
    return splitEvenly(R, Data, *Axis, Places.getInt());
  return splitAt(R, Data, *Axis, Places.getArray());
}

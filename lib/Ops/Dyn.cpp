//===- Dyn.cpp - Operators with computed shapes ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Dyn.td: extents that depend on data become `?`.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Dyn.h"
#include "relay/Ops/Relations.h"
#include "relay/Ops/Sparse.h"

#include "relay/Ops/Dyn.cpp.inc"

using namespace relay;

/// Sets the result to a tensor of \p T with \p Rank axes of unknown length.
static RelationResult setUnknown(TypeRelation &R, unsigned Rank, DType T) {
  Shape Out(Rank, Dim::getAny());
  return R.setResult(R.getTensorType(Out, T));
}

/// As setUnknown; the vector of operand \p I determines the rank.
static RelationResult setOfLength(TypeRelation &R, unsigned I, DType T) {
  FailureOr<unsigned> Rank = getVectorLength(R, I);
  return failed(Rank) ? RelationResult::Failed : setUnknown(R, *Rank, T);
}

//===----------------------------------------------------------------------===//
// Creating tensors
//===----------------------------------------------------------------------===//

// shape: [n] -> n axes of `?`, with the attribute's dtype.
RelationResult relay::inferDynInit(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return setOfLength(R, 0, R.getAttrs<InitOpAttrs>().dtype());
}

// fill_value: scalar, shape: [n] -> n axes of `?`.
RelationResult relay::inferDynFull(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Value = R.getTensor(0);
  if (failed(checkRank(R, "fill_value", Value, 0)))
    return RelationResult::Failed;
  DType Wanted = R.getAttrs<InitOpAttrs>().dtype();
  return setOfLength(R, 1, getOutDType(Wanted, Value->getDType()));
}

// indices: [..] -> [..] with a new axis of unknown length.
RelationResult relay::inferDynOneHot(TypeRelation &R) {
  const TensorType *Indices = R.getTensor(0);
  if (!Indices)
    return R.unresolved(0);
  const auto &A = R.getAttrs<OneHotAttrs>();
  auto Axis = getNewAxis(R, A.axis(), Indices->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Shape Out(Indices->getShape());
  Out.insert(Out.begin() + *Axis, Dim::getAny());
  return R.setResult(R.getTensorType(Out, A.dtype()));
}

//===----------------------------------------------------------------------===//
// Changing the shape
//===----------------------------------------------------------------------===//

RelationResult relay::inferDynReshape(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return setOfLength(R, 1, R.getTensor(0)->getDType());
}

// data: [..], axis: scalar -> data's rank plus the attribute's number of axes.
RelationResult relay::inferDynExpandDims(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  int64_t NewAxes = R.getAttrs<DynExpandDimsAttrs>().numNewaxis();
  if (failed(checkRank(R, "axis", R.getTensor(1), 0)))
    return RelationResult::Failed;
  if (NewAxes < 0 || NewAxes > MaxRank)
    return R.error("'num_newaxis' is " + Twine(NewAxes) + ", out of range");
  return setUnknown(R, Data->getRank() + NewAxes, Data->getDType());
}

// data: [..], axes: [n] -> n fewer axes.
RelationResult relay::inferDynSqueeze(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  FailureOr<unsigned> Count = getVectorLength(R, 1);
  if (failed(Count) || failed(checkRank(R, "axes", R.getTensor(1), 1)))
    return RelationResult::Failed;
  if (*Count > Data->getRank())
    return R.error(countOf(*Count, "axis") + " to drop of " +
                   Twine(Data->getRank()));
  return setUnknown(R, Data->getRank() - *Count, Data->getDType());
}

// data: [..], reps: [n] -> the greater of both ranks.
RelationResult relay::inferDynTile(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  FailureOr<unsigned> Count = getVectorLength(R, 1);
  if (failed(Count))
    return RelationResult::Failed;
  return setUnknown(R, std::max(Data->getRank(), *Count), Data->getDType());
}

RelationResult relay::inferDynBroadcastTo(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return setOfLength(R, 1, R.getTensor(0)->getDType());
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

// data: [..], begin: [n] -> the first n axes have unknown length, the others
// are unchanged. As in TVM, end and strides may be anything.
RelationResult relay::inferDynStridedSlice(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1}))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  FailureOr<unsigned> Count = getVectorLength(R, 1);
  if (failed(Count))
    return RelationResult::Failed;
  if (*Count > Data->getRank())
    return R.error("begin has " + countOf(*Count, "number") + " for rank " +
                   Twine(Data->getRank()));
  Shape Out(Data->getShape());
  std::fill_n(Out.begin(), *Count, Dim::getAny());
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

RelationResult relay::inferDynTopk(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *K = R.getTensor(1);
  if (!K->isScalar() && (K->getRank() != 1 || !K->getDim(0).isConst(1)))
    return R.error("k is neither a scalar nor a vector of one number");
  return setTopkResult(R, R.getAttrs<TopkAttrs>(), Dim::getAny());
}

RelationResult relay::inferDynSparseToDense(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  if (failed(checkSparseValues(R)))
    return RelationResult::Failed;
  return setOfLength(R, 3, R.getTensor(1)->getDType());
}

//===----------------------------------------------------------------------===//
// Padding and resizing
//===----------------------------------------------------------------------===//

RelationResult relay::inferDynPad(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  if (failed(checkRank(R, "pad_width", R.getTensor(1), 2)))
    return RelationResult::Failed;
  return setUnknown(R, Data->getRank(), Data->getDType());
}

/// Makes the axes from 2 on of data, in a layout of \p Canonical, unknown.
static RelationResult setUnknownSpatial(TypeRelation &R, StringRef Layout,
                                        StringRef Canonical,
                                        DType Element = DType::getVoid()) {
  std::optional<LayoutMap> Map;
  auto Out = getDataShape(R, Layout, Canonical, Map);
  if (failed(Out))
    return RelationResult::Failed;
  std::fill(Out->begin() + 2, Out->end(), Dim::getAny());
  return setResultInLayout(R, *Map, *Out, Element);
}

RelationResult relay::inferDynUpSampling(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  for (unsigned I : {1, 2})
    if (failed(checkRank(R, R.getInfo().OperandNames[I], R.getTensor(I), 0)))
      return RelationResult::Failed;
  return setUnknownSpatial(R, R.getAttrs<UpSamplingAttrs>().layout(), "NCHW");
}

// As in TVM, the shapes of the scales are ignored.
RelationResult relay::inferDynUpSampling3D(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return setUnknownSpatial(R, R.getAttrs<UpSampling3DAttrs>().layout(),
                           "NCDHW");
}

RelationResult relay::inferDynResize2D(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<Resize2DAttrs>();
  return setUnknownSpatial(R, A.layout(), "NCHW", A.outDtype());
}

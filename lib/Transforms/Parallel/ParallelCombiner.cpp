//===- ParallelCombiner.cpp - Combine parallel calls ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combines levels until the combined operation no longer has the concatenated
// type of the branches. TVM continues and creates ill-typed modules, such as
// for `repeat` along the channel axis. Operations of the branches that have
// other uses stay.
//
//===----------------------------------------------------------------------===//

#include "ParallelCombiner.h"
#include "GroupOrder.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Tensor.h"
#include <numeric>

using namespace relay;

SmallVector<Value *, 4> ParallelCombiner::getOperands(const ParallelGroup &G,
                                                      unsigned L, unsigned I) {
  SmallVector<Value *, 4> Operands;
  for (Operation *Op : G.Levels[L].Ops)
    Operands.push_back(Op->getOperand(I));
  return Operands;
}

void ParallelCombiner::setLocOf(ArrayRef<Operation *> Ops) {
  SmallVector<Location, 4> Locations;
  for (Operation *Op : Ops)
    Locations.push_back(Op->getLoc());
  R.setLoc(R.getContext().getLocations().fuse(Locations));
}

/// Combines the level \p L of \p G, given the combination of the previous
/// level; null if it does not contain the results of the branches.
Operation *ParallelCombiner::combineLevel(const ParallelGroup &G, unsigned L,
                                          Operation *Previous) {
  setLocOf(G.Levels[L].Ops);
  Operation *Combined;
  if (!L) {
    Combined = combineCalls(G);
  } else {
    const Operation *First = G.Levels[L].Ops.front();
    SmallVector<Value *, 4> Operands;
    for (unsigned I = 0; I != First->getNumOperands(); ++I)
      Operands.push_back(I == G.Levels[L].Parent ? Previous
                                                 : combineOperands(G, L, I));
    Combined = R.createOperation(First->getInfo(), Operands, First->getAttrs());
  }
  auto *T = dyn_cast_or_null<TensorType>(Combined->getType());
  return T && holdsResults(G, L, T) ? Combined : nullptr;
}

/// The operation before \p Op in its block; null if there is none.
static Operation *getPrevious(Operation *Op) {
  auto It = Op->getIterator();
  return It == Op->getBlock()->begin() ? nullptr : &*std::prev(It);
}

void ParallelCombiner::combine(const ParallelGroup &G) {
  Operation *Point = G.getCalls().front(), *Combined = nullptr;
  R.setInsertionPoint(Point);
  unsigned NumLevels = 0;
  for (; NumLevels != G.Levels.size(); ++NumLevels) {
    Operation *Before = getPrevious(Point);
    Operation *Next = combineLevel(G, NumLevels, Combined);
    if (!Next) {
      while (getPrevious(Point) != Before)
        R.eraseOp(getPrevious(Point));
      break;
    }
    Combined = Next;
  }
  if (!NumLevels)
    return;
  ArrayRef<Operation *> Replaced = G.Levels[NumLevels - 1].Ops;
  SmallVector<Value *, 4> Results =
      takeResults(G, NumLevels - 1, Combined,
                  [&](unsigned I) { R.setLoc(Replaced[I]->getLoc()); });
  for (auto [Op, Result] : llvm::zip(Replaced, Results)) {
    TypesChange |= Op->getType() != Result->getType();
    R.replaceOpAndRetype(Op, Result);
  }
  ++NumGroups;
  NumCalls += G.getNumBranches();
}

LogicalResult ParallelCombiner::combine(unsigned MinBranches) {
  SmallVector<ParallelGroup, 0> Groups =
      findParallelGroups(F, *this, MinBranches);
  if (Groups.empty())
    return success();
  dropCyclicGroups(F, Groups);
  for (const ParallelGroup &G : Groups)
    if (R.startRewrite("combine", G.getCalls().front()))
      combine(G);
  return TypesChange ? retype(F) : success();
}

//===----------------------------------------------------------------------===//
// One after the other along an axis
//===----------------------------------------------------------------------===//

bool relay::canConcatenate(TensorType *A, TensorType *B, unsigned Axis) {
  if (A->getDType() != B->getDType() || A->getRank() != B->getRank() ||
      Axis >= A->getRank())
    return false;
  for (unsigned I = 0; I != A->getRank(); ++I) {
    Dim DimA = A->getDim(I), DimB = B->getDim(I);
    if (I == Axis ? !DimA.isConst() || !DimB.isConst()
                  : DimA != DimB || DimA.isAny())
      return false;
  }
  return true;
}

TensorType *relay::withoutAxis(Context &Ctx, TensorType *T, unsigned Axis) {
  SmallVector<Dim, 4> Shape(T->getShape());
  Shape[Axis] = Dim::get(0);
  return Ctx.getTensorType(Shape, T->getDType());
}

SmallVector<int64_t, 4>
ConcatenatingCombiner::getExtents(const ParallelGroup &G) const {
  SmallVector<int64_t, 4> Extents;
  for (const Operation *Call : G.getCalls())
    Extents.push_back(getTensorType(Call)->getDim(getAxis(G, 0)).getInt());
  return Extents;
}

int64_t ConcatenatingCombiner::getExtent(const ParallelGroup &G) const {
  SmallVector<int64_t, 4> Extents = getExtents(G);
  return std::accumulate(Extents.begin(), Extents.end(), int64_t(0));
}

Operation *ConcatenatingCombiner::concatenate(ArrayRef<Value *> Values,
                                              int64_t Axis) {
  return R.create<ConcatenateOp>(R.create<TupleOp>(Values), Axis);
}

bool ConcatenatingCombiner::holdsResults(const ParallelGroup &G, unsigned L,
                                         TensorType *Combined) {
  unsigned Axis = getAxis(G, L);
  if (Axis >= Combined->getRank() ||
      !Combined->getDim(Axis).isConst(getExtent(G)))
    return false;
  TensorType *Rest = withoutAxis(R.getContext(), Combined, Axis);
  for (auto [Op, Extent] : llvm::zip(G.Levels[L].Ops, getExtents(G))) {
    TensorType *T = getTensorType(Op);
    if (Axis >= T->getRank() || !T->getDim(Axis).isConst(Extent) ||
        withoutAxis(R.getContext(), T, Axis) != Rest)
      return false;
  }
  return true;
}

SmallVector<Value *, 4>
ConcatenatingCombiner::takeResults(const ParallelGroup &G, unsigned L,
                                   Operation *Combined,
                                   function_ref<void(unsigned)> SetLoc) {
  unsigned Axis = getAxis(G, L), NumSliced = getNumSliced(G, L);
  SmallVector<int64_t, 4> Begin(NumSliced, 0), Size(NumSliced, -1),
      Strides(NumSliced, 1);
  SmallVector<Value *, 4> Results;
  for (auto [I, Extent] : llvm::enumerate(getExtents(G))) {
    Size[Axis] = Extent;
    SetLoc(I);
    Results.push_back(R.create<StridedSliceOp>(Combined, Begin, Size, Strides,
                                               "size", std::nullopt));
    Begin[Axis] += Extent;
  }
  return Results;
}

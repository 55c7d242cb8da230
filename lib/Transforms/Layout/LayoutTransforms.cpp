//===- LayoutTransforms.cpp - Values in other layouts ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// layout_transform and expand_dims; see LayoutTransforms.h.
//
//===----------------------------------------------------------------------===//

#include "LayoutTransforms.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Whether lengths \p L and \p R may be the same.
static bool mayBeEqual(Dim L, Dim R) {
  return !L.isConst() || !R.isConst() || L.getInt() == R.getInt();
}

static bool mayBeEqual(ArrayRef<Dim> L, ArrayRef<Dim> R) {
  return L.size() == R.size() && llvm::all_of(llvm::zip(L, R), [](auto Pair) {
           return mayBeEqual(std::get<0>(Pair), std::get<1>(Pair));
         });
}

/// \p Shape of the layout \p From in the layout \p To; none when it could not
/// be brought back.
static std::optional<SmallVector<Dim, 6>> convertShape(Context &Ctx,
                                                       ArrayRef<Dim> Shape,
                                                       const Layout &From,
                                                       const Layout &To) {
  std::optional<LayoutMap> Map = LayoutMap::get(From, To);
  if (!Map)
    return std::nullopt;
  auto There = Map->forward(Ctx, Shape);
  if (failed(There))
    return std::nullopt;
  auto Back = Map->backward(Ctx, *There);
  if (failed(Back) || !mayBeEqual(*Back, Shape))
    return std::nullopt;
  return *There;
}

bool LayoutTransforms::mayBecome(Context &Ctx, Type *OldType, const Layout &Old,
                                 Type *NewType, const Layout &New) {
  auto *From = dyn_cast_or_null<TensorType>(OldType);
  auto *To = dyn_cast_or_null<TensorType>(NewType);
  if (!From || !To || From->getDType() != To->getDType())
    return false;
  if (&Old == &New)
    return mayBeEqual(From->getShape(), To->getShape());
  auto Shape = convertShape(Ctx, From->getShape(), Old, New);
  return Shape && mayBeEqual(*Shape, To->getShape());
}

//===----------------------------------------------------------------------===//
// Making operations
//===----------------------------------------------------------------------===//

bool LayoutTransforms::isMade(Value *V) const {
  Operation *Op = V->getDefiningOp();
  return Op && !Op->isBound() && Made.contains(V);
}

void LayoutTransforms::setInsertionPointBehind(Value *V) {
  if (Operation *Op = V->getDefiningOp())
    R.setInsertionPointAfter(Op);
  else
    R.setInsertionPointToStart(*V->getParentBlock());
}

Value *LayoutTransforms::transform(Value *V, LayoutRef From, LayoutRef To) {
  if (From == To)
    return V;
  auto [It, IsNew] = Memo.try_emplace({V, {From, To}}, nullptr);
  if (IsNew) {
    Rewriter::InsertionGuard Guard(R);
    setInsertionPointBehind(V);
    It->second = make(V, *From, *To);
  }
  return It->second;
}

/// \p L with the axes of \p Other that it lacks in front.
static std::optional<Layout> addAxes(const Layout &L, const Layout &Other) {
  SmallVector<Layout::Axis, 6> Axes;
  for (Layout::Axis A : Other.getAxes())
    if (A.isPrimal() && !L.contains(A.Name))
      Axes.push_back(A);
  Axes.append(L.getAxes().begin(), L.getAxes().end());
  return Layout::get(Axes);
}

Value *LayoutTransforms::make(Value *V, const Layout &From, const Layout &To) {
  auto *T = dyn_cast_or_null<TensorType>(V->getType());
  if (!T || T->getRank() != From.getRank())
    return nullptr;
  std::optional<Layout> Source = From;
  unsigned NumNew = 0;
  if (From.getNumPrimal() < To.getNumPrimal()) {
    bool IsOne =
        llvm::all_of(T->getShape(), [](Dim D) { return D.isConst(1); });
    if (IsOne && !isMade(V))
      return V;
    Source = addAxes(From, To);
    NumNew = Source->getRank() - From.getRank();
  }
  SmallVector<Dim, 6> Shape(NumNew, Dim::get(1));
  Shape.append(T->getShape().begin(), T->getShape().end());
  if (!convertShape(R.getContext(), Shape, *Source, To))
    return nullptr;
  if (NumNew)
    V = R.create<ExpandDimsOp>(V, /*Axis=*/0, NumNew);
  if (Source->getAxes() != To.getAxes()) {
    V = R.create<LayoutTransformOp>(V, Source->str(), To.str());
    ++NumMade;
  }
  noteMade(V);
  return V;
}

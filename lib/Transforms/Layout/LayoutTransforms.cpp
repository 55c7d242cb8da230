//===- LayoutTransforms.cpp - Transforms of values to layouts -------------===//
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
#include "TensorUtils.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Returns true if the lengths \p L and \p R may be equal.
static bool mayBeEqual(Dim L, Dim R) {
  return !L.isConst() || !R.isConst() || L.getInt() == R.getInt();
}

static bool mayBeEqual(ArrayRef<Dim> L, ArrayRef<Dim> R) {
  return L.size() == R.size() && llvm::all_of(llvm::zip(L, R), [](auto Pair) {
           return mayBeEqual(std::get<0>(Pair), std::get<1>(Pair));
         });
}

/// Converts \p Shape from the layout \p From to \p To. Returns none if the
/// conversion cannot be reversed.
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

bool LayoutTransforms::mayBecome(Type *OldType, LayoutRef Old, Type *NewType,
                                 LayoutRef New) {
  auto *From = dyn_cast_or_null<TensorType>(OldType);
  auto *To = dyn_cast_or_null<TensorType>(NewType);
  if (!From || !To || From->getDType() != To->getDType())
    return false;
  if (Old == New)
    return mayBeEqual(From->getShape(), To->getShape());
  if (Old->getNumPrimal() != New->getNumPrimal())
    return false;
  const Steps &S = getSteps(OldType, /*IsMade=*/true, Old, New);
  return S.Exist && mayBeEqual(S.Shape, To->getShape());
}

//===----------------------------------------------------------------------===//
// Creation of operations
//===----------------------------------------------------------------------===//

bool LayoutTransforms::isMade(Value *V) const {
  Operation *Op = V->getDefiningOp();
  return Op && !Op->isBound() && Made.contains(V);
}

Value *LayoutTransforms::transform(Value *V, LayoutRef From, LayoutRef To) {
  if (From == To)
    return V;
  auto [It, IsNew] = Memo.try_emplace({V, {From, To}}, nullptr);
  if (IsNew) {
    Rewriter::InsertionGuard Guard(R);
    setInsertionPointAfter(R, V);
    It->second = make(V, From, To);
  }
  return It->second;
}

/// Returns \p L with the axes of \p Other that it lacks added in front.
static std::optional<Layout> addAxes(const Layout &L, const Layout &Other) {
  SmallVector<Layout::Axis, 6> Axes;
  for (Layout::Axis A : Other.getAxes())
    if (A.isPrimal() && !L.contains(A.Name))
      Axes.push_back(A);
  Axes.append(L.getAxes().begin(), L.getAxes().end());
  return Layout::get(Axes);
}

/// Returns the steps for a value of type \p T, which are computed once.
const LayoutTransforms::Steps &
LayoutTransforms::getSteps(Type *T, bool IsMade, LayoutRef From, LayoutRef To) {
  auto [It, IsNew] =
      KnownSteps.try_emplace({{T, unsigned(IsMade)}, {From, To}});
  Steps &S = It->second;
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  if (!IsNew || !Tensor || Tensor->getRank() != From->getRank())
    return S;
  S.Source = *From;
  if (From->getNumPrimal() < To->getNumPrimal()) {
    S.Stays = !IsMade && llvm::all_of(Tensor->getShape(),
                                      [](Dim D) { return D.isConst(1); });
    if (S.Stays) {
      S.Shape.assign(Tensor->getShape().begin(), Tensor->getShape().end());
      S.Exist = true;
      return S;
    }
    std::optional<Layout> Source = addAxes(*From, *To);
    if (!Source)
      return S;
    S.Source = *Source;
    S.NumNew = S.Source.getRank() - From->getRank();
  }
  SmallVector<Dim, 6> Shape(S.NumNew, Dim::get(1));
  Shape.append(Tensor->getShape().begin(), Tensor->getShape().end());
  if (auto Converted = convertShape(R.getContext(), Shape, S.Source, *To)) {
    S.Shape = std::move(*Converted);
    S.Exist = true;
  }
  return S;
}

Type *LayoutTransforms::getType(Type *T, bool IsMade, LayoutRef From,
                                LayoutRef To) {
  if (From == To)
    return T;
  const Steps &S = getSteps(T, IsMade, From, To);
  if (!S.Exist)
    return nullptr;
  return R.getContext().getTensorType(S.Shape, cast<TensorType>(T)->getDType());
}

Value *LayoutTransforms::make(Value *V, LayoutRef From, LayoutRef To) {
  const Steps &S = getSteps(V->getType(), isMade(V), From, To);
  if (!S.Exist)
    return nullptr;
  if (S.Stays)
    return V;
  if (S.NumNew)
    V = R.create<ExpandDimsOp>(V, /*Axis=*/0, S.NumNew);
  if (S.Source.getAxes() != To->getAxes()) {
    V = R.create<LayoutTransformOp>(V, S.Source.str(), To->str());
    ++NumMade;
  }
  noteMade(V);
  return V;
}

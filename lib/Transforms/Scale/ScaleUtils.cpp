//===- ScaleUtils.cpp - Factors along axes --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ScaleUtils.h. Creates the same operations as TVM, so that results are
// structurally equal.
//
//===----------------------------------------------------------------------===//

#include "ScaleUtils.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Transforms/Scale/ScaleAxis.h.inc"

using namespace relay;

SmallVector<Value *, 2> ForwardScale::getOperands() const {
  SmallVector<Value *, 2> Operands(Op.operands());
  Operands[Index] = Operand.V;
  return Operands;
}

BackwardScale::BackwardScale(const Operation &Op, AxisScale Scale,
                             SmallVector<ScaleRequest, 2> Requests)
    : Op(&Op), Scale(std::move(Scale)), Requests(std::move(Requests)),
      Operands(Op.operands()) {}

Operation *relay::recreate(Builder &B, const Operation &Op,
                           ArrayRef<Value *> Operands) {
  return B.createTypedOperation(Op.getInfo(), Operands, Op.getAttrs(),
                                Op.getType());
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

bool relay::isAlongAxes(const TensorType *Data, const TensorType *V,
                        ArrayRef<unsigned> Axes) {
  unsigned Rank = Data->getRank();
  if (V->getRank() > Rank)
    return false;
  unsigned NumMissing = Rank - V->getRank();
  if (llvm::any_of(Axes, [&](unsigned Axis) { return Axis < NumMissing; }))
    return false;
  for (unsigned I = NumMissing; I != Rank; ++I) {
    Dim D = V->getDim(I - NumMissing);
    bool IsScaled = llvm::is_contained(Axes, I);
    if (IsScaled ? D.isAny() || D != Data->getDim(I) : !D.isConst(1))
      return false;
  }
  return true;
}

/// Returns true if \p Data has known extents along \p Axes.
static bool hasExtents(const TensorType *Data, ArrayRef<unsigned> Axes) {
  return llvm::all_of(
      Axes, [&](unsigned Axis) { return Data->getDim(Axis).isConst(); });
}

/// Returns the constant that \p V is or rearranges; null if there is none.
static const ConstantData *getRearrangedData(const Value *V) {
  while (isa<ExpandDimsOp, ReshapeOp, TransposeOp, SqueezeOp, RepeatOp>(V))
    V = cast<Operation>(V)->getOperand(0);
  return getKnownData(V);
}

/// Returns true if \p Accept does for each element of \p Data, as a number.
static bool allNumbers(const ConstantData &Data,
                       function_ref<bool(double)> Accept) {
  bool All = false;
  dispatchDType(Data.getDType(), [&](auto Zero) {
    TensorView<decltype(Zero)> View = Data.getView<decltype(Zero)>();
    All = llvm::all_of(View.elements(), [&](auto Element) {
      double Number = toDouble(Element);
      return std::isfinite(Number) && Accept(Number);
    });
  });
  return All;
}

/// Returns true if the elements of \p Scale are known to be as \p Request
/// demands. As in TVM, constants of 16 bits are not known to be positive.
static bool hasAcceptedNumbers(const Value *Scale,
                               const ScaleRequest &Request) {
  if (!Request.MustBePositive && !Request.IsDivisor)
    return true;
  const ConstantData *Data = getRearrangedData(Scale);
  if (!Data || (Request.MustBePositive && Data->getDType().getBits() == 16))
    return false;
  return allNumbers(*Data, [&](double Number) {
    return !(Request.MustBePositive && Number < 0) &&
           !(Request.IsDivisor && Number == 0);
  });
}

bool relay::isScaled(const Operation &Product, unsigned Data,
                     const ScaleRequest &Request) {
  const TensorType *Type = getTensor(Product.getOperand(Data));
  const Value *Scale = Product.getOperand(1 - Data);
  const TensorType *ScaleType = getTensor(Scale);
  if (!Type || !ScaleType || Product.getType() != Type)
    return false;
  bool Fits = ScaleType->getRank() == 0
                  ? hasExtents(Type, Request.Axes)
                  : isAlongAxes(Type, ScaleType, Request.Axes);
  return Fits && hasAcceptedNumbers(Scale, Request);
}

AxisScale relay::createScale(Builder &B, const Operation &Product,
                             unsigned Data, const ScaleRequest &Request) {
  const TensorType *Type = getTensor(Product.getOperand(Data));
  Value *Factor = Product.getOperand(1 - Data);
  unsigned Rank = getTensor(Factor)->getRank();
  if (Rank == 0) {
    Factor = B.create<ExpandDimsOp>(Factor, /*Axis=*/0, Request.Axes.size());
    for (auto [I, Axis] : llvm::enumerate(Request.Axes))
      Factor = B.create<RepeatOp>(Factor, Type->getDim(Axis).getInt(),
                                  /*Axis=*/int64_t(I));
    return {Factor, Request.Axes, Product.getLoc()};
  }
  SmallVector<int64_t, 4> Ones;
  for (unsigned I = 0; I != Rank; ++I)
    if (!llvm::is_contained(Request.Axes, I + Type->getRank() - Rank))
      Ones.push_back(I);
  if (!Ones.empty())
    Factor = B.create<SqueezeOp>(Factor, ArrayRef<int64_t>(Ones));
  return {Factor, Request.Axes, Product.getLoc()};
}

FixedScales::FixedScales(Function &F) {
  std::optional<ValuePurity> Purity = findEffects(F);
  if (!Purity)
    return;
  walk(F, [&](Operation *Op) {
    if (!isa<MultiplyOp>(Op))
      return;
    for (unsigned I : {0, 1})
      if (!Purity->isUsePure(Op->getOperand(I)))
        Fixed.insert({Op, I});
  });
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool relay::canAlignFactor(const TensorType *T, ArrayRef<unsigned> Axes) {
  return Axes.size() == 1 || hasExtents(T, Axes);
}

Value *relay::alignFactor(Builder &B, Value *Factor, const TensorType *T,
                          ArrayRef<unsigned> Axes) {
  unsigned Rank = T->getRank();
  if (Axes.size() == 1)
    return expandAlongAxis(B, Factor, Axes.front(), Rank);
  SmallVector<int64_t, 6> Shape(Rank, 1);
  for (unsigned Axis : Axes)
    Shape[Axis] = T->getDim(Axis).getInt();
  return B.create<ReshapeOp>(Factor, ArrayRef<int64_t>(Shape));
}

Value *relay::multiplyAlong(Builder &B, Value *V, Value *Factor,
                            ArrayRef<unsigned> Axes) {
  return B.create<MultiplyOp>(V, alignFactor(B, Factor, getTensor(V), Axes));
}

//===- FakeQuantization.cpp - Affine types and their arithmetic -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of affine types and the operations that rules create. See
// FakeQuantization.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/QNN/FakeQuantization.h"
#include "Fold/ConstantEvaluator.h"
#include "relay/IR/Core.h"
#include "relay/Ops/QNN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Affine types
//===----------------------------------------------------------------------===//

/// Returns true if \p V may have more than one element.
static bool isVectorParameter(const Value *V) {
  auto *T = dyn_cast_or_null<TensorType>(V->getType());
  return !T || llvm::any_of(T->getShape(), [](Dim D) { return !D.isConst(1); });
}

bool AffineType::isPerAxis() const {
  return isVectorParameter(Scale) || isVectorParameter(ZeroPoint);
}

/// Returns true if \p A and \p B compute the same from the same values. Gives
/// up on large computations.
static bool isSameComputation(Value *A, Value *B) {
  constexpr unsigned MaxPairs = 64;
  SmallVector<std::pair<Value *, Value *>, 8> Pairs = {{A, B}};
  for (unsigned I = 0; I != Pairs.size(); ++I) {
    auto [L, R] = Pairs[I];
    if (L == R)
      continue;
    auto *LOp = dyn_cast<Operation>(L), *ROp = dyn_cast<Operation>(R);
    if (I == MaxPairs || !LOp || !ROp || LOp->isBound() || ROp->isBound() ||
        &LOp->getInfo() != &ROp->getInfo() ||
        LOp->getAttrs() != ROp->getAttrs() ||
        LOp->getNumOperands() != ROp->getNumOperands() ||
        LOp->getNumRegions() || ROp->getNumRegions())
      return false;
    for (auto [LUse, RUse] : llvm::zip_equal(LOp->getUses(), ROp->getUses()))
      Pairs.push_back({LUse.get(), RUse.get()});
  }
  return true;
}

bool relay::isSameAffineType(const AffineType &A, const AffineType &B) {
  return A.ElementType == B.ElementType && A.Axis == B.Axis &&
         isSameComputation(A.Scale, B.Scale) &&
         isSameComputation(A.ZeroPoint, B.ZeroPoint);
}

/// Returns true if \p A and \p B differ by at most numpy.allclose's tolerance,
/// which is relative to B.
static bool isCloseNumber(double A, double B) {
  constexpr double Relative = 1e-5, Absolute = 1e-8;
  return A == B || (std::isfinite(B) &&
                    std::fabs(A - B) <= Absolute + Relative * std::fabs(B));
}

static std::optional<bool> isCloseData(const ConstantData &A,
                                       const ConstantData &B) {
  size_t NumA = A.getNumElements(), NumB = B.getNumElements();
  if (NumA != 1 && NumB != 1 &&
      A.getType()->getShape() != B.getType()->getShape())
    return std::nullopt;
  bool IsClose = true;
  for (size_t I = 0, E = std::max(NumA, NumB); I != E; ++I)
    IsClose &= isCloseNumber(A.getDouble(NumA == 1 ? 0 : I),
                             B.getDouble(NumB == 1 ? 0 : I));
  return IsClose;
}

//===----------------------------------------------------------------------===//
// AffineBuilder
//===----------------------------------------------------------------------===//

Value *AffineBuilder::fold(Value *V) {
  if (isa<ConstantOp>(V))
    return V;
  const ConstantData *Data = Folder.evaluate(V);
  return Data ? constant(Data->getType(), Data->getBuffer()) : V;
}

Value *AffineBuilder::foldCreated(Operation *Op) {
  Attr Data = Folder.evaluateCall(*Op);
  if (!Data)
    return Op;
  Op->erase();
  return create<ConstantOp>(ConstantAttrs::get(getContext(), Data));
}

std::optional<bool> AffineBuilder::isClose(Value *A, Value *B) {
  const ConstantData *DataA = Folder.evaluate(A), *DataB = Folder.evaluate(B);
  if (DataA && DataB)
    return isCloseData(*DataA, *DataB);
  return isSameComputation(A, B);
}

std::optional<bool> AffineBuilder::isClose(const AffineType &A,
                                           const AffineType &B) {
  std::optional<bool> Scale = isClose(A.Scale, B.Scale);
  if (!Scale || !*Scale)
    return Scale;
  std::optional<bool> ZeroPoint = isClose(A.ZeroPoint, B.ZeroPoint);
  if (!ZeroPoint || !*ZeroPoint)
    return ZeroPoint;
  return A.ElementType == B.ElementType;
}

bool AffineBuilder::isZero(Value *V) {
  if (auto Cast = dyn_cast<CastOp>(V))
    V = Cast.data();
  if (isa<ZerosLikeOp>(V))
    return true;
  const ConstantData *Data = Folder.evaluate(V);
  if (!Data)
    return false;
  for (size_t I = 0, E = Data->getNumElements(); I != E; ++I)
    if (Data->getInt(I) != 0)
      return false;
  return true;
}

/// Returns the axis of \p T, or the last one if \p V does not have it and the
/// scales do not vary.
static int64_t getValidAxis(const AffineType &T, const Value *V) {
  auto *Data = dyn_cast_or_null<TensorType>(V->getType());
  int64_t Rank = Data ? Data->getRank() : 0;
  bool IsValid = T.isPerAxis() || (T.Axis >= -Rank && T.Axis < Rank);
  return IsValid ? T.Axis : -1;
}

Value *AffineBuilder::requantize(Value *V, const AffineType &From, Value *Scale,
                                 Value *ZeroPoint, DType T) {
  RequantizeAttrs::Builder A(getContext());
  A.axis(getValidAxis(From, V)).outDtype(T);
  return create<QnnRequantizeOp>(V, From.Scale, From.ZeroPoint, Scale,
                                 ZeroPoint, A.get());
}

Value *AffineBuilder::dequantize(Value *V, const AffineType &T, DType Float) {
  return create<QnnDequantizeOp>(V, T.Scale, T.ZeroPoint, Float, T.Axis);
}

Value *AffineBuilder::quantize(Value *V, const AffineType &T, int64_t Axis) {
  return create<QnnQuantizeOp>(V, T.Scale, T.ZeroPoint, T.ElementType, Axis);
}

//===----------------------------------------------------------------------===//
// The operation to convert
//===----------------------------------------------------------------------===//

bool RegionPath::isInside(const Operation *Op) {
  Operation *User = std::exchange(IsFollowed, true) ? nullptr : Root;
  while (User && User->getNumOperands() && !isa<QnnDequantizeOp>(User)) {
    auto *Operand = dyn_cast<Operation>(User->getOperand(0));
    if (!Operand || !Operand->is(OpCode::Operator))
      break;
    if (!isa<QnnQuantizeOp>(User))
      Inside.insert(Operand);
    User = Operand;
  }
  return Inside.contains(Op);
}

Context &FakeQuantizedOp::getContext() const {
  return Op->getFunction()->getContext();
}

SmallVector<Value *, 4> FakeQuantizedOp::getOperands() const {
  SmallVector<Value *, 4> Values;
  for (const AffineValue *Operand : Operands)
    Values.push_back(Operand->V);
  return Values;
}

//===- SimplifyExpr.cpp - Simplify arithmetic, casts and shapes -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rules of SimplifyExpr.td and SimplifyExprPostAlterOp.td. Their
// constraints on types and constants are here, on layouts in
// SimplifyLayouts.cpp, and on binomials in SimplifyBinomial.cpp.
//
//===----------------------------------------------------------------------===//

#include "Fold/ConstantCalls.h"
#include "TensorUtils.h"
#include "relay/IR/ElementRange.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/SimplifyExpr.h.inc"
#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/SimplifyExprPostAlterOp.h.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static TensorType *getTensorType(Value *V) {
  return dyn_cast_or_null<TensorType>(V->getType());
}

/// The data type of \p V; none if it is not a tensor.
static DType getTensorDType(Value *V) {
  TensorType *T = getTensorType(V);
  return T ? T->getDType() : DType();
}

bool relay::hasStaticShape(Value *V) {
  TensorType *T = getTensorType(V);
  return T && T->isStatic();
}

/// A 0 in `newshape` copies an extent.
bool relay::hasStaticShapeWithoutZero(Value *V) {
  return hasStaticShape(V) && llvm::none_of(getTensorType(V)->getShape(),
                                            [](Dim D) { return D.isConst(0); });
}

bool relay::haveSameType(Value *A, Value *B) {
  return A->getType() && A->getType() == B->getType();
}

bool relay::keepsShape(Value *Call, Value *X, Value *Other) {
  const TensorType *Of = getTensorType(X), *Extra = getTensorType(Other);
  if (!haveSameType(Call, X) || !Of || !Extra ||
      Extra->getRank() > Of->getRank())
    return false;
  ArrayRef<Dim> Shape = Of->getShape().take_back(Extra->getRank());
  return llvm::all_of(llvm::zip(Shape, Extra->getShape()), [](auto Dims) {
    auto [OfX, OfOther] = Dims;
    return !OfX.isAny() || OfOther.isConst(1);
  });
}

ArrayRef<Dim> relay::getShapeOf(Rewriter &, Value *V) {
  return getTensorType(V)->getShape();
}

DType relay::getDTypeOf(Rewriter &, Value *V) { return getTensorDType(V); }

static bool hasElementsOfNumbers(Value *V) {
  return getTensorType(V) && hasElementType(getTensorDType(V));
}

bool relay::hasFloats(Value *V) { return isFloatTensor(V->getType()); }

bool relay::hasNumbers(Value *V) {
  return hasElementsOfNumbers(V) && !getTensorDType(V).isBool();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool relay::isNoConstant(Value *V) { return !getConstantData(V); }

/// A call of \p OpT with two constants, as a constant where it can be
/// evaluated.
template <typename OpT>
static Value *combineConstants(Rewriter &R, Value *A, Value *B) {
  if (Value *C = evaluateForConstants(R, OpT::getInfo(), nullptr, {A, B}))
    return C;
  return R.create<OpT>(A, B);
}

Value *relay::addConstants(Rewriter &R, Value *A, Value *B) {
  return combineConstants<AddOp>(R, A, B);
}

Value *relay::multiplyConstants(Rewriter &R, Value *A, Value *B) {
  return combineConstants<MultiplyOp>(R, A, B);
}

/// The scalar that \p V, a call of `full` or `full_like`, holds everywhere;
/// null for other calls.
static Value *getFillValue(Value *V) {
  if (auto Full = dyn_cast<FullOp>(V))
    return Full.fillValue();
  if (auto Full = dyn_cast<FullLikeOp>(V))
    return Full.fillValue();
  return nullptr;
}

static bool isCallOfZeros(Value *V) {
  return isa<ZerosOp>(V) || isa<ZerosLikeOp>(V);
}

bool relay::isFilledWith(Value *V, int64_t Number) {
  if (isCallOfZeros(V) || isa<OnesOp>(V) || isa<OnesLikeOp>(V))
    return Number == (isCallOfZeros(V) ? 0 : 1);
  Value *Fill = getFillValue(V);
  const ConstantData *Data = getConstantData(Fill ? Fill : V);
  return Data && Data->getNumElements() == 1 &&
         Data->getSplat<double>() == double(Number);
}

bool relay::hasNumberOfItsType(Value *V) {
  if (!hasElementsOfNumbers(V))
    return false;
  Value *Fill = getFillValue(V);
  const ConstantData *Data = Fill ? getConstantData(Fill) : nullptr;
  return !Fill ||
         (Data && Data->isScalar() && Data->getDType() == getTensorDType(V));
}

bool relay::isLeftOperand(Operation *Call, Value *V) {
  return Call->getOperand(0) == V;
}

Value *relay::createNumber(Rewriter &R, Value *V) {
  if (Value *Fill = getFillValue(V))
    return Fill;
  return R.constant(getTensorDType(V), isCallOfZeros(V) ? 0 : 1);
}

Value *relay::createTwo(Rewriter &R, Value *V) {
  return R.constant(getTensorDType(V), 2);
}

Value *relay::createShapeConstant(Rewriter &R, Value *V) {
  SmallVector<int32_t, 4> Extents;
  for (Dim D : getTensorType(V)->getShape())
    Extents.push_back(D.getInt());
  TensorType *T = R.getContext().getTensorType(
      {Dim::get(int32_t(Extents.size()))}, DType::getInt(32));
  return R.constant<int32_t>(T, Extents);
}

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

/// How many binary digits of an integer \p T represents.
static unsigned getDigits(DType T) {
  if (!T.isFloat())
    return T.getBits() - T.isInt();
  return T.getBits() == 16 ? 11 : T.getBits() == 32 ? 24 : 53;
}

/// TVM goes by the number of bits alone.
bool relay::isLosslessCast(Value *X, Value *Middle) {
  DType From = getTensorDType(X), To = getTensorDType(Middle);
  if (!hasElementType(From) || !hasElementType(To) || From.isBFloat() ||
      To.isBFloat() || To.isBool())
    return false;
  if (To.isUInt() && !From.isUInt())
    return false;
  if (To.isInt() && !From.isInt())
    return false;
  if (From.isFloat() && !To.isFloat())
    return false;
  return getDigits(To) >= getDigits(From);
}

bool relay::coversAllNumbers(Value *X, double Lo, double Hi) {
  if (!hasElementsOfNumbers(X))
    return false;
  auto [Min, Max] = *getElementRange(getTensorDType(X));
  return Lo <= Min && Hi >= Max;
}

static bool isWholeNumbers(DType T) {
  return (T.isInt() || T.isUInt()) && !T.isBool();
}

/// Returns true if \p T represents \p Lo and \p Hi.
static bool covers(DType T, double Lo, double Hi) {
  auto [Min, Max] = *getElementRange(T);
  return Lo >= Min && Hi <= Max;
}

bool relay::keepsClippedNumbers(ClipOp Clip, CastOp Middle, CastOp Last,
                                double Lo, double Hi) {
  if (!hasElementsOfNumbers(Clip) || !hasElementsOfNumbers(Middle) ||
      !hasElementsOfNumbers(Last))
    return false;
  DType From = getTensorDType(Clip), To = getTensorDType(Middle);
  if (!covers(To, Lo, Hi) || From.isBFloat() || To.isBFloat())
    return false;
  if (From.isFloat() && To.isFloat())
    return getDigits(To) >= getDigits(From);
  if (From.isFloat()) { // both casts of it drop the fraction
    DType Result = getTensorDType(Last);
    return isWholeNumbers(To) && isWholeNumbers(Result) &&
           covers(Result, Lo, Hi) &&
           std::max(std::abs(Lo), std::abs(Hi)) <= 0x1p53;
  }
  // Integers with this many digits are exact in floats, too.
  return !To.isFloat() ||
         std::max(std::abs(Lo), std::abs(Hi)) <= std::ldexp(1.0, getDigits(To));
}

bool relay::keepsOrder(QnnDequantizeOp Floats, Value *Data, ConstantOp Scale,
                       ConstantOp ZeroPoint) {
  std::optional<double> Factor = getConstantData(Scale)->getSplat<double>();
  std::optional<double> Zero = getConstantData(ZeroPoint)->getSplat<double>();
  DType From = getTensorDType(Data), To = getTensorDType(Floats);
  if (!Factor || !Zero || !hasElementType(From) || !To.isFloat())
    return false;
  double Largest = std::ldexp(1.0, From.getBits()) + std::abs(*Zero);
  double LeastNormal = To.isFloat(16)   ? 0x1p-14
                       : To.isFloat(32) ? 0x1p-126
                                        : 0x1p-1022;
  return Largest < std::ldexp(1.0, getDigits(To) - 1) &&
         *Factor >= LeastNormal &&
         *Factor * Largest <= getElementRange(To)->Highest;
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

static std::vector<RewriteRule> getAllRules() {
  std::vector<RewriteRule> Rules = getSimplifyExprPostAlterOpRules();
  llvm::append_range(Rules, getSimplifyExprRules());
  return Rules;
}

namespace {
class SimplifyExpr : public RulePass<SimplifyExprBase<SimplifyExpr>> {
public:
  SimplifyExpr() : RulePass(getAllRules()) {}
};

class SimplifyExprPostAlterOp
    : public RulePass<SimplifyExprPostAlterOpBase<SimplifyExprPostAlterOp>> {
public:
  SimplifyExprPostAlterOp() : RulePass(getSimplifyExprPostAlterOpRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createSimplifyExprPass() {
  return std::make_unique<SimplifyExpr>();
}

std::unique_ptr<Pass> relay::createSimplifyExprPostAlterOpPass() {
  return std::make_unique<SimplifyExprPostAlterOp>();
}

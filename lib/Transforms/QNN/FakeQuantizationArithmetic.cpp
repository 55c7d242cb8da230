//===- FakeQuantizationArithmetic.cpp - Rules of arithmetic ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of operators whose result has the affine type that the end of the
// region requests: functions of one tensor, arithmetic, concatenation,
// averages.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

using namespace relay;

/// Checks that operand 0 is quantized, and that the type of the result is
/// known. Their element types may differ, as in TVM: the result then has the
/// element type of the operand, and the region is converted if its other
/// operators take that.
static LogicalResult checkRequested(FakeQuantizedOp &Q) {
  if (!Q.getType(0))
    return Q.refuse("its operand is not quantized"), failure();
  if (!Q.getRequestedType())
    return Q.refuse("no qnn.quantize follows"), failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions of one tensor
//===----------------------------------------------------------------------===//

/// Converts an operator to \p Info, with the attributes \p A.
static AffineValue createUnary(AffineBuilder &B, FakeQuantizedOp &Q,
                               const OpInfo &Info, const Attrs *A) {
  if (failed(checkRequested(Q)))
    return AffineValue();
  const AffineType &Data = *Q.getType(0), &Result = *Q.getRequestedType();
  Value *Operands[] = {Q.getOperand(0), Data.Scale, Data.ZeroPoint,
                       Result.Scale, Result.ZeroPoint};
  return {B.createOperation(Info, Operands, A), Result};
}

/// The quantized form of `exp` is `qnn.exp`.
AffineValue relay::quantizeUnary(AffineBuilder &B, FakeQuantizedOp &Q) {
  std::string Name = ("qnn." + Q.getOp()->getName()).str();
  const OpInfo *Info = Q.getContext().lookupOp(Name);
  if (!Info)
    return Q.refuse("there is no operator '" + Name + "'");
  return createUnary(B, Q, *Info, nullptr);
}

AffineValue relay::quantizeLeakyRelu(AffineBuilder &B, FakeQuantizedOp &Q) {
  return createUnary(B, Q, QnnLeakyReluOp::getInfo(), Q.getOp()->getAttrs());
}

/// qnn-canonicalize lowers constant scales of up to 1.
AffineValue relay::quantizeSoftmax(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (const AffineType *T = Q.getType(0)) {
    const ConstantData *Scale = getKnownData(B.fold(T->Scale));
    if (!Scale || !Scale->isScalar() || !(Scale->getDouble(0) <= 1))
      return Q.refuse("the scale of its operand is not a constant of up to 1");
  }
  return createUnary(B, Q, QnnSoftmaxOp::getInfo(), Q.getOp()->getAttrs());
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// Two quantized operands and the type of the result.
struct QuantizedOperands {
  Value *Left = nullptr, *Right = nullptr;
  AffineType LeftType, RightType, ResultType;
};
} // namespace

/// Returns operand \p I of \p Q, and its type in \p T. A constant of floats is
/// quantized like the other operand. Null if that is not possible.
static Value *getQuantized(AffineBuilder &B, FakeQuantizedOp &Q, unsigned I,
                           AffineType &T) {
  const AffineType *Own = Q.getType(I), *Other = Q.getType(1 - I);
  if (Own)
    return T = *Own, Q.getOperand(I);
  if (!Other || !getKnownData(Q.getOperand(I)))
    return nullptr;
  T = *Other;
  Value *V = B.quantize(Q.getOperand(I), T);
  Q.noteConstant(I, V, T);
  return V;
}

/// The result has the requested type if its element type is that of the left
/// operand, and the type of the left operand otherwise.
static std::optional<QuantizedOperands> getBinaryOperands(AffineBuilder &B,
                                                          FakeQuantizedOp &Q) {
  QuantizedOperands O;
  O.Left = getQuantized(B, Q, 0, O.LeftType);
  O.Right = getQuantized(B, Q, 1, O.RightType);
  if (!O.Left || !O.Right) {
    Q.refuse("neither operand is quantized");
    return std::nullopt;
  }
  if (!Q.getRequestedType()) {
    Q.refuse("no qnn.quantize follows");
    return std::nullopt;
  }
  O.ResultType = *Q.getRequestedType();
  if (O.LeftType.ElementType != O.ResultType.ElementType)
    O.ResultType = O.LeftType;
  return O;
}

/// Returns true if \p O are sums of products in one scale without zero points,
/// whose integers can be added. None if the scales cannot be compared.
static std::optional<bool> isPlainSum(AffineBuilder &B,
                                      const QuantizedOperands &O) {
  std::optional<bool> Same = B.isClose(O.LeftType, O.RightType);
  if (!Same || !*Same || O.LeftType.ElementType != DType::getInt(32))
    return Same ? std::optional<bool>(false) : std::nullopt;
  Same = B.isClose(O.LeftType, O.ResultType);
  if (!Same || !*Same)
    return Same;
  const ConstantData *Zero = getKnownData(O.ResultType.ZeroPoint);
  if (!Zero)
    return std::nullopt;
  for (size_t I = 0, E = Zero->getNumElements(); I != E; ++I)
    if (Zero->getInt(I) != 0)
      return false;
  return true;
}

/// Returns true if products of \p L and \p R fit int32. Without its zero point,
/// an integer has one bit more.
static bool haveNarrowProducts(const AffineType &L, const AffineType &R) {
  return L.ElementType.getBits() + R.ElementType.getBits() + 2 <= 32;
}

static bool isScalarConstant(const Value *V) {
  const ConstantData *Data = getKnownData(V);
  return Data && Data->isScalar();
}

AffineValue relay::quantizeArithmetic(AffineBuilder &B, FakeQuantizedOp &Q) {
  std::optional<QuantizedOperands> O = getBinaryOperands(B, Q);
  if (!O)
    return AffineValue();
  bool IsAdd = isa<AddOp>(Q.getOp());
  std::optional<bool> IsPlain = IsAdd ? isPlainSum(B, *O) : false;
  if (!IsPlain)
    return Q.refuse("the scales of its operands have different shapes, or are "
                    "not constant");
  if (*IsPlain)
    return {B.create<AddOp>(O->Left, O->Right), O->LeftType};
  const AffineType &L = O->LeftType, &R = O->RightType, &T = O->ResultType;
  if (!isScalarConstant(T.Scale) || !isScalarConstant(T.ZeroPoint))
    return Q.refuse("the scale and the zero point of its result are not scalar "
                    "constants");
  bool IsMultiply = isa<MultiplyOp>(Q.getOp());
  if (IsMultiply && !haveNarrowProducts(L, R))
    return Q.refuse("products of " + L.ElementType.str() + " and " +
                    R.ElementType.str() + " may not fit int32");
  const OpInfo &Info = IsAdd        ? QnnAddOp::getInfo()
                       : IsMultiply ? QnnMulOp::getInfo()
                                    : QnnSubtractOp::getInfo();
  Value *Operands[] = {O->Left, O->Right,    L.Scale, L.ZeroPoint,
                       R.Scale, R.ZeroPoint, T.Scale, T.ZeroPoint};
  const auto *A = BroadcastAttrs::get(Q.getContext(), L.Axis, R.Axis);
  return {B.createOperation(Info, Operands, A), T};
}

/// maximum or minimum of the operands in the type of the result.
AffineValue relay::quantizeExtremum(AffineBuilder &B, FakeQuantizedOp &Q) {
  std::optional<QuantizedOperands> O = getBinaryOperands(B, Q);
  if (!O)
    return AffineValue();
  const AffineType &T = O->ResultType;
  Value *Left = O->Left, *Right = O->Right;
  if (!isSameAffineType(O->LeftType, T))
    Left = B.requantize(Left, O->LeftType, T);
  if (!isSameAffineType(O->RightType, T))
    Right = B.requantize(Right, O->RightType, T);
  return {B.createOperation(Q.getOp()->getInfo(), {Left, Right},
                            Q.getOp()->getAttrs()),
          T};
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

AffineValue relay::quantizeConcatenate(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Result = Q.getRequestedType();
  if (!Result)
    return Q.refuse("no qnn.quantize follows");
  SmallVector<Value *, 8> Scales, ZeroPoints;
  for (const AffineType &T : Q.getFieldTypes(0)) {
    Scales.push_back(T.Scale);
    ZeroPoints.push_back(T.ZeroPoint);
  }
  Value *V = B.create<QnnConcatenateOp>(
      Q.getOperand(0), B.create<TupleOp>(Scales), B.create<TupleOp>(ZeroPoints),
      Result->Scale, Result->ZeroPoint, &ConcatenateOp(Q.getOp()).attrs());
  return {V, *Result};
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

/// Returns true if \p A counts padding, which qnn.avg_pool2d fills with 0.
static bool countsPadding(const AvgPool2DAttrs &A) {
  return A.countIncludePad() &&
         llvm::any_of(A.padding(), [](Dim D) { return !D.isConst(0); });
}

/// A pool with other operators between it and the end of the region has the
/// type of the data in TVM.
AffineValue relay::quantizeAvgPool2D(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (failed(checkRequested(Q)))
    return AffineValue();
  const AffineType *Data = Q.getType(0), *Result = Q.getRequestedType();
  bool IsLast = Q.getPath().getRoot()->getOperand(0) == Q.getOp();
  if (IsLast ? Data->ElementType != Result->ElementType
             : Q.getPath().isInside(Q.getOp()))
    Result = Data;
  const auto &A = AvgPool2DOp(Q.getOp()).attrs();
  if (countsPadding(A) && !B.isZero(Result->ZeroPoint))
    return Q.refuse("it counts padding, and its zero point is not 0");
  Value *V = B.create<QnnAvgPool2DOp>(
      Q.getOperand(0), Data->Scale, Data->ZeroPoint, Result->Scale,
      Result->ZeroPoint, A.toBuilder(Q.getContext()).outLayout("").get());
  return {V, *Result};
}

/// The pool of the data in the requested scale and in int32.
AffineValue relay::quantizeWideAvgPool(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (failed(checkRequested(Q)))
    return AffineValue();
  const AffineType *Data = Q.getType(0), *Result = Q.getRequestedType();
  std::optional<bool> IsSame = B.isClose(*Data, *Result);
  if (!IsSame)
    return Q.refuse("the scales of operand and result have different shapes");
  AffineType T = *Result;
  T.ElementType = DType::getInt(32);
  Value *Wide = *IsSame ? B.create<CastOp>(Q.getOperand(0), T.ElementType)
                        : B.requantize(Q.getOperand(0), *Data, T);
  Operation *Op = Q.getOp();
  return {B.createOperation(Op->getInfo(), {Wide}, Op->getAttrs()), T};
}

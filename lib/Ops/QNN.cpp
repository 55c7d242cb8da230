//===- QNN.cpp - Quantized networks ---------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of QNN.td: the relations of the corresponding float operators,
// and checks of data types, scales and zero points.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/QNN.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/QNN.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Scales, zero points, data types
//===----------------------------------------------------------------------===//

static DType getScaleType() { return DType::getFloat(32); }
static DType getZeroPointType() { return DType::getInt(32); }

/// Reports an error unless \p T, a parameter named by \p What, is of \p
/// Expected.
static LogicalResult checkDType(TypeRelation &R, const Twine &What, DType T,
                                DType Expected) {
  if (T == Expected)
    return success();
  R.error(What + " is of " + T.str() + ", not " + Expected.str());
  return failure();
}

static StringRef getOperandName(TypeRelation &R, unsigned I) {
  return R.getInfo().OperandNames[I];
}

/// Reports an error unless operand \p I is a scalar of \p T.
static LogicalResult checkScalar(TypeRelation &R, unsigned I, DType T) {
  const TensorType *Operand = R.getTensor(I);
  StringRef Name = getOperandName(R, I);
  return success(succeeded(checkDType(R, Name, Operand->getDType(), T)) &&
                 succeeded(checkRank(R, Name, Operand, 0)));
}

/// Reports an error unless operand \p I is a scalar of \p T or can be a vector
/// of it with \p Length numbers.
static LogicalResult checkVector(TypeRelation &R, unsigned I, DType T,
                                 Dim Length) {
  const TensorType *Operand = R.getTensor(I);
  if (failed(checkDType(R, getOperandName(R, I), Operand->getDType(), T)))
    return failure();
  if (Operand->isScalar())
    return success();
  return R.setOperand(I, R.getTensorType({Length}, T));
}

/// Checks operands \p Scale and \p ZeroPoint, one number each.
static LogicalResult checkScalars(TypeRelation &R, unsigned Scale,
                                  unsigned ZeroPoint) {
  return success(succeeded(checkScalar(R, Scale, getScaleType())) &&
                 succeeded(checkScalar(R, ZeroPoint, getZeroPointType())));
}

/// Checks operands \p Scale and \p ZeroPoint, with one or \p Length numbers
/// each.
static LogicalResult checkVectors(TypeRelation &R, unsigned Scale,
                                  unsigned ZeroPoint, Dim Length) {
  return success(
      succeeded(checkVector(R, Scale, getScaleType(), Length)) &&
      succeeded(checkVector(R, ZeroPoint, getZeroPointType(), Length)));
}

/// Returns the length of \p Axis of operand \p I, along which scales may vary;
/// 1 for a scalar.
static FailureOr<Dim> getAxisLength(TypeRelation &R, unsigned I, int64_t Axis,
                                    StringRef Name = "axis") {
  const TensorType *T = R.getTensor(I);
  if (T->isScalar())
    return Dim::get(1);
  FailureOr<unsigned> Position = getAxis(R, Axis, T->getRank(), Name);
  if (failed(Position))
    return failure();
  return T->getDim(*Position);
}

/// Reports an error unless \p T is one of \p Allowed; \p What names it.
static LogicalResult checkOneOf(TypeRelation &R, const Twine &What, DType T,
                                ArrayRef<DType> Allowed) {
  if (llvm::is_contained(Allowed, T))
    return success();
  std::string Names;
  llvm::raw_string_ostream OS(Names);
  llvm::interleaveComma(Allowed, OS);
  R.error(What + " is of " + (T.isVoid() ? "no data type" : T.str()) +
          ", not one of " + Names);
  return failure();
}

static LogicalResult checkOperandDType(TypeRelation &R, unsigned I,
                                       ArrayRef<DType> Allowed) {
  return checkOneOf(R, getOperandName(R, I), R.getTensor(I)->getDType(),
                    Allowed);
}

static constexpr DType Int8 = DType::getInt(8), Int16 = DType::getInt(16),
                       Int32 = DType::getInt(32), Int64 = DType::getInt(64),
                       UInt8 = DType::getUInt(8), UInt16 = DType::getUInt(16),
                       Float16 = DType::getFloat(16),
                       Float32 = DType::getFloat(32);

//===----------------------------------------------------------------------===//
// Conversions to and from quantized numbers
//===----------------------------------------------------------------------===//

// data: [..], scale, zero point: scalar or along `axis` -> [..] of out_dtype.
RelationResult relay::inferQnnQuantize(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<QuantizeAttrs>();
  FailureOr<Dim> Length = getAxisLength(R, 0, A.axis());
  if (failed(checkOperandDType(R, 0, {Float32})) ||
      failed(checkOneOf(R, "the result", A.outDtype(),
                        {Int8, UInt8, Int16, UInt16, Int32})) ||
      failed(Length) || failed(checkVectors(R, 1, 2, *Length)))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(R.getTensor(0)->getShape(), A.outDtype()));
}

/// Returns true if \p T is a scalar or a vector of one number.
static bool isOneNumber(const TensorType *T) {
  return T->isScalar() || (T->getRank() == 1 && T->getDim(0).isConst(1));
}

RelationResult relay::inferQnnDequantize(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<DequantizeAttrs>();
  // TVM uses `axis` only if a parameter varies along it.
  bool OneForAll = isOneNumber(R.getTensor(1)) && isOneNumber(R.getTensor(2));
  FailureOr<Dim> Length =
      OneForAll ? Dim::get(1) : getAxisLength(R, 0, A.axis());
  if (failed(checkOperandDType(R, 0, {Int8, UInt8, Int16, UInt16, Int32})) ||
      failed(checkOneOf(R, "the result", A.outDtype(), {Float16, Float32})) ||
      failed(Length) || failed(checkVectors(R, 1, 2, *Length)))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(R.getTensor(0)->getShape(), A.outDtype()));
}

RelationResult relay::inferQnnRequantize(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<RequantizeAttrs>();
  FailureOr<Dim> Length = getAxisLength(R, 0, A.axis());
  if (failed(checkOperandDType(R, 0, {Int8, UInt8, Int16, Int32, Int64})) ||
      failed(checkOneOf(R, "the result", A.outDtype(),
                        {Int8, UInt8, Int16, Int32})) ||
      failed(Length) || failed(checkVectors(R, 1, 2, *Length)) ||
      failed(checkScalars(R, 3, 4)))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(R.getTensor(0)->getShape(), A.outDtype()));
}

// data: [..], and three tensors -> the type of data. As in TVM, the last
// operand may be anything.
RelationResult relay::inferQnnSimulated(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1, 2}))
    return *Missing;
  return R.setResultLike(0);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// Like getAxisLength(); a vector uses its only axis, regardless of the
/// attribute.
static FailureOr<Dim> getBroadcastLength(TypeRelation &R, unsigned I,
                                         int64_t Axis, StringRef Name) {
  unsigned Rank = R.getTensor(I)->getRank();
  return getAxisLength(R, I, Rank == 1 ? 0 : Axis, Name);
}

// Two tensors, each with its scale and zero point along its axis, and the scale
// and zero point of the result -> their broadcast shape.
RelationResult relay::inferQnnBroadcast(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<BroadcastAttrs>();
  FailureOr<Dim> L = getBroadcastLength(R, 0, A.lhsAxis(), "lhs_axis");
  FailureOr<Dim> S = getBroadcastLength(R, 1, A.rhsAxis(), "rhs_axis");
  if (failed(L) || failed(S) || failed(checkVectors(R, 2, 3, *L)) ||
      failed(checkVectors(R, 4, 5, *S)) || failed(checkScalars(R, 6, 7)))
    return RelationResult::Failed;
  return inferBroadcast(R);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// Checks the five operands of an operator on one tensor of \p Allowed.
static std::optional<RelationResult> checkUnary(TypeRelation &R,
                                                ArrayRef<DType> Allowed) {
  if (auto Missing = getMissingTensor(R))
    return Missing;
  if (failed(checkOperandDType(R, 0, Allowed)) ||
      failed(checkScalars(R, 1, 2)) || failed(checkScalars(R, 3, 4)))
    return RelationResult::Failed;
  return std::nullopt;
}

RelationResult relay::inferQnnUnary(TypeRelation &R) {
  if (auto Outcome = checkUnary(R, {Int8, UInt8}))
    return *Outcome;
  return R.setResultLike(0);
}

RelationResult relay::inferQnnSoftmax(TypeRelation &R) {
  if (auto Outcome = checkUnary(R, {Int8}))
    return *Outcome;
  unsigned Rank = R.getTensor(0)->getRank();
  if (failed(getAxis(R, R.getAttrs<SoftmaxAttrs>().axis(), Rank)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

RelationResult relay::inferQnnAvgPool2D(TypeRelation &R) {
  if (auto Outcome = checkUnary(R, {Int8, UInt8}))
    return *Outcome;
  return inferPool2D(R);
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// Reports an error unless all fields of the tuple \p I are scalars of \p T.
static RelationResult checkScalarFields(TypeRelation &R, unsigned I, DType T) {
  RelationResult Out;
  auto Fields = R.getTensorFields(I, Out);
  if (failed(Fields))
    return Out;
  for (const TensorType *Field : *Fields)
    if (failed(checkDType(R, "a field of " + getOperandName(R, I),
                          Field->getDType(), T)) ||
        failed(checkRank(R, "a field of " + getOperandName(R, I), Field, 0)))
      return RelationResult::Failed;
  return RelationResult::Solved;
}

// Tuples of tensors, their scales and their zero points, scale and zero point
// of the result -> the concatenated tensors.
RelationResult relay::inferQnnConcatenate(TypeRelation &R) {
  for (unsigned I : {3, 4})
    if (!R.getTensor(I))
      return R.unresolved(I);
  RelationResult Scales = checkScalarFields(R, 1, getScaleType());
  if (Scales != RelationResult::Solved)
    return Scales;
  RelationResult ZeroPoints = checkScalarFields(R, 2, getZeroPointType());
  if (ZeroPoints != RelationResult::Solved)
    return ZeroPoints;
  if (failed(checkScalars(R, 3, 4)))
    return RelationResult::Failed;
  return inferConcatenate(R);
}

//===----------------------------------------------------------------------===//
// Products and convolutions
//===----------------------------------------------------------------------===//

/// The allowed types of operands and result.
struct QnnTypes {
  ArrayRef<DType> Data, Weight, Result;
  /// True if scale and zero point of the data may be vectors of one number.
  bool TakesVectorsOfOne = false;
};

/// Checks data types and the parameters of the data. The caller checks the
/// parameters of the weight, once the number of output channels is known. The
/// zero point of the weight is not checked.
static std::optional<RelationResult> checkProduct(TypeRelation &R, DType Result,
                                                  const QnnTypes &Types) {
  if (auto Missing = getMissingTensor(R, {0, 1, 2, 4, 5}))
    return Missing;
  if (!R.getOperand(3))
    return RelationResult::Unresolved;
  if (failed(checkOperandDType(R, 0, Types.Data)) ||
      failed(checkOperandDType(R, 1, Types.Weight)) ||
      failed(checkOneOf(R, "the result", Result, Types.Result)) ||
      failed(Types.TakesVectorsOfOne ? checkVectors(R, 4, 2, Dim::get(1))
                                     : checkScalars(R, 4, 2)))
    return RelationResult::Failed;
  return std::nullopt;
}

/// Checks the weight's scale, one number or one for each of \p Channels, if \p
/// Outcome is a success.
static RelationResult checkWeightScale(TypeRelation &R, RelationResult Outcome,
                                       Dim Channels) {
  if (Outcome == RelationResult::Solved &&
      failed(checkVector(R, 5, getScaleType(), Channels)))
    return RelationResult::Failed;
  return Outcome;
}

/// As checkProduct, for convolutions: as in TVM, the zero point of the weight
/// has int32 and any shape, if it is a tensor.
static std::optional<RelationResult> checkConv(TypeRelation &R, DType Result,
                                               bool TakesVectorsOfOne) {
  if (auto Outcome = checkProduct(R, Result,
                                  {{Int8, UInt8, Int16},
                                   {Int8, UInt8, Int16},
                                   {Int16, Int32, Int64},
                                   TakesVectorsOfOne}))
    return Outcome;
  const TensorType *ZeroPoint = R.getTensor(3);
  if (ZeroPoint &&
      failed(checkDType(R, getOperandName(R, 3), ZeroPoint->getDType(),
                        getZeroPointType())))
    return RelationResult::Failed;
  return std::nullopt;
}

RelationResult relay::inferQnnConv2D(TypeRelation &R) {
  const auto &A = R.getAttrs<Conv2DAttrs>();
  if (auto Outcome = checkConv(R, A.outDtype(), /*TakesVectorsOfOne=*/false))
    return *Outcome;
  RelationResult Outcome = inferConv2D(R);
  if (Outcome != RelationResult::Solved)
    return Outcome;
  StringRef Layout = A.outLayout().empty() ? A.dataLayout() : A.outLayout();
  auto Map = getLayoutMap(R, Layout, "NCHW", "out_layout");
  auto Out = toCanonical(R, *Map, cast<TensorType>(R.getResult())->getShape());
  if (failed(Out))
    return RelationResult::Failed;
  return checkWeightScale(R, Outcome, (*Out)[1]);
}

RelationResult relay::inferQnnConv2DTranspose(TypeRelation &R) {
  const auto &A = R.getAttrs<Conv2DTransposeAttrs>();
  if (auto Outcome = checkConv(R, A.outDtype(), /*TakesVectorsOfOne=*/true))
    return *Outcome;
  RelationResult Outcome = inferConv2DTranspose(R);
  if (Outcome != RelationResult::Solved)
    return Outcome;
  auto Map = getLayoutMap(R, A.kernelLayout(), "IOHW", "kernel_layout");
  auto Weight = toCanonical(R, *Map, R.getTensor(1)->getShape());
  if (failed(Weight))
    return RelationResult::Failed;
  // As in TVM, which treats groups as a depthwise convolution.
  Dim Channels = (*Weight)[1];
  if (A.groups() > 1)
    Channels = DimMath(R.getContext()).mul((*Weight)[0], Channels);
  return checkWeightScale(R, Outcome, Channels);
}

RelationResult relay::inferQnnDense(TypeRelation &R) {
  if (auto Outcome = checkProduct(
          R, R.getAttrs<DenseAttrs>().outDtype(),
          {{Int8, UInt8, Int16, UInt16}, {Int8, UInt8}, {Int32, Int64}}))
    return *Outcome;
  RelationResult Outcome = inferDense(R);
  if (Outcome != RelationResult::Solved)
    return Outcome;
  Dim Units = cast<TensorType>(R.getResult())->getShape().back();
  return checkWeightScale(R, Outcome, Units);
}

// data: [m, k], weight: [n / a, k / b, a, b] -> [m, n]. As in TVM, nothing else
// is checked.
RelationResult relay::inferQnnDensePack(TypeRelation &R) {
  const auto &A = R.getAttrs<DensePackAttrs>();
  if (auto Missing = getMissingTensor(R, {0, 1}))
    return *Missing;
  if (A.outDtype().isVoid())
    return R.error("'out_dtype' is missing");
  const TensorType *Data = R.getTensor(0), *Weight = R.getTensor(1);
  if (failed(checkRank(R, "data", Data, 2)) ||
      failed(checkRank(R, "weight", Weight, 4)))
    return RelationResult::Failed;
  Dim Columns =
      DimMath(R.getContext()).mul(Weight->getDim(0), Weight->getDim(2));
  Type *Result = R.getTensorType({Data->getDim(0), Columns}, A.outDtype());
  return R.setResult(Result);
}

RelationResult relay::inferQnnBatchMatmul(TypeRelation &R) {
  if (auto Outcome = checkProduct(R, R.getAttrs<BatchMatmulAttrs>().outDtype(),
                                  {{Int8, UInt8}, {Int8, UInt8}, {Int32}}))
    return *Outcome;
  if (!R.getTensor(3))
    return R.unresolved(3);
  if (failed(checkScalars(R, 5, 3)))
    return RelationResult::Failed;
  return inferBatchMatmul(R);
}

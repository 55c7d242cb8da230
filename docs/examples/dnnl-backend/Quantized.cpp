// Convolutions and products of 8-bit integers with zero points, exactly.
//
// The integer primitives of oneDNN 2.6 are not exact: they convert sums to
// float32 and, on a CPU without VNNI, add pairs of products in 16 bits with
// saturation. Here integers minus their zero points are multiplied as float32.
// All sums are exact if the sum of absolute products is less than 2^24, which
// is checked for the weight of each channel; others are left to the
// interpreter.

#include "Convolution.h"
#include "relay/IR/Operation.h"
#include <cmath>

using namespace backend;
using relay::DType;
using relay::Tensor;

namespace {
/// The operands of a product of integers.
struct QuantizedOperands {
  TensorId Data;
  int32_t DataZero = 0;
  /// The weight minus its zero point, float32.
  Tensor Weight;

  static std::optional<QuantizedOperands> get(const Lowering &L, unsigned N);
  /// Returns true if the products of data with rows of weights, of \p Shape and
  /// \p Strides with \p NumRowAxes leading axes, have exact sums.
  bool areSumsExact(const Lowering &L, ArrayRef<int64_t> Shape,
                    ArrayRef<int64_t> Strides, unsigned NumRowAxes) const;
};
} // namespace

static bool isByte(DType T) {
  return T.getLanes() == 1 && (T.isInt(8) || T.isUInt(8));
}

/// Returns the number that all elements of operand \p I are equal to; none if
/// they differ or are not constant. An absent operand is zero.
static std::optional<int32_t> getZeroPoint(const Lowering &L, unsigned N,
                                           unsigned I) {
  if (L.getNode(N).Operands.size() <= I)
    return 0;
  const relay::ConstantData *Data = L.getConstant(L.getOperand(N, I));
  if (!Data)
    return std::nullopt;
  auto Values = Tensor::get(*Data).copy().getInts();
  if (Values.empty() || !llvm::all_equal(Values))
    return std::nullopt;
  return int32_t(Values[0]);
}

std::optional<QuantizedOperands> QuantizedOperands::get(const Lowering &L,
                                                        unsigned N) {
  QuantizedOperands Q;
  Q.Data = L.getOperand(N, 0);
  TensorId W = L.getOperand(N, 1);
  std::optional<int32_t> DataZero = getZeroPoint(L, N, 2),
                         WeightZero = getZeroPoint(L, N, 3);
  if (!isByte(L.getDType(Q.Data)) || !isByte(L.getDType(W)) ||
      !L.getDType(L.getResult(N)).isInt(32) || !L.getConstant(W) || !DataZero ||
      !WeightZero || std::abs(int64_t(*DataZero)) > 255)
    return std::nullopt;
  Q.DataZero = *DataZero;
  Tensor From = Tensor::get(*L.getConstant(W)).copy();
  Q.Weight = Tensor::allocate(DType::getFloat(32), From.getShape());
  for (auto [I, To] : llvm::enumerate(Q.Weight.getMutableElements<float>()))
    To = float(From.getInt(I) - *WeightZero);
  return Q;
}

bool QuantizedOperands::areSumsExact(const Lowering &L, ArrayRef<int64_t> Shape,
                                     ArrayRef<int64_t> Strides,
                                     unsigned NumRowAxes) const {
  int64_t NumRows = 1, NumColumns = 1;
  for (auto [I, Extent] : llvm::enumerate(Shape))
    (I < NumRowAxes ? NumRows : NumColumns) *= Extent;
  ArrayRef<float> W = Weight.getElements<float>();
  double MaxSum = 0;
  for (int64_t Row = 0; Row != NumRows; ++Row) {
    double Sum = 0;
    for (int64_t Column = 0; Column != NumColumns; ++Column) {
      int64_t Rest = Row * NumColumns + Column, Position = 0;
      for (size_t Axis = Shape.size(); Axis-- > 0; Rest /= Shape[Axis])
        Position += Rest % Shape[Axis] * Strides[Axis];
      Sum += std::abs(W[Position]);
    }
    MaxSum = std::max(MaxSum, Sum);
  }
  int64_t Min = L.getDType(Data).isInt() ? -128 : 0, Max = Min + 255;
  double MaxData = std::max(std::abs(Min - DataZero), std::abs(Max - DataZero));
  return MaxSum * MaxData < 0x1p24;
}

bool backend::lowerQuantizedConvolution(Lowering &L, unsigned N) {
  std::optional<Convolution> C = Convolution::get(L, N);
  std::optional<QuantizedOperands> Q = QuantizedOperands::get(L, N);
  if (!C || !Q)
    return false;
  unsigned NumRowAxes = C->Weight.size() - C->Data.size() + 1;
  if (!Q->areSumsExact(L, C->Weight, C->WeightStrides, NumRowAxes))
    return false;
  PrimitiveDesc PD = C->create(L, Desc::getAny(C->Data, dnnl_f32),
                               Desc::getAny(C->Weight, dnnl_f32), Desc(),
                               dnnl_f32, createAttr());
  if (!PD)
    return false;
  Desc Source = getDesc(PD, dnnl_query_src_md),
       Target = getDesc(PD, dnnl_query_dst_md);
  auto Plain = L.getRowMajor(Q->Data);
  if (!Plain)
    return false;
  auto From = L.convert(*Plain, L.getLayout(Q->Data),
                        C->DataAxes.toRelay(Source), Q->DataZero);
  auto By = L.convert(L.addConstant(Q->Weight), C->getWeightView(dnnl_f32),
                      getDesc(PD, dnnl_query_weights_md));
  if (!From || !By)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *From, Source});
  Reads.push_back({DNNL_ARG_WEIGHTS, *By});
  return L.addConvertedStep(N, PD, std::move(Reads),
                            C->DataAxes.toRelay(Target), Target, C->Work);
}

bool backend::lowerQuantizedDense(Lowering &L, unsigned N) {
  std::optional<Product> P = Product::get(L, N);
  std::optional<QuantizedOperands> Q = QuantizedOperands::get(L, N);
  if (!P || !Q || !Q->areSumsExact(L, {P->N, P->K}, {P->K, 1}, 1))
    return false;
  PrimitiveDesc PD = P->create(L, Desc::getAny({P->N, P->K}, dnnl_f32), Desc(),
                               dnnl_f32, dnnl_f32, createAttr());
  auto Plain = L.getRowMajor(Q->Data);
  if (!PD || !Plain)
    return false;
  Desc View = P->getSource(*getDataType(L.getDType(Q->Data)));
  auto From = L.convert(*Plain, View, P->getSource(dnnl_f32), Q->DataZero);
  auto By = L.convert(L.addConstant(Q->Weight), P->getWeights(dnnl_f32),
                      getDesc(PD, dnnl_query_weights_md));
  if (!From || !By)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *From});
  Reads.push_back({DNNL_ARG_WEIGHTS, *By});
  return L.addConvertedStep(
      N, PD, std::move(Reads),
      Desc::getRowMajor(L.getShape(L.getResult(N)), dnnl_f32),
      getDesc(PD, dnnl_query_dst_md), uint64_t(P->M) * P->N * P->K);
}

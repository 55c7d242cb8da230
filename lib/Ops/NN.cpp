//===- NN.cpp - Neural networks -------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of NN.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/NN.h"
#include "relay/Ops/Relations.h"
#include <cmath>

#include "relay/Ops/NN.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// data: [..], alpha: [channels] -> the type of data.
RelationResult relay::inferPRelu(TypeRelation &R) {
  const PReluAttrs &A = R.getAttrs<PReluAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (A.axis() < 0 || A.axis() >= Data->getRank())
    return R.error("'axis' is " + Twine(A.axis()) + ", out of range");
  Type *Alpha = R.getTensorType({Data->getDim(A.axis())}, Data->getDType());
  if (failed(R.setOperand(1, Alpha)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

/// data: [..] -> [..].
RelationResult relay::inferSoftmax(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(getAxis(R, R.getAttrs<SoftmaxAttrs>().axis(), Data->getRank())))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

namespace {
/// The attributes of nn.dense and nn.matmul.
struct ProductParams {
  Dim Units;
  bool TransposeA, TransposeB;
  DType OutDType;
};
} // namespace

/// [.., m, k] x [k, n] -> [.., m, n], each pair of axes swapped if it is
/// transposed. `units`, if present, is n and determines the second type. As in
/// TVM, the two k are not otherwise checked to be equal.
static RelationResult inferProduct(TypeRelation &R, const ProductParams &P) {
  const TensorType *A = R.getTensor(0), *B = R.getTensor(1);
  if (!A)
    return R.unresolved(0);
  if (A->getRank() < (P.TransposeA ? 2 : 1))
    return R.error("the first operand has rank " + Twine(A->getRank()));
  if (!B && (R.getOperand(1) || !P.Units))
    return R.unresolved(1);
  Shape Out(A->getShape());
  if (P.TransposeA)
    std::swap(Out.back(), Out[Out.size() - 2]);
  if (P.Units) {
    Dim Wanted[] = {Out.back(), P.Units};
    if (P.TransposeB)
      std::swap(Wanted[0], Wanted[1]);
    DType T = (B ? B : A)->getDType();
    if (failed(R.setOperand(1, R.getTensorType(Wanted, T))))
      return RelationResult::Failed;
    Out.back() = P.Units;
  } else {
    if (failed(checkRank(R, "the second operand", B, 2)))
      return RelationResult::Failed;
    Out.back() = B->getDim(P.TransposeB ? 0 : 1);
  }
  return R.setResult(
      R.getTensorType(Out, getOutDType(P.OutDType, A->getDType())));
}

RelationResult relay::inferDense(TypeRelation &R) {
  const DenseAttrs &A = R.getAttrs<DenseAttrs>();
  return inferProduct(R, {A.units(), false, true, A.outDtype()});
}

RelationResult relay::inferMatmul(TypeRelation &R) {
  const MatmulAttrs &A = R.getAttrs<MatmulAttrs>();
  return inferProduct(
      R, {A.units(), A.transposeA(), A.transposeB(), A.outDtype()});
}

/// Returns true if one of \p Dims is `?`.
static bool hasAny(ArrayRef<Dim> Dims) {
  return llvm::any_of(Dims, [](Dim D) { return D.isAny(); });
}

/// [b, m, k] x [b, k, n] -> [b, m, n], each pair of axes swapped if it is
/// transposed; a batch of 1 broadcasts.
RelationResult relay::inferBatchMatmul(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &Attributes = R.getAttrs<BatchMatmulAttrs>();
  const TensorType *A = R.getTensor(0), *B = R.getTensor(1);
  if (failed(checkRank(R, "tensor_a", A, 3)) ||
      failed(checkRank(R, "tensor_b", B, 3)))
    return RelationResult::Failed;
  bool TransposeA = Attributes.transposeA(),
       TransposeB = Attributes.transposeB();
  Dim KA = A->getDim(TransposeA ? 1 : 2), KB = B->getDim(TransposeB ? 2 : 1);
  Dim Batch = broadcastDims(A->getDim(0), B->getDim(0));
  // As in TVM, any `?` disables the checks.
  bool IsDynamic = hasAny(A->getShape()) || hasAny(B->getShape());
  if (!IsDynamic && !mayEqual(KA, KB))
    return R.error("rows of tensor_a and columns of tensor_b differ in length");
  if (!IsDynamic && !Batch && !mayEqual(A->getDim(0), B->getDim(0)))
    return R.error("batches do not broadcast");
  Batch = DimMath(R.getContext()).max(A->getDim(0), B->getDim(0));
  return R.setResult(R.getTensorType(
      {Batch, A->getDim(TransposeA ? 2 : 1), B->getDim(TransposeB ? 1 : 2)},
      getOutDType(Attributes.outDtype(), A->getDType())));
}

/// data: [m, k], weight: [n / a, k, a] or [n / a, k / b, a, b] -> [m, n].
RelationResult relay::inferDensePack(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Weight = R.getTensor(1);
  if (failed(checkRank(R, "data", Data, 2)))
    return RelationResult::Failed;
  if (Weight->getRank() != 3 && Weight->getRank() != 4)
    return R.error("weight has rank " + Twine(Weight->getRank()) +
                   ", neither 3 nor 4");
  DimMath Math(R.getContext());
  Dim Columns = Math.mul(Weight->getDim(0), Weight->getDim(2));
  DType T =
      getOutDType(R.getAttrs<DensePackAttrs>().outDtype(), Data->getDType());
  return R.setResult(R.getTensorType({Data->getDim(0), Columns}, T));
}

/// data: [m, .., k], weight -> [m, .., units].
RelationResult relay::inferBitserialDense(TypeRelation &R) {
  const BinaryDenseAttrs &A = R.getAttrs<BinaryDenseAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (!A.units())
    return R.error("'units' is missing");
  if (Data->isScalar())
    return R.error("data is a scalar");
  Shape Out(Data->getShape());
  Out.back() = A.units();
  return R.setResult(
      R.getTensorType(Out, getOutDType(A.outDtype(), Data->getDType())));
}

/// data: [..] -> [..] with an axis of `bits` at `bit_axis`, and fewer elements
/// on `pack_axis`: divided by the bits of a word of `pack_type`. As in TVM,
/// axes out of range change nothing.
RelationResult relay::inferBitPack(TypeRelation &R) {
  const BitPackAttrs &A = R.getAttrs<BitPackAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  DimMath Math(R.getContext());
  Shape Out(Data->getShape());
  int64_t Rank = Data->getRank();
  if (A.packAxis() >= 0 && A.packAxis() < Rank) {
    if (A.packType().getBits() == 0)
      return R.error("'pack_type' is missing");
    Out[A.packAxis()] =
        Math.floorDiv(Out[A.packAxis()], A.packType().getBits());
  }
  if (A.bitAxis() >= 0 && A.bitAxis() <= Rank)
    Out.insert(Out.begin() + A.bitAxis(), Math.get(A.bits()));
  return R.setResult(R.getTensorType(Out, A.packType()));
}

//===----------------------------------------------------------------------===//
// Bias, normalization, dropout
//===----------------------------------------------------------------------===//

/// data: [.., C, ..], bias: [C] -> the type of data.
RelationResult relay::inferBiasAdd(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Axis = getAxis(R, R.getAttrs<BiasAddAttrs>().axis(), Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Type *Bias = R.getTensorType({Data->getDim(*Axis)}, Data->getDType());
  if (failed(R.setOperand(1, Bias)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

/// data: [.., C, ..], the others: [C] -> (the type of data, [C], [C]).
RelationResult relay::inferBatchNorm(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  int64_t Wanted = R.getAttrs<BatchNormAttrs>().axis();
  if (Wanted < -1)
    return R.error("'axis' is " + Twine(Wanted) + ", neither an axis nor -1");
  auto Axis = getAxis(R, Wanted, Data->getRank());
  if (failed(Axis))
    return RelationResult::Failed;
  Type *Vector = R.getTensorType({Data->getDim(*Axis)}, Data->getDType());
  for (unsigned I = 1; I != R.getNumOperands(); ++I)
    if (failed(R.setOperand(I, Vector)))
      return RelationResult::Failed;
  Type *Normed = R.getTensorType(Data->getShape(), Data->getDType());
  return R.setResult(R.getTupleType({Normed, Vector, Vector}));
}

/// data: [..] -> (data, mask), both with the type of data.
RelationResult relay::inferDropout(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  Type *T = R.getTensorType(Data->getShape(), Data->getDType());
  return R.setResult(R.getTupleType({T, T}));
}

/// data: [..], gamma, beta: [length of \p Axis] -> the type of data.
static RelationResult inferNorm(TypeRelation &R, int64_t Axis,
                                unsigned MinRank) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (Data->getRank() < MinRank)
    return R.error("data has rank " + Twine(Data->getRank()) + ", less than " +
                   Twine(MinRank));
  auto Position = getAxis(R, Axis, Data->getRank());
  if (failed(Position))
    return RelationResult::Failed;
  Type *Vector = R.getTensorType({Data->getDim(*Position)}, Data->getDType());
  for (unsigned I : {1, 2})
    if (failed(R.setOperand(I, Vector)))
      return RelationResult::Failed;
  return R.setResultLike(0);
}

RelationResult relay::inferInstanceNorm(TypeRelation &R) {
  return inferNorm(R, R.getAttrs<InstanceNormAttrs>().axis(), 3);
}
RelationResult relay::inferLayerNorm(TypeRelation &R) {
  return inferNorm(R, R.getAttrs<LayerNormAttrs>().axis(), 1);
}
RelationResult relay::inferGroupNorm(TypeRelation &R) {
  return inferNorm(R, R.getAttrs<GroupNormAttrs>().axis(), 1);
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// x, y: [n, classes] -> scalar.
RelationResult relay::inferCrossEntropy(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *X = R.getTensor(0), *Y = R.getTensor(1);
  if (failed(checkRank(R, "x", X, 2)) || failed(checkRank(R, "y", Y, 2)))
    return RelationResult::Failed;
  for (unsigned I : {0, 1})
    if (!mayEqual(X->getDim(I), Y->getDim(I)))
      return R.error("x and y differ on axis " + Twine(I));
  return R.setResult(R.getTensorType({}, X->getDType()));
}

/// predictions: [n, classes, ..], targets: [n, ..], weights: [classes] ->
/// scalar, or the shape of targets with `reduction` "none".
RelationResult relay::inferNLLLoss(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Predictions = R.getTensor(0), *Targets = R.getTensor(1),
                   *Weights = R.getTensor(2);
  DType T = Predictions->getDType();
  if (!T.isFloat() || T != Weights->getDType())
    return R.error("predictions and weights are not of one floating type");
  if (Predictions->getRank() < 2 ||
      Predictions->getRank() != Targets->getRank() + 1)
    return R.error("predictions do not have one axis more than targets");
  if (failed(checkIntegers(R, 1)) ||
      failed(checkRank(R, "weights", Weights, 1)) ||
      failed(checkDim(R, "the number of classes", Predictions->getDim(1),
                      Weights->getDim(0))))
    return RelationResult::Failed;
  ArrayRef<Dim> Out;
  if (R.getAttrs<NLLLossAttrs>().reduction() == "none")
    Out = Targets->getShape();
  return R.setResult(R.getTensorType(Out, T));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Returns the pairs of numbers \p Rows (the attribute \p Name), one pair for
/// each of \p Count axes; with \p AllowMore, further numbers of a row are
/// ignored.
static FailureOr<SmallVector<std::pair<Dim, Dim>, 6>>
getPairs(TypeRelation &R, ArrayRef<Attr> Rows, unsigned Count, StringRef Name,
         bool AllowMore) {
  SmallVector<std::pair<Dim, Dim>, 6> Pairs;
  if (Rows.size() != Count) {
    R.error("'" + Name + "' has " + countOf(Rows.size(), "pair") + " for " +
            countOf(Count, "axis"));
    return failure();
  }
  for (Attr Row : Rows) {
    size_t Size = Row && Row.isArray() ? Row.getArray().size() : 0;
    if (Size < 2 || (Size > 2 && !AllowMore)) {
      R.error("'" + Name + "' does not hold pairs of numbers");
      return failure();
    }
    ArrayRef<Dim> Pair = toDims(Row.getArray());
    Pairs.push_back({Pair[0], Pair[1]});
  }
  return Pairs;
}

/// data: [..] -> [..], each dimension increased by its \p Width.
static RelationResult inferPadded(TypeRelation &R, ArrayRef<Attr> Width,
                                  bool AllowNegative) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Pairs =
      getPairs(R, Width, Data->getRank(), "pad_width", /*AllowMore=*/false);
  if (failed(Pairs))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Out(Data->getShape());
  for (auto [D, Pair] : llvm::zip_equal(Out, *Pairs)) {
    Dim More = Math.add(Pair.first, Pair.second);
    for (Dim Side : {Pair.first, Pair.second})
      if (!AllowNegative && Side.isConst() && Side.getInt() < 0)
        return R.error("'pad_width' holds " + Twine(Side.getInt()));
    // As in TVM, the number has the axis's width.
    D = Math.add(D, More.isConst() ? Math.get(More.getInt()) : More);
    if (D.isConst() && D.getInt() < 0)
      return R.error("an axis would have length " + Twine(D.getInt()));
  }
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

RelationResult relay::inferPad(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return inferPadded(R, R.getAttrs<PadAttrs>().padWidth(), true);
}
RelationResult relay::inferMirrorPad(TypeRelation &R) {
  return inferPadded(R, R.getAttrs<MirrorPadAttrs>().padWidth(), false);
}

/// x: [..] -> [..] with `strides` - 1 additional elements between adjacent
/// ones.
RelationResult relay::inferDilate(TypeRelation &R) {
  const DilateAttrs &A = R.getAttrs<DilateAttrs>();
  const TensorType *X = R.getTensor(0);
  if (!X)
    return R.unresolved(0);
  if (failed(checkCount(R, A.strides(), X->getRank(), "strides")))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Out;
  for (auto [D, Stride] : llvm::zip_equal(X->getShape(), A.strides()))
    Out.push_back(Math.dilated(D, Stride));
  return R.setResult(R.getTensorType(Out, X->getDType()));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// data: [N, ..] -> [N, product of the rest].
RelationResult relay::inferBatchFlatten(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (Data->isScalar())
    return R.error("the data is a scalar");
  Dim Rest = DimMath(R.getContext()).product(Data->getShape().drop_front());
  return R.setResult(
      R.getTensorType({Data->getDim(0), Rest}, Data->getDType()));
}

/// Sets the result of an operator that moves blocks of pixels between channels
/// and spatial axes. \p GetShape computes its shape, [N, C, H, W], from the
/// shape of data and the length of a block.
static RelationResult
inferSubPixel(TypeRelation &R,
              function_ref<Shape(DimMath &, const Shape &, int64_t)> GetShape) {
  const SubPixelAttrs &A = R.getAttrs<SubPixelAttrs>();
  if (!R.getTensor(0))
    return R.unresolved(0);
  std::optional<LayoutMap> Map;
  auto In = getDataShape(R, A.layout(), "NCHW", Map);
  if (failed(In))
    return RelationResult::Failed;
  int64_t Block = A.blockSize();
  if (failed(checkInt32(R, Block, "block_size")))
    return RelationResult::Failed;
  if (Block == 0)
    return R.error("'block_size' is zero");
  DimMath Math(R.getContext());
  return setResultInLayout(R, *Map, GetShape(Math, *In, Block));
}

/// [N, C, H, W] -> [N, C / block^2, H * block, W * block].
RelationResult relay::inferDepthToSpace(TypeRelation &R) {
  return inferSubPixel(R, [](DimMath &Math, const Shape &In, int64_t Block) {
    return Shape{In[0], Math.floorDiv(In[1], Block * Block),
                 Math.mul(In[2], Block), Math.mul(In[3], Block)};
  });
}

/// [N, C, H, W] -> [N, C * block^2, H / block, W / block].
RelationResult relay::inferSpaceToDepth(TypeRelation &R) {
  return inferSubPixel(R, [](DimMath &Math, const Shape &In, int64_t Block) {
    return Shape{In[0], Math.mul(In[1], Block * Block),
                 Math.floorDiv(In[2], Block), Math.floorDiv(In[3], Block)};
  });
}

/// Checks the lengths of blocks, one for each of the axes after the first.
static LogicalResult checkBlocks(TypeRelation &R, const TensorType *Data,
                                 ArrayRef<Dim> Blocks) {
  if (Data->getRank() > Blocks.size())
    return checkNonZero(R, Blocks, "block_shape");
  R.error("'block_shape' has " + countOf(Blocks.size(), "number") +
          " for rank " + Twine(Data->getRank()));
  return failure();
}

/// [N, spatial.., rest..] -> [N * blocks, (spatial + paddings) / block..,
/// rest..].
RelationResult relay::inferSpaceToBatchND(TypeRelation &R) {
  const SpaceToBatchNDAttrs &A = R.getAttrs<SpaceToBatchNDAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  ArrayRef<Dim> Blocks = A.blockShape();
  auto Pads =
      getPairs(R, A.paddings(), Blocks.size(), "paddings", /*AllowMore=*/false);
  if (failed(Pads) || failed(checkBlocks(R, Data, Blocks)))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Out(Data->getShape());
  Out[0] = Math.mul(Out[0], Math.product(Blocks));
  for (auto [I, Pad] : llvm::enumerate(*Pads)) {
    Dim More = Math.add(Pad.first, Pad.second);
    // As in TVM, the number has the width of the previous axis.
    if (More.isConst())
      More =
          R.getContext().getDim(More.getInt(), Data->getDim(I).getNumberType());
    Dim Padded = Math.add(Out[1 + I], More);
    Out[1 + I] = Math.truncDiv(Padded, Blocks[I]);
  }
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

/// [N, spatial.., rest..] -> [N / blocks, spatial * block - crops.., rest..].
RelationResult relay::inferBatchToSpaceND(TypeRelation &R) {
  const BatchToSpaceNDAttrs &A = R.getAttrs<BatchToSpaceNDAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  ArrayRef<Dim> Blocks = A.blockShape();
  auto Crops =
      getPairs(R, A.crops(), Blocks.size(), "crops", /*AllowMore=*/true);
  if (failed(Crops) || failed(checkBlocks(R, Data, Blocks)))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Out(Data->getShape());
  Out[0] = Math.truncDiv(Out[0], Math.product(Blocks));
  for (auto [I, Crop] : llvm::enumerate(*Crops)) {
    Dim Full = Math.mul(Out[1 + I], Blocks[I]);
    Out[1 + I] = Math.sub(Full, Math.add(Crop.first, Crop.second));
  }
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

/// Returns \p D times \p Scale, rounded to the nearest integer, halves to even;
/// `?` if D is unknown.
static Dim scaleDim(TypeRelation &R, Dim D, double Scale) {
  if (!D.isConst())
    return Dim::getAny();
  double Scaled = std::nearbyint(double(D.getInt()) * Scale);
  if (!(std::abs(Scaled) < double(1 << 30)))
    return Dim();
  return DimMath(R.getContext()).get(int64_t(Scaled));
}

/// Multiplies the axes from 2 on of data, in a layout of \p Canonical, by \p
/// Scales.
static RelationResult inferScaled(TypeRelation &R, StringRef Layout,
                                  StringRef Canonical,
                                  ArrayRef<double> Scales) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  std::optional<LayoutMap> Map;
  auto Out = getDataShape(R, Layout, Canonical, Map);
  if (failed(Out))
    return RelationResult::Failed;
  for (auto [I, Scale] : llvm::enumerate(Scales))
    if (!((*Out)[2 + I] = scaleDim(R, (*Out)[2 + I], Scale)))
      return R.error("a scale is out of range");
  return setResultInLayout(R, *Map, *Out);
}

RelationResult relay::inferUpSampling(TypeRelation &R) {
  const UpSamplingAttrs &A = R.getAttrs<UpSamplingAttrs>();
  return inferScaled(R, A.layout(), "NCHW", {A.scaleH(), A.scaleW()});
}
RelationResult relay::inferUpSampling3D(TypeRelation &R) {
  const UpSampling3DAttrs &A = R.getAttrs<UpSampling3DAttrs>();
  return inferScaled(R, A.layout(), "NCDHW",
                     {A.scaleD(), A.scaleH(), A.scaleW()});
}

/// data, buffer: [..] -> the type of buffer.
RelationResult relay::inferFIFOBuffer(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  unsigned Rank = R.getTensor(1)->getRank();
  if (failed(checkRank(R, "input", R.getTensor(0), Rank)) ||
      failed(getAxis(R, R.getAttrs<FIFOBufferAttrs>().axis(), Rank)))
    return RelationResult::Failed;
  return R.setResultLike(1);
}

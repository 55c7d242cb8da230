//===- Conv.cpp - Convolutions --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Conv.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Conv.h"
#include "relay/Ops/ConvRelations.h"

#include "relay/Ops/Conv.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

RelationResult relay::inferConv1D(TypeRelation &R) {
  ConvParams P = ConvParams::get(R.getAttrs<Conv1DAttrs>(), "NCW", "OIW");
  P.HasDepthwise = false;
  P.ReadsWithoutGroups = true;
  return inferConv(R, P);
}

RelationResult relay::inferConv2D(TypeRelation &R) {
  return inferConv(R,
                   ConvParams::get(R.getAttrs<Conv2DAttrs>(), "NCHW", "OIHW"));
}

RelationResult relay::inferConv3D(TypeRelation &R) {
  return inferConv(
      R, ConvParams::get(R.getAttrs<Conv3DAttrs>(), "NCDHW", "OIDHW"));
}

RelationResult relay::inferConv1DTranspose(TypeRelation &R) {
  return inferConvTranspose(
      R, ConvParams::getTransposed(R.getAttrs<Conv1DTransposeAttrs>(), "NCW",
                                   "IOW"));
}

RelationResult relay::inferConv2DTranspose(TypeRelation &R) {
  return inferConvTranspose(
      R, ConvParams::getTransposed(R.getAttrs<Conv2DTransposeAttrs>(), "NCHW",
                                   "IOHW"));
}

RelationResult relay::inferConv3DTranspose(TypeRelation &R) {
  return inferConvTranspose(
      R, ConvParams::getTransposed(R.getAttrs<Conv3DTransposeAttrs>(), "NCDHW",
                                   "IODHW"));
}

//===----------------------------------------------------------------------===//
// Gradient and deformable convolution
//===----------------------------------------------------------------------===//

// grad: [N, O, ..], data: [N, I, ..] -> [O, I / groups, kernel..].
RelationResult relay::inferConv2DBackwardWeight(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<Conv2DAttrs>();
  const TensorType *Grad = R.getTensor(0), *Data = R.getTensor(1);
  if (failed(checkCount(R, A.kernelSize(), 2, "kernel_size")))
    return RelationResult::Failed;
  auto GradMap = getLayoutMap(R, A.kernelLayout(), "NCHW", "kernel_layout");
  auto DataMap = getLayoutMap(R, A.dataLayout(), "NCHW", "data_layout");
  auto OutMap = getLayoutMap(R, A.outLayout(), "OIHW", "out_layout");
  if (failed(GradMap) || failed(DataMap) || failed(OutMap))
    return RelationResult::Failed;
  auto GradShape = toCanonical(R, *GradMap, Grad->getShape());
  auto DataShape = toCanonical(R, *DataMap, Data->getShape());
  if (failed(GradShape) || failed(DataShape))
    return RelationResult::Failed;
  if (A.groups() == 0)
    return R.error("'groups' is zero");
  if (!(*GradShape)[1].isConst() || !(*DataShape)[1].isConst())
    return R.error("the number of channels is not known");
  DimMath Math(R.getContext());
  Shape Weight = {(*GradShape)[1], Math.floorDiv((*DataShape)[1], A.groups())};
  llvm::append_range(Weight, A.kernelSize());
  auto Result = fromCanonical(R, *OutMap, Weight);
  if (failed(Result))
    return RelationResult::Failed;
  DType T = getOutDType(A.outDtype(), Grad->getDType());
  return R.setResult(R.getTensorType(*Result, T));
}

// data: [N, C, H, W], offset: [N, 2 * kernel size * deformable groups, H', W'],
// weight: [O, C / groups, kernel..] -> [N, O, H', W'], in their layouts.
RelationResult relay::inferDeformableConv2D(TypeRelation &R) {
  const auto &A = R.getAttrs<DeformableConv2DAttrs>();
  ConvParams P = ConvParams::get(A, "NCHW", "OIHW");
  P.WeightOperand = 2;
  P.HasDepthwise = false;
  RelationResult Outcome = inferConv(R, P);
  if (Outcome != RelationResult::Solved)
    return Outcome;
  auto DataMap = getLayoutMap(R, A.dataLayout(), "NCHW", "data_layout");
  auto OutMap =
      getLayoutMap(R, A.outLayout().empty() ? A.dataLayout() : A.outLayout(),
                   "NCHW", "out_layout");
  auto KernelMap = getLayoutMap(R, A.kernelLayout(), "OIHW", "kernel_layout");
  auto Out =
      toCanonical(R, *OutMap, cast<TensorType>(R.getResult())->getShape());
  auto Kernel = toCanonical(R, *KernelMap, R.getTensor(2)->getShape());
  if (failed(Out) || failed(Kernel))
    return RelationResult::Failed;
  if (failed(checkInt32(R, A.deformableGroups(), "deformable_groups")))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Dim Places =
      Math.mul(Math.mul((*Kernel)[2], (*Kernel)[3]), 2 * A.deformableGroups());
  auto Offset =
      fromCanonical(R, *DataMap, {(*Out)[0], Places, (*Out)[2], (*Out)[3]});
  if (failed(Offset))
    return RelationResult::Failed;
  DType T = R.getTensor(0)->getDType();
  return failed(R.setOperand(1, R.getTensorType(*Offset, T)))
             ? RelationResult::Failed
             : RelationResult::Solved;
}

//===----------------------------------------------------------------------===//
// Weights that are transformed or packed
//===----------------------------------------------------------------------===//

/// As a convolution that ignores the weight's shape.
static RelationResult inferPackedConv(TypeRelation &R, ConvParams P) {
  P.AnyWeight = true;
  return inferConv(R, P);
}

RelationResult relay::inferPackedConv2D(TypeRelation &R) {
  return inferPackedConv(
      R, ConvParams::get(R.getAttrs<Conv2DAttrs>(), "NCHW", "OIHW"));
}

RelationResult relay::inferConv2DWinograd(TypeRelation &R) {
  return inferPackedConv(
      R, ConvParams::get(R.getAttrs<Conv2DWinogradAttrs>(), "NCHW", "OIHW"));
}

RelationResult relay::inferConv3DWinograd(TypeRelation &R) {
  return inferPackedConv(
      R, ConvParams::get(R.getAttrs<Conv3DWinogradAttrs>(), "NCDHW", "OIDHW"));
}

/// Returns the weight if it has rank \p Rank; otherwise sets \p Out to the
/// result of the relation.
static const TensorType *getWeight(TypeRelation &R, unsigned Rank,
                                   RelationResult &Out) {
  const TensorType *Weight = R.getTensor(0);
  Out = Weight ? RelationResult::Failed : R.unresolved(0);
  if (!Weight || failed(checkRank(R, "the weight", Weight, Rank)))
    return nullptr;
  return Weight;
}

// weights: [H, W, I, O] -> [O / tile_N, H * W * I / tile_K, tile_N, tile_K],
// the first rounded up, the second to a multiple of four; for types other than
// 8-bit integers the last two are swapped.
RelationResult relay::inferConv2DGemmWeightTransform(TypeRelation &R) {
  RelationResult Out;
  const TensorType *Weight = getWeight(R, 4, Out);
  if (!Weight)
    return Out;
  const auto &A = R.getAttrs<ConvGemmWeightTransformAttrs>();
  if (A.tileN() <= 0 || A.tileK() <= 0)
    return R.error("'tile_N' or 'tile_K' is not positive");
  if (failed(checkInt32(R, A.tileK(), "tile_K")))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Dim K = Math.product(Weight->getShape().take_front(3));
  Shape Result = {Math.ceilDiv(Weight->getDim(3), A.tileN()),
                  Math.mul(Math.ceilDiv(K, 4 * A.tileK()), 4),
                  Math.get(A.tileN()), Math.get(A.tileK())};
  if (Weight->getDType().getBits() != 8)
    std::swap(Result[2], Result[3]);
  return R.setResult(R.getTensorType(Result, Weight->getDType()));
}

/// Returns the kernel dimensions \p Kernel as tiles of \p Tile results.
static Shape getWinogradTiles(TypeRelation &R, ArrayRef<Dim> Kernel,
                              int64_t Tile) {
  DimMath Math(R.getContext());
  Shape Tiles;
  for (Dim D : Kernel)
    Tiles.push_back(Math.add(D, Tile - 1));
  return Tiles;
}

// weight: [O, I, H, W] -> [H + tile - 1, W + tile - 1, O, I].
RelationResult relay::inferConv2DWinogradWeightTransform(TypeRelation &R) {
  RelationResult Out;
  const TensorType *Weight = getWeight(R, 4, Out);
  if (!Weight)
    return Out;
  int64_t Tile = R.getAttrs<ConvWinogradWeightTransformAttrs>().tileSize();
  if (failed(checkInt32(R, Tile, "tile_size")))
    return RelationResult::Failed;
  Shape Result = getWinogradTiles(R, Weight->getShape().drop_front(2), Tile);
  llvm::append_range(Result, Weight->getShape().take_front(2));
  return R.setResult(R.getTensorType(Result, Weight->getDType()));
}

// weight: [O, I, D, H, W] -> [D + tile - 1, H + tile - 1, W + tile - 1, O, I],
// or, when D is outside of 3..7, [H + tile - 1, W + tile - 1, D, O, I].
RelationResult relay::inferConv3DWinogradWeightTransform(TypeRelation &R) {
  RelationResult Out;
  const TensorType *Weight = getWeight(R, 5, Out);
  if (!Weight)
    return Out;
  Dim Depth = Weight->getDim(2);
  if (!Depth.isConst())
    return R.error("the depth of the kernel is not known");
  bool TransformsDepth = Depth.getInt() > 2 && Depth.getInt() < 8;
  int64_t Tile = R.getAttrs<ConvWinogradWeightTransformAttrs>().tileSize();
  if (failed(checkInt32(R, Tile, "tile_size")))
    return RelationResult::Failed;
  Shape Result = getWinogradTiles(
      R, Weight->getShape().drop_front(TransformsDepth ? 2 : 3), Tile);
  if (!TransformsDepth)
    Result.push_back(Depth);
  llvm::append_range(Result, Weight->getShape().take_front(2));
  return R.setResult(R.getTensorType(Result, Weight->getDType()));
}

// weight: [O, I, H, W] -> [O, I, 8, 8].
RelationResult
relay::inferConv2DWinogradNNPACKWeightTransform(TypeRelation &R) {
  RelationResult Out;
  const TensorType *Weight = getWeight(R, 4, Out);
  if (!Weight)
    return Out;
  DType Wanted =
      R.getAttrs<Conv2DWinogradNNPACKWeightTransformAttrs>().outDtype();
  return R.setResult(R.getTensorType(
      {Weight->getDim(0), Weight->getDim(1), Dim::get(8), Dim::get(8)},
      getOutDType(Wanted, Weight->getDType())));
}

//===----------------------------------------------------------------------===//
// Convolutions of bits, and of two tensors
//===----------------------------------------------------------------------===//

// data: [N, C, H, W] in its layout, weight of any shape -> [N, channels, H',
// W'].
RelationResult relay::inferBitserialConv2D(TypeRelation &R) {
  const auto &A = R.getAttrs<BinaryConv2DAttrs>();
  ConvParams P{"NCHW", "OIHW", {}, {}, {}, {}, {}, {}, 1, {}, {}, {}, {}, true};
  Dim Ones[] = {Dim::get(1), Dim::get(1)};
  P.Strides = A.strides();
  P.Padding = A.padding();
  P.Dilation = Ones;
  P.KernelSize = A.kernelSize();
  P.Channels = A.channels();
  P.DataLayout = A.dataLayout();
  P.KernelLayout = "OIHW";
  P.OutDType = A.outDtype();
  P.AllowsVoid = true;
  return inferConv(R, P);
}

// data1, data2: [N, C, H, W] -> [N, displacements, H', W']. As in TVM, W is the
// W of data2, everything else comes from data1.
RelationResult relay::inferCorrelation(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<CorrelationAttrs>();
  const TensorType *Data = R.getTensor(0), *Other = R.getTensor(1);
  auto Pad = getPadding(R, A.padding(), 2);
  if (A.layout() != "NCHW")
    return R.error("'layout' is " + A.layout() + ", not NCHW");
  if (failed(Pad))
    return RelationResult::Failed;
  if (Data->getRank() < 3 || Other->getRank() < 4)
    return R.error("data1 or data2 has too few axes");
  if (A.stride1() <= 0 || A.stride2() <= 0)
    return R.error("'stride1' or 'stride2' is not positive");
  constexpr int64_t MaxBorder = 1 << 24; // the square of twice it is an int64
  auto IsFar = [](int64_t V) { return V <= -MaxBorder || V >= MaxBorder; };
  if (IsFar(A.maxDisplacement()) || IsFar(A.kernelSize()))
    return R.error("'max_displacement' or 'kernel_size' is out of range");
  int64_t Border = A.maxDisplacement() + (A.kernelSize() - 1) / 2;
  int64_t Displacements = 2 * (A.maxDisplacement() / A.stride2()) + 1;
  DimMath Math(R.getContext());
  auto GetExtent = [&](Dim Whole, unsigned I) {
    Dim Padded = Math.add(Whole, (*Pad)[I]);
    return Math.ceilDiv(Math.sub(Padded, 2 * Border), A.stride1());
  };
  Dim Count =
      R.getContext().getDim(Displacements * Displacements, DType::getInt(32));
  return R.setResult(
      R.getTensorType({Data->getDim(0), Count, GetExtent(Data->getDim(2), 0),
                       GetExtent(Other->getDim(3), 1)},
                      Data->getDType()));
}

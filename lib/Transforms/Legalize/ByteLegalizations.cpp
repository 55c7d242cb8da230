//===- ByteLegalizations.cpp - Products of bytes for x86 ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86 multiplies uint8 by int8, in vectors along the channels. Data of int8 is
// shifted to uint8, and axes are filled up to the length of vectors.
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "TargetFeatures.h"
#include "TensorUtils.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Legalize/Legalization.h"

using namespace relay;

/// The length of vectors along the axis of the sums, and along the results.
static constexpr int64_t SumVector = 4, ResultVector = 16;

static DType getInt32() { return DType::getInt(32); }

/// \p Data, int8, plus 128.
static Value *shiftToUnsigned(Builder &B, Value *Data) {
  Value *Wide = B.create<CastOp>(Data, getInt32());
  Wide = B.create<AddOp>(Wide, B.constant(getInt32(), 128));
  return B.create<CastOp>(Wide, DType::getUInt(8));
}

static Value *fill(Builder &B, Value *V, unsigned Axis, int64_t Count) {
  return Count ? padAfter(B, V, Axis, Count, B.constant(getInt32(), 0)) : V;
}

//===----------------------------------------------------------------------===//
// nn.conv2d
//===----------------------------------------------------------------------===//

namespace {
/// Axes of the data and the weight.
struct ByteConvAxes {
  unsigned Channels, Height, KernelIn, KernelOut;
};
} // namespace

static std::optional<ByteConvAxes> getByteConvAxes(const Conv2DAttrs &A) {
  if (A.dataLayout() == "NCHW" && A.kernelLayout() == "OIHW")
    return ByteConvAxes{1, 2, 1, 0};
  if (A.dataLayout() == "NHWC" && A.kernelLayout() == "HWIO")
    return ByteConvAxes{3, 1, 2, 3};
  return std::nullopt;
}

static bool isByteConv2D(const Lowering &Op, const Conv2DAttrs &A) {
  const TensorType *Data = Op.getTensor(0), *Weight = Op.getTensor(1);
  const TensorType *Result = getTensor(Op.getOp());
  if (!Data || !Weight || !Result || !Data->isStatic() || !Weight->isStatic() ||
      !Result->isStatic() || Weight->getDType() != DType::getInt(8))
    return false;
  bool IsSigned = Data->getDType() == DType::getInt(8);
  if (IsSigned ? Result->getDType() != getInt32()
               : Data->getDType() != DType::getUInt(8))
    return false;
  return A.groups() == 1 && getByteConvAxes(A) && getSidePadding(A.padding()) &&
         llvm::all_of(A.dilation(), [](Dim D) { return D.isConst(1); }) &&
         (A.outLayout().empty() || A.outLayout() == A.dataLayout()) &&
         hasX86Feature(Op.getTarget(), "sse4.2");
}

/// \p Data with \p Sides around its height and width, filled with 128.
static Value *padShifted(Builder &B, Value *Data, unsigned Height,
                         ArrayRef<Dim> Sides) {
  if (llvm::all_of(Sides, [](Dim D) { return D.isConst(0); }))
    return Data;
  return padAxes(
      B, Data, B.constant(getInt32(), 128),
      {{Height, Sides[0], Sides[2]}, {Height + 1, Sides[1], Sides[3]}});
}

/// 128 times the sum of the weights of each channel of the result.
static Value *sumShift(Builder &B, Value *Weight, const ByteConvAxes &Axes) {
  Value *Wide = B.create<CastOp>(Weight, getInt32());
  bool IsFirst = Axes.KernelOut == 0;
  Value *Sum = IsFirst ? B.create<SumOp>(Wide, {1, 2, 3})
                       : B.create<SumOp>(Wide, {0, 1, 2});
  if (IsFirst)
    Sum = B.create<ExpandDimsOp>(Sum, /*Axis=*/1, /*NumNewaxis=*/2);
  return B.create<MultiplyOp>(Sum, B.constant(getInt32(), 128));
}

namespace {
/// The changes of a convolution.
struct ByteConv {
  ByteConvAxes Axes;
  bool IsShifted;          ///< the data is int8
  int64_t InFill, OutFill; ///< the channels by which the axes are filled
  SmallVector<Dim, 6> Sides;
  const Conv2DAttrs *Attributes;
};
} // namespace

static ByteConv planByteConv2D(Context &Ctx, const Lowering &Op,
                               const Conv2DAttrs &A) {
  ByteConvAxes Axes = *getByteConvAxes(A);
  ArrayRef<Dim> Weights = Op.getTensor(1)->getShape();
  int64_t Out = Weights[Axes.KernelOut].getInt();
  int64_t OutFill = getFill(Out, ResultVector);
  bool IsShifted = Op.getTensor(0)->getDType().isInt();
  SmallVector<Dim, 6> Sides = *getSidePadding(A.padding());
  SmallVector<Dim, 6> NewSides(IsShifted ? SmallVector<Dim, 6>(4, Dim::get(0))
                                         : Sides);
  auto Attributes = A.toBuilder(Ctx);
  Attributes.padding(ArrayRef<Dim>(NewSides));
  if (OutFill)
    Attributes.channels(Dim::get(Out + OutFill));
  int64_t InFill = getFill(Weights[Axes.KernelIn].getInt(), SumVector);
  return {Axes, IsShifted, InFill, OutFill, Sides, Attributes.get()};
}

FailureOr<Value *> relay::legalizeByteConv2D(Rewriter &R, Lowering &Op) {
  Conv2DOp Conv(Op.getOp());
  if (!isByteConv2D(Op, Conv.attrs()))
    return nullptr;
  ByteConv C = planByteConv2D(R.getContext(), Op, Conv.attrs());
  if (!C.IsShifted && C.InFill == 0 && C.Attributes == &Conv.attrs())
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  Value *Data = Conv.data();
  if (C.IsShifted)
    Data = padShifted(R, shiftToUnsigned(R, Data), C.Axes.Height, C.Sides);
  Data = fill(R, Data, C.Axes.Channels, C.InFill);
  Value *Weight = fill(R, Conv.weight(), C.Axes.KernelIn, C.InFill);
  Weight = fill(R, Weight, C.Axes.KernelOut, C.OutFill);
  Value *V = R.create<Conv2DOp>(Data, Weight, C.Attributes);
  if (C.OutFill)
    V = sliceTo(R, V, cast<TensorType>(Conv->getType()));
  if (C.IsShifted)
    V = R.create<SubtractOp>(V, sumShift(R, Conv.weight(), C.Axes));
  return V;
}

//===----------------------------------------------------------------------===//
// nn.dense, nn.batch_matmul
//===----------------------------------------------------------------------===//

/// Returns true if the target multiplies the bytes of \p Op, a product of int8
/// and the transposed second operand, and if the shapes are known.
static bool isByteProduct(const Lowering &Op) {
  const TensorType *Data = Op.getTensor(0), *Weight = Op.getTensor(1);
  const TensorType *Result = getTensor(Op.getOp());
  const Target *T = Op.getTarget();
  bool IsFast = hasX86Feature(T, "amx-int8") ||
                (hasX86Feature(T, "avx512bw") && hasX86Feature(T, "avx512f"));
  return IsFast && Data && Weight && Result &&
         Data->getDType() == DType::getInt(8) &&
         Weight->getDType().getBits() == 8 &&
         (Weight->getDType().isInt() || Weight->getDType().isUInt()) &&
         Weight->isStatic() && Result->getDType() == getInt32() &&
         Data->getRank() >= 2;
}

namespace {
/// The operands of a product, shifted and filled.
struct ByteProduct {
  /// The numbers of elements by which the axes are filled.
  int64_t SumFill, ResultFill;
  Value *Data, *Weight;
  Value *Shift; ///< 128 times the sums of the weight
};
} // namespace

static ByteProduct makeByteProduct(Rewriter &R, const Lowering &Op) {
  ByteProduct P;
  Value *Weight = Op.getOp()->getOperand(1);
  ArrayRef<Dim> Shape = Op.getTensor(1)->getShape();
  unsigned Rank = Shape.size();
  P.ResultFill = getFill(Shape[Rank - 2].getInt(), ResultVector);
  P.SumFill = getFill(Shape[Rank - 1].getInt(), SumVector);
  P.Data = shiftToUnsigned(R, Op.getOp()->getOperand(0));
  P.Data = fill(R, P.Data, getRank(P.Data) - 1, P.SumFill);
  P.Weight = Weight;
  Dim Zero = Dim::get(0);
  if (P.SumFill || P.ResultFill)
    P.Weight = padAxes(R, Weight, R.constant(getInt32(), 0),
                       {{Rank - 2, Zero, Dim::get(P.ResultFill)},
                        {Rank - 1, Zero, Dim::get(P.SumFill)}});
  Value *Sum = R.create<SumOp>(R.create<CastOp>(Weight, getInt32()), {-1});
  P.Shift = R.create<MultiplyOp>(R.constant(getInt32(), 128), Sum);
  return P;
}

/// Returns true if \p Op has a static result or needs no slice of it.
static bool canSlice(const Lowering &Op) {
  ArrayRef<Dim> Shape = Op.getTensor(1)->getShape();
  return cast<TensorType>(Op.getOp()->getType())->isStatic() ||
         getFill(Shape[Shape.size() - 2].getInt(), ResultVector) == 0;
}

/// Returns the result of \p Op, computed from \p V, the product of the operands
/// of \p P.
static Value *finishByteProduct(Rewriter &R, const Lowering &Op,
                                const ByteProduct &P, Value *V) {
  if (P.ResultFill)
    V = sliceTo(R, V, cast<TensorType>(Op.getOp()->getType()), "size");
  return R.create<SubtractOp>(V, P.Shift);
}

FailureOr<Value *> relay::legalizeByteDense(Rewriter &R, Lowering &Op) {
  DenseOp Dense(Op.getOp());
  if (!isByteProduct(Op) || !canSlice(Op) || !Op.start(R))
    return nullptr;
  ByteProduct P = makeByteProduct(R, Op);
  auto Attributes = Dense.attrs().toBuilder(R.getContext());
  if (Dense.attrs().hasUnits() && P.ResultFill)
    Attributes.units(getTensor(P.Weight)->getDim(0));
  Value *V = R.create<DenseOp>(P.Data, P.Weight, Attributes.get());
  return finishByteProduct(R, Op, P, V);
}

FailureOr<Value *> relay::legalizeByteBatchMatmul(Rewriter &R, Lowering &Op) {
  BatchMatmulOp Matmul(Op.getOp());
  const BatchMatmulAttrs &A = Matmul.attrs();
  if (A.transposeA() || !A.transposeB() || !isByteProduct(Op) ||
      !canSlice(Op) || !Op.start(R))
    return nullptr;
  ByteProduct P = makeByteProduct(R, Op);
  P.Shift = R.create<ExpandDimsOp>(P.Shift, /*Axis=*/1);
  Value *V = R.create<BatchMatmulOp>(P.Data, P.Weight, &A);
  return finishByteProduct(R, Op, P, V);
}

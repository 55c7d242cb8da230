//===- ConvRelations.h - Types of convolutions ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relations that convolutions of any number of dimensions share, quantized
// ones and those with extra operands too: their operands 0 and 1 are data and
// weight, the others the caller's business.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_CONVRELATIONS_H
#define RELAY_OPS_CONVRELATIONS_H

#include "relay/Ops/Relations.h"

namespace relay {

/// The attributes of a convolution, and which axes it has.
struct ConvParams {
  StringLiteral DataAxes;   ///< `NCHW`: batch, channels, spatial axes
  StringLiteral KernelAxes; ///< `OIHW`; transposed: `IOHW`
  ArrayRef<Dim> Strides, Padding, Dilation;
  ArrayRef<Dim> KernelSize;    ///< empty: taken from the weight
  ArrayRef<Dim> OutputPadding; ///< transposed convolutions only
  Dim Channels;                ///< null: taken from the weight
  int64_t Groups = 1;
  StringRef DataLayout, KernelLayout, OutLayout;
  DType OutDType;
  /// The weight may have any shape; attributes tell channels and kernel.
  bool AnyWeight = false;
  unsigned WeightOperand = 1;
  /// A weight may be [C, O / C, ..] where every input channel is a group.
  bool HasDepthwise = true;
  /// A weight from which the channels are inferred has all input channels, for
  /// any number of groups; TVM's behavior in one dimension.
  bool ReadsWithoutGroups = false;
  /// Without `out_dtype` the result is of void, and not of the data's type.
  bool AllowsVoid = false;

  unsigned getNumSpatial() const { return DataAxes.size() - 2; }
  StringRef getOutLayout() const {
    return OutLayout.empty() ? DataLayout : OutLayout;
  }

  /// From an op's attributes, which have TVM's names for these fields.
  template <typename AttrsT>
  static ConvParams get(const AttrsT &A, StringLiteral DataAxes,
                        StringLiteral KernelAxes) {
    ConvParams P{DataAxes, KernelAxes, {}, {}, {}, {},    {}, {},
                 1,        {},         {}, {}, {}, false, 1};
    P.Strides = A.strides();
    P.Padding = A.padding();
    P.Dilation = A.dilation();
    P.KernelSize = A.kernelSize();
    P.Channels = A.channels();
    P.Groups = A.groups();
    P.DataLayout = A.dataLayout();
    P.KernelLayout = A.kernelLayout();
    P.OutLayout = A.outLayout();
    P.OutDType = A.outDtype();
    return P;
  }
  /// Like get(), with the output padding of a transposed convolution.
  template <typename AttrsT>
  static ConvParams getTransposed(const AttrsT &A, StringLiteral DataAxes,
                                  StringLiteral KernelAxes) {
    ConvParams P = get(A, DataAxes, KernelAxes);
    P.OutputPadding = A.outputPadding();
    return P;
  }
};

/// data: [N, C, spatial...], weight: [O, C / groups, kernel...] in their
/// layouts -> [N, O, spatial'...] in the output's layout, where spatial' =
/// (spatial + pad - dilated kernel) / stride + 1. Assigns the weight's type
/// where attributes tell it. TVM: Conv1DRel, Conv2DRel, Conv3DRel.
RelationResult inferConv(TypeRelation &R, const ConvParams &P);

/// data: [N, C, spatial...], weight: [C, O / groups, kernel...] -> [N, O,
/// spatial'...], where spatial' = stride * (spatial - 1) + dilated kernel - pad
/// + output pad. TVM: Conv2DTransposeRel and its kin.
RelationResult inferConvTranspose(TypeRelation &R, const ConvParams &P);

} // namespace relay

#endif // RELAY_OPS_CONVRELATIONS_H

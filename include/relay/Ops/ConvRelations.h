//===- ConvRelations.h - Types of convolutions ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common type relations of convolutions of any number of dimensions,
// including quantized ones and ones with additional operands: operands 0 and 1
// are data and weight; the caller handles the others.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_CONVRELATIONS_H
#define RELAY_OPS_CONVRELATIONS_H

#include "relay/Ops/Relations.h"

namespace relay {

/// The attributes of a convolution, and the axes that it has.
struct ConvParams {
  StringLiteral DataAxes;   ///< `NCHW`: batch, channels, spatial axes
  StringLiteral KernelAxes; ///< `OIHW`; transposed: `IOHW`
  ArrayRef<Dim> Strides, Padding, Dilation;
  ArrayRef<Dim> KernelSize;    ///< empty: from the weight
  ArrayRef<Dim> OutputPadding; ///< transposed convolutions only
  Dim Channels;                ///< null: from the weight
  int64_t Groups = 1;
  StringRef DataLayout, KernelLayout, OutLayout;
  DType OutDType;
  /// True if the weight may have any shape, and attributes provide channels and
  /// kernel.
  bool AnyWeight = false;
  unsigned WeightOperand = 1;
  /// True if a weight may be [C, O / C, ..] when every input channel is a
  /// group.
  bool HasDepthwise = true;
  /// True if a weight from which the channels are inferred has all input
  /// channels, for any number of groups; TVM's behavior in one dimension.
  bool ReadsWithoutGroups = false;
  /// True if the result is of void, rather than of the data's type, without
  /// `out_dtype`.
  bool AllowsVoid = false;

  unsigned getNumSpatial() const { return DataAxes.size() - 2; }
  StringRef getOutLayout() const {
    return OutLayout.empty() ? DataLayout : OutLayout;
  }

  /// Reads the attributes of an op, which have TVM's names for these fields.
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
  /// As get(), with the output padding of a transposed convolution.
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
/// (spatial + pad - dilated kernel) / stride + 1. Assigns the weight's type if
/// attributes determine it. TVM: Conv1DRel, Conv2DRel, Conv3DRel.
RelationResult inferConv(TypeRelation &R, const ConvParams &P);

/// data: [N, C, spatial...], weight: [C, O / groups, kernel...] -> [N, O,
/// spatial'...], where spatial' = stride * (spatial - 1) + dilated kernel - pad
/// + output pad. TVM: Conv2DTransposeRel and its kin.
RelationResult inferConvTranspose(TypeRelation &R, const ConvParams &P);

} // namespace relay

#endif // RELAY_OPS_CONVRELATIONS_H

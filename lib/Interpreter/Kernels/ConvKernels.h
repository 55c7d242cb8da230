//===- ConvKernels.h - What kernels of convolutions share -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands and results of convolutions of any layout, in the plain one.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H
#define RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H

#include "relay/Interpreter/Contraction/Convolution.h"
#include "relay/Ops/ConvRelations.h"

namespace relay {

/// Operand \p I, of the layout \p From, in the plain layout \p To, as elements
/// that the output is contracted in.
FailureOr<Tensor> loadConvOperand(KernelCall &Call, unsigned I, StringRef From,
                                  StringRef To);

/// Makes \p Sums, of the plain layout \p From, the output, in the layout \p To.
LogicalResult setConvOutput(KernelCall &Call, FailureOr<Tensor> Sums,
                            StringRef From, StringRef To);

/// The output's shape in the plain layout \p To; reports where it is not known.
FailureOr<TensorShape> getPlainConvOutput(KernelCall &Call, StringRef From,
                                          StringRef To);

/// A convolution in the plain layouts, data: [N, C, ..], weight: [O, C /
/// groups, ..] -> [N, O, ..].
struct PlainConv {
  WindowAttrs Window;
  TensorShape Out;
  Tensor Data;
  Tensor Weight;

  /// Operands 0 and 1, cast to the type of the result.
  static FailureOr<PlainConv> get(KernelCall &Call, const ConvParams &P);
  /// The same without the weight, which has a form of its own.
  static FailureOr<PlainConv> getWithoutWeight(KernelCall &Call,
                                               const ConvParams &P);
  /// The same without both.
  static FailureOr<PlainConv> getWithoutOperands(KernelCall &Call,
                                                 const ConvParams &P);
  WindowGeometry getGeometry() const;
  /// Of a transposed convolution: strides are between places of the result, and
  /// padding is cut off.
  WindowGeometry getTransposedGeometry() const;
  /// Computes the output.
  LogicalResult evaluate(KernelCall &Call, const ConvParams &P,
                         const WindowGeometry &G) const;
};

/// \p Weight as [O, C / groups, ..], where it is [C, O / C, ..] with a group
/// for each of \p Channels of data.
Tensor getGroupedWeight(const Tensor &Weight, const ConvParams &P,
                        int64_t Channels);

/// weight: [C, O / groups, ..] -> [O, C / groups, ..], its places reversed, by
/// which a convolution of spread data is the transposed one.
FailureOr<Tensor> transposeWeight(KernelCall &Call, const Tensor &Weight,
                                  int64_t Groups);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H

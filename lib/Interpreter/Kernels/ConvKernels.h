//===- ConvKernels.h - Utilities of convolution kernels ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands and results of convolutions in any layout, converted to the plain
// layout.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H
#define RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H

#include "relay/Interpreter/Contraction/Convolution.h"
#include "relay/Ops/ConvRelations.h"

namespace relay {

/// Returns operand \p I, in the layout \p From, in the plain layout \p To, with
/// elements of the output's type of contractions.
FailureOr<Tensor> loadConvOperand(KernelCall &Call, unsigned I, StringRef From,
                                  StringRef To);

/// Sets the output in the layout \p To to \p Sums, which has the plain layout
/// \p From.
LogicalResult setConvOutput(KernelCall &Call, FailureOr<Tensor> Sums,
                            StringRef From, StringRef To);

/// Returns the output's shape in the plain layout \p To; reports an error if it
/// is unknown.
FailureOr<TensorShape> getPlainConvOutput(KernelCall &Call, StringRef From,
                                          StringRef To);

/// A convolution in the plain layouts, data: [N, C, ..], weight: [O, C /
/// groups, ..] -> [N, O, ..].
struct PlainConv {
  WindowAttrs Window;
  TensorShape Out;
  Tensor Data;
  Tensor Weight;

  /// Returns operands 0 and 1, cast to the type of the result.
  static FailureOr<PlainConv> get(KernelCall &Call, const ConvParams &P);
  /// As get(), without the weight, which has another form.
  static FailureOr<PlainConv> getWithoutWeight(KernelCall &Call,
                                               const ConvParams &P);
  /// As get(), without both operands.
  static FailureOr<PlainConv> getWithoutOperands(KernelCall &Call,
                                                 const ConvParams &P);
  WindowGeometry getGeometry() const;
  /// Returns the geometry of a transposed convolution: strides separate
  /// positions of the result, and padding is removed.
  WindowGeometry getTransposedGeometry() const;
  /// Computes the output.
  LogicalResult evaluate(KernelCall &Call, const ConvParams &P,
                         const WindowGeometry &G) const;
};

/// Returns \p Weight as [O, C / groups, ..], given [C, O / C, ..] with a group
/// for each of \p Channels of data.
Tensor getGroupedWeight(const Tensor &Weight, const ConvParams &P,
                        int64_t Channels);

/// weight: [C, O / groups, ..] -> [O, C / groups, ..] with reversed positions,
/// so that a convolution of spread data is the transposed one.
FailureOr<Tensor> transposeWeight(KernelCall &Call, const Tensor &Weight,
                                  int64_t Groups);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_CONVKERNELS_H

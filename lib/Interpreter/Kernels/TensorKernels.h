//===- TensorKernels.h - Shared parts of similar kernels --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of kernels common to operators whose shapes are attributes and
// operators of Ops/Dyn.td, whose shapes are computed.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_TENSORKERNELS_H
#define RELAY_LIB_INTERPRETER_KERNELS_TENSORKERNELS_H

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/AxisSlice.h"
#include "relay/Ops/Sort.h"

namespace relay {

/// Reports an error unless the shape of output 0 is known; an attribute may
/// hold `?`.
LogicalResult checkOutputShape(const KernelCall &Call);

/// Fills \p Out with \p Value, a scalar of any data type, converted.
void fillTensor(Tensor &Out, const Tensor &Value);
/// As above, with a number.
void fillTensor(Tensor &Out, int64_t Value);
/// Fills \p Out with operand 1 where the position on \p Axis is the index in
/// operand 0, otherwise with operand 2.
LogicalResult fillOneHot(KernelCall &Call, Tensor &Out, unsigned Axis);

/// Sets output 0 to \p Data in \p Shape; reports different numbers of elements.
LogicalResult setReshaped(KernelCall &Call, const Tensor &Data,
                          ArrayRef<int64_t> Shape);
/// Fills \p Out, of the same or a higher rank, with copies of \p Data; each
/// extent of Out is a multiple of that of Data.
void tileTensor(const KernelCall &Call, const Tensor &Data, Tensor &Out);
/// Reports an error unless \p Data broadcasts to \p Shape.
LogicalResult checkBroadcast(const KernelCall &Call, const Tensor &Data,
                             ArrayRef<int64_t> Shape);

/// Fills \p Out with the elements of \p Data at normalized \p Slices of all
/// axes.
void copySlice(const KernelCall &Call, const Tensor &Data,
               ArrayRef<AxisSlice> Slices, Tensor &Out);

/// Fills the outputs of topk with the first \p Count elements in order.
LogicalResult fillTopk(KernelCall &Call, const TopkAttrs &A, int64_t Count);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_TENSORKERNELS_H

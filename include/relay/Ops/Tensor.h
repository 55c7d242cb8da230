//===- Tensor.h - Making and reshaping tensors ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Tensor.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_TENSOR_H
#define RELAY_OPS_TENSOR_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"

#include "relay/Ops/Tensor.h.inc"

namespace relay {

/// Returns the position of the new axis of one_hot in a tensor of rank \p Rank:
/// -1 is the end; other negative numbers are an error.
FailureOr<unsigned> getNewAxis(TypeRelation &R, int64_t Axis, unsigned Rank);

} // namespace relay

#endif // RELAY_OPS_TENSOR_H

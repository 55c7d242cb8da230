//===- Sort.h - Sorting and searching ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Sort.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_SORT_H
#define RELAY_OPS_SORT_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"

#include "relay/Ops/Sort.h.inc"

namespace relay {

/// Sets the result of a topk: \p Count elements on the axis of operand 0, or
/// all elements if Count is null.
RelationResult setTopkResult(TypeRelation &R, const TopkAttrs &A, Dim Count);

} // namespace relay

#endif // RELAY_OPS_SORT_H

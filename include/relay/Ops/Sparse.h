//===- Sparse.h - Sparse tensors --------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Sparse.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_SPARSE_H
#define RELAY_OPS_SPARSE_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"

#include "relay/Ops/Sparse.h.inc"

namespace relay {

/// Checks indices, values and default of sparse_to_dense, operands 0 to 2.
LogicalResult checkSparseValues(TypeRelation &R);

} // namespace relay

#endif // RELAY_OPS_SPARSE_H

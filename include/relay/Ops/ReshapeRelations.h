//===- ReshapeRelations.h - Shapes of reshaped tensors ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The special numbers in the new shape of `reshape` and related operators.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_RESHAPERELATIONS_H
#define RELAY_OPS_RESHAPERELATIONS_H

#include "relay/Ops/Relations.h"

namespace relay {

/// The shape \p NewShape applied to a tensor of shape \p Old. Entries: a
/// positive number is a length; 0 copies a length (with \p AllowZero: is the
/// length 0); -1 is inferred; -2 copies all remaining lengths; -3 is the
/// product of two; -4 splits a length into the two after it, one of which may
/// be -1. Reports invalid shapes. Semantics: TVM's InferNewShape.
FailureOr<Shape> inferNewShape(TypeRelation &R, ArrayRef<Dim> Old,
                               ArrayRef<Dim> NewShape, bool AllowZero);

/// Reports when two shapes, both wholly constant, have different numbers of
/// elements.
LogicalResult checkSameSize(TypeRelation &R, ArrayRef<Dim> Old,
                            ArrayRef<Dim> New);

} // namespace relay

#endif // RELAY_OPS_RESHAPERELATIONS_H

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

/// Applies the shape \p NewShape to a tensor of shape \p Old. Entries: a
/// positive number is a length; 0 copies a length (with \p AllowZero: is the
/// length 0); -1 is inferred; -2 copies all remaining lengths; -3 is the
/// product of two lengths; -4 splits a length into the two lengths after it, of
/// which one may be -1. Reports invalid shapes. Semantics: TVM's InferNewShape.
FailureOr<Shape> inferNewShape(TypeRelation &R, ArrayRef<Dim> Old,
                               ArrayRef<Dim> NewShape, bool AllowZero);

/// Reports an error if two constant shapes have different numbers of elements.
LogicalResult checkSameSize(TypeRelation &R, ArrayRef<Dim> Old,
                            ArrayRef<Dim> New);

} // namespace relay

#endif // RELAY_OPS_RESHAPERELATIONS_H

//===- ReshapeRelations.h - Shapes of reshaped tensors ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the special numbers in the new shape of `reshape` and its kin mean.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_RESHAPERELATIONS_H
#define RELAY_OPS_RESHAPERELATIONS_H

#include "relay/Ops/Relations.h"

namespace relay {

/// The shape that \p NewShape asks for of a tensor of shape \p Old. Entries: a
/// positive number is a length; 0 copies one (with \p AllowZero: is the length
/// 0); -1 is what is left; -2 copies all that remain; -3 is the product of two;
/// -4 splits one into the two that follow, of which one may be -1. Reports what
/// cannot be. Semantics: TVM's InferNewShape.
FailureOr<Shape> inferNewShape(TypeRelation &R, ArrayRef<Dim> Old,
                               ArrayRef<Dim> NewShape, bool AllowZero);

/// Reports when two shapes, both wholly constant, have different numbers of
/// elements.
LogicalResult checkSameSize(TypeRelation &R, ArrayRef<Dim> Old,
                            ArrayRef<Dim> New);

} // namespace relay

#endif // RELAY_OPS_RESHAPERELATIONS_H

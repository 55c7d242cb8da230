//===- TensorUtils.h - Axes of values ------------------------- -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, ranks and axes of tensors, for the passes of all folders.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_TENSORUTILS_H
#define RELAY_LIB_TRANSFORMS_TENSORUTILS_H

#include "relay/IR/Builder.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

/// Sets the insertion point after the operation \p V, or to the start of the
/// block of the argument V.
void setInsertionPointAfter(Builder &B, Value *V);

/// Returns true for tensors of floats, bfloat16 included. \p T may be null.
bool isFloatTensor(const Type *T);
/// Returns the type of \p V; null if it is not known to be a tensor.
const TensorType *getTensor(const Value *V);
/// Returns the rank of \p V; 0 if it is not known to be a tensor.
unsigned getRank(const Value *V);
/// Returns the data type of \p V; int32 if it is not known to be a tensor.
DType getDType(const Value *V);
/// Returns the extent of \p V along \p Axis of \p Layout; none if it is
/// unknown.
Dim getExtent(const Value *V, StringRef Layout, char Axis);
/// Returns \p Axis, which may be negative, as a number in [0, Rank).
inline int64_t getPosition(int64_t Axis, int64_t Rank) {
  return Axis < 0 ? Axis + Rank : Axis;
}
/// Returns true for each axis of a tensor of \p Rank dimensions that an
/// operation with the attributes \p A, such as ReduceAttrs, reduces. Without
/// axes, and with an empty list, it reduces all.
template <typename AttrsT>
llvm::BitVector findReducedAxes(const AttrsT &A, int64_t Rank) {
  if (A.axis().empty())
    return llvm::BitVector(Rank, true);
  llvm::BitVector Reduced(Rank);
  for (Dim Axis : A.axis())
    Reduced.set(getPosition(Axis.getInt(), Rank));
  return A.exclude() ? Reduced.flip() : Reduced;
}
/// Returns \p V, a scalar or a vector. A vector gets trailing dimensions of 1,
/// so that it lies along \p Axis of tensors of \p Rank dimensions.
Value *expandAlongAxis(Builder &B, Value *V, int64_t Axis, int64_t Rank);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_TENSORUTILS_H

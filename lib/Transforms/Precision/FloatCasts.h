//===- FloatCasts.h - Values in other data types ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts of tensors, and of tensors in tuples, from one data type of floats to
// another. Casts of a value are shared by its users, as in TVM.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PRECISION_FLOATCASTS_H
#define RELAY_LIB_TRANSFORMS_PRECISION_FLOATCASTS_H

#include "relay/IR/Rewriter.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

/// Replaces the data types of floats in types by one data type.
class FloatTypes {
public:
  FloatTypes(Context &Ctx, DType D) : Ctx(Ctx), D(D) {}

  DType getDType() const { return D; }
  /// Returns \p T, possibly null, with D for the data types of the floats in
  /// it, if it is a tensor or a tuple.
  Type *convert(Type *T);

private:
  Context &Ctx;
  DType D;
  llvm::DenseMap<Type *, Type *> Known;
};

/// Returns true if \p T is a tensor of floats, or a tuple that contains one.
bool holdsFloats(Type *T);
/// Returns true if an operand or the result of \p Op holds floats.
bool computesFloats(const Operation &Op);

class FloatCasts {
public:
  explicit FloatCasts(Rewriter &R) : R(R) {}

  /// Returns \p V as a value of type \p To, which differs from the type of V in
  /// data types of floats only. Casts are inserted after V. A tuple is created
  /// anew from projections if a field is cast.
  Value *cast(Value *V, Type *To);

private:
  Value *castTensor(Value *V, Type *To);
  Value *castFields(Value *V, Type *To);

  Rewriter &R;
  /// The casts of tensors, and for each cast the value that it casts.
  llvm::DenseMap<std::pair<Value *, Type *>, Value *> Casts;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PRECISION_FLOATCASTS_H

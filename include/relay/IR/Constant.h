//===- Constant.h - Elements of tensor data ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing single elements of ConstantData, of every data type.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CONSTANT_H
#define RELAY_IR_CONSTANT_H

#include "relay/IR/Attr.h"

namespace relay {

/// Element \p I of \p Bytes; floats are truncated to integers.
int64_t readInt(DType T, const char *Bytes, size_t I = 0);
/// Element \p I of \p Bytes as a double (float16 and bfloat16 exactly).
double readDouble(DType T, const char *Bytes, size_t I = 0);
/// Writes an element: integers are truncated, floats rounded to nearest even.
void writeInt(DType T, char *Bytes, int64_t Value, size_t I = 0);
void writeDouble(DType T, char *Bytes, double Value, size_t I = 0);

/// The one element of a rank-0 constant.
inline double getScalarDouble(const ConstantData &C, DType T) {
  return readDouble(T, C.Bytes.data());
}
/// Number of elements of \p C, whose shape is static.
size_t getNumElements(const ConstantData &C);

} // namespace relay

#endif // RELAY_IR_CONSTANT_H

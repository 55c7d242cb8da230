//===- Constant.cpp - Tensor data and its elements ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splat buffers and queries of constants. ConstantPool.cpp uniques constants.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Constant.h"
#include "ConstantPool.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename NumberT>
static TensorBuffer makeSplatOf(DType T, size_t Count, NumberT Value) {
  // If the caller failed to check hasElementType(), allocate zeros: no output
  // may depend on uninitialized memory.
  TensorBuffer Buffer =
      hasElementType(T) ? TensorBuffer::allocate(Count * T.getByteSize())
                        : TensorBuffer::allocateZeros(Count * T.getByteSize());
  [[maybe_unused]] bool Known = dispatchDType(T, [&](auto Zero) {
    auto Element = toElement<decltype(Zero)>(Value);
    char *Bytes = Buffer.getMutableBytes().data();
    for (size_t I = 0; I != Count; ++I)
      std::memcpy(Bytes + I * sizeof(Element), &Element, sizeof(Element));
  });
  assert(Known && "a data type without elements");
  return Buffer;
}

TensorBuffer relay::makeSplat(DType T, size_t Count, double Value) {
  return makeSplatOf(T, Count, Value);
}
TensorBuffer relay::makeSplat(DType T, size_t Count, int64_t Value) {
  return makeSplatOf(T, Count, Value);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

int64_t ConstantData::getInt(size_t I) const {
  int64_t Result = 0;
  [[maybe_unused]] bool Known = dispatchDType(getDType(), [&](auto Zero) {
    Result = toInt(getView<decltype(Zero)>()[I]);
  });
  assert(Known && "a data type without elements");
  return Result;
}

double ConstantData::getDouble(size_t I) const {
  double Result = 0;
  [[maybe_unused]] bool Known = dispatchDType(getDType(), [&](auto Zero) {
    Result = toDouble(getView<decltype(Zero)>()[I]);
  });
  assert(Known && "a data type without elements");
  return Result;
}

bool ConstantData::isSplat() const {
  if (isOpaque())
    return false;
  ArrayRef<char> Bytes = getBytes();
  size_t Size = getDType().getByteSize();
  // Each byte equals the corresponding byte of the previous element.
  return Bytes.size() >= Size &&
         Bytes.drop_front(Size) == Bytes.drop_back(Size);
}

std::string ConstantData::describeMissingData() const {
  const OpaqueName &N = getOpaqueName();
  std::string Of =
      N.Index ? "`meta[relay.Constant][" + std::to_string(*N.Index) + "]`"
              : "a constant of type " + toString(Ty);
  if (!N.Hash.empty())
    Of += ", sha256:" + N.Hash.str() + ",";
  return "the data of " + Of + " is not in the text";
}

void ConstantData::addToUnused() const { Pool.addUnused(*this); }

//===- Tensor.cpp - Tensors of an evaluation ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Tensor.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

std::optional<int64_t> relay::getNumElements(ArrayRef<int64_t> Shape) {
  constexpr int64_t Max = int64_t(1) << 62;
  if (llvm::is_contained(Shape, 0))
    return 0;
  int64_t Count = 1;
  for (int64_t Extent : Shape)
    if (Extent < 0 || llvm::MulOverflow(Count, Extent, Count) || Count > Max)
      return std::nullopt;
  return Count;
}

std::string relay::toString(ArrayRef<int64_t> Shape) {
  std::string Text = "(";
  llvm::raw_string_ostream OS(Text);
  llvm::interleaveComma(Shape, OS);
  OS << ')';
  return Text;
}

Tensor::Tensor(DType T, ArrayRef<int64_t> Shape, TensorBuffer Buffer)
    : T(T), Shape(Shape), NumElements(*relay::getNumElements(Shape)),
      Buffer(std::move(Buffer)) {
  assert(this->Buffer.size() == uint64_t(NumElements) * T.getByteSize());
}

Tensor Tensor::allocate(DType T, ArrayRef<int64_t> Shape, MemoryMeter *Meter) {
  uint64_t Bytes = *relay::getNumElements(Shape) * T.getByteSize();
  Tensor Result(T, Shape, TensorBuffer::allocate(Bytes));
  if (Meter)
    Result.Counted = new Charge(Meter, Bytes);
  return Result;
}

Tensor Tensor::get(const ConstantData &Data) {
  TensorShape Shape;
  for (Dim D : Data.getType()->getShape())
    Shape.push_back(D.getInt());
  return Tensor(Data.getDType(), Shape, Data.getBuffer());
}

bool Tensor::isAligned() const {
  uintptr_t Address = reinterpret_cast<uintptr_t>(getBytes().data());
  return Address % T.getByteSize() == 0;
}

Tensor Tensor::copy(MemoryMeter *Meter) const {
  Tensor Result = allocate(T, Shape, Meter);
  llvm::copy(getBytes(), Result.getMutableBytes().begin());
  return Result;
}

int64_t Tensor::getInt(size_t I) const {
  int64_t Result = 0;
  dispatchDType(T, [&](auto Zero) {
    Result = toInt(TensorView<decltype(Zero)>(getBytes())[I]);
  });
  return Result;
}

double Tensor::getDouble(size_t I) const {
  double Result = 0;
  dispatchDType(T, [&](auto Zero) {
    Result = toDouble(TensorView<decltype(Zero)>(getBytes())[I]);
  });
  return Result;
}

SmallVector<int64_t, 8> Tensor::getInts() const {
  SmallVector<int64_t, 8> Result;
  for (int64_t I = 0; I != NumElements; ++I)
    Result.push_back(getInt(I));
  return Result;
}

Tensor Tensor::reshape(ArrayRef<int64_t> NewShape) const {
  assert(relay::getNumElements(NewShape) == NumElements);
  Tensor Result = *this;
  Result.Shape = TensorShape(NewShape);
  return Result;
}

Tensor Tensor::reinterpret(DType NewType) const {
  assert(NewType.getByteSize() == T.getByteSize());
  Tensor Result = *this;
  Result.T = NewType;
  return Result;
}

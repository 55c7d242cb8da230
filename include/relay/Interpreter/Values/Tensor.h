//===- Tensor.h - Tensors that are computed with ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor is a data type, a concrete shape and a buffer like those of constants:
// constants are used in place, and results can become constants without a copy.
// MemoryMeter counts the memory of an evaluation.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_TENSOR_H
#define RELAY_INTERPRETER_VALUES_TENSOR_H

#include "relay/IR/Constant.h"
#include "relay/IR/Context.h"
#include "llvm/Support/Error.h"

namespace relay {

/// Extents, outermost first; row-major.
using TensorShape = SmallVector<int64_t, 4>;

/// The number of elements of \p Shape; none where an extent is negative or the
/// product is beyond 2^62.
std::optional<int64_t> getNumElements(ArrayRef<int64_t> Shape);
/// `(2, 3)`, `()`.
std::string toString(ArrayRef<int64_t> Shape);

/// Bytes that the values of an evaluation hold, and how many they may. Not
/// thread-safe: values belong to one thread.
class MemoryMeter : public llvm::RefCountedBase<MemoryMeter> {
public:
  explicit MemoryMeter(uint64_t Limit) : Limit(Limit) {}

  bool hasRoomFor(uint64_t Bytes) const {
    bool HasRoom = Used <= Limit && Bytes <= Limit - Used;
    Refused |= !HasRoom;
    return HasRoom;
  }
  /// Returns true if hasRoomFor() has said no.
  bool hasRefused() const { return Refused; }
  void take(uint64_t Bytes) {
    Used += Bytes;
    Peak = std::max(Peak, Used);
  }
  void giveBack(uint64_t Bytes) { Used -= Bytes; }
  uint64_t getUsed() const { return Used; }
  uint64_t getPeak() const { return Peak; }

private:
  uint64_t Limit, Used = 0, Peak = 0;
  mutable bool Refused = false;
};
using MemoryMeterRef = llvm::IntrusiveRefCntPtr<MemoryMeter>;

/// A handle: copies, and tensors of another shape made by reshape(), share the
/// elements.
class Tensor {
public:
  /// No tensor.
  Tensor() = default;
  /// \p Buffer has as many elements as \p Shape, of the type \p T, which has an
  /// element type (hasElementType()).
  Tensor(DType T, ArrayRef<int64_t> Shape, TensorBuffer Buffer);
  /// Elements of undefined contents; counted by \p Meter, if there is one, as
  /// long as a handle lives. \p Shape has a number of elements.
  static Tensor allocate(DType T, ArrayRef<int64_t> Shape,
                         MemoryMeter *Meter = nullptr);
  /// The data of a constant, not copied.
  static Tensor get(const ConstantData &Data);
  /// A tensor of rank 0.
  template <typename E> static Tensor getScalar(DType T, E Value) {
    Tensor Result = allocate(T, {});
    Result.getMutableElements<E>()[0] = Value;
    return Result;
  }

  explicit operator bool() const { return !T.isVoid(); }
  DType getDType() const { return T; }
  ArrayRef<int64_t> getShape() const { return Shape; }
  unsigned getRank() const { return Shape.size(); }
  int64_t getDim(unsigned I) const { return Shape[I]; }
  int64_t getNumElements() const { return NumElements; }
  uint64_t getByteSize() const { return Buffer.size(); }
  ArrayRef<char> getBytes() const { return Buffer.getBytes(); }
  const TensorBuffer &getBuffer() const { return Buffer; }

  /// Returns true if the elements are aligned for their C++ type. Elements of a
  /// mapped file may not be; kernels only get aligned tensors.
  bool isAligned() const;
  /// An aligned copy, counted by \p Meter.
  Tensor copy(MemoryMeter *Meter = nullptr) const;

  /// The elements; E is what dispatchDType() gives for the data type. The
  /// tensor is aligned.
  template <typename E> ArrayRef<E> getElements() const {
    assert(isElementType<E>(T) && isAligned());
    return ArrayRef(reinterpret_cast<const E *>(getBytes().data()),
                    size_t(NumElements));
  }
  /// The same, to be written: only while this is the one handle.
  template <typename E> MutableArrayRef<E> getMutableElements() {
    assert(isElementType<E>(T));
    return MutableArrayRef(
        reinterpret_cast<E *>(Buffer.getMutableBytes().data()),
        size_t(NumElements));
  }
  MutableArrayRef<char> getMutableBytes() { return Buffer.getMutableBytes(); }

  /// Element \p I as a number, see toInt() and toDouble() of Constant.h.
  int64_t getInt(size_t I = 0) const;
  double getDouble(size_t I = 0) const;
  /// All elements by getInt(): of shapes, axes and the like.
  SmallVector<int64_t, 8> getInts() const;

  /// The same elements in another shape, which has as many.
  Tensor reshape(ArrayRef<int64_t> NewShape) const;
  /// The same bits as elements of \p NewType, which have the same size.
  Tensor reinterpret(DType NewType) const;

  TensorType *getType(Context &Ctx) const {
    return Ctx.getTensorType(getShape(), T);
  }
  /// A constant of the elements, not copied.
  Attr getConstant(Context &Ctx) const {
    return Ctx.getConstant(getType(Ctx), Buffer);
  }

private:
  /// Memory that a meter has counted for the elements: their bytes, and an
  /// estimate of the buffer's overhead.
  struct Charge : llvm::RefCountedBase<Charge> {
    static constexpr uint64_t Overhead = 3 * TensorBuffer::Alignment;
    Charge(MemoryMeter *Meter, uint64_t Elements)
        : Meter(Meter), Bytes(Elements + Overhead) {
      Meter->take(Bytes);
    }
    ~Charge() { Meter->giveBack(Bytes); }
    MemoryMeterRef Meter;
    uint64_t Bytes;
  };

  DType T;
  TensorShape Shape;
  int64_t NumElements = 0;
  TensorBuffer Buffer;
  llvm::IntrusiveRefCntPtr<Charge> Counted; ///< null: nobody counts
};

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_TENSOR_H

//===- Tensor.h - Tensors of an evaluation ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Tensor has a data type, a concrete shape and a buffer, as constants have:
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

/// Returns the number of elements of \p Shape; none if an extent is negative or
/// the product is greater than 2^62.
std::optional<int64_t> getNumElements(ArrayRef<int64_t> Shape);
/// Returns `(2, 3)`, `()`.
std::string toString(ArrayRef<int64_t> Shape);

/// Counts the bytes that the values of an evaluation hold, and limits them. Not
/// thread-safe: values belong to one thread.
class MemoryMeter : public llvm::RefCountedBase<MemoryMeter> {
public:
  explicit MemoryMeter(uint64_t Limit) : Limit(Limit) {}

  bool hasRoomFor(uint64_t Bytes) const {
    bool HasRoom = Used <= Limit && Bytes <= Limit - Used;
    Refused |= !HasRoom;
    return HasRoom;
  }
  /// Returns true if hasRoomFor() has returned false.
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
  /// \p Buffer must have as many elements as \p Shape, of the type \p T, which
  /// must have an element type (hasElementType()).
  Tensor(DType T, ArrayRef<int64_t> Shape, TensorBuffer Buffer);
  /// Allocates elements with undefined contents. \p Meter, if not null, counts
  /// them while a handle lives. The number of elements of \p Shape must be
  /// valid.
  static Tensor allocate(DType T, ArrayRef<int64_t> Shape,
                         MemoryMeter *Meter = nullptr);
  /// Returns the data of a constant, which is not opaque, without a copy.
  static Tensor get(const ConstantData &Data);
  /// Returns a tensor of rank 0.
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
  /// Returns an aligned copy, which \p Meter counts.
  Tensor copy(MemoryMeter *Meter = nullptr) const;

  /// Returns the elements; E is the type that dispatchDType() passes for the
  /// data type. The tensor must be aligned.
  template <typename E> ArrayRef<E> getElements() const {
    assert(isElementType<E>(T) && isAligned());
    return ArrayRef(reinterpret_cast<const E *>(getBytes().data()),
                    size_t(NumElements));
  }
  /// As above, for writing: only while this is the only handle.
  template <typename E> MutableArrayRef<E> getMutableElements() {
    assert(isElementType<E>(T));
    return MutableArrayRef(
        reinterpret_cast<E *>(Buffer.getMutableBytes().data()),
        size_t(NumElements));
  }
  MutableArrayRef<char> getMutableBytes() { return Buffer.getMutableBytes(); }

  /// Returns element \p I as a number, see toInt() and toDouble() of
  /// Constant.h.
  int64_t getInt(size_t I = 0) const;
  double getDouble(size_t I = 0) const;
  /// Returns all elements by getInt(): for shapes, axes and the like.
  SmallVector<int64_t, 8> getInts() const;

  /// Returns the same elements in another shape of the same size.
  Tensor reshape(ArrayRef<int64_t> NewShape) const;
  /// Returns the same bits as elements of \p NewType, which must have the same
  /// size.
  Tensor reinterpret(DType NewType) const;

  TensorType *getType(Context &Ctx) const {
    return Ctx.getTensorType(getShape(), T);
  }
  /// Returns a constant with the elements, without a copy.
  Attr getConstant(Context &Ctx) const {
    return Ctx.getConstant(getType(Ctx), Buffer);
  }

private:
  /// The memory that a meter has counted for the elements: their bytes, and an
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
  llvm::IntrusiveRefCntPtr<Charge> Counted; ///< null: not counted
};

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_TENSOR_H

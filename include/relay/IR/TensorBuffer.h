//===- TensorBuffer.h - Shared immutable bytes of tensors -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorBuffer is a reference-counted handle of the bytes of a tensor: memory
// aligned to 64 bytes that is filled once, or a part of a mapped file. A type
// stored with it gives the bytes their meaning (Constant.h).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TENSORBUFFER_H
#define RELAY_IR_TENSORBUFFER_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <atomic>
#include <cassert>
#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace relay {

/// A handle: copies share the bytes, which are released with the last handle.
/// The bytes may be written until the buffer is shared or becomes a constant.
class TensorBuffer {
public:
  /// The alignment of allocated buffers, in bytes: a cache line, and the widest
  /// vector.
  static constexpr size_t Alignment = 64;

  /// No bytes, and no memory.
  TensorBuffer() = default;
  /// Returns false if the system refuses \p Size bytes, so that the caller can
  /// report it: the functions below then end the process. Small sizes are not
  /// tried.
  static bool canAllocate(size_t Size);
  /// \p Size bytes of undefined contents.
  static TensorBuffer allocate(size_t Size);
  /// \p Size bytes of zero.
  static TensorBuffer allocateZeros(size_t Size);
  /// A copy of \p Bytes.
  static TensorBuffer copy(ArrayRef<char> Bytes);
  /// \p Bytes, a part of \p File, which lives as long as the buffer. They are
  /// not copied and have the alignment that they have in the file.
  static TensorBuffer map(std::shared_ptr<const llvm::MemoryBuffer> File,
                          ArrayRef<char> Bytes);

  ArrayRef<char> getBytes() const {
    return Memory ? Memory->Bytes : ArrayRef<char>();
  }
  size_t size() const { return getBytes().size(); }
  /// The bytes to be filled. Only of a buffer that was allocated and is not
  /// shared.
  MutableArrayRef<char> getMutableBytes() {
    assert((!Memory || (!Memory->File && Memory->NumHandles == 1)) &&
           "the bytes are shared");
    ArrayRef<char> Bytes = getBytes();
    return {const_cast<char *>(Bytes.data()), Bytes.size()};
  }
  /// Returns true if the bytes are a part of a file.
  bool isMapped() const { return Memory && Memory->File; }

private:
  friend class ConstantData;
  friend class ConstantPool;

  /// The header of the bytes; allocated bytes follow it.
  struct alignas(Alignment) Storage {
    void Retain() { NumHandles.fetch_add(1, std::memory_order_relaxed); }
    void Release() {
      if (NumHandles.fetch_sub(1, std::memory_order_acq_rel) == 1)
        destroy();
    }
    void destroy();

    ArrayRef<char> Bytes;
    std::shared_ptr<const llvm::MemoryBuffer> File; ///< null: allocated
    std::atomic<size_t> NumHandles{0};
  };
  static Storage *create(size_t Size);

  explicit TensorBuffer(Storage *Memory) : Memory(Memory) {}

  llvm::IntrusiveRefCntPtr<Storage> Memory;
};

} // namespace relay

#endif // RELAY_IR_TENSORBUFFER_H

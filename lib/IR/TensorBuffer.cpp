//===- TensorBuffer.cpp - Shared immutable bytes of tensors ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Header and bytes of an allocated buffer are one piece of memory.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TensorBuffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

using namespace relay;

void TensorBuffer::Storage::destroy() {
  this->~Storage();
  std::free(this);
}

/// Large buffers are of huge pages, where the system has them: to touch each
/// small page for the first time takes longer than to fill it.
static void *allocateTensor(size_t Size) {
#ifdef MADV_HUGEPAGE
  constexpr size_t HugePage = 1 << 21;
  if (Size >= 2 * HugePage) {
    void *Memory = std::aligned_alloc(HugePage, llvm::alignTo<HugePage>(Size));
    if (Memory)
      madvise(Memory, Size, MADV_HUGEPAGE); // may be refused
    return Memory;
  }
#endif
  return std::aligned_alloc(TensorBuffer::Alignment,
                            llvm::alignTo<TensorBuffer::Alignment>(Size));
}

/// A header with \p Size bytes behind it.
TensorBuffer::Storage *TensorBuffer::create(size_t Size) {
  constexpr size_t MaxSize = SIZE_MAX / 2;
  void *Memory =
      Size < MaxSize ? allocateTensor(sizeof(Storage) + Size) : nullptr;
  if (!Memory)
    llvm::report_bad_alloc_error("no memory for a tensor");
  auto *S = new (Memory) Storage;
  S->Bytes = ArrayRef(reinterpret_cast<const char *>(S + 1), Size);
  return S;
}

TensorBuffer TensorBuffer::allocate(size_t Size) {
  return TensorBuffer(create(Size));
}

TensorBuffer TensorBuffer::allocateZeros(size_t Size) {
  TensorBuffer Buffer = allocate(Size);
  MutableArrayRef<char> Bytes = Buffer.getMutableBytes();
  std::fill(Bytes.begin(), Bytes.end(), 0);
  return Buffer;
}

TensorBuffer TensorBuffer::copy(ArrayRef<char> Bytes) {
  TensorBuffer Buffer = allocate(Bytes.size());
  llvm::copy(Bytes, Buffer.getMutableBytes().begin());
  return Buffer;
}

TensorBuffer TensorBuffer::map(std::shared_ptr<const llvm::MemoryBuffer> File,
                               ArrayRef<char> Bytes) {
  assert(File->getBufferStart() <= Bytes.begin() &&
         Bytes.end() <= File->getBufferEnd() && "bytes of another file");
  Storage *S = create(0);
  S->Bytes = Bytes;
  S->File = std::move(File);
  return TensorBuffer(S);
}

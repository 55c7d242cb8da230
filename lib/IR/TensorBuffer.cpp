//===- TensorBuffer.cpp - Shared immutable bytes of tensors ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header and the bytes of a buffer are allocated together.
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

/// Aligned memory, preceded by the pointer that malloc() returned.
/// std::aligned_alloc() requests more than it uses, so that the memory of one
/// buffer would not suffice for the next buffer of the same size.
static void *allocateAligned(size_t Size) {
  constexpr size_t Alignment = TensorBuffer::Alignment;
  void *Begin = std::malloc(Size + Alignment + sizeof(void *));
  if (!Begin)
    return nullptr;
  auto Address = reinterpret_cast<uintptr_t>(Begin) + sizeof(void *);
  auto *Memory = reinterpret_cast<void *>(llvm::alignTo<Alignment>(Address));
  static_cast<void **>(Memory)[-1] = Begin;
  return Memory;
}

static void freeAligned(void *Memory) {
  std::free(static_cast<void **>(Memory)[-1]);
}

void TensorBuffer::Storage::destroy() {
  this->~Storage();
  freeAligned(this);
}

/// Requests huge pages for a large buffer, if the system has them: first
/// accesses to small pages take longer than filling them.
static void adviseHugePages([[maybe_unused]] void *Memory,
                            [[maybe_unused]] size_t Size) {
#ifdef MADV_HUGEPAGE
  constexpr size_t Page = 4096, Large = size_t(1) << 22;
  auto Address = reinterpret_cast<uintptr_t>(Memory);
  uintptr_t Begin = llvm::alignTo<Page>(Address);
  if (Size >= Large) // may fail
    madvise(reinterpret_cast<void *>(Begin), Address + Size - Begin,
            MADV_HUGEPAGE);
#endif
}

/// A size beyond the address space.
static constexpr size_t MaxSize = SIZE_MAX / 2;

bool TensorBuffer::canAllocate(size_t Size) {
  // malloc() maps larger blocks individually and unmaps them when freed.
  constexpr size_t SmallSize = size_t(32) << 20;
  if (Size <= SmallSize)
    return true;
  void *Memory = Size < MaxSize ? allocateAligned(Size) : nullptr;
  if (Memory)
    freeAligned(Memory);
  return Memory;
}

/// Allocates a header followed by \p Size bytes.
TensorBuffer::Storage *TensorBuffer::create(size_t Size) {
  size_t Total = llvm::alignTo<Alignment>(sizeof(Storage) + Size);
  void *Memory = Size < MaxSize ? allocateAligned(Total) : nullptr;
  if (!Memory)
    llvm::report_bad_alloc_error("no memory for a tensor");
  adviseHugePages(Memory, Total);
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

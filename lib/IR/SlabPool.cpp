//===- SlabPool.cpp - Memory for the arenas of functions ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of slabs and pieces, and the division of pieces into slabs.
//
//===----------------------------------------------------------------------===//

#include "SlabPool.h"
#include "OptionalLock.h"
#include <cstdlib>
#include <sys/mman.h>

using namespace relay;

/// The smallest piece, sufficient for a small module.
static constexpr size_t MinPiece = 64 * 1024;

SlabPool::~SlabPool() {
  for (void *Piece : Pieces)
    std::free(Piece);
}

size_t SlabPool::getSlabSize(size_t Bytes, size_t Wanted) {
  if (Bytes > HugePage)
    return llvm::alignTo(Bytes, HugePage);
  size_t Size = llvm::bit_floor(std::clamp(Wanted, MinSlab, HugePage));
  return std::max(Size, llvm::PowerOf2Ceil(Bytes));
}

/// Allocates memory from the system; huge pages if \p Size is large.
static void *allocatePiece(size_t Size) {
  bool Huge = Size >= SlabPool::HugePage;
  void *Piece =
      Huge ? std::aligned_alloc(SlabPool::HugePage, Size) : std::malloc(Size);
  if (!Piece)
    llvm::report_bad_alloc_error("out of memory for IR");
  if (Huge)
    madvise(Piece, Size, MADV_HUGEPAGE);
  return Piece;
}

/// Returns the size of a piece for a slab of \p Size bytes: half of the present
/// memory, within limits, and at least Size.
size_t SlabPool::getPieceSize(size_t Size) const {
  size_t Wanted = std::clamp(Total / 2, MinPiece, HugePage);
  return std::max(Size, llvm::bit_floor(Wanted));
}

/// Returns a slab of \p Size bytes, cut from the smallest free slab that is
/// large enough; null if there is none.
void *SlabPool::cut(size_t Size) {
  unsigned Class = getClass(Size), From = Class;
  while (!Free[From])
    if (++From == NumClasses)
      return nullptr;
  FreeSlab *Slab = std::exchange(Free[From], Free[From]->Next);
  for (unsigned Half = From; Half-- != Class;)
    add(reinterpret_cast<char *>(Slab) + (MinSlab << Half), Half);
  return Slab;
}

void *SlabPool::take(size_t Size, bool Multithreaded) {
  if (Size > HugePage) {
    Large += Size;
    return allocatePiece(Size);
  }
  OptionalLock Lock(Mutex, Multithreaded);
  if (void *Slab = cut(Size))
    return Slab;
  size_t PieceSize = getPieceSize(Size);
  Lock.unlock();
  // The system clears a huge page at the first access. One thread triggers this
  // while the others continue; two threads would both clear it.
  void *Piece = allocatePiece(PieceSize);
  *static_cast<char *>(Piece) = 0;
  Lock.lock();
  add(Piece, getClass(PieceSize));
  Total += PieceSize;
  Pieces.push_back(Piece);
  return cut(Size);
}

void SlabPool::giveBack(void *Slab, size_t Size, bool Multithreaded) {
  if (Size > HugePage) {
    Large -= Size;
    return std::free(Slab);
  }
  OptionalLock Lock(Mutex, Multithreaded);
  add(Slab, getClass(Size));
}

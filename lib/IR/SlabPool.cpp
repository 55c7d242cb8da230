//===- SlabPool.cpp - Memory for the arenas of functions ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of slabs and pieces, and what becomes of the rest of a piece.
//
//===----------------------------------------------------------------------===//

#include "SlabPool.h"
#include <cstdlib>
#include <sys/mman.h>

using namespace relay;

/// The smallest piece: what a small module needs.
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

/// Memory from the system; in huge pages when \p Size is.
void *SlabPool::allocatePiece(size_t Size) {
  bool Huge = Size >= HugePage;
  void *Piece = Huge ? std::aligned_alloc(HugePage, Size) : std::malloc(Size);
  if (!Piece)
    llvm::report_bad_alloc_error("out of memory for IR");
  if (Huge)
    madvise(Piece, Size, MADV_HUGEPAGE);
  return Piece;
}

/// Begins a new piece, which holds a slab of \p Size bytes and half as much as
/// there was before. The rest of the old one becomes slabs.
void SlabPool::replenish(size_t Size) {
  for (size_t Rest; (Rest = End - Cur); Cur += llvm::bit_floor(Rest))
    giveBack(Cur, llvm::bit_floor(Rest));
  size_t Piece = std::max(
      Size, llvm::bit_floor(std::clamp(Total / 2, MinPiece, HugePage)));
  Cur = static_cast<char *>(allocatePiece(Piece));
  End = Cur + Piece;
  Total += Piece;
  Pieces.push_back(Cur);
}

void *SlabPool::take(size_t Size) {
  if (Size > HugePage)
    return allocatePiece(Size);
  FreeSlab *&List = Free[getClass(Size)];
  if (List)
    return std::exchange(List, List->Next);
  if (size_t(End - Cur) < Size)
    replenish(Size);
  return std::exchange(Cur, Cur + Size);
}

void SlabPool::giveBack(void *Slab, size_t Size) {
  if (Size > HugePage)
    return std::free(Slab);
  FreeSlab *&List = Free[getClass(Size)];
  List = new (Slab) FreeSlab{List};
}

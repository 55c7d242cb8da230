//===- SlabPool.h - Memory for the arenas of functions ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slabs for the arenas of a context's functions. The pool cuts them from large
// pieces of memory, and uses huge pages for larger amounts: many small
// functions then cause no more page faults than a large one, and threads do not
// contend for malloc. Slabs are not merged. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_SLABPOOL_H
#define RELAY_LIB_IR_SLABPOOL_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <mutex>

namespace relay {

class SlabPool {
public:
  static constexpr size_t MinSlab = 4096, HugePage = size_t(2) << 20;

  SlabPool() = default;
  SlabPool(const SlabPool &) = delete;
  SlabPool &operator=(const SlabPool &) = delete;
  ~SlabPool();

  /// Returns the size of the slab to take for \p Bytes and at least \p Wanted
  /// bytes: a power of two from a page to a huge page, or several huge pages.
  static size_t getSlabSize(size_t Bytes, size_t Wanted);

  /// Returns a slab of \p Size bytes, a result of getSlabSize(). Locks if \p
  /// Multithreaded is set.
  void *take(size_t Size, bool Multithreaded);
  void giveBack(void *Slab, size_t Size, bool Multithreaded);
  /// Returns the memory that the pool has allocated from the system, including
  /// slabs in use. No other thread may allocate at the same time.
  size_t getMemory() const { return Total + Large; }

private:
  struct FreeSlab {
    FreeSlab *Next;
  };
  static constexpr unsigned NumClasses = 10; // from MinSlab to HugePage
  static unsigned getClass(size_t Size) {
    if (Size < MinSlab)
      llvm_unreachable("not the size of a slab");
    return llvm::Log2_64(Size) - llvm::Log2_64(MinSlab);
  }
  void *cut(size_t Size);
  void add(void *Slab, unsigned Class) {
    Free[Class] = new (Slab) FreeSlab{Free[Class]};
  }
  size_t getPieceSize(size_t Size) const;

  std::mutex Mutex;
  FreeSlab *Free[NumClasses] = {};
  /// Bytes in pieces.
  size_t Total = 0;
  /// Bytes in slabs larger than a huge page.
  std::atomic<size_t> Large{0};
  SmallVector<void *, 0> Pieces;
};

} // namespace relay

#endif // RELAY_LIB_IR_SLABPOOL_H

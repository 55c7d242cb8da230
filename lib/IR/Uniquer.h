//===- Uniquer.h - Tables of uniqued storage --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash set of storage objects in bump-allocated memory. Nothing is ever taken
// out, so that finding what is there needs no lock, also while other threads
// add: a slot goes from empty to full once, and a table that has become too
// small stays readable. Adding locks while several threads run. Private to room
// IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_UNIQUER_H
#define RELAY_LIB_IR_UNIQUER_H

#include "OptionalLock.h"
#include "relay/Support/LLVM.h"
#include "llvm/Support/Allocator.h"
#include <atomic>
#include <memory>
#include <vector>

namespace relay {

/// A set of StorageT. Traits gives `KeyT`, `hash(const KeyT &)` and
/// `isEqual(const KeyT &, const StorageT *)`.
template <typename StorageT, typename Traits> class Uniquer {
  using KeyT = typename Traits::KeyT;
  static constexpr auto Relaxed = std::memory_order_relaxed;
  static constexpr auto Acquire = std::memory_order_acquire;

public:
  /// The storage equal to \p Key; made by \p Make(Allocator) when new. Takes a
  /// lock when it is new and \p Multithreaded.
  template <typename MakeFn>
  StorageT *get(const KeyT &Key, bool Multithreaded, MakeFn &&Make) {
    unsigned Hash = Traits::hash(Key);
    if (Table *T = Current.load(Acquire))
      if (StorageT *Known = T->find(Key, Hash).Storage)
        return Known;
    OptionalLock Lock(Mutex, Multithreaded);
    return add(Key, Hash, Multithreaded, Make);
  }

  /// Bytes of the storage objects.
  size_t getNumBytes() const { return Allocator.getBytesAllocated(); }

private:
  /// A slot goes from empty to full once, its hash first: who sees the storage
  /// may read the hash.
  struct Slot {
    std::atomic<StorageT *> Storage{nullptr};
    unsigned Hash = 0;

    void fill(StorageT *S, unsigned H) {
      Hash = H;
      Storage.store(S, std::memory_order_release);
    }
  };

  struct Found {
    Slot &Place;
    StorageT *Storage; ///< null where \p Place was empty
  };

  /// Slots, a power of two of them, half of them full at most, probed one after
  /// the other.
  struct Table {
    explicit Table(size_t Size)
        : Mask(Size - 1), Slots(std::make_unique<Slot[]>(Size)) {}
    /// The slot of \p Key, or the empty one where it belongs, with what it was
    /// seen to hold: another thread may fill it with another key right after.
    Found find(const KeyT &Key, unsigned Hash) const {
      for (size_t I = Hash & Mask;; I = (I + 1) & Mask) {
        StorageT *S = Slots[I].Storage.load(Acquire);
        if (!S || (Slots[I].Hash == Hash && Traits::isEqual(Key, S)))
          return {Slots[I], S};
      }
    }
    /// Puts in what \p Old has, which is not there.
    void insert(const Slot &Old) {
      size_t I = Old.Hash & Mask;
      while (Slots[I].Storage.load(Relaxed))
        I = (I + 1) & Mask;
      Slots[I].fill(Old.Storage.load(Relaxed), Old.Hash);
    }

    size_t Mask;
    std::unique_ptr<Slot[]> Slots;
  };

  /// get() once more, now that nobody else adds.
  template <typename MakeFn>
  StorageT *add(const KeyT &Key, unsigned Hash, bool Multithreaded,
                MakeFn &&Make) {
    Table *T = Current.load(Relaxed);
    if (T)
      if (StorageT *Known = T->find(Key, Hash).Storage)
        return Known;
    if (!T || (NumStored + 1) * 2 > T->Mask + 1)
      T = grow(Multithreaded);
    StorageT *New = Make(Allocator);
    T->find(Key, Hash).Place.fill(New, Hash);
    ++NumStored;
    return New;
  }

  /// Others may still look into the old table while \p Multithreaded.
  Table *grow(bool Multithreaded) {
    Table *Old = Current.load(Relaxed);
    auto New = std::make_unique<Table>(Old ? (Old->Mask + 1) * 2 : 64);
    if (Old)
      for (size_t I = 0; I <= Old->Mask; ++I)
        if (Old->Slots[I].Storage.load(Relaxed))
          New->insert(Old->Slots[I]);
    if (!Multithreaded)
      Tables.clear();
    Current.store(New.get(), std::memory_order_release);
    Tables.push_back(std::move(New));
    return Tables.back().get();
  }

  std::atomic<Table *> Current{nullptr};
  /// Guards adding.
  std::mutex Mutex;
  size_t NumStored = 0;
  llvm::BumpPtrAllocator Allocator;
  /// The current table last; before it those that threads may look into.
  std::vector<std::unique_ptr<Table>> Tables;
};

} // namespace relay

#endif // RELAY_LIB_IR_UNIQUER_H

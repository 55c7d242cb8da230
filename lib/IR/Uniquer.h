//===- Uniquer.h - Tables of uniqued storage --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash set of storage objects in bump-allocated memory. Elements are never
// removed, so that lookups need no lock even while other threads insert: a slot
// changes from empty to full once, and a table that has been replaced by a
// larger one stays readable. Insertion locks while several threads run. Private
// to room IR.
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

/// A set of StorageT. Traits provides `KeyT`, `hash(const KeyT &)` and
/// `isEqual(const KeyT &, const StorageT *)`.
template <typename StorageT, typename Traits> class Uniquer {
  using KeyT = typename Traits::KeyT;
  static constexpr auto Relaxed = std::memory_order_relaxed;
  static constexpr auto Acquire = std::memory_order_acquire;

public:
  /// Returns the storage equal to \p Key. A new one is created by \p
  /// Make(Allocator), under a lock if \p Multithreaded is set.
  template <typename MakeFn>
  StorageT *get(const KeyT &Key, bool Multithreaded, MakeFn &&Make) {
    unsigned Hash = Traits::hash(Key);
    if (Table *T = Current.load(Acquire))
      if (StorageT *Known = T->find(Key, Hash).Storage)
        return Known;
    OptionalLock Lock(Mutex, Multithreaded);
    return add(Key, Hash, Multithreaded, Make);
  }

  /// Returns the storage equal to \p Key; null if there is none.
  StorageT *find(const KeyT &Key) const {
    Table *T = Current.load(Acquire);
    return T ? T->find(Key, Traits::hash(Key)).Storage : nullptr;
  }

  /// Returns the size of the storage objects.
  size_t getNumBytes() const { return Allocator.getBytesAllocated(); }

private:
  /// A slot changes from empty to full once. The hash is written first, so that
  /// a thread that sees the storage may read the hash.
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
    StorageT *Storage; ///< null if \p Place was empty
  };

  /// A power of two of slots, at most half of them full, with linear probing.
  struct Table {
    explicit Table(size_t Size)
        : Mask(Size - 1), Slots(std::make_unique<Slot[]>(Size)) {}
    /// Returns the slot of \p Key, or the empty slot for it, with the content
    /// that was read: another thread may fill an empty slot with another key.
    Found find(const KeyT &Key, unsigned Hash) const {
      for (size_t I = Hash & Mask;; I = (I + 1) & Mask) {
        StorageT *S = Slots[I].Storage.load(Acquire);
        if (!S || (Slots[I].Hash == Hash && Traits::isEqual(Key, S)))
          return {Slots[I], S};
      }
    }
    /// Inserts \p Old, which is not in the table.
    void insert(const Slot &Old) {
      size_t I = Old.Hash & Mask;
      while (Slots[I].Storage.load(Relaxed))
        I = (I + 1) & Mask;
      Slots[I].fill(Old.Storage.load(Relaxed), Old.Hash);
    }

    size_t Mask;
    std::unique_ptr<Slot[]> Slots;
  };

  /// Repeats the lookup of get(), while no other thread inserts.
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

  /// If \p Multithreaded is set, other threads may still read the old table.
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
  /// Guards insertion.
  std::mutex Mutex;
  size_t NumStored = 0;
  llvm::BumpPtrAllocator Allocator;
  /// All tables, the current one last. Threads may still read the others.
  std::vector<std::unique_ptr<Table>> Tables;
};

} // namespace relay

#endif // RELAY_LIB_IR_UNIQUER_H

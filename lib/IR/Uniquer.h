//===- Uniquer.h - Tables of uniqued storage --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash set of storage objects in bump-allocated memory, split into shards
// that lock separately while several threads run. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_UNIQUER_H
#define RELAY_LIB_IR_UNIQUER_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"
#include <mutex>

namespace relay {

/// Locks \p Mutex only when \p On.
class OptionalLock {
public:
  OptionalLock(std::mutex &Mutex, bool On) : Locked(On ? &Mutex : nullptr) {
    if (Locked)
      Locked->lock();
  }
  ~OptionalLock() {
    if (Locked)
      Locked->unlock();
  }
  OptionalLock(const OptionalLock &) = delete;
  OptionalLock &operator=(const OptionalLock &) = delete;

private:
  std::mutex *Locked;
};

/// Sets of StorageT. Traits gives `KeyT`, `hash(const KeyT &)`,
/// `isEqual(const KeyT &, const StorageT *)` and `hashOf(const StorageT *)`.
template <typename StorageT, typename Traits> class Uniquer {
  using KeyT = typename Traits::KeyT;
  struct HashedKey {
    const KeyT &Key;
    unsigned Hash;
  };
  struct SetInfo {
    static StorageT *getEmptyKey() {
      return llvm::DenseMapInfo<StorageT *>::getEmptyKey();
    }
    static StorageT *getTombstoneKey() {
      return llvm::DenseMapInfo<StorageT *>::getTombstoneKey();
    }
    static unsigned getHashValue(const StorageT *S) {
      return Traits::hashOf(S);
    }
    static unsigned getHashValue(const HashedKey &K) { return K.Hash; }
    static bool isEqual(const StorageT *A, const StorageT *B) { return A == B; }
    static bool isEqual(const HashedKey &K, const StorageT *S) {
      if (S == getEmptyKey() || S == getTombstoneKey())
        return false;
      return Traits::isEqual(K.Key, S);
    }
  };
  struct Shard {
    std::mutex Mutex;
    llvm::DenseSet<StorageT *, SetInfo> Set;
    llvm::BumpPtrAllocator Allocator;
  };
  static constexpr unsigned NumShards = 8;

public:
  /// The storage equal to \p Key; made by \p Make(Allocator) when new. Takes a
  /// lock when \p Multithreaded.
  template <typename MakeFn>
  StorageT *get(const KeyT &Key, bool Multithreaded, MakeFn &&Make) {
    unsigned Hash = Traits::hash(Key);
    // The set uses the low bits, the choice of a shard higher ones.
    Shard &S = Shards[(Hash >> 24) % NumShards];
    OptionalLock Lock(S.Mutex, Multithreaded);
    HashedKey Lookup{Key, Hash};
    auto It = S.Set.find_as(Lookup);
    if (It != S.Set.end())
      return *It;
    StorageT *New = Make(S.Allocator);
    S.Set.insert(New);
    return New;
  }

private:
  Shard Shards[NumShards];
};

} // namespace relay

#endif // RELAY_LIB_IR_UNIQUER_H

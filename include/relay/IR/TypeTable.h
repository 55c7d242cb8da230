//===- TypeTable.h - Types found before -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remembers what unlike operations have been found to be, by declaration,
// attributes and types: a million like operations cost one run of a relation.
// The walk over straight-line bodies and the Verifier ask it for each
// operation, so that it is open addressing over one array.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TYPETABLE_H
#define RELAY_IR_TYPETABLE_H

#include "relay/IR/Operation.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace relay {

/// A lookup is begin(), add() for each type, find() and, where that found
/// nothing, insert().
class TypeTable {
public:
  /// \p Size, a power of two: of the empty table.
  explicit TypeTable(size_t Size) : Table(Size) {}

  void begin(const OpInfo &I, const Attrs *Attributes) {
    Info = &I;
    A = Attributes;
    Types.clear();
    Hash = mix(mix(1, Info), A);
  }
  void add(Type *T) {
    Types.push_back(T);
    Hash = mix(Hash, T);
  }
  /// The type inserted for the key; null if there is none.
  Type *find() const {
    for (size_t I = Hash, Mask = Table.size() - 1;; ++I) {
      const Entry &E = Table[I & Mask];
      if (!E.Info)
        return nullptr;
      if (E.Hash == Hash && E.Info == Info && E.A == A && hasTypes(E))
        return E.Result;
    }
  }
  void insert(Type *Result);

private:
  struct Entry {
    uint64_t Hash = 0;
    const OpInfo *Info = nullptr;
    const Attrs *A = nullptr;
    ArrayRef<Type *> Types;
    Type *Result = nullptr;
  };

  /// A loop: for one or two types that is less than a call of memcmp.
  bool hasTypes(const Entry &E) const {
    size_t N = Types.size();
    if (E.Types.size() != N)
      return false;
    for (size_t I = 0; I != N; ++I)
      if (E.Types[I] != Types[I])
        return false;
    return true;
  }
  static uint64_t mix(uint64_t Hash, const void *Pointer) {
    Hash =
        (Hash ^ reinterpret_cast<uintptr_t>(Pointer)) * 0x9e3779b97f4a7c15ull;
    return Hash ^ Hash >> 32;
  }
  Entry &findSlot(uint64_t Hash);
  void grow();

  const OpInfo *Info = nullptr;
  const Attrs *A = nullptr;
  SmallVector<Type *, 8> Types;
  uint64_t Hash = 0;
  llvm::BumpPtrAllocator Arena;
  std::vector<Entry> Table;
  size_t NumEntries = 0;
};

} // namespace relay

#endif // RELAY_IR_TYPETABLE_H

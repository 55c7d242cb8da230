//===- PointerHash.h - Maps of many pointers --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM hashes a pointer by two shifts. Operations lie in slabs of an arena, at
// distances that repeat: with hundreds of thousands of them in one map, most
// collide. A PointerMap mixes all bits of the address.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_POINTERHASH_H
#define RELAY_SUPPORT_POINTERHASH_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace relay {

template <typename T> struct MixedPointerInfo : llvm::DenseMapInfo<T *> {
  static unsigned getHashValue(const T *P) {
    uint64_t Product =
        uint64_t(reinterpret_cast<uintptr_t>(P)) * UINT64_C(0x9e3779b97f4a7c15);
    return unsigned(Product >> 32);
  }
};

/// A DenseMap with keys of type T *, for one entry for each operation of a
/// function.
template <typename T, typename ValueT>
using PointerMap = llvm::DenseMap<T *, ValueT, MixedPointerInfo<T>>;

} // namespace relay

#endif // RELAY_SUPPORT_POINTERHASH_H

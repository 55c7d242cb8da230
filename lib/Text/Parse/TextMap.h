//===- TextMap.h - Maps by slices of text -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hash maps whose keys are texts owned elsewhere: slices of the file, or names
// of the context, which are compared by address.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PARSE_TEXTMAP_H
#define RELAY_LIB_TEXT_PARSE_TEXTMAP_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

/// Maps texts that outlive the map to \p T. Hashes are stored, so that growing
/// and misses do not read texts again.
template <typename T>
class TextMap : public llvm::DenseMap<llvm::CachedHashStringRef, T> {
  using Base = llvm::DenseMap<llvm::CachedHashStringRef, T>;
  using Key = llvm::CachedHashStringRef;

public:
  T lookup(StringRef Text) const { return Base::lookup(Key(Text)); }
  T &operator[](StringRef Text) { return Base::operator[](Key(Text)); }
  auto try_emplace(StringRef Text, T Value) {
    return Base::try_emplace(Key(Text), std::move(Value));
  }
};

/// Hashes interned texts by address. Texts that are interned one after the
/// other have increasing addresses: they are neighbours in the table, too.
struct InternedTextInfo : llvm::DenseMapInfo<const char *> {
  static unsigned getHashValue(const char *Text) {
    return unsigned(reinterpret_cast<uintptr_t>(Text) >> 3);
  }
};

/// Maps texts interned in a Context to \p T.
template <typename T>
using InternedTextMap = llvm::DenseMap<const char *, T, InternedTextInfo>;

} // namespace relay

#endif // RELAY_LIB_TEXT_PARSE_TEXTMAP_H

//===- Scopes.h - Names and numbers in scope --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a name means where the parser is. Names of variables and of type
// parameters are lexical: a scope is left by undoing what it defined. Graph
// numbers are not: they belong to a function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_SCOPES_H
#define RELAY_LIB_TEXT_SCOPES_H

#include "relay/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

namespace relay {

/// How slices of the text are keys: by a hash that is made for short names.
struct TextKeyInfo {
  static StringRef getEmptyKey() {
    return StringRef(reinterpret_cast<const char *>(~uintptr_t(0)), 0);
  }
  static StringRef getTombstoneKey() {
    return StringRef(reinterpret_cast<const char *>(~uintptr_t(1)), 0);
  }
  static unsigned getHashValue(StringRef Key) {
    uint64_t A = Key.size(), B = 0;
    const char *P = Key.data();
    if (Key.size() >= 8) {
      A = read<uint64_t>(P) + Key.size();
      B = read<uint64_t>(P + Key.size() - 8);
      if (Key.size() > 16)
        B ^= llvm::xxh3_64bits(Key);
    } else if (Key.size() >= 4) {
      A = read<uint32_t>(P) + Key.size();
      B = read<uint32_t>(P + Key.size() - 4);
    } else if (!Key.empty()) {
      A |= uint8_t(P[0]) << 8 | uint8_t(P[Key.size() / 2]) << 16;
      B = uint8_t(P[Key.size() - 1]);
    }
    uint64_t H = (A ^ (B << 29 | B >> 35)) * 0x9e3779b97f4a7c15ull;
    return unsigned(H >> 32);
  }
  static bool isEqual(StringRef L, StringRef R) {
    if (L.size() != R.size())
      return false;
    if (LLVM_UNLIKELY(L.empty()))
      return L.data() == R.data() || (isNormal(L) && isNormal(R));
    return std::memcmp(L.data(), R.data(), L.size()) == 0;
  }

private:
  template <typename T> static T read(const char *P) {
    T Value;
    std::memcpy(&Value, P, sizeof(T));
    return Value;
  }
  static bool isNormal(StringRef Key) {
    return reinterpret_cast<uintptr_t>(Key.data()) < ~uintptr_t(1);
  }
};
template <typename T> using TextMap = llvm::DenseMap<StringRef, T, TextKeyInfo>;

/// Names to \p T, with scopes. Keys are slices of the text.
template <typename T> class NameScopes {
public:
  /// What \p Name means; null when nothing.
  T *lookup(StringRef Name) const { return Current.lookup(Name); }

  /// \p Name means \p What until the scope is left.
  void define(StringRef Name, T *What) {
    T *&Slot = Current[Name];
    Log.push_back({Name, Slot});
    Slot = What;
  }

  /// \p Name means \p What from here on, whatever scopes are left, but where
  /// an outer scope has the name for itself.
  void defineForAll(StringRef Name, T *What) { Current[Name] = What; }

  /// Leaves the scopes entered since \p Mark was mark()'s result.
  size_t mark() const { return Log.size(); }
  void leave(size_t Mark) {
    while (Log.size() != Mark) {
      auto [Name, Old] = Log.pop_back_val();
      Current[Name] = Old;
    }
  }

  /// What is in scope now, for suggestions.
  SmallVector<StringRef> getNames() const {
    SmallVector<StringRef> Names;
    for (const auto &[Name, What] : Current)
      if (What)
        Names.push_back(Name);
    llvm::sort(Names);
    return Names;
  }

private:
  TextMap<T *> Current;
  SmallVector<std::pair<StringRef, T *>, 0> Log;
};

/// The nodes that `%N` name. An entry counts in the function only that bound
/// it; nothing is cleared between functions.
class GraphNumbers {
public:
  struct Entry {
    Value *V = nullptr;
    uint32_t Function = 0; ///< number of the function, from 1
    uint32_t Region = 0;   ///< number of the region in which it was bound
  };

  /// Numbers up to \p MaxDense have a slot in a vector; text as long as the
  /// file can hold no more of them. Others are rare.
  explicit GraphNumbers(uint64_t MaxDense) : MaxDense(MaxDense) {}

  Entry &operator[](uint64_t N) {
    if (LLVM_LIKELY(N < Dense.size()))
      return Dense[N];
    if (N >= MaxDense)
      return Sparse[N];
    Dense.resize(std::min(MaxDense, std::max<uint64_t>(N + 1, N * 2)));
    return Dense[N];
  }
  /// The entry of \p N, if there was ever one.
  const Entry *find(uint64_t N) const {
    if (LLVM_LIKELY(N < Dense.size()))
      return &Dense[N];
    auto It = Sparse.find(N);
    return It == Sparse.end() ? nullptr : &It->second;
  }

private:
  uint64_t MaxDense;
  std::vector<Entry> Dense;
  llvm::DenseMap<uint64_t, Entry> Sparse;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_SCOPES_H

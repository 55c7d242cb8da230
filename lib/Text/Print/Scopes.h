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

#ifndef RELAY_LIB_TEXT_PRINT_SCOPES_H
#define RELAY_LIB_TEXT_PRINT_SCOPES_H

#include "Parse/TextMap.h"
#include "relay/IR/Value.h"

namespace relay {

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
        Names.push_back(Name.val());
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

  /// The \p MaxDense numbers from the first one of a function on have a slot in
  /// a vector; text as long as the file can hold no more of them. Others are
  /// rare.
  explicit GraphNumbers(uint64_t MaxDense) : MaxDense(MaxDense) {}

  /// Begins another function: numbers run through the file.
  void beginFunction() { First = NoNumber; }

  Entry &operator[](uint64_t N) {
    if (LLVM_UNLIKELY(First == NoNumber))
      First = N;
    uint64_t I = N - First;
    if (LLVM_LIKELY(I < Dense.size()))
      return Dense[I];
    if (I >= MaxDense)
      return Sparse[N];
    Dense.resize(std::min(MaxDense, std::max<uint64_t>(I + 1, I * 2)));
    return Dense[I];
  }
  /// Where the entry of \p N is or would be; it may be one of an earlier
  /// function, for this or another number. Null if there is no place for it.
  const Entry *find(uint64_t N) const {
    uint64_t I = N - First;
    if (LLVM_LIKELY(I < Dense.size()))
      return &Dense[I];
    auto It = Sparse.find(N);
    return It == Sparse.end() ? nullptr : &It->second;
  }

private:
  static constexpr uint64_t NoNumber = ~uint64_t(0);

  uint64_t First = NoNumber;
  uint64_t MaxDense;
  std::vector<Entry> Dense;
  llvm::DenseMap<uint64_t, Entry> Sparse;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_PRINT_SCOPES_H

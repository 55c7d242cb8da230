//===- Scopes.h - Names and numbers in scope --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of names at the parser's position. Names of variables and of type
// parameters are lexical: leaving a scope undoes its definitions. Graph numbers
// belong to a function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PRINT_SCOPES_H
#define RELAY_LIB_TEXT_PRINT_SCOPES_H

#include "Parse/TextMap.h"
#include "relay/IR/Context.h"
#include "relay/IR/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace relay {

/// Maps names to \p T, with scopes. Definitions take interned names, so that
/// only lookup() reads the text of a name.
template <typename T> class NameScopes {
public:
  explicit NameScopes(Context &Ctx) : Ctx(Ctx) {}

  /// Returns the meaning of \p Name; null if it is undefined.
  T *lookup(StringRef Name) const {
    return lookupInterned(Ctx.lookupInterned(Name));
  }
  T *lookupInterned(StringRef Name) const { return Current.lookup(Name); }

  /// Defines \p Name as \p What until the scope is left.
  void define(StringRef Name, T *What) {
    Log.push_back({Name, std::exchange(Current[Name], What)});
  }

  /// Defines \p Name as \p What beyond the end of the open scopes, except where
  /// an outer scope defines the name itself.
  void defineForAll(StringRef Name, T *What) {
    Current[Name] = What;
    ForAll.push_back(Name);
  }

  /// Leaves the scopes entered after mark() returned \p Mark.
  size_t mark() const { return Log.size(); }
  void leave(size_t Mark) {
    while (Log.size() != Mark) {
      auto [Name, Old] = Log.pop_back_val();
      Current[Name] = Old;
    }
  }

  /// Returns the names in scope, for suggestions.
  SmallVector<StringRef> getNames() const {
    SmallVector<StringRef> Names(llvm::make_first_range(Log));
    llvm::append_range(Names, ForAll);
    llvm::erase_if(Names, [&](StringRef N) { return !lookupInterned(N); });
    llvm::sort(Names);
    Names.erase(llvm::unique(Names), Names.end());
    return Names;
  }

private:
  const Context &Ctx;
  InternedTextMap<T *> Current;
  SmallVector<std::pair<StringRef, T *>, 0> Log;
  SmallVector<StringRef, 0> ForAll;
};

/// The nodes that `%N` name. An entry is valid only in the function that bound
/// it; nothing is cleared between functions.
class GraphNumbers {
public:
  struct Entry {
    Value *V = nullptr;
    uint32_t Function = 0; ///< number of the function, from 1
    uint32_t Region = 0;   ///< number of the region that bound it
  };

  /// The \p MaxDense numbers after the first number of a function have a slot
  /// in a vector; a text cannot contain more of them. Other numbers are rare.
  explicit GraphNumbers(uint64_t MaxDense) : MaxDense(MaxDense) {}

  /// Begins another function: numbers are consecutive through the file.
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
  /// Returns the position of the entry of \p N, or where it would be; the entry
  /// may belong to an earlier function, for this or another number. Null if
  /// there is no position for it.
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

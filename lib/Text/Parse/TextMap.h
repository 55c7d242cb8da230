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

#include "relay/IR/Attr.h"
#include "relay/Support/LLVM.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

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

/// Maps texts interned in a Context to values that are T() until they are set.
///
/// Texts interned one after the other have increasing addresses. The map has a
/// page of slots for each stretch of memory, so that names that are defined
/// together share cache lines in a map of any size. A table that hashes the
/// addresses has either the lines apart or long sequences of full slots.
template <typename T> class InternedTextMap {
public:
  /// The reference stays valid until clear().
  T &operator[](StringRef Interned) {
    auto [Number, Slot] = locate(Interned);
    if (Number != LastNumber || !LastPage) {
      std::unique_ptr<Page> &P = Pages[Number];
      if (!P)
        P = std::make_unique<Page>();
      LastNumber = Number;
      LastPage = P.get();
    }
    return LastPage->Slots[Slot];
  }

  T lookup(StringRef Interned) const {
    auto [Number, Slot] = locate(Interned);
    if (Number == LastNumber && LastPage)
      return LastPage->Slots[Slot];
    auto It = Pages.find(Number);
    return It == Pages.end() ? T() : It->second->Slots[Slot];
  }

  void clear() {
    Pages.clear();
    LastPage = nullptr;
  }

private:
  /// No two texts begin in the same 16 bytes: the storage of the attribute that
  /// holds a text lies between it and the next one.
  static constexpr unsigned SlotShift = 4;
  static constexpr unsigned NumSlots = 256;
  static_assert(sizeof(StringStorage) >= 1 << SlotShift);

  struct Page {
    T Slots[NumSlots] = {};
  };

  /// Returns the number of the page of \p Interned and its slot there.
  static std::pair<uintptr_t, unsigned> locate(StringRef Interned) {
    uintptr_t At = reinterpret_cast<uintptr_t>(Interned.data()) >> SlotShift;
    return {At / NumSlots, At % NumSlots};
  }

  llvm::DenseMap<uintptr_t, std::unique_ptr<Page>> Pages;
  /// The page of the last access through operator[].
  uintptr_t LastNumber = 0;
  Page *LastPage = nullptr;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_PARSE_TEXTMAP_H

//===- ReferenceStore.h - Contents of reference cells -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What partial evaluation knows of the contents of reference cells. An effect
// of unknown code invalidates all of it. Code that runs at another time, or
// perhaps not at all, is evaluated between enter() and leave(), which undoes
// its writes. Each operation takes constant time.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_REFERENCESTORE_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_REFERENCESTORE_H

#include "PartialValue.h"

namespace relay {

class ReferenceStore {
public:
  /// The contents of \p Reference; null if they are unknown.
  PartialValue *read(const KnownValue &Reference) const {
    return Reference.Written > ValidSince ? Reference.Contents : nullptr;
  }
  void write(KnownValue &Reference, PartialValue *Contents) {
    Log.push_back({&Reference, Reference.Contents, Reference.Written});
    Reference.Contents = Contents;
    Reference.Written = ++Clock;
  }
  /// Forgets all contents.
  void invalidate() { ValidSince = ++Clock; }

  struct Mark {
    size_t LogSize = 0;
    uint64_t ValidSince = 0;
  };
  Mark enter() const { return {Log.size(), ValidSince}; }
  /// Restores the contents that were known at enter().
  void leave(const Mark &M) {
    while (Log.size() != M.LogSize) {
      Entry Last = Log.pop_back_val();
      Last.Reference->Contents = Last.Contents;
      Last.Reference->Written = Last.Written;
    }
    ValidSince = M.ValidSince;
  }

private:
  /// A cell before a write.
  struct Entry {
    KnownValue *Reference;
    PartialValue *Contents;
    uint64_t Written;
  };
  SmallVector<Entry, 0> Log;
  uint64_t Clock = 0, ValidSince = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_REFERENCESTORE_H

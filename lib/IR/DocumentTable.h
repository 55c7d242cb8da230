//===- DocumentTable.h - Identities of metadata documents -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which documents of metadata there are. Raw attributes refer to a document by
// its slot, which stays with the context: a document that has gone leaves it to
// the next one of the same contents, so that a context that reads a text over
// and over does not grow, and an attribute never refers to other contents than
// those that it was made for. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_DOCUMENTTABLE_H
#define RELAY_LIB_IR_DOCUMENTTABLE_H

#include "OptionalLock.h"
#include "relay/IR/MetaDocument.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

namespace relay {

/// The identity of a document.
struct MetaDocumentSlot {
  std::pair<uint64_t, uint64_t> Contents; ///< a hash
  const MetaDocument *Document; ///< null while there is none of this identity
};

class DocumentTable {
public:
  /// An identity for \p D that no other document has while D is there.
  MetaDocumentSlot *take(const MetaDocument &D, bool Multithreaded);
  void giveBack(MetaDocumentSlot &Slot, bool Multithreaded);
  size_t getNumBytes() const { return Allocator.getBytesAllocated(); }

private:
  std::mutex Mutex;
  llvm::BumpPtrAllocator Allocator;
  /// Slots without a document, by contents.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>,
                 SmallVector<MetaDocumentSlot *, 1>>
      Free;
};

} // namespace relay

#endif // RELAY_LIB_IR_DOCUMENTTABLE_H

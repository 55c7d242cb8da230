//===- DocumentTable.h - Identities of metadata documents -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of metadata documents. Raw attributes refer to a document by its
// slot, which the Context keeps. When a document is destroyed, its slot is
// reused by the next document with equal contents. A Context that repeatedly
// reads a text therefore does not grow, and an attribute never refers to other
// contents. Private to room IR.
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
  const MetaDocument *Document; ///< null if no document has this identity
};

class DocumentTable {
public:
  /// Returns an identity for \p D that no other document has during D's
  /// lifetime.
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

//===- MetaDocument.cpp - Metadata of unknown kinds -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MetaDocument.h and DocumentTable.h.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/MetaDocument.h"
#include "ContextImpl.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// DocumentTable
//===----------------------------------------------------------------------===//

/// Returns a hash of the nodes and arrays of \p D.
static std::pair<uint64_t, uint64_t> hashContents(const MetaDocument &D) {
  // The hashes of all texts, which are then hashed together.
  SmallVector<uint64_t, 0> Hashes;
  auto Add = [&](StringRef Text) {
    llvm::XXH128_hash_t H = llvm::xxh3_128bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
    Hashes.append({H.low64, H.high64});
  };
  for (const MetaNode &N : D.Nodes)
    Add(N.JSON);
  Hashes.push_back(D.Nodes.size());
  for (StringRef Array : D.Arrays)
    Add(Array);
  llvm::XXH128_hash_t All = llvm::xxh3_128bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Hashes.data()),
               Hashes.size() * sizeof(uint64_t)));
  return {All.low64, All.high64};
}

MetaDocumentSlot *DocumentTable::take(const MetaDocument &D,
                                      bool Multithreaded) {
  std::pair<uint64_t, uint64_t> Contents = hashContents(D);
  OptionalLock Lock(Mutex, Multithreaded);
  auto Known = Free.find(Contents);
  if (Known == Free.end() || Known->second.empty())
    return new (Allocator) MetaDocumentSlot{Contents, &D};
  MetaDocumentSlot *Slot = Known->second.pop_back_val();
  Slot->Document = &D;
  return Slot;
}

void DocumentTable::giveBack(MetaDocumentSlot &Slot, bool Multithreaded) {
  OptionalLock Lock(Mutex, Multithreaded);
  Slot.Document = nullptr;
  Free[Slot.Contents].push_back(&Slot);
}

//===----------------------------------------------------------------------===//
// MetaDocument
//===----------------------------------------------------------------------===//

MetaDocument::MetaDocument(Context &Ctx, std::vector<MetaNode> Nodes,
                           std::vector<std::string> Arrays)
    : Nodes(std::move(Nodes)), Arrays(std::move(Arrays)), Ctx(Ctx),
      Slot(Ctx.takeDocumentSlot(*this)) {}

std::shared_ptr<MetaDocument>
MetaDocument::create(Context &Ctx, std::vector<MetaNode> Nodes,
                     std::vector<std::string> Arrays) {
  return std::shared_ptr<MetaDocument>(
      new MetaDocument(Ctx, std::move(Nodes), std::move(Arrays)));
}

MetaDocument::~MetaDocument() { Ctx.giveBackDocumentSlot(*Slot); }

const MetaDocument *Attr::getRawDocument() const {
  assert(getKind() == Kind::Raw);
  const auto *S = static_cast<const PointerStorage *>(storage());
  const MetaDocument *Document =
      static_cast<const MetaDocumentSlot *>(S->Pointer)->Document;
  assert(Document && "nothing has held the document");
  return Document;
}

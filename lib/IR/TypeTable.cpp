//===- TypeTable.cpp - Memo table of types --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TypeTable.h.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeTable.h"

using namespace relay;

TypeTable::Entry &TypeTable::findSlot(uint64_t Hash) {
  for (size_t I = Hash, Mask = Table.size() - 1;; ++I)
    if (!Table[I & Mask].Info)
      return Table[I & Mask];
}

void TypeTable::grow() {
  std::vector<Entry> Old(Table.size() * 2);
  Old.swap(Table);
  for (Entry &E : Old)
    if (E.Info)
      findSlot(E.Hash) = E;
}

void TypeTable::insert(Type *Result) {
  if (++NumEntries * 2 > Table.size())
    grow();
  Type **Copy = Arena.Allocate<Type *>(Types.size());
  llvm::copy(Types, Copy);
  findSlot(Hash) = {Hash, Info, A, ArrayRef(Copy, Types.size()), Result};
}

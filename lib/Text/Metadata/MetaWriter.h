//===- MetaWriter.h - Writing the metadata section --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the objects that text refers to by `meta[key][index]` during
// printing, then writes them as TVM's JSON graph. Equal values share a node;
// each constant that the printer adds is a separate entry.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAWRITER_H
#define RELAY_LIB_TEXT_METADATA_METAWRITER_H

#include "relay/IR/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace relay {

/// Prints one node, indented as in TVM's JSON, without a comma after it.
void writeMetaNode(raw_ostream &OS, StringRef TypeKey,
                   std::optional<StringRef> Repr,
                   ArrayRef<std::pair<StringRef, StringRef>> Attrs,
                   ArrayRef<StringRef> Keys, ArrayRef<uint32_t> Data);

/// Returns TVM's type key of \p A as an object.
StringRef getMetaTypeKey(Attr A);

class MetaWriter {
public:
  explicit MetaWriter(Context &Ctx) : Ctx(Ctx) {}

  struct Reference {
    StringRef Key;
    unsigned Index;
  };

  /// Returns the entry of \p Value, which is created at first use.
  Reference get(Attr Value);
  /// Keeps the index \p Index of constants for a constant without data.
  void reserveConstant(uint32_t Index) { Reserved.insert(Index); }
  /// Adds an entry for a constant operation.
  Reference addConstant(Attr Value);
  /// Adds an entry for a constant whose data is elided.
  Reference addElidedConstant();
  /// Adds an entry that represents an operand: a variable with the type \p
  /// Annotation, unless null.
  Reference addVar(StringRef Name, Type *Annotation);

  bool empty() const { return Lists.empty(); }
  /// Writes `#[metadata]` and the JSON.
  void write(raw_ostream &OS) const;

private:
  friend class MetaNodeBuilder;
  struct Entry {
    enum Kind : uint8_t { Value, Elided, Var } K;
    Attr A;         ///< Var: the annotation
    StringRef Name; ///< Var
  };
  Reference add(StringRef Key, Entry E);

  Context &Ctx;
  llvm::MapVector<StringRef, SmallVector<Entry, 0>> Lists;
  llvm::DenseMap<Attr, Reference> Known;
  std::set<uint32_t> Reserved;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAWRITER_H

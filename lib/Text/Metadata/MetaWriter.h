//===- MetaWriter.h - Writing the metadata section --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects what text refers to by `meta[key][index]` while it is printed, then
// writes it as TVM's JSON graph. Equal values share a node; each constant that
// the printer adds is an entry of its own.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAWRITER_H
#define RELAY_LIB_TEXT_METADATA_METAWRITER_H

#include "relay/IR/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace relay {

/// Prints one node, indented as in TVM's JSON, without a comma after it.
void writeMetaNode(raw_ostream &OS, StringRef TypeKey,
                   std::optional<StringRef> Repr,
                   ArrayRef<std::pair<StringRef, StringRef>> Attrs,
                   ArrayRef<StringRef> Keys, ArrayRef<uint32_t> Data);

/// TVM's type key of what \p A is as an object.
StringRef getMetaTypeKey(Attr A);

class MetaWriter {
public:
  explicit MetaWriter(Context &Ctx) : Ctx(Ctx) {}

  struct Reference {
    StringRef Key;
    unsigned Index;
  };

  /// The entry of \p Value, made when first asked for.
  Reference get(Attr Value);
  /// A new entry for a constant operation.
  Reference addConstant(Attr Value);
  /// A new entry for a constant whose data is left out.
  Reference addElidedConstant();
  /// A new entry that stands for an operand: a variable of type \p Annotation,
  /// if not null.
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
};

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAWRITER_H

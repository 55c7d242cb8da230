//===- MetaJson.h - The JSON of the metadata section ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads TVM's JSON graph of objects, from a metadata section or a file, into
// flat tables of slices: nodes with a type key, attributes, keys and data, and
// base64 arrays. MetaReader interprets the nodes. One pass without recursion:
// any bytes give tables or a message.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAJSON_H
#define RELAY_LIB_TEXT_METADATA_METAJSON_H

#include "Parse/CopyText.h"
#include <vector>

namespace relay {

/// A range of one of MetaJson's tables.
struct MetaRange {
  uint32_t Begin = 0, End = 0;
  size_t size() const { return End - Begin; }
};

struct MetaJsonNode {
  StringRef TypeKey;
  const char *At = nullptr; ///< where it begins
  /// Decoded `repr_str`, `repr_b64`, or in TVM 0.6 `global_key`.
  std::optional<StringRef> Repr;
  MetaRange Attrs, Keys, Data;
};

class MetaJson {
public:
  using Attribute = std::pair<StringRef, StringRef>;

  /// Reads all of \p Text. Returns a message and its position in Text on
  /// failure.
  std::optional<std::pair<std::string, const char *>> read(StringRef Text);

  uint32_t Root = 0;
  std::vector<MetaJsonNode> Nodes;
  std::vector<StringRef> Arrays; ///< base64
  StringRef Version;             ///< the release of TVM, `0.18.0`

  ArrayRef<Attribute> attrs(const MetaJsonNode &N) const {
    return slice<Attribute>(AttrTable, N.Attrs);
  }
  ArrayRef<StringRef> keys(const MetaJsonNode &N) const {
    return slice<StringRef>(KeyTable, N.Keys);
  }
  ArrayRef<uint32_t> data(const MetaJsonNode &N) const {
    return slice<uint32_t>(DataTable, N.Data);
  }
  /// Returns the attribute \p Name of \p N; none if there is no such attribute.
  std::optional<StringRef> lookup(const MetaJsonNode &N, StringRef Name) const;

private:
  friend class MetaJsonReader;
  template <typename T>
  static ArrayRef<T> slice(const std::vector<T> &Table, MetaRange R) {
    return ArrayRef(Table).slice(R.Begin, R.size());
  }

  std::vector<Attribute> AttrTable;
  std::vector<StringRef> KeyTable;
  std::vector<uint32_t> DataTable;
  StringRef save(StringRef Text) { return copyText(Allocator, Text); }
  llvm::BumpPtrAllocator Allocator;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAJSON_H

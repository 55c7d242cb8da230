//===- MetaObjects.h - Fields of TVM's objects ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of objects that are kept field by field (Attr::Kind::Object): how
// TVM's JSON holds each field. Adding a kind is adding a line.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAOBJECTS_H
#define RELAY_LIB_TEXT_METADATA_METAOBJECTS_H

#include "relay/Support/LLVM.h"

namespace relay {

enum class MetaFieldKind : uint8_t {
  Node,   ///< the index of another node; 0 is None
  Text,   ///< the same, of a string or None
  Target, ///< the same, of a Target or None
  Int,    ///< the number itself
  String, ///< the characters themselves
  Unused  ///< null: positions in files that nobody has
};

struct MetaField {
  const char *Name;
  MetaFieldKind Kind;
};

/// The fields of objects of \p TypeKey in TVM's order; nothing when the kind is
/// not known. A kind that is kept by its name alone (`TargetKind`) has none.
std::optional<ArrayRef<MetaField>> getMetaFields(StringRef TypeKey);

/// The field under which the name of such an object is kept.
constexpr StringLiteral ReprField = "repr_str";

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAOBJECTS_H

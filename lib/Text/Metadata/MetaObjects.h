//===- MetaObjects.h - Fields of TVM's objects ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of objects that are kept field by field (Attr::Kind::Object), and
// the form of their fields in TVM's JSON. To add a kind, add a line.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAOBJECTS_H
#define RELAY_LIB_TEXT_METADATA_METAOBJECTS_H

#include "relay/Support/LLVM.h"

namespace relay {

enum class MetaFieldKind : uint8_t {
  Node,   ///< the index of another node; 0 is None
  Text,   ///< likewise, of a string or None
  Target, ///< likewise, of a Target or None
  Int,    ///< the number itself
  String, ///< the characters themselves
  Unused  ///< null: unused positions in files
};

struct MetaField {
  const char *Name;
  MetaFieldKind Kind;
};

/// Returns the fields of objects of \p TypeKey in TVM's order; none if the kind
/// is unknown. A kind represented by its name only (`TargetKind`) has no
/// fields.
std::optional<ArrayRef<MetaField>> getMetaFields(StringRef TypeKey);

/// The field that stores the name of such an object.
constexpr StringLiteral ReprField = "repr_str";

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAOBJECTS_H

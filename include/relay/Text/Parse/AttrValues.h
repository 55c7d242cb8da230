//===- AttrValues.h - Attribute values and the kinds of fields --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and metadata provide attribute values without the field that they are
// for; these functions convert them to the type of the field.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_ATTRVALUES_H
#define RELAY_TEXT_PARSE_ATTRVALUES_H

#include "relay/IR/Context.h"

namespace relay {

/// Converts \p Value to the slot of a field of kind \p Kind; none if the value
/// does not fit. A mirrored operand becomes None.
std::optional<Attr> toFieldValue(Context &Ctx, const AttrField &Field,
                                 Attr Value);

/// TVM's runtime.BoxInt, BoxBool and BoxFloat: an Object of \p TypeKey around
/// \p Value.
Attr makeBox(Context &Ctx, StringRef TypeKey, Attr Value);
/// The value boxed in \p A; none if it is not a box.
Attr getBoxed(Attr A);

/// Returns true if TVM's JSON holds \p Field as characters and not as a node.
bool isDirectInJSON(const AttrField &Field);

/// Describes the values of a field of \p Kind: "a list of integers".
StringRef describe(FieldKind Kind);

/// Describes the kind of \p Value: "a string".
StringRef describe(Attr Value);

/// `float32`, `custom[name]32`; a custom type is made known to \p Ctx.
std::optional<DType> parseDType(Context &Ctx, StringRef Text);

/// The text that parseDType() reads.
std::string dtypeText(const Context &Ctx, DType T);

/// Attributes that are one object under no name, `meta[relay.attrs.X][0]`, are
/// kept under the empty key where the op has no declaration.
constexpr StringLiteral WholeAttrsKey = "";

} // namespace relay

#endif // RELAY_TEXT_PARSE_ATTRVALUES_H

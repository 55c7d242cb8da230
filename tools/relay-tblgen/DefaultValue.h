//===- DefaultValue.h - Defaults of attributes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the text of a default value against the kind of its field.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_DEFAULTVALUE_H
#define RELAY_TBLGEN_DEFAULTVALUE_H

#include "llvm/ADT/StringRef.h"

namespace relay::tblgen {

/// Returns true if \p Text, in the grammar of attribute values, is a value of
/// \p Kind, an enumerator of relay::FieldKind.
bool isDefaultOfKind(llvm::StringRef Text, llvm::StringRef Kind, bool Nullable);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_DEFAULTVALUE_H

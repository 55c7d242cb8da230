//===- RawEqual.h - Equality of metadata nodes of unknown kind --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares Raw attributes, which are nodes of the JSON graph of a metadata
// section, including referenced nodes. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_RAWEQUAL_H
#define RELAY_LIB_IR_RAWEQUAL_H

#include "relay/IR/Attr.h"

namespace relay {

/// Returns true if the Raw attributes \p L and \p R have the same content. \p
/// Same compares nodes of known kinds. Since the text of a field does not
/// distinguish a number from a reference to the node of that number, a possible
/// reference is treated as one.
bool isSameRaw(Attr L, Attr R, function_ref<bool(Attr, Attr)> Same);

} // namespace relay

#endif // RELAY_LIB_IR_RAWEQUAL_H

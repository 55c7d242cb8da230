//===- ElementList.h - Elements of a constant in a comment ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dump has no metadata: it lists the elements of small constants in comments.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_ELEMENTLIST_H
#define RELAY_LIB_TEXT_METADATA_ELEMENTLIST_H

#include "relay/IR/Attr.h"

namespace relay {

class Context;
class TensorType;

/// Returns the constant of type \p Ty with the elements \p List, `1, 2`; none
/// if they are invalid.
Attr readElements(Context &Ctx, TensorType *Ty, StringRef List);

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_ELEMENTLIST_H

//===- MissingConstant.h - Constants without their data ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dump leaves out the data of large constants. What stands for such a
// constant when it is read is a call of an operator of its own, of which nobody
// knows more than its type, and which is printed as the reference that it was.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_MISSINGCONSTANT_H
#define RELAY_LIB_TEXT_METADATA_MISSINGCONSTANT_H

#include "relay/IR/Operation.h"

namespace relay {

extern const OpInfo MissingConstantInfo;

inline bool isMissingConstant(const Operation &Op) {
  return Op.is(MissingConstantInfo);
}

/// The attributes of a missing constant of \p Ty; \p Hash may be empty.
const Attrs *getMissingConstantAttrs(Context &Ctx, TensorType *Ty,
                                     StringRef Hash);
TensorType *getMissingConstantType(const Operation &Op);
/// Empty when it is not known.
StringRef getMissingConstantHash(const Operation &Op);

/// The constant of \p Ty with the elements \p List, `1, 2`, as dumps of small
/// constants show them; none when they are no such elements.
Attr readElements(Context &Ctx, TensorType *Ty, StringRef List);

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_MISSINGCONSTANT_H

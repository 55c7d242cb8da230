//===- MissingConstant.h - Constants without their data ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dump elides the data of large constants. When it is read, such a constant
// becomes a call of a special operator, of which only the type is known, and
// which is printed as the original reference.
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

/// Returns the attributes of a missing constant of type \p Ty; \p Hash may be
/// empty.
const Attrs *getMissingConstantAttrs(Context &Ctx, TensorType *Ty,
                                     StringRef Hash);
TensorType *getMissingConstantType(const Operation &Op);
/// Returns the hash; empty if it is unknown.
StringRef getMissingConstantHash(const Operation &Op);

/// Returns the constant of type \p Ty with the elements \p List, `1, 2`, as
/// shown in dumps of small constants; none if they are invalid.
Attr readElements(Context &Ctx, TensorType *Ty, StringRef List);

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_MISSINGCONSTANT_H

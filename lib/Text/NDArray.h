//===- NDArray.h - TVM's saved arrays ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binary form in which TVM saves an array, in base64: magic number,
// reserved word, device, rank, data type, shape, size in bytes, data; all
// little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_NDARRAY_H
#define RELAY_LIB_TEXT_NDARRAY_H

#include "relay/IR/Context.h"

namespace relay {

/// The array in \p Base64 as a Constant; none with \p Error when it is
/// malformed.
Attr readNDArray(Context &Ctx, StringRef Base64, std::string &Error);

/// Prints \p Data, without copying it whole.
void writeNDArray(raw_ostream &OS, const ConstantData &Data);

} // namespace relay

#endif // RELAY_LIB_TEXT_NDARRAY_H

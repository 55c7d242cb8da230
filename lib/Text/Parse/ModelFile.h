//===- ModelFile.h - Model files of other frameworks ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes the files that TVM's frontends import, by their contents.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PARSE_MODELFILE_H
#define RELAY_LIB_TEXT_PARSE_MODELFILE_H

#include "relay/Support/LLVM.h"

namespace relay {

/// Returns what \p Bytes are, "a TFLite model"; empty if they are not a model
/// file of another framework.
StringRef describeModelFile(StringRef Bytes);

} // namespace relay

#endif // RELAY_LIB_TEXT_PARSE_MODELFILE_H

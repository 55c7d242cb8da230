//===- Json.h - IR to TVM's JSON --------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules as TVM's save_json writes them. parseModule() reads both text and
// JSON.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_JSON_JSON_H
#define RELAY_TEXT_JSON_JSON_H

#include "relay/Support/LLVM.h"

namespace relay {

class Module;

/// Prints \p M as JSON of TVM 0.18, which TVM's load_json reads. An expression
/// file becomes the JSON of an expression. Types that inference found are left
/// out, as in text.
void printJson(Module &M, raw_ostream &OS);

} // namespace relay

#endif // RELAY_TEXT_JSON_JSON_H

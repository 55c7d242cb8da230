//===- Nesting.h - The nesting limit of printed text ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser refuses text that nests deeper than ParserOptions::NestingLimit. A
// pass may nest deeper (`inline` of two deeply nested functions); such a module
// cannot be printed.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_NESTING_H
#define RELAY_TEXT_PARSE_NESTING_H

#include "relay/IR/Module.h"

namespace relay {

/// Reports, for each function of \p M, the first closure, branch or `let` chain
/// that nests too deeply to be read back.
LogicalResult checkNesting(Module &M);

} // namespace relay

#endif // RELAY_TEXT_PARSE_NESTING_H

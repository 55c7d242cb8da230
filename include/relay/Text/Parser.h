//===- Parser.h - Relay text to IR ------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a file of Relay text: definitions, or one expression. The result is
// normalized and not typed; types are the business of inference.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSER_H
#define RELAY_TEXT_PARSER_H

#include "relay/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>

namespace relay {

struct ParserOptions {
  /// Keep calls of operators that are not declared, attributes as written.
  bool AllowUnregisteredOps = false;
  /// Keep calls of globals, and names of types, that the file does not define;
  /// constants whose data the file leaves out become zeros.
  bool AllowUndefinedGlobals = false;
  /// Read a file without header, definition and expression: a part of a file
  /// may be that.
  bool AllowEmpty = false;
  /// Finds a constant whose data the file leaves out by the hash that the file
  /// tells; none when there is no such constant.
  std::function<llvm::Expected<Attr>(StringRef Hash)> LookupConstant;
  /// Parsing stops after so many errors.
  unsigned ErrorLimit = 20;
  /// Expressions nested deeper are an error.
  unsigned NestingLimit = 10000;
};

/// Makes \p Buffer the main buffer of the Context's diagnostics and parses it.
/// Null when there were errors, which have been reported then.
std::unique_ptr<Module> parseModule(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                                    Context &Ctx,
                                    const ParserOptions &Options = {});

} // namespace relay

#endif // RELAY_TEXT_PARSER_H

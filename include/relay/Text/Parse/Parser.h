//===- Parser.h - Relay text to IR ------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a file of Relay text, definitions or one expression, or of TVM's JSON,
// which begins with `{`. Constructs of older releases of TVM, from 0.6 on, are
// upgraded. The result is normalized and not typed; types are inferred later.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_PARSER_H
#define RELAY_TEXT_PARSE_PARSER_H

#include "relay/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>

namespace relay {

struct ParserOptions {
  /// The release whose text and JSON are read as they are and written.
  static constexpr unsigned CurrentRelease = 18;
  /// Keep calls of operators that are not declared, attributes as written.
  bool AllowUnregisteredOps = false;
  /// Keep calls of globals, and names of types, that the file does not define;
  /// constants whose data the file leaves out are opaque.
  bool AllowUndefinedGlobals = false;
  /// Constants whose data the file leaves out are opaque, and keep their index
  /// in the metadata.
  bool OpaqueConstants = false;
  /// Read a file without header, definition and expression: a part of a file
  /// may be that.
  bool AllowEmpty = false;
  /// Finds a constant whose data is elided by the hash in the file; none if
  /// there is no such constant.
  std::function<llvm::Expected<Attr>(StringRef Hash)> LookupConstant;
  /// The release of TVM that wrote the text, 7 for 0.7; 0 to find it out.
  unsigned Release = 0;
  /// The line of its file in which the text begins.
  unsigned FirstLine = 1;
  /// Suppress remarks about upgraded constructs.
  bool QuietUpgrades = false;
  /// Parsing stops after this many errors.
  unsigned ErrorLimit = 20;
  /// Expressions nested deeper are an error.
  unsigned NestingLimit = 10000;
};

/// Returns the minor version of a release of TVM, "0.6" to "0.19".
std::optional<unsigned> parseRelease(StringRef Text);

/// Makes \p Buffer the main buffer of the Context's diagnostics and parses it.
/// The module holds the text, to which its locations refer. Null when there
/// were errors, which have been reported then.
std::unique_ptr<Module> parseModule(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                                    Context &Ctx,
                                    const ParserOptions &Options = {});

} // namespace relay

#endif // RELAY_TEXT_PARSE_PARSER_H

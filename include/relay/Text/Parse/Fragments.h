//===- Fragments.h - Parts of Relay text in other texts ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses Relay's types and expressions within a text of another grammar, as in
// patterns. That text is the main buffer of the Context's diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_FRAGMENTS_H
#define RELAY_TEXT_PARSE_FRAGMENTS_H

#include "relay/IR/Module.h"
#include "relay/Text/Parse/Lexer.h"
#include <memory>

namespace relay {

/// Parses the type that starts at \p Lex, and moves Lex past it. Returns null
/// after an error, which has been reported.
Type *parseTypeFragment(Lexer &Lex, Context &Ctx);

/// Parses \p Text, a part of the text that \p Outer reads, as a file with one
/// expression, which is the body of the only function of the result. Null after
/// errors, which are reported with the positions that they have in the text.
std::unique_ptr<Module> parseExpressionFragment(StringRef Text,
                                                const Lexer &Lex, Context &Ctx);

} // namespace relay

#endif // RELAY_TEXT_PARSE_FRAGMENTS_H

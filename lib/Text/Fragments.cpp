//===- Fragments.cpp - Parts of Relay text in other texts -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fragments.h. The parser of files does the work.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Fragments.h"
#include "ParserImpl.h"

using namespace relay;

Type *Parser::parseTypeOnly(Lexer &Outer) {
  Lex.setPosition(Outer.getPosition());
  advance();
  Type *Ty = parseType();
  if (Ty && !TypeNames.empty()) {
    StringRef Name = TypeNames.begin()->first.val();
    error(TypeNames.begin()->second, Name.size(),
          "unknown type `" + Name + "`");
    return nullptr;
  }
  Outer.setPosition(T.Begin);
  return Ty;
}

Type *relay::parseTypeFragment(Lexer &Lex, Context &Ctx) {
  Module M(Ctx);
  ParserOptions Options;
  StringRef Text(Lex.begin(), Lex.end() - Lex.begin());
  return Parser(Text, Ctx, M, Options).parseTypeOnly(Lex);
}

std::unique_ptr<Module> relay::parseExpressionFragment(StringRef Text,
                                                       const Lexer &Lex,
                                                       Context &Ctx,
                                                       StringRef BufferName) {
  // What stands before is blank, so that lines and columns are right.
  std::string Padded(Lex.begin(), Text.begin());
  for (char &C : Padded)
    if (C != '\n')
      C = ' ';
  Padded += Text;
  ParserOptions Options;
  Options.QuietUpgrades = true;
  return parseModule(llvm::MemoryBuffer::getMemBufferCopy(Padded, BufferName),
                     Ctx, Options);
}

//===- Fragments.cpp - Parts of Relay text in other texts -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fragments.h. The fragments are read by the parser of files.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Fragments.h"
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

LogicalResult Parser::parseExpressionAt(size_t Offset) {
  TextOffset += Offset;
  return parse();
}

std::unique_ptr<Module>
relay::parseExpressionFragment(StringRef Text, const Lexer &Lex, Context &Ctx) {
  ParserOptions Options;
  Options.QuietUpgrades = true;
  auto M = std::make_unique<Module>(Ctx);
  M->setTyped(false);
  // The lexer needs a zero after the text.
  auto Terminated = std::make_shared<const std::string>(Text.str() + '\0');
  StringRef Copy = StringRef(*Terminated).drop_back();
  M->keep(Terminated);
  Parser Reader(Copy, Ctx, *M, Options);
  if (failed(Reader.parseExpressionAt(Text.begin() - Lex.begin())))
    return nullptr;
  return M;
}

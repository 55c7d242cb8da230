//===- Lexer.cpp - Tokens of Relay text -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table tells the class of a byte; comments, half of a typed file, are
// crossed with memchr.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Lexer.h"
#include <array>
#include <cstring>

using namespace relay;

namespace {
enum CharClass : uint8_t {
  Space = 1,
  Letter = 2, // letters and `_`
  Digit = 4,
  Odd = 8, // inside names only
  DotClass = 16
};

constexpr std::array<uint8_t, 256> makeCharClasses() {
  std::array<uint8_t, 256> Table{};
  for (unsigned char C : {' ', '\t', '\n', '\r', '\f', '\v'})
    Table[C] = Space;
  for (int C = 'a'; C <= 'z'; ++C)
    Table[C] = Table[C - 'a' + 'A'] = Letter;
  Table['_'] = Letter;
  for (int C = '0'; C <= '9'; ++C)
    Table[C] = Digit;
  for (unsigned char C : {'\'', '/', ':', '-', '$', '~', '^', '|', '!', '#'})
    Table[C] = Odd;
  Table['.'] = Odd | DotClass;
  for (int C = 0x80; C <= 0xff; ++C)
    Table[C] = Odd;
  return Table;
}
constexpr std::array<uint8_t, 256> CharClasses = makeCharClasses();

bool hasClass(char C, uint8_t Mask) { return CharClasses[uint8_t(C)] & Mask; }
} // namespace

StringRef relay::describe(Tok K) {
  static constexpr StringLiteral Names[] = {
      "end of file",   "invalid text",  "a variable", "a graph variable",
      "a global name", "an identifier", "a number",   "a string",
      "`(`",           "`)`",           "`{`",        "`}`",
      "`[`",           "`]`",           "`,`",        "`;`",
      "`:`",           "`.`",           "`?`",        "`=`",
      "`->`",          "`=>`",          "`+`",        "`-`",
      "`*`",           "`/`",           "`==`",       "`!=`",
      "`<`",           "`<=`",          "`>`",        "`>=`",
      "`#[version`",   "`#[metadata]`"};
  static_assert(std::size(Names) == size_t(Tok::Metadata) + 1);
  return Names[size_t(K)];
}

bool Lexer::isOddNameChar(char C) { return hasClass(C, Odd); }
bool Lexer::isNameChar(char C) { return hasClass(C, Letter | Digit); }
bool Lexer::isNameStart(char C) { return hasClass(C, Letter); }

//===----------------------------------------------------------------------===//
// White space and comments
//===----------------------------------------------------------------------===//

const char *Lexer::skipTrivia(const char *P) {
  for (;;) {
    while (hasClass(*P, Space))
      ++P;
    if (*P != '/')
      return P;
    if (P[1] == '*') {
      const char *End = skipBlockComment(P);
      if (!End)
        return P;
      P = End;
    } else if (P[1] == '/') {
      const void *End = std::memchr(P, '\n', Finish - P);
      P = End ? static_cast<const char *>(End) : Finish;
    } else {
      return P;
    }
  }
}

/// The end of the comment that opens at \p P; null when it is never closed.
/// Comments nest.
const char *Lexer::skipBlockComment(const char *P) {
  const char *Open = P;
  size_t Depth = 1;
  P += 2;
  while (const void *Found = std::memchr(P, '*', Finish - P)) {
    const char *Star = static_cast<const char *>(Found);
    if (Star[1] == '/') {
      P = Star + 2;
      if (--Depth)
        continue;
      noteSpan(Open, Star);
      return P;
    }
    // A `/` before P closed a comment, or belongs to its opening.
    if (Star != P && Star[-1] == '/')
      ++Depth;
    P = Star + 1;
  }
  return nullptr;
}

/// Keeps what a `span=` at the end of the comment between \p Open and \p Close
/// names: `/* ty=float32 span=file:2:7 */`.
void Lexer::noteSpan(const char *Open, const char *Close) {
  const char *End = Close;
  while (End != Open && End[-1] == ' ')
    --End;
  if (!isDigit(End[-1]))
    return;
  const char *Begin = End;
  while (Begin[-1] != ' ' && Begin[-1] != '*')
    --Begin;
  StringRef Word(Begin, End - Begin);
  if (Word.consume_front("span="))
    Span = Word;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Token Lexer::lex() {
  const char *P = skipTrivia(Cur);
  auto OneOf = [&](char Second, Tok Two, Tok One) {
    return P[1] == Second ? make(Two, P, P + 2) : make(One, P, P + 1);
  };
  switch (*P) {
  case '%':
    return lexPercent(P);
  case '@': {
    const char *E = P + 1;
    while (hasClass(*E, Letter | Digit | DotClass))
      ++E;
    return E == P + 1 ? lexError(P) : make(Tok::Global, P, E);
  }
  case '(':
    return make(Tok::LParen, P, P + 1);
  case ')':
    return make(Tok::RParen, P, P + 1);
  case '{':
    return make(Tok::LBrace, P, P + 1);
  case '}':
    return make(Tok::RBrace, P, P + 1);
  case '[':
    return make(Tok::LBracket, P, P + 1);
  case ']':
    return make(Tok::RBracket, P, P + 1);
  case ',':
    return make(Tok::Comma, P, P + 1);
  case ';':
    return make(Tok::Semicolon, P, P + 1);
  case ':':
    return make(Tok::Colon, P, P + 1);
  case '.':
    return make(Tok::Dot, P, P + 1);
  case '?':
    return make(Tok::Question, P, P + 1);
  case '+':
    return make(Tok::Plus, P, P + 1);
  case '*':
    return make(Tok::Star, P, P + 1);
  case '/': // An open comment is what skipTrivia() leaves.
    return P[1] == '*' ? lexError(P) : make(Tok::Slash, P, P + 1);
  case '-':
    return OneOf('>', Tok::Arrow, Tok::Minus);
  case '=':
    if (P[1] == '>')
      return make(Tok::FatArrow, P, P + 2);
    return OneOf('=', Tok::EqualEqual, Tok::Equal);
  case '!':
    return P[1] == '=' ? make(Tok::NotEqual, P, P + 2) : lexError(P);
  case '<':
    return OneOf('=', Tok::LessEqual, Tok::Less);
  case '>':
    return OneOf('=', Tok::GreaterEqual, Tok::Greater);
  case '"':
    return lexString(P);
  case '#':
    return lexHash(P);
  case '\0':
    return P == Finish ? make(Tok::EndOfFile, P, P) : lexError(P);
  default:
    break;
  }
  if (hasClass(*P, Letter)) {
    const char *E = P + 1;
    while (hasClass(*E, Letter | Digit | DotClass))
      ++E;
    return make(Tok::Identifier, P, E);
  }
  return hasClass(*P, Digit) ? lexNumber(P) : lexError(P);
}

Token Lexer::lexPercent(const char *P) {
  const char *E = P + 1;
  if (isDigit(*E)) {
    while (isDigit(*++E))
      ;
    return make(Tok::Graph, P, E);
  }
  while (hasClass(*E, Letter | Digit))
    ++E;
  return E == P + 1 ? lexError(P) : make(Tok::Local, P, E);
}

/// `12`, `1.5f`, `1e-05f`, `3i64`. What follows the digits is checked when the
/// value is read.
Token Lexer::lexNumber(const char *P) {
  const char *E = P + 1;
  while (isDigit(*E))
    ++E;
  if (*E == '.' && isDigit(E[1]))
    for (++E; isDigit(*E);)
      ++E;
  if (*E == 'e' || *E == 'E') {
    const char *Digits = E + 1 + (E[1] == '-' || E[1] == '+');
    if (isDigit(*Digits))
      for (E = Digits; isDigit(*E);)
        ++E;
  }
  while (hasClass(*E, Letter | Digit))
    ++E;
  return make(Tok::Number, P, E);
}

/// A string ends on its line.
Token Lexer::lexString(const char *P) {
  for (const char *E = P + 1; E != Finish && *E != '\n'; ++E) {
    if (*E == '"')
      return make(Tok::String, P, E + 1);
    if (*E == '\\' && E + 1 != Finish && E[1] != '\n')
      ++E;
  }
  return lexError(P);
}

Token Lexer::lexHash(const char *P) {
  StringRef Rest(P, Finish - P);
  for (auto [K, Text] : {std::pair(Tok::Version, StringRef("#[version")),
                         std::pair(Tok::Metadata, StringRef("#[metadata]"))})
    if (Rest.starts_with(Text))
      return make(K, P, P + Text.size());
  return lexError(P);
}

/// A token over the whole of what cannot be one, so that a run of strange bytes
/// is one error.
Token Lexer::lexError(const char *P) {
  const char *E = P + 1;
  if (*P == '"' || *P == '/') {
    const void *Line = std::memchr(P, '\n', Finish - P);
    E = *P == '/' || !Line ? Finish : static_cast<const char *>(Line);
  } else {
    while (E != Finish && (uint8_t(*E) >= 0x80 || uint8_t(*E) < 0x20) &&
           !hasClass(*E, Space))
      ++E;
  }
  return make(Tok::Error, P, E);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const char *Lexer::findNameEnd(const char *P) const {
  const char *E = P;
  for (;; ++E) {
    if (hasClass(*E, Letter | Digit))
      continue;
    if (!hasClass(*E, Odd))
      break;
    // A comment, the type of `%x:T`, and an arrow are no part of a name.
    if (*E == '/' && (E[1] == '/' || E[1] == '*'))
      break;
    if (*E == ':' && E[1] != ':' && E[-1] != ':' && !isDigit(E[1]))
      break;
    if (*E == '-' && E[1] == '>')
      break;
  }
  return E;
}

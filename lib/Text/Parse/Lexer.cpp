//===- Lexer.cpp - Tokens of Relay text -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table maps each byte to its class; comments, which are half of a typed
// file, are skipped with memchr.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Lexer.h"
#include <array>
#include <cstring>

using namespace relay;

namespace {
enum CharClass : uint8_t {
  Space = 1,
  Letter = 2, // letters and `_`
  Digit = 4,
  Odd = 8, // allowed inside names only
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

bool Lexer::isPlainName(StringRef Name) {
  return !Name.empty() && isNameStart(Name[0]) &&
         llvm::all_of(Name, [](char C) { return hasClass(C, Letter | Digit); });
}

const char *Lexer::skipName(const char *P) {
  while (hasClass(*P, Letter | Digit))
    ++P;
  return P;
}

const char *Lexer::skipIdentifier(const char *P) {
  while (hasClass(*P, Letter | Digit | DotClass))
    ++P;
  return P;
}

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

/// Returns the end of the comment that begins at \p P; null if it is
/// unterminated. Comments nest.
const char *Lexer::skipBlockComment(const char *P) {
  const char *Open = P;
  size_t Depth = 1;
  const char *Last = P += 2; // the end of the previous delimiter
  while (const void *Found = std::memchr(P, '*', Finish - P)) {
    const char *Star = static_cast<const char *>(Found);
    P = Star + 1;
    // A `/` that is not part of another delimiter makes this star an opening.
    if (Star != Last && Star[-1] == '/') {
      ++Depth;
    } else if (*P == '/') {
      ++P;
      if (--Depth == 0) {
        noteSpan(Open, Star);
        return P;
      }
    }
    Last = P;
  }
  return nullptr;
}

/// Records the location in a `span=` in the comment between \p Open and \p
/// Close: `/* ty=float32 span=a layer:2:7 */`. It extends to the end of the
/// comment, where it must end in `:` and an integer.
void Lexer::noteSpan(const char *Open, const char *Close) {
  const char *End = Close;
  while (End != Open && End[-1] == ' ')
    --End;
  const char *Digits = End;
  while (isDigit(Digits[-1]))
    --Digits;
  if (Digits == End || (Digits[-1] != ':' && StringRef(Digits - 2, 2) != ":-"))
    return;
  StringRef Text(Open + 1, End - Open - 1);
  size_t At = Text.find("span=");
  if (At != StringRef::npos && (Text[At - 1] == ' ' || Text[At - 1] == '*'))
    Span = Text.substr(At + 5);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Maps a byte to the token that it always forms alone; EndOfFile otherwise.
static constexpr std::array<Tok, 256> makeSingleTokens() {
  std::array<Tok, 256> Table{};
  Table['('] = Tok::LParen;
  Table[')'] = Tok::RParen;
  Table['{'] = Tok::LBrace;
  Table['}'] = Tok::RBrace;
  Table['['] = Tok::LBracket;
  Table[']'] = Tok::RBracket;
  Table[','] = Tok::Comma;
  Table[';'] = Tok::Semicolon;
  Table[':'] = Tok::Colon;
  Table['.'] = Tok::Dot;
  Table['?'] = Tok::Question;
  Table['+'] = Tok::Plus;
  Table['*'] = Tok::Star;
  return Table;
}
static constexpr std::array<Tok, 256> SingleTokens = makeSingleTokens();

void Lexer::lex(Token &Out) {
  const char *P = Cur;
  if (hasClass(*P, Space) || *P == '/')
    P = skipTrivia(P);
  Tok Single = SingleTokens[uint8_t(*P)];
  if (Single != Tok::EndOfFile)
    return make(Out, Single, P, P + 1);
  if (*P == '%')
    return lexPercent(Out, P);
  if (hasClass(*P, Letter))
    return make(Out, Tok::Identifier, P, skipIdentifier(P));
  if (isDigit(*P))
    return lexNumber(Out, P);
  lexOther(Out, P);
}

void Lexer::lexOther(Token &Out, const char *P) {
  auto OneOrTwo = [&](char Second, Tok Two, Tok One) {
    bool IsTwo = P[1] == Second;
    make(Out, IsTwo ? Two : One, P, P + 1 + IsTwo);
  };
  switch (*P) {
  case '@': {
    const char *E = skipIdentifier(P + 1);
    return E == P + 1 ? lexError(Out, P) : make(Out, Tok::Global, P, E);
  }
  case '/': // skipTrivia() stops at an unterminated comment
    return P[1] == '*' ? lexError(Out, P) : make(Out, Tok::Slash, P, P + 1);
  case '-':
    return OneOrTwo('>', Tok::Arrow, Tok::Minus);
  case '=':
    if (P[1] == '>')
      return make(Out, Tok::FatArrow, P, P + 2);
    return OneOrTwo('=', Tok::EqualEqual, Tok::Equal);
  case '!':
    return P[1] == '=' ? make(Out, Tok::NotEqual, P, P + 2) : lexError(Out, P);
  case '<':
    return OneOrTwo('=', Tok::LessEqual, Tok::Less);
  case '>':
    return OneOrTwo('=', Tok::GreaterEqual, Tok::Greater);
  case '"':
    return lexString(Out, P);
  case '#':
    return lexHash(Out, P);
  case '\0':
    return P == Finish ? make(Out, Tok::EndOfFile, P, P) : lexError(Out, P);
  default:
    return lexError(Out, P);
  }
}

void Lexer::lexPercent(Token &Out, const char *P) {
  const char *E = P + 1;
  if (isDigit(*E)) {
    while (isDigit(*++E))
      ;
    return make(Out, Tok::Graph, P, E);
  }
  E = skipName(E);
  return E == P + 1 ? lexError(Out, P) : make(Out, Tok::Local, P, E);
}

/// Lexes `12`, `1.5f`, `1e-05f`, `3i64`. The suffix is checked when the value
/// is read.
void Lexer::lexNumber(Token &Out, const char *P) {
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
  make(Out, Tok::Number, P, skipName(E));
}

/// Lexes a string, which must end on its line.
void Lexer::lexString(Token &Out, const char *P) {
  for (const char *E = P + 1; E != Finish && *E != '\n'; ++E) {
    if (*E == '"')
      return make(Out, Tok::String, P, E + 1);
    if (*E == '\\' && E + 1 != Finish && E[1] != '\n')
      ++E;
  }
  lexError(Out, P);
}

void Lexer::lexHash(Token &Out, const char *P) {
  StringRef Rest(P, Finish - P);
  for (auto [K, Text] : {std::pair(Tok::Version, StringRef("#[version")),
                         std::pair(Tok::Metadata, StringRef("#[metadata]"))})
    if (Rest.starts_with(Text))
      return make(Out, K, P, P + Text.size());
  lexError(Out, P);
}

/// Makes one token of all characters that cannot begin one, so that a run of
/// invalid bytes is one error.
void Lexer::lexError(Token &Out, const char *P) {
  const char *E = P + 1;
  if (*P == '"' || *P == '/') {
    const void *Line = std::memchr(P, '\n', Finish - P);
    E = *P == '/' || !Line ? Finish : static_cast<const char *>(Line);
  } else {
    while (E != Finish && (uint8_t(*E) >= 0x80 || uint8_t(*E) < 0x20) &&
           !hasClass(*E, Space))
      ++E;
  }
  make(Out, Tok::Error, P, E);
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
    // A comment, the type of `%x:T`, and an arrow are not part of a name.
    if (*E == '/' && (E[1] == '/' || E[1] == '*'))
      break;
    if (*E == ':' && E[1] != ':' && E[-1] != ':' && !isDigit(E[1]))
      break;
    if (*E == '-' && E[1] == '>')
      break;
  }
  return E;
}

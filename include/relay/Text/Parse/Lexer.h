//===- Lexer.h - Tokens of Relay text ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts Relay text into tokens, on demand and without copies: a token is a kind
// and a slice of the text. Literals.h decodes numbers and strings. Comments are
// skipped; the position that a `span=` names is kept until it is requested.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PARSE_LEXER_H
#define RELAY_TEXT_PARSE_LEXER_H

#include "relay/Support/LLVM.h"

namespace relay {

enum class Tok : uint8_t {
  EndOfFile,
  Error,  ///< no token: a stray byte, an open string, an open comment
  Local,  ///< `%name`
  Graph,  ///< `%12`
  Global, ///< `@name`
  Identifier,
  Number, ///< digits with fraction, exponent and suffix
  String, ///< `"…"`, escapes not decoded
  LParen,
  RParen,
  LBrace,
  RBrace,
  LBracket,
  RBracket,
  Comma,
  Semicolon,
  Colon,
  Dot,
  Question,
  Equal,
  Arrow,    ///< `->`
  FatArrow, ///< `=>`
  Plus,
  Minus,
  Star,
  Slash,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Version, ///< `#[version`
  Metadata ///< `#[metadata]`
};

/// Returns the name of \p K in messages: "`(`", "an identifier".
StringRef describe(Tok K);

struct Token {
  Tok K = Tok::EndOfFile;
  const char *Begin = nullptr;
  const char *End = nullptr;

  bool is(Tok Kind) const { return K == Kind; }
  StringRef text() const { return StringRef(Begin, End - Begin); }
  /// Returns the name of a Local or Global, without the sigil.
  StringRef name() const { return StringRef(Begin + 1, End - Begin - 1); }
};

class Lexer {
public:
  /// \p Text is followed by a NUL byte, as in a MemoryBuffer.
  explicit Lexer(StringRef Text)
      : Cur(Text.begin()), Start(Text.begin()), Finish(Text.end()) {}

  /// The next token. After the last one: EndOfFile, any number of times.
  Token lex() {
    Token T;
    lex(T);
    return T;
  }
  void lex(Token &Out);

  /// Where the next token is looked for.
  const char *getPosition() const { return Cur; }
  void setPosition(const char *P) { Cur = P; }
  const char *begin() const { return Start; }
  const char *end() const { return Finish; }

  /// The end of the name that starts at \p P when everything that may belong
  /// to a name is taken: `%a.b`, `%x'`, `%conv/w:0`. Only a position that
  /// declares a name reads names like this.
  const char *findNameEnd(const char *P) const;

  /// Returns true for characters allowed in names other than letters, digits
  /// and `_`.
  static bool isOddNameChar(char C);
  static bool isNameChar(char C);
  static bool isNameStart(char C);
  /// Returns true if \p Name is a letter or `_`, and then letters, digits and
  /// `_`.
  static bool isPlainName(StringRef Name);
  static bool isDigit(char C) { return unsigned(C - '0') < 10; }
  /// The end of the letters, digits and `_` from \p P on.
  static const char *skipName(const char *P);
  /// The end of the identifier at \p P: names joined by `.`.
  static const char *skipIdentifier(const char *P);
  /// The end of the digits from \p P on; \p Value is their number, if there
  /// are less than 20.
  static const char *skipDigits(const char *P, uint64_t &Value) {
    Value = 0;
    for (; isDigit(*P); ++P)
      Value = Value * 10 + unsigned(*P - '0');
    return P;
  }

  /// The text after `span=` in the last comment with one, if any, and
  /// forgets it.
  StringRef takeSpan() {
    StringRef S = Span;
    Span = {};
    return S;
  }

private:
  const char *skipTrivia(const char *P);
  const char *skipBlockComment(const char *P);
  void noteSpan(const char *Open, const char *Close);
  void make(Token &Out, Tok K, const char *Begin, const char *End) {
    Cur = End;
    Out.K = K;
    Out.Begin = Begin;
    Out.End = End;
  }
  void lexOther(Token &Out, const char *P);
  void lexPercent(Token &Out, const char *P);
  void lexNumber(Token &Out, const char *P);
  void lexString(Token &Out, const char *P);
  void lexHash(Token &Out, const char *P);
  void lexError(Token &Out, const char *P);

  const char *Cur;
  const char *Start;
  const char *Finish;
  StringRef Span;
};

} // namespace relay

#endif // RELAY_TEXT_PARSE_LEXER_H

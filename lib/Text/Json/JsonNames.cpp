//===- JsonNames.cpp - Names in JSON --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In JSON, names of variables, globals and attributes may contain any
// characters. Variables are renamed as text requires; other invalid names are
// errors.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "Metadata/MetaWriter.h"

using namespace relay;

/// Returns true if text supports the name \p Key of an attribute. After
/// operands, a list of attributes must begin with an identifier.
static bool isAttrKey(StringRef Key, bool BehindOperands) {
  std::string Text = Key.str() + "=";
  const char *End = Text.data() + Key.size();
  Lexer L(Text);
  Token First = L.lex();
  return First.is(Tok::Identifier) && First.Begin == Text.data() &&
         (BehindOperands ? First.End : L.findNameEnd(First.Begin)) == End;
}

/// Returns the expression in \p Value, which is kept as a JSON node; null if
/// there is none.
Attr JsonReader::findExpression(Attr Value) {
  llvm::DenseSet<Attr> Seen;
  SmallVector<Attr, 8> Worklist = {Value};
  while (!Worklist.empty()) {
    Attr Next = Worklist.pop_back_val();
    if (!Next || !Seen.insert(Next).second)
      continue;
    if (Next.getKind() == Attr::Kind::Raw &&
        parseKind(getMetaTypeKey(Next)) != Kind::None)
      return Next;
    if (Next.isArray())
      llvm::append_range(Worklist, Next.getArray());
    if (Next.getKind() == Attr::Kind::Dict)
      for (const NamedAttr &Entry : Next.getDict())
        Worklist.push_back(Entry.second);
  }
  return {};
}

/// Reports an error if text does not support a key of \p Entries, the
/// attributes of \p N, a call or a function.
bool JsonReader::checkKeys(const Node &N, ArrayRef<NamedAttr> Entries,
                           bool OfCall) {
  llvm::DenseSet<StringRef> Taken;
  for (const NamedAttr &Entry : Entries) {
    StringRef Key = Entry.first.getString();
    bool BehindOperands = OfCall && &Entry == Entries.begin();
    if (!isAttrKey(Key, BehindOperands) || (!OfCall && Key == "virtual_device"))
      return fail(N, "`" + N.TypeKey + "` has an attribute of the name `" +
                         Key + "`, which text cannot hold");
    if (Attr Expression = findExpression(Entry.second))
      return fail(N, "attribute `" + Key + "` holds `" +
                         getMetaTypeKey(Expression) +
                         "`, an expression, which text cannot hold");
    if (!OfCall && !Taken.insert(Key).second)
      return fail(N, "attribute `" + Key + "` is given twice");
  }
  return true;
}

/// Returns \p Name in a form that text supports after `%`: like TVM, prefixes
/// `v` unless it begins with a letter.
StringRef JsonReader::makeVarName(StringRef Name) {
  std::string Text = Name.str();
  if (Text.empty() || Lexer::isDigit(Text[0]) || Text[0] == '_' ||
      !Lexer::isNameStart(Text[0]))
    Text.insert(0, "v");
  Lexer L(Text);
  for (const char *E;
       (E = L.findNameEnd(Text.data())) != Text.data() + Text.size();)
    Text[E - Text.data()] = '_';
  if (!Lexer::isNameChar(Text.back()) && Text.back() != '\'')
    Text.back() = '_';
  return Ctx.intern(Text);
}

/// Returns the name of a global function, a type or a constructor.
bool JsonReader::getGlobalName(const Node &N, StringRef &Name) {
  Name = Ctx.intern(Meta.getTypeName(N).value_or(""));
  bool IsGlobal = getKind(N) == Kind::GlobalVar;
  std::string Text = (IsGlobal ? "@" : "") + Name.str();
  StringRef Stem = Text;
  if (IsGlobal)
    Stem.consume_back("()");
  Lexer L(Text);
  Token First = L.lex();
  if (IsGlobal
          ? First.is(Tok::Global) &&
                L.findNameEnd(First.Begin + 1) >= Stem.end()
          : First.is(Tok::Identifier) && First.text() == Text && Text != "_")
    return true;
  return fail(N, "`" + N.TypeKey + "` of the name `" + Name +
                     "`, which text cannot hold");
}

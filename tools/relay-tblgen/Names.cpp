//===- Names.cpp - Names of records in C++ --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Names.h.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

std::string relay::tblgen::toLowerCamel(StringRef Name) {
  std::string Camel = toUpperCamel(Name);
  if (!Camel.empty())
    Camel[0] = toLower(Camel[0]);
  return Camel;
}

std::string relay::tblgen::toUpperCamel(StringRef Name) {
  SmallVector<StringRef> Words;
  Name.split(Words, '_', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::string Camel;
  for (StringRef Word : Words) {
    Camel += toUpper(Word.front());
    Camel += Word.drop_front();
  }
  return Camel;
}

static bool isKeyword(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("alignas", "alignof", "and", "asm", "auto", "bool", "break", true)
      .Cases("case", "catch", "char", "class", "const", "continue", true)
      .Cases("decltype", "default", "delete", "do", "double", "else", true)
      .Cases("enum", "explicit", "export", "extern", "false", "float", true)
      .Cases("for", "friend", "goto", "if", "inline", "int", "long", true)
      .Cases("mutable", "namespace", "new", "noexcept", "not", "nullptr", true)
      .Cases("operator", "or", "private", "protected", "public", true)
      .Cases("register", "return", "short", "signed", "sizeof", true)
      .Cases("static", "struct", "switch", "template", "this", "throw", true)
      .Cases("true", "try", "typedef", "typeid", "typename", "union", true)
      .Cases("unsigned", "using", "virtual", "void", "volatile", "while", true)
      .Cases("wchar_t", "xor", true)
      .Default(false);
}

bool relay::tblgen::isKebab(StringRef Name) {
  return !Name.empty() && isLower(Name.front()) && Name.back() != '-' &&
         !Name.contains("--") && all_of(Name, [](char C) {
           return isLower(C) || isDigit(C) || C == '-';
         });
}

std::string relay::tblgen::kebabToUpperCamel(StringRef Name) {
  std::string Underscored = Name.str();
  std::replace(Underscored.begin(), Underscored.end(), '-', '_');
  return toUpperCamel(Underscored);
}

bool relay::tblgen::isIdentifier(StringRef Name) {
  if (Name.empty() || isDigit(Name.front()) || isKeyword(Name))
    return false;
  return all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

std::string relay::tblgen::quote(StringRef Text) {
  std::string Quoted;
  raw_string_ostream OS(Quoted);
  OS << '"';
  OS.write_escaped(Text) << '"';
  return Quoted;
}

std::vector<const Record *>
relay::tblgen::getDefinitions(const RecordKeeper &Records,
                              StringRef ClassName) {
  std::vector<Record *> All =
      Records.getAllDerivedDefinitionsIfDefined(ClassName);
  std::vector<const Record *> Sorted(All.begin(), All.end());
  sort(Sorted, [](const Record *A, const Record *B) {
    return A->getID() < B->getID();
  });
  return Sorted;
}

bool relay::tblgen::isInMainFile(const Record &R) {
  return SrcMgr.FindBufferContainingLoc(R.getLoc().front()) ==
         SrcMgr.getMainFileID();
}

std::string relay::tblgen::getFileStem(const RecordKeeper &Records) {
  std::string Path = Records.getInputFilename();
  StringRef Stem = sys::path::stem(Path);
  if (!isIdentifier(Stem))
    PrintFatalError("file name '" + Stem +
                    "' becomes part of C++ names but is not an identifier");
  return Stem.str();
}

void relay::tblgen::checkFunction(const Record &R, StringRef Field,
                                  StringRef Name) {
  if (!Name.empty() && !isIdentifier(Name))
    PrintFatalError(R.getFieldLoc(Field),
                    Field + " of '" + R.getName() +
                        "' is not the name of a function: '" + Name + "'");
}

void relay::tblgen::checkSuffix(const Record &R, StringRef Suffix) {
  if (!R.getName().ends_with(Suffix) || R.getName() == Suffix)
    PrintFatalError(&R, "'" + R.getName() + "' is the name of a C++ class, " +
                            "which must end in '" + Suffix + "'");
}

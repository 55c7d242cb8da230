//===- PrintableText.cpp - Text that is safe for terminals ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PrintableText.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

using namespace relay;

/// Moves the first character of \p Text, or its first byte where that is not
/// printable, to the end of \p Shown; returns its columns.
static unsigned moveCharacter(StringRef &Text, std::string &Shown) {
  StringRef Character = Text.take_front(llvm::getNumBytesForUTF8(Text[0]));
  int Columns = llvm::sys::unicode::columnWidthUTF8(Character);
  if (Columns >= 0) {
    Shown += Character;
    Text = Text.drop_front(Character.size());
    return Columns;
  }
  std::string Escape = "\\x" + llvm::toHex(Text.take_front());
  Text = Text.drop_front();
  Shown += Escape;
  return Escape.size();
}

std::string relay::toPrintable(StringRef Text) {
  auto IsPlain = [](char C) {
    return llvm::isPrint(C) || C == '\n' || C == '\t';
  };
  std::string Shown;
  while (!Text.empty()) {
    StringRef Plain = Text.take_while(IsPlain);
    Shown += Plain;
    Text = Text.drop_front(Plain.size());
    if (!Text.empty())
      moveCharacter(Text, Shown);
  }
  return Shown;
}

void relay::appendPrintable(StringRef Text, std::string &Shown,
                            unsigned &Width) {
  constexpr unsigned TabStop = 8;
  while (!Text.empty()) {
    if (!Text.consume_front("\t")) {
      Width += moveCharacter(Text, Shown);
      continue;
    }
    unsigned Spaces = TabStop - Width % TabStop;
    Shown.append(Spaces, ' ');
    Width += Spaces;
  }
}

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

/// Moves the first character of \p Text to the end of \p Shown and returns its
/// columns; a byte that is not part of a printable character is replaced by the
/// result of \p Replace.
template <typename FnT>
static unsigned moveCharacter(StringRef &Text, std::string &Shown,
                              FnT Replace) {
  StringRef Character = Text.take_front(llvm::getNumBytesForUTF8(Text[0]));
  int Columns = llvm::sys::unicode::columnWidthUTF8(Character);
  bool IsPrintable = Columns >= 0;
  std::string Replacement;
  if (!IsPrintable) {
    Character = Text.take_front();
    Replacement = Replace(Character);
    Columns = Replacement.size();
  }
  Shown += IsPrintable ? Character : StringRef(Replacement);
  Text = Text.drop_front(Character.size());
  return Columns;
}

std::string relay::toPrintable(StringRef Text) {
  auto IsPlain = [](char C) {
    return llvm::isPrint(C) || C == '\n' || C == '\t';
  };
  auto Escape = [](StringRef Byte) { return "\\x" + llvm::toHex(Byte); };
  std::string Shown;
  while (!Text.empty()) {
    StringRef Plain = Text.take_while(IsPlain);
    Shown += Plain;
    Text = Text.drop_front(Plain.size());
    if (!Text.empty())
      moveCharacter(Text, Shown, Escape);
  }
  return Shown;
}

void relay::appendPrintable(StringRef Text, std::string &Shown,
                            unsigned &Width) {
  constexpr unsigned TabStop = 8;
  auto Mark = [](StringRef) { return std::string("?"); };
  while (!Text.empty()) {
    if (!Text.consume_front("\t")) {
      Width += moveCharacter(Text, Shown, Mark);
      continue;
    }
    unsigned Spaces = TabStop - Width % TabStop;
    Shown.append(Spaces, ' ');
    Width += Spaces;
  }
}

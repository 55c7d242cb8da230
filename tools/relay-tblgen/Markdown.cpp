//===- Markdown.cpp - Text of records in Markdown -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Markdown.h.
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

std::string relay::tblgen::toSentence(StringRef Text) {
  return Text.take_front().upper() + Text.drop_front().str() + ".";
}

std::string relay::tblgen::dedent(StringRef Text) {
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  size_t Indent = StringRef::npos;
  for (StringRef &Line : Lines) {
    Line = Line.rtrim();
    Indent = std::min(Indent, Line.find_first_not_of(' '));
  }
  for (StringRef &Line : Lines)
    Line = Line.drop_front(std::min(Indent, Line.size()));
  return StringRef(join(Lines, "\n")).trim().str();
}

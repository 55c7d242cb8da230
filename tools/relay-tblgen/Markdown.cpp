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
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace llvm;
using namespace relay::tblgen;

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

std::string relay::tblgen::toCell(StringRef Text) {
  SmallVector<StringRef> Parts;
  Text.split(Parts, '|');
  return join(Parts, "\\|");
}

std::string relay::tblgen::linkTo(StringRef Name, StringRef Page) {
  std::string Anchor;
  for (char C : Name)
    if (isAlnum(C) || C == '_' || C == '-')
      Anchor += toLower(C);
  return ("[`" + Name + "`](" + Page + "#" + Anchor + ")").str();
}

//===----------------------------------------------------------------------===//
// Banners
//===----------------------------------------------------------------------===//

/// Reads `//===- X.td - Title ---*- tablegen -*-===//`, the licence, and the
/// text between two further rules.
static FileBanner readBanner(const MemoryBuffer &File) {
  FileBanner Banner;
  Banner.Title = sys::path::stem(File.getBufferIdentifier()).str();
  auto [First, Rest] = File.getBuffer().split('\n');
  if (!First.starts_with("//===-"))
    return Banner;
  Banner.Title =
      First.split(" - ").second.split(" *-").first.split(" --").first.trim();
  Rest = Rest.split("//===---").second.split('\n').second;
  while (Rest.consume_front("//") && !Rest.starts_with("===")) {
    auto [Line, Next] = Rest.split('\n');
    Banner.Text += Line.trim().str() + '\n';
    Rest = Next;
  }
  Banner.Text = StringRef(Banner.Text).trim().str();
  return Banner;
}

static const MemoryBuffer &getBufferOf(const Record &R) {
  return *SrcMgr.getMemoryBuffer(
      SrcMgr.FindBufferContainingLoc(R.getLoc().front()));
}

FileBanner relay::tblgen::getMainBanner() {
  return readBanner(*SrcMgr.getMemoryBuffer(SrcMgr.getMainFileID()));
}
FileBanner relay::tblgen::getBannerOf(const Record &R) {
  return readBanner(getBufferOf(R));
}
std::string relay::tblgen::getFileStemOf(const Record &R) {
  return sys::path::stem(getBufferOf(R).getBufferIdentifier()).str();
}

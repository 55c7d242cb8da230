//===- LocationTest.cpp - Tests of locations and their spans --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {
class LocationTest : public ::testing::Test {
protected:
  std::string print(Location Loc) const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Diags.printLocation(OS, Loc);
    return Text;
  }

  DiagnosticEngine Diags;
  LocationTable &Table = Diags.getLocations();
};
} // namespace

TEST_F(LocationTest, EntriesAreUnique) {
  Location At = Location::fromOffset(7);
  Location A = Table.get(At, {Span{"layer1/conv", 0, 0}});
  EXPECT_TRUE(A.hasSpan());
  EXPECT_EQ(A, Table.get(At, {Span{std::string("layer1/conv"), 0, 0}}));
  EXPECT_NE(A, Table.get(At, {Span{"layer1/conv", 0, 1}}));
  EXPECT_NE(A, Table.get({}, {Span{"layer1/conv", 0, 0}}));
  EXPECT_EQ(At, Table.get(At, {}));
  EXPECT_EQ(At, Table.getText(A));
  EXPECT_TRUE(Table.getSpans(At).empty());
}

TEST_F(LocationTest, FusionKeepsTheFirst) {
  Location Plain = Location::fromOffset(1), Other = Location::fromOffset(2);
  Location A = Table.get(Location::fromOffset(3), {Span{"a", 0, 0}});
  Location B = Table.get(Location::fromOffset(4), {Span{"b", 0, 0}});
  EXPECT_EQ(Table.fuse({}), Location());
  EXPECT_EQ(Table.fuse({Plain, Other}), Plain);
  EXPECT_EQ(Table.fuse({Plain, A}), A);
  EXPECT_EQ(Table.fuse({A, A}), A);
  Location Both = Table.fuse({Plain, A, B, A});
  EXPECT_EQ(Table.getText(Both), Location::fromOffset(3));
  SmallVector<StringRef> Layers;
  Table.getLayers(Both, Layers);
  EXPECT_EQ(ArrayRef<StringRef>(Layers), ArrayRef<StringRef>({"a", "b"}));
  Location All = Both;
  for (unsigned I = 0; I != 100; ++I)
    All = Table.fuse({All, Table.get({}, {Span{std::to_string(I), 0, 0}})});
  EXPECT_EQ(Table.getSpans(All).size(), LocationTable::MaxSpans);
}

TEST_F(LocationTest, SeveralTexts) {
  SourceTextRef First =
      Diags.setMainBuffer(llvm::MemoryBuffer::getMemBuffer("a\nb\n", "first"));
  EXPECT_EQ(Diags.getMainOffset(), 0u);
  Diags.setMainBuffer(llvm::MemoryBuffer::getMemBuffer("c\nd", "second"));
  size_t Second = Diags.getMainOffset();
  EXPECT_EQ(print(Location::fromOffset(2)), "first:2:1");
  EXPECT_EQ(print(Location::fromOffset(4)), "first:3:1");
  EXPECT_EQ(print(Location::fromOffset(Second)), "second:1:1");
  EXPECT_EQ(print(Location::fromOffset(Second + 2)), "second:2:1");
  EXPECT_EQ(print(Location()), "<unknown>");
  Location Named = Location::fromOffset(Second + 2);
  EXPECT_EQ(print(Table.get(Named, {Span{"x", 0, 0}})),
            "second:2:1 in layer 'x'");
  EXPECT_EQ(print(Table.get(Named, {Span{"x", 0, 0}, Span{"y", 0, 0}})),
            "second:2:1 in layers 'x', 'y'");
  EXPECT_EQ(print(Table.get({}, {Span{"m.py", 3, 4}})), "m.py:3:4");
}

/// The offsets of a released text are reused by the next one that fits.
TEST_F(LocationTest, TextsThatGo) {
  auto Add = [&](StringRef Text, StringRef Name) {
    return Diags.setMainBuffer(llvm::MemoryBuffer::getMemBuffer(Text, Name));
  };
  SourceTextRef First = Add("abc", "first"), Second = Add("d", "second"),
                Third = Add("e", "third");
  Location InSecond = Location::fromOffset(Second->getBegin());
  EXPECT_EQ(print(InSecond), "second:1:1");
  EXPECT_EQ(Diags.getNumTexts(), 3u);
  size_t Gap = Second->getBegin();
  Second.reset();
  EXPECT_EQ(Diags.getNumTexts(), 2u);
  EXPECT_EQ(print(InSecond), "<unknown>");
  EXPECT_EQ(Diags.getSource(InSecond), nullptr);
  EXPECT_EQ(Diags.getLineAndColumn(InSecond), std::pair(0u, 0u));
  SourceTextRef Long = Add("fgh", "long");
  EXPECT_EQ(Long->getBegin(), Third->getEnd());
  SourceTextRef Short = Add("i", "short");
  EXPECT_EQ(Short->getBegin(), Gap);
  EXPECT_EQ(print(InSecond), "short:1:1");
  EXPECT_EQ(print(Location::fromOffset(Third->getBegin())), "third:1:1");
  // The engine holds the last text until the next one is set.
  Short.reset();
  EXPECT_EQ(print(InSecond), "short:1:1");
  for (unsigned I = 0; I != 1000; ++I)
    Add("j", "j");
  EXPECT_EQ(Diags.getNumTexts(), 4u);
  EXPECT_EQ(Diags.getMainOffset(), Gap);
}

//===- TextMapTest.cpp - Maps by interned text ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/Text/Parse/TextMap.h"
#include "relay/IR/Context.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

// The short names lie as close together as any; the long ones need more than a
// page each.
TEST(InternedTextMapTest, DistinguishesNamesOfManyPages) {
  Context Ctx;
  InternedTextMap<size_t> Map;
  std::vector<StringRef> Names{Ctx.intern("")};
  for (unsigned I = 0; I != 20000; ++I)
    Names.push_back(Ctx.intern(llvm::Twine(I).str()));
  for (unsigned I = 0; I != 4; ++I)
    Names.push_back(Ctx.intern(std::string(5000 + I, 'a')));
  for (auto [I, Name] : llvm::enumerate(Names)) {
    EXPECT_EQ(Map.lookup(Name), 0u);
    Map[Name] = I + 1;
  }
  for (auto [I, Name] : llvm::enumerate(Names)) {
    EXPECT_EQ(Map.lookup(Name), I + 1);
    EXPECT_EQ(Map[Name], I + 1);
  }
}

TEST(InternedTextMapTest, ClearForgetsAll) {
  Context Ctx;
  InternedTextMap<unsigned> Map;
  StringRef Name = Ctx.intern("name");
  Map[Name] = 1;
  Map.clear();
  EXPECT_EQ(Map.lookup(Name), 0u);
  EXPECT_EQ(Map[Name], 0u);
}

TEST(InternedTextMapTest, ReferencesStayValid) {
  Context Ctx;
  InternedTextMap<unsigned> Map;
  StringRef Name = Ctx.intern("first");
  unsigned &First = Map[Name];
  for (unsigned I = 0; I != 20000; ++I)
    Map[Ctx.intern(llvm::Twine(I).str())] = 2;
  First = 1;
  EXPECT_EQ(Map.lookup(Name), 1u);
}

} // namespace

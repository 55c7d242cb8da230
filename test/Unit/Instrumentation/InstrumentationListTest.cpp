//===- InstrumentationListTest.cpp - The order of instrumentations --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of an InstrumentationList, and unknown names in add().
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Instrumentation.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

std::string Made;

/// Reports its construction.
template <char Letter> class Lettered final : public Instrumentation {
public:
  struct Options : InstrumentationOptions {
    explicit Options(FlagSet &Flags) : InstrumentationOptions(Flags, "Tests") {}
    bool isEnabled() const override { return true; }
  };
  static constexpr char Name[] = {Letter, Letter, Letter, Letter, Letter, 0};

  Lettered(const Options &, const InstrumentationSetup &) { Made += Letter; }
};

TEST(InstrumentationListTest, Places) {
  FlagSet Flags("test");
  InstrumentationList List(Flags, llvm::nulls());
  List.add<Lettered<'a'>>();
  List.add<Lettered<'b'>>("aaaaa");
  List.add<Lettered<'c'>>();
  EXPECT_FALSE(bool(List.checkPlaces()));
  EXPECT_FALSE(bool(List.setUp({})));
  EXPECT_EQ(std::exchange(Made, ""), "bac");
  List.add<Lettered<'d'>>("aaaab");
  EXPECT_EQ(llvm::toString(List.checkPlaces()),
            "instrumentation 'ddddd' cannot be added before 'aaaab', which is "
            "unknown; did you mean 'aaaaa'?");
}

} // namespace

//===- PassConfig.cpp - Typed options of a PassContext --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassConfig.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassConfig.h"
#include "relay/Pass/PassOptions.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

static std::vector<std::string> parseList(StringRef Text) {
  std::vector<std::string> Items;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  if (!Text.empty())
    for (StringRef Part : Parts)
      Items.push_back(Part.str());
  return Items;
}

llvm::Expected<ConfigValue> relay::parseConfigValue(PassOptionKind Kind,
                                                    StringRef Text) {
  switch (Kind) {
  case PassOptionKind::Bool:
    if (std::optional<bool> Value = parseBoolText(Text))
      return ConfigValue(*Value);
    return llvm::createStringError("is true or false, not '" + Text + "'");
  case PassOptionKind::Int: {
    int64_t Value;
    if (llvm::to_integer(Text, Value, 10))
      return ConfigValue(Value);
    return llvm::createStringError("is an integer, not '" + Text + "'");
  }
  case PassOptionKind::String:
    return ConfigValue(Text.str());
  case PassOptionKind::List:
    return ConfigValue(parseList(Text));
  }
  llvm_unreachable("unknown kind of option");
}

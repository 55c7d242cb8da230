//===- ParamsFlag.cpp - The value of -params ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ParamsFlag.h.
//
//===----------------------------------------------------------------------===//

#include "ParamsFlag.h"

using namespace relay;
using llvm::Error;

Error relay::parseFlagValue(StringRef Text, ParamsValue &Value) {
  StringRef Rest = Text;
  if (!Rest.consume_front("random") || (!Rest.empty() && Rest[0] != ':')) {
    Value.Path = Text.str();
    return Error::success();
  }
  Value = ParamsValue();
  if (Rest.empty())
    return Error::success();
  return parseFlagValue(Rest.drop_front(), Value.Seed);
}

Error ParamsFlag::check() const {
  auto IsRandom = [](const ParamsValue &S) { return S.isRandom(); };
  size_t NumRandom = llvm::count_if(get(), IsRandom);
  if (NumRandom > 1)
    return llvm::createStringError("option " + getSpelling() +
                                   ": 'random' may be given only once");
  if (get().size() - NumRandom > 1)
    return llvm::createStringError("option " + getSpelling() +
                                   ": only one file may be given");
  return Error::success();
}

StringRef ParamsFlag::getFile() const {
  for (const ParamsValue &S : get())
    if (!S.isRandom())
      return S.Path;
  return "";
}

std::optional<uint64_t> ParamsFlag::getSeed() const {
  for (const ParamsValue &S : get())
    if (S.isRandom())
      return S.Seed;
  return std::nullopt;
}

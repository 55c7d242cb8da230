//===- ParamsSource.cpp - The value of -params ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ParamsSource.h.
//
//===----------------------------------------------------------------------===//

#include "ParamsSource.h"

using namespace relay;
using llvm::Error;

Error relay::parseFlagValue(StringRef Text, ParamsSource &Value) {
  StringRef Rest = Text;
  if (!Rest.consume_front("random") || (!Rest.empty() && Rest[0] != ':')) {
    Value.Path = Text.str();
    return Error::success();
  }
  Value = ParamsSource();
  if (Rest.empty())
    return Error::success();
  return parseFlagValue(Rest.drop_front(), Value.Seed);
}

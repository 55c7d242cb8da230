//===- Core.cpp - The constructs of the language --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables and views of the core operations. TypingRules.h has their
// typing. Each Context declares them itself.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"

#include "relay/IR/Core.cpp.inc"

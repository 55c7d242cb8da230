//===- Core.cpp - The constructs of the language --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables and views of the core operations. They have no type relations: their
// types are the business of inference (room Analysis).
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Core.h"

#include "relay/Ops/Core.cpp.inc"

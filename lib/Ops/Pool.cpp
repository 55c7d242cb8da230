//===- Pool.cpp - Pooling -------------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Pool.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Pool.h"

#include "relay/Ops/Pool.cpp.inc"

//===- Elementwise.cpp - Operators element by element ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Elementwise.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"

#include "relay/Ops/Elementwise.cpp.inc"

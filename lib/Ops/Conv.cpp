//===- Conv.cpp - Convolutions --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Conv.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Conv.h"

#include "relay/Ops/Conv.cpp.inc"

//===- NN.cpp - Neural networks -------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of NN.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/NN.h"

#include "relay/Ops/NN.cpp.inc"

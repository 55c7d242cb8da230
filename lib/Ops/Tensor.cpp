//===- Tensor.cpp - Making and reshaping tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Tensor.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Tensor.h"

#include "relay/Ops/Tensor.cpp.inc"

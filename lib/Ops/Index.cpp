//===- Index.cpp - Reading and writing parts of tensors -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Index.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Index.h"

#include "relay/Ops/Index.cpp.inc"

//===- Annotation.cpp - Marks for later passes ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables and views of the ops of Annotation.td, whose type relation is shared
// (Relations.h).
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Annotation.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Annotation.cpp.inc"

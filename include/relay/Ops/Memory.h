//===- Memory.h - Devices and memory ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Memory.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_MEMORY_H
#define RELAY_OPS_MEMORY_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Ops/Tensor.h"

#include "relay/Ops/Memory.h.inc"

namespace relay {
/// The type of memory. Text may name it without a definition.
constexpr StringLiteral StorageTypeName = "Storage";
} // namespace relay

#endif // RELAY_OPS_MEMORY_H

//===- Core.h - The constructs of the language ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views of the core operations of Core.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CORE_H
#define RELAY_IR_CORE_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"

#include "relay/IR/Core.h.inc"

#endif // RELAY_IR_CORE_H

//===- Vision.h - Object detection ------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Vision.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_VISION_H
#define RELAY_OPS_VISION_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"

#include "relay/Ops/Vision.h.inc"

#endif // RELAY_OPS_VISION_H

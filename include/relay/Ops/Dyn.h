//===- Dyn.h - Operators with computed shapes -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of Dyn.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_DYN_H
#define RELAY_OPS_DYN_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"

#include "relay/Ops/Dyn.h.inc"

#endif // RELAY_OPS_DYN_H

//===- QNN.h - Quantized networks -------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views and attributes of the ops of QNN.td, and their hooks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_QNN_H
#define RELAY_OPS_QNN_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Tensor.h"

#include "relay/Ops/QNN.h.inc"

#endif // RELAY_OPS_QNN_H

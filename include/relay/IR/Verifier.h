//===- Verifier.h - What has to hold of IR ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks IR between passes: operand counts and attributes against the op's
// declaration, use-lists, scope, canonical order, symbols, types where they are
// known. Reports through the Context's diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_VERIFIER_H
#define RELAY_IR_VERIFIER_H

#include "relay/IR/Module.h"

namespace relay {

LogicalResult verify(Module &M);
LogicalResult verify(Function &F);

} // namespace relay

#endif // RELAY_IR_VERIFIER_H

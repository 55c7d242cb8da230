//===- Legalization.h - Operators in forms that targets take ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks that the pass legalize calls.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LEGALIZE_LEGALIZATION_H
#define RELAY_TRANSFORMS_LEGALIZE_LEGALIZATION_H

#include "relay/Transforms/Lowering.h"

// Names Lowering.
#include "relay/Transforms/Legalize/Legalizations.h.inc"

#endif // RELAY_TRANSFORMS_LEGALIZE_LEGALIZATION_H

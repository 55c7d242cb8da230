//===- Passes.h - The passes ------------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of Passes.td: options, base classes, createXPass(); and their
// registration.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PASSES_H
#define RELAY_TRANSFORMS_PASSES_H

#include "relay/IR/Rewriter.h"
#include "relay/Pass/PassManager.h"

namespace relay {

#include "relay/Transforms/Passes.h.inc"

/// Adds every pass, analysis and config option of this package to \p Registry.
void registerAllPasses(PassRegistry &Registry);
/// Makes every kind of fact of this package known to \p Ctx by its name.
void registerAllOpFacts(Context &Ctx);

} // namespace relay

#endif // RELAY_TRANSFORMS_PASSES_H

//===- Calls.h - Calls and closures that passes make ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of passes that turn global functions into closures, and back.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_CALLS_H
#define RELAY_LIB_TRANSFORMS_INLINE_CALLS_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// Makes \p Call, which calls a global function, a call of the closure
/// \p Callee with the same arguments.
Operation *replaceByCallOf(Rewriter &R, Operation *Call, Value *Callee);

/// Makes \p Call, which calls a closure, a call of \p Callee with the same
/// arguments.
Operation *replaceByCallOf(Rewriter &R, Operation *Call,
                           const Function &Callee);

/// Inserts a closure with the parameters, signature and body of \p F.
Operation *createClosure(Rewriter &R, const Function &F);

/// Gives the empty \p Body of a function the parameters, which are mapped in
/// \p Map, and the signature of the closure \p Fn. Types become annotations.
void copySignature(Rewriter &R, Operation *Fn, Block &Body,
                   llvm::DenseMap<const Value *, Value *> &Map);

/// Gives the operations of \p B, and in their regions, that name no layer the
/// layers of \p Call, in whose place they are put.
void inheritLayers(Rewriter &R, Block &B, Location Call);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_CALLS_H

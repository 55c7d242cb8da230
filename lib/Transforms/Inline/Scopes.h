//===- Scopes.h - Remove and create bindings --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of passes that remove `let`s.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_SCOPES_H
#define RELAY_LIB_TRANSFORMS_INLINE_SCOPES_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// Unbinds the bound \p Op: a node becomes floating; uses of an alias become
/// uses of its value.
void inlineBinding(Rewriter &R, Operation *Op);

/// Returns true if a `let` with a dynamic annotation binds \p Op. Without the
/// annotation, Op and its operands can be less dynamic: a pass that removes it
/// calls retype(F).
bool hasDynamicAnnotation(const Operation *Op);

/// Makes \p V the value of the bound \p Op, under the same name: the node
/// itself if nothing else uses it, else an alias. Erases Op.
void rebind(Rewriter &R, Operation *Op, Value *V);

/// Dissolves the scopes of \p F that hold no binding any more.
void dissolveEmptyScopes(Rewriter &R, Function &F);

/// Returns true if a function of the normalized \p M binds anything by `let`.
bool hasBindings(Module &M);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_SCOPES_H

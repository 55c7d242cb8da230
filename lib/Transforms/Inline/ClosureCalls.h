//===- ClosureCalls.h - Inline calls of closures ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces direct calls of closures by the closures' bodies.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_CLOSURECALLS_H
#define RELAY_LIB_TRANSFORMS_INLINE_CLOSURECALLS_H

#include "relay/IR/Function.h"

namespace relay {

/// Inlines the calls in \p F of closures that \p ShouldInline accepts, and
/// types F. Closures that a `let` binds or that contain `let`s are kept, and
/// calls whose effects would be dropped or reordered. Returns the number of
/// inlined calls; reports an error if they make too many operations.
FailureOr<unsigned>
inlineClosureCalls(Function &F,
                   function_ref<bool(const Operation &Fn)> ShouldInline);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_CLOSURECALLS_H

//===- Spans.h - Positions of values as spans -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of annotate-spans and capture-post-dfs-index-in-spans.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_UTILITY_SPANS_H
#define RELAY_LIB_TRANSFORMS_UTILITY_SPANS_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// Makes \p Position the first span of \p V, an operation or a parameter,
/// followed by the layers that V has. Other spans are dropped. Returns true if
/// the location of V changes.
bool setPosition(Rewriter &R, Value &V, const Span &Position);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_UTILITY_SPANS_H

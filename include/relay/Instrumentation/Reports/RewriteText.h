//===- RewriteText.h - A rewrite in words -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts for one application of a rule in logs and bisection.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H
#define RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H

#include "relay/IR/RewriteListener.h"
#include <string>

namespace relay {

/// Returns `fuse of nn.relu at in.relay:7:3 in layer 'conv1'`, with position
/// and layer if known; `bind of @main` for a whole function, `remove-functions`
/// for a module.
std::string getRewriteText(const Rewrite &R);

/// Returns the layers of the operation to which \p R applies, each once; none
/// for a whole function or module.
SmallVector<StringRef, 2> getLayers(const Rewrite &R);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H
